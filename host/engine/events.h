/* Events that kernels record, on their way to whoever asked for them. */
#pragma once

#include "shared/results/events.h"
#include "warpsweep/engine.h"

/* Kinds of events that a job records, a bit each: all for a watch that takes events; with times, the orders of a scheduler that
 * sorts. 0: the job needs no room for any. */
u32 ws_events_wanted(const struct ws_machine *machine, bool times, const struct ws_engine_watch *watch);

/* Where the events of a job go. */
struct ws_event_sink {
    const struct ws_engine_watch *watch;
    size_t job;                   /* its number in the watch */
    u64 from;                     /* cycles before are known to the watch */
    struct ws_job_result *result; /* takes orders; NULL: nobody asked for them */
};

/* Passes on the events of a quantum that began at cycle base. WS_STATUS_no_memory when the result has no room. */
enum ws_status ws_events_pass(const struct ws_event_sink *sink, u64 base, const struct ws_event *events, u32 count,
                              struct ws_error *error);
