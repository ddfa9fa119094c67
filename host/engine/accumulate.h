/* Adds the results of a quantum to those of its job. */
#pragma once

#include "shared/job.h"
#include "warpsweep/engine.h"

/* Accumulates the counters of the last quantum in 64 bits: sums are added, maxima kept. */
void ws_accumulate_counters(u64 *counters, const u32 *quantum);

/* Reports a quantum that started in cycle from of the job to the watch, if it has the callback. */
void ws_quantum_report(const struct ws_engine_watch *watch, size_t job, u64 from, const u32 *quantum);

/* Cycles of the next quantum of a job that has simulated base cycles: at most so many, and up to the watch's interval. */
u32 ws_quantum_until(const struct ws_engine_watch *watch, u64 base, u32 quantum);

/* Bytes of a job's times in the records buffer. */
size_t ws_times_bytes(const struct ws_job *job);

/* Allocates them in the result, all zero. */
enum ws_status ws_times_allocate(const struct ws_job *job, struct ws_job_result *result, struct ws_error *error);

/* Sets status and reason of a job after its last quantum, from that quantum's head. */
void ws_job_end(const struct ws_machine *machine, const struct ws_head *head, struct ws_job_result *result);

/* The same for a job that failed with an error. */
void ws_job_refuse(struct ws_job_result *result, const struct ws_error *error);
