/* Runs a case on a function that advances a job by a quantum, for any compilation of kernels/. */
#pragma once

#include "differential/random/random_case.h"
#include "engine/jobs/predecode.h"
#include "engine/native/native.h"
#include "warpsweep/engine.h"

/* The machine of a case as kernels of a path unit need it, and a pre-decoded trace if the unit uses one; *packets is to be freed by
 * ws_predecoded_free. False: the unit does not support the case. */
bool kernel_case(const struct random_case *random_case, u32 path, struct ws_machine *machine, struct ws_image **packets);

/* Runs the case to its end in quanta of this many cycles. A case that needs more than `most` cycles keeps the status running.
 * packets: NULL for the streams of the case's threads. *result is to be freed by ws_job_result_free. A case that cannot be planned
 * fails the test. A kernel that writes past its state ends with WS_STATUS_internal. Returns how many times the room for requests
 * has grown. */
u32 kernel_run(const struct random_case *random_case, const struct ws_image *packets, ws_native_quantum *advance, u32 quantum,
               u64 most, struct ws_job_result *result);
