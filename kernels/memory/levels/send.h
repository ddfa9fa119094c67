/* The request path from the SM: one queue, one port (docs/model/memory.md). First lane only. */
#ifndef WS_MEMORY_LEVELS_SEND_H
#define WS_MEMORY_LEVELS_SEND_H

#include "memory/levels/message.h"

/* Cycles for which a request occupies the port. */
static inline u32 send_flits(u32 info)
{
    return info_kind(info) < REQUEST_WRITE ? 1 : 1 + info_sectors(info);
}

/* Whether the queue has room for so many requests, 1 or 2. */
static inline u32 send_room(PRIVATE const struct sm *sm, u32 requests)
{
    GLOBAL const struct ws_levels *levels = sm_levels(sm);
    const u32 places = MACHINE(sm, memory_miss_queue), sent = levels->sent + requests; /* with these requests */
    const u32 fits = sent <= places || levels->leaves[(sent - 1 - places) % 32] <= sm->now;
    return fits && levels->held + requests <= MACHINE(sm, dram_queue);
}

/* Next cycle after this one with possible room for one more request, or for two; WS_NEVER if the queue is not the obstacle. */
static inline u32 send_room_at(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_levels *levels = sm_levels(sm);
    const u32 places = MACHINE(sm, memory_miss_queue);
    for (u32 more = 0; more < 2; ++more) {
        const u32 sent = levels->sent + more;
        if (sent >= places && levels->leaves[(sent - places) % 32] > sm->now)
            return levels->leaves[(sent - places) % 32];
    }
    return WS_NEVER;
}

/* Sends a request for which there is room. */
static inline void send(PRIVATE struct sm *sm, u32 line, u32 info)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 leaves = ws_max(sm->now, levels->send_free), flits = send_flits(info);
    levels->send_free = leaves + flits;
    levels->leaves[levels->sent % 32] = leaves;
    levels->sent += 1;
    levels->held += 1;
    count(sm, WS_COUNT_network_flits, flits);
    const u32 far = (line >> PLAN(sm, line_shift) & 1) * MACHINE(sm, l2_far);
    const u32 arrives = leaves + flits + MACHINE(sm, memory_network) + MACHINE(sm, l2_latency) + far;
    queue_push(sm, &levels->to_l2, message_take(sm, line, info), arrives);
    levels->below = ws_min(levels->below, arrives);
    levels->next = pool_crowded(sm) ? sm->now : ws_min(levels->next, arrives); /* the SM must see that the pool lacks room */
}

#endif
