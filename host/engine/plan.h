/* From a machine and an image to a job: the derived values that kernels do not compute. */
#pragma once

#include "shared/job.h"
#include "warpsweep/engine.h"

/* Fills in all of *job except the offsets into buffers. Refuses what ws_machine_check refuses, and a block that does not fit into
 * an empty SM. */
enum ws_status ws_job_plan(const struct ws_job_spec *spec, struct ws_job *job, struct ws_error *error);

/* Computes the values of shared/plan.def, for a legal machine. */
void ws_plan_derive(const struct ws_machine *machine, struct ws_plan *plan);
