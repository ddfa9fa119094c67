/* The kernels compiled as host C. */
#ifndef WS_ENGINE_NATIVE_H
#define WS_ENGINE_NATIVE_H

#include "shared/state.h"

/* Where a job's data lie. */
struct ws_native_parts {
    const struct ws_instruction *program;
    const struct ws_group *groups;
    const u32 *words;
    u32 *state;
    u32 *records; /* times and timeline, at the job's offsets; NULL if the job has neither */
};

/* Advances a job by at most quantum cycles. */
typedef void ws_native_quantum(const struct ws_job *job, const struct ws_native_parts *parts, u32 quantum);

/* Lays out the state of a job of a machine, with room for so many requests; depends on what is compiled in. */
typedef void ws_native_plan(const struct ws_machine *machine, struct ws_plan *plan, u32 requests);

/* Reads the WS_GAUGES values of shared/results/gauges.def from the state of a job between two quanta; depends on what is compiled
 * in. */
typedef void ws_native_gauges(const struct ws_job *job, const u32 *state, u32 *gauges);

/* The same for a job of any machine. */
void ws_native_read_gauges(const struct ws_job *job, const u32 *state, u32 *gauges);

/* Lays out the state for any legal machine (ws_machine_check). */
void ws_native_plan_state(const struct ws_machine *machine, struct ws_plan *plan, u32 requests);

#endif
