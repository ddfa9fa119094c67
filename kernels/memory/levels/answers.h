/* The reply path to the SM: one port, in the order of use of L2's data port (docs/model/memory.md). First lane only. */
#ifndef WS_MEMORY_LEVELS_ANSWERS_H
#define WS_MEMORY_LEVELS_ANSWERS_H

#include "memory/levels/l1.h"

/* Cycles for which the response to a request occupies the reply port. */
static inline u32 answer_flits(PRIVATE const struct sm *sm, u32 info)
{
    const u32 kind = info_kind(info);
    return kind == REQUEST_WRITE    ? 1
           : kind == REQUEST_ATOMIC ? 1 + (1u << PLAN(sm, line_shift))
                                    : 1 + l1_granules(sm, kind < WS_L1_CACHES ? kind : WS_CACHE_DATA);
}

/* A request is answered; the response is ready in a cycle. */
static inline void answer(PRIVATE const struct sm *sm, u32 index, u32 ready)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 leaves = ws_max(ready, levels->reply_free);
    levels->reply_free = leaves + answer_flits(sm, sm_request(sm, index)->tickets[0]);
    queue_push(sm, &levels->answers, index, levels->reply_free + MACHINE(sm, memory_network));
}

/* Occupies L2's data port at a cycle for so many cycles; returns the end. */
static inline u32 l2_use_port(PRIVATE const struct sm *sm, u32 at, u32 cycles)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    levels->l2_free = ws_max(at, levels->l2_free) + cycles;
    return levels->l2_free;
}

#endif
