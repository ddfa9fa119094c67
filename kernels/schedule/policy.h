/* The warp scheduler that is compiled in (WS_POLICY), or else the machine's. */
#ifndef WS_SCHEDULE_POLICY_H
#define WS_SCHEDULE_POLICY_H

#include "schedule/rr.h"
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

/* A selectable warp (at least one); nothing changes until policy_chosen. */
static inline u32 policy_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
    return policy_is(sm, WS_policy_two_level) ? two_level_choose(sm, lanes, selectable) : rr_choose(sm, lanes, selectable);
}

/* The warp has used its slot, or lost it other than for want of room in memory. */
static inline void policy_chosen(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    if (policy_is(sm, WS_policy_two_level))
        two_level_chosen(sm, lanes, warp);
    else
        rr_chosen(sm, lanes, warp);
}

/* Step rotate; awaiting is the mask of warps that await. */
static inline void policy_rotate(PRIVATE struct sm *sm, u32 awaiting)
{
    if (policy_is(sm, WS_policy_two_level))
        two_level_rotate(sm, awaiting);
}

/* A warp issued threads thread instructions; begins: the slot begins an instruction. */
static inline void policy_issued(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 begins)
{
    if (policy_is(sm, WS_policy_two_level))
        two_level_issued(sm, warp, threads, begins);
}

#endif
