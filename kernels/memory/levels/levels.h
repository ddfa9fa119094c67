/* Memory of several levels as a pipeline sees it (docs/model/memory.md). It knows no warps: an access that waits leaves a ticket.
 *   l1_access, l1_store_line, l1_pass   an access to a cache of the SM
 *   levels_run                          advances the levels below the SM to a cycle
 *   levels_answer                       the response that reaches the SM */
#ifndef WS_MEMORY_LEVELS_LEVELS_H
#define WS_MEMORY_LEVELS_LEVELS_H

#include "memory/coalesce.h"
#include "memory/levels/l2.h"
#include "memory/shared.h"

/* Next cycle, not before from, in which something happens below the SM, responses aside. */
static inline u32 levels_next(PRIVATE const struct sm *sm, u32 from)
{
    GLOBAL const struct ws_levels *levels = sm_levels(sm);
    u32 next = sm_timed(sm)->back.at;
    if (!levels->refused)
        next = ws_min(next, ws_max(levels->to_l2.at, levels->lookup_at));
    return ws_max(ws_min(next, timed_next(sm, from)), from);
}

/* One cycle below the SM. */
static inline void levels_cycle(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL const struct ws_levels *levels = sm_levels(sm);
    while (sm_timed(sm)->back.at <= at)
        l2_fill(sm, at);
    if (!levels->refused && ws_max(levels->to_l2.at, levels->lookup_at) <= at)
        l2_look_up(sm, at);
    timed_cycle(sm, at);
}

/* Simulates cycles below the SM up to one, while no response reaches the SM earlier and the pool has room. Returns the next cycle
 * with an event; it is not after the given one if a response reaches the SM then or the pool has no room. First lane only. */
static inline u32 levels_run(PRIVATE struct sm *sm, u32 until)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    if (levels->next > until)
        return levels->next;
    u32 next = levels->below, arrives = levels->answers.at;
    while (next <= ws_min(until, arrives) && !pool_crowded(sm)) {
        levels_cycle(sm, next);
        next = levels_next(sm, next + 1);
        arrives = levels->answers.at;
    }
    levels->below = next;
    levels->next = ws_min(next, arrives);
    return pool_crowded(sm) ? ws_min(levels->next, until) : levels->next;
}

/* Takes the response that reaches the SM in this cycle; returns its info (memory/levels/message.h). First lane only. */
static inline u32 levels_answer(PRIVATE struct sm *sm)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 index = queue_pop(sm, &levels->answers), info = sm_request(sm, index)->tickets[0];
    levels->held -= 1;
    levels->retry_at = 0;
    count(sm, WS_COUNT_network_flits, answer_flits(sm, info));
    message_free(sm, index);
    levels->next = ws_min(levels->below, levels->answers.at);
    return info;
}

/* Before the first quantum. First lane only. */
static inline void levels_open(PRIVATE const struct sm *sm)
{
    timed_open(sm);
    queue_open(&sm_levels(sm)->to_l2);
    queue_open(&sm_levels(sm)->answers);
    sm_levels(sm)->next = sm_levels(sm)->below = WS_NEVER;
}

/* Rebases times to the start of the next quantum. */
static inline void levels_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    GLOBAL u32 *const times[] = {&levels->send_free, &levels->write_free, &levels->lookup_at,
                                 &levels->l2_free,   &levels->reply_free, &levels->retry_at};
    for (u32 n = 0; n < sizeof times / sizeof *times; ++n)
        *times[n] -= ws_min(*times[n], elapsed);
    for (u32 n = 0; n < 32; ++n)
        levels->leaves[n] -= ws_min(levels->leaves[n], elapsed);
    if (levels->next != WS_NEVER)
        levels->next -= ws_min(levels->next, elapsed);
    if (levels->below != WS_NEVER)
        levels->below -= ws_min(levels->below, elapsed);
    queue_rebase(sm, &levels->to_l2, elapsed);
    queue_rebase(sm, &levels->answers, elapsed);
    timed_rebase(sm, elapsed);
}

#endif
