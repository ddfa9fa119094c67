/* Timeline events as recorded by kernels. */
#ifndef WS_SHARED_EVENTS_H
#define WS_SHARED_EVENTS_H

#include "shared/dialect.h"

enum ws_event_kind {
#define EVENT(name, value, doc) WS_EVENT_##name = value,
#include "shared/results/events.def"
#undef EVENT
    WS_EVENTS
};

/* Fields as in struct ws_timeline_event; the cycle counts from the start of the quantum. */
struct ws_event {
    u32 cycle, cycles, kind, port, warp, pc, lanes, block, place;
};

/* Kinds of events, one bit each. */
#define WS_EVENTS_EVERY ((1u << WS_EVENTS) - 1)
#define WS_EVENTS_ORDER (1u << WS_EVENT_order)

/* Room for the events of the first entries and of one cycle of any machine. */
#define WS_EVENTS_LEAST 4096u

#endif
