/* Delivery of events that kernels record. */
#pragma once

#include "shared/results/events.h"
#include "warpsweep/engine.h"

/* Kinds of events that a job records, one bit each: all if the watch takes events; with times, the orders of a scheduler that
 * sorts. 0: the job needs no room for events. */
u32 ws_events_wanted(const struct ws_machine *machine, bool times, const struct ws_engine_watch *watch);

/* Destination of a job's events. */
struct ws_event_sink {
    const struct ws_engine_watch *watch;
    size_t job;                   /* its number in the watch */
    u64 from;                     /* events of earlier cycles have been delivered (the job was restarted) */
    struct ws_job_result *result; /* receives orders; NULL: not requested */
};

/* Delivers the events of a quantum that started at cycle base. WS_STATUS_no_memory if the result cannot grow. */
enum ws_status ws_events_pass(const struct ws_event_sink *sink, u64 base, const struct ws_event *events, u32 count,
                              struct ws_error *error);
