/* The warp scheduler: the one compiled in (WS_POLICY), or else the machine's. A policy NAME is five functions:
 *   NAME_choose   one of the selectable warps (at least one); changes nothing
 *   NAME_chosen   the warp used its slot, or lost it other than for want of room in memory
 *   NAME_rotate   step rotate of every cycle; awaiting is the mask of warps that await
 *   NAME_issued   the warp issued threads thread instructions; begins: the slot began an instruction
 *   NAME_round    how warps take turns from the chosen one on, while each goes to its next instruction; 0 when that cannot be said
 *                 (divergence/narrow_round.h) */
#ifndef WS_SCHEDULE_POLICY_H
#define WS_SCHEDULE_POLICY_H

#include "core/sm.h"

/* How warps take turns: in cyclic order of slots from the one that was chosen. */
struct round {
    u32 slots;    /* whose warps take turns */
    u32 before;   /* whose warps go before these once they are selectable */
    u32 by_count; /* only warps with as many instructions fetched as the chosen one take turns, those with fewer go before them */
    u32 most;     /* turns */
};

#include "schedule/rr.h"
#include "schedule/srr.h"
#include "schedule/two_level.h"

static inline u32 policy_is(PRIVATE const struct sm *sm, u32 policy)
{
#ifdef WS_POLICY
    (void)sm;
    return policy == WS_POLICY;
#else
    return policy == sm->machine->schedule_policy;
#endif
}

static inline u32 policy_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
#define POLICY(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_choose(sm, lanes, selectable);
#include "schedule/policies.def"
#undef POLICY
    return 0;
}

static inline void policy_chosen(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
#define POLICY(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_chosen(sm, lanes, warp);
#include "schedule/policies.def"
#undef POLICY
}

static inline void policy_rotate(PRIVATE struct sm *sm, u32 awaiting)
{
#define POLICY(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_rotate(sm, awaiting);
#include "schedule/policies.def"
#undef POLICY
}

static inline void policy_issued(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 begins)
{
#define POLICY(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_issued(sm, warp, threads, begins);
#include "schedule/policies.def"
#undef POLICY
}

static inline u32 policy_round(PRIVATE const struct sm *sm, u32 warp, u32 awaiting, PRIVATE struct round *round)
{
#define POLICY(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_round(sm, warp, awaiting, round);
#include "schedule/policies.def"
#undef POLICY
    return 0;
}

#endif
