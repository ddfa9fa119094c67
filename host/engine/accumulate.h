/* What a quantum leaves behind, added to a job's result. */
#pragma once

#include "shared/job.h"
#include "warpsweep/engine.h"

/* Folds the counters of the quantum just done into 64 bits: sums are added, maxima kept. */
void ws_accumulate_counters(u64 *counters, const u32 *quantum);

/* Tells the watch, if it wants to know, of a quantum that began in the cycle from of the job. */
void ws_quantum_report(const struct ws_engine_watch *watch, size_t job, u64 from, const u32 *quantum);

/* Bytes of a job's times in the records buffer. */
size_t ws_times_bytes(const struct ws_job *job);

/* Makes room for them in the result, all zero. */
enum ws_status ws_times_allocate(const struct ws_job *job, struct ws_job_result *result, struct ws_error *error);

/* Status and reason of a job whose quanta are over, whose last one left this head; it has no reason yet. */
void ws_job_end(const struct ws_machine *machine, const struct ws_head *head, struct ws_job_result *result);

/* The same for a job that failed with an error. */
void ws_job_refuse(struct ws_job_result *result, const struct ws_error *error);
