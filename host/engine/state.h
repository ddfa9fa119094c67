/* The state of a job in host memory. */
#pragma once

#include "shared/state.h"
#include "warpsweep/engine.h"

/* Doubles the room for requests, up to dram.queue, in the plan of a job whose quantum ended with wants_room. Only the length of its
 * state changes: requests are its last array. */
void ws_plan_grow(struct ws_job *job);

/* The same with the state: *state, from malloc, is reallocated. WS_STATUS_no_memory leaves both unchanged. */
enum ws_status ws_state_grow(struct ws_job *job, u32 **state, struct ws_error *error);

/* Reports the gauges of job `number` after a quantum to the watch, which has the callback. */
void ws_state_report(const struct ws_engine_watch *watch, size_t number, const struct ws_job *job, const u32 *state);
