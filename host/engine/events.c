#include "engine/events.h"

#include <stdlib.h>

#include "base/error.h"

u32 ws_events_wanted(const struct ws_machine *machine, bool times, const struct ws_engine_watch *watch)
{
    if (watch->event)
        return WS_EVENTS_EVERY;
    return times && machine->schedule_policy == WS_policy_pro ? WS_EVENTS_ORDER : 0;
}

/* The array doubles when it is full, at each power of two. */
static enum ws_status add_place(struct ws_job_result *result, u64 cycle, const struct ws_event *event, struct ws_error *error)
{
    const size_t count = result->order_count;
    if ((count & (count - 1)) == 0) {
        struct ws_block_place *const larger = realloc(result->order, (count ? 2 * count : 1) * sizeof *larger);
        if (!larger)
            return ws_fail(error, WS_STATUS_no_memory, "out of memory for the order of %zu blocks", count);
        result->order = larger;
    }
    result->order[result->order_count++] = (struct ws_block_place){.cycle = cycle, .place = event->place, .block = event->block};
    return WS_STATUS_ok;
}

enum ws_status ws_events_pass(const struct ws_event_sink *sink, u64 base, const struct ws_event *events, u32 count,
                              struct ws_error *error)
{
    for (u32 n = 0; n < count; n++) {
        const struct ws_event *const event = &events[n];
        const struct ws_timeline_event seen = {.cycle = base + event->cycle,
                                               .cycles = event->cycles,
                                               .kind = event->kind,
                                               .port = event->port,
                                               .warp = event->warp,
                                               .pc = event->pc,
                                               .lanes = event->lanes,
                                               .block = event->block,
                                               .place = event->place};
        if (sink->watch->event && seen.cycle >= sink->from)
            sink->watch->event(sink->watch->context, sink->job, &seen);
        if (sink->result && event->kind == WS_EVENT_order)
            WS_TRY(add_place(sink->result, seen.cycle, event, error));
    }
    return WS_STATUS_ok;
}
