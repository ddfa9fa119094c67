/* Memory of several levels: responses that arrive in a cycle, and advancing memory (docs/model/memory.md). A pipeline defines the
 * handlers of responses by ticket: code_arrives, line_arrives, write_answered, atomic_answered. */
#ifndef WS_PIPELINE_PARTS_ANSWERS_H
#define WS_PIPELINE_PARTS_ANSWERS_H

#include "memory/levels/levels.h"
#include "pipeline/pipeline.h"
#include "skip/skip.h"

static inline void code_arrives(PRIVATE struct sm *sm, u32 ticket);

static inline void line_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket);

static inline void write_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket);

static inline void atomic_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket);

/* Handles a response that reaches the SM in this cycle. */
static inline void answer_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 info = 0, joined = 0;
    if (lane_first()) {
        info = levels_answer(sm);
        if (info_kind(info) < WS_L1_CACHES)
            joined = l1_fill(sm, info_kind(info), info_who(info));
    }
    info = lanes_from_first(&sm->lanes, info);
    joined = lanes_from_first(&sm->lanes, joined);
    const u32 kind = info_kind(info), who = info_who(info);
    if (kind == REQUEST_WRITE && who != WS_NO_TICKET)
        write_answered(sm, lanes, who);
    if (kind == REQUEST_LOAD)
        line_arrives(sm, lanes, who);
    if (kind == REQUEST_ATOMIC)
        atomic_answered(sm, lanes, who);
    for (u32 n = 0; n < joined; ++n) {
        const u32 ticket = lanes_from_first(&sm->lanes, lane_first() ? l1_next_ticket(sm, who, n) : 0);
        if (kind == WS_CACHE_CODE)
            code_arrives(sm, ticket);
        else
            line_arrives(sm, lanes, ticket);
    }
}

/* Advances memory to this cycle. */
static inline void memory(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 arrives = 0;
    if (SKIPS && sm->memory_at > sm->now)
        return;
    if (lane_first()) {
        levels_run(sm, sm->now);
        arrives = sm_levels(sm)->answers.at <= sm->now;
    }
    if (lanes_from_first(&sm->lanes, arrives))
        answer_arrives(sm, lanes);
}

/* Advances memory to a cycle at most, and notes the next event if it is not after that cycle: a response reaches the SM, or the
 * request pool must grow first. */
static inline void memory_goes_on(PRIVATE struct sm *sm, u32 until)
{
    u32 next = 0, crowded = 0;
    if (lane_first()) {
        next = levels_run(sm, until);
        crowded = next <= until && pool_crowded(sm);
    }
    sm->memory_at = lanes_from_first(&sm->lanes, next);
    if (lanes_from_first(&sm->lanes, crowded))
        sm->changed |= CHANGED_ROOM;
}

#endif
