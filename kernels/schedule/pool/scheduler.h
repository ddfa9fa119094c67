/* The scheduler of a pool (docs/model/schedulers.md, pool): the one compiled in (WS_POLICY), else the machine's. A scheduler NAME
 * defines
 *   NAME_choose   place of one of the selectable forming warps, of which there is at least one; changes nothing
 * and those of the following that a row of shared/policies.def names:
 *   NAME_joins    so many threads have joined the pool at a pc
 *   NAME_leaves   a packet of so many threads at a pc has issued
 * pc_threads has the threads of the pool at each pc. First lane only. */
#ifndef WS_SCHEDULE_POOL_SCHEDULER_H
#define WS_SCHEDULE_POOL_SCHEDULER_H

#include "schedule/policy.h"
#include "state/dynamic_warps.h"

/* Place of the oldest selectable forming warp, at a pc or (WS_NEVER) at any; WS_NO_PLACE for none. */
static inline u32 pool_oldest(PRIVATE const struct sm *sm, u32 pc)
{
    if (pc != WS_NEVER && sm_pc_threads(sm)[pc] == 0)
        return WS_NO_PLACE;
    FOR_FORMING (sm, place)
        if ((pc == WS_NEVER || sm_forming(sm)[place].pc == pc) && forming_selectable(sm, place))
            return place;
    return WS_NO_PLACE;
}

/* Whether the dynamic warp in one place has more threads than that in another. */
static inline u32 is_fuller(PRIVATE const struct sm *sm, u32 one, u32 other)
{
    return ws_popcount(forming_warp(sm, one)->mask) > ws_popcount(forming_warp(sm, other)->mask);
}

#include "schedule/pool/majority.h"
#include "schedule/pool/majority_table.h"
#include "schedule/pool/minority.h"
#include "schedule/pool/pdom_priority.h"
#include "schedule/pool/program_counter.h"
#include "schedule/pool/timestamp.h"

/* The chosen dynamic warp; the first lane also gets its place. */
static inline u32 pool_choose(PRIVATE struct sm *sm, PRIVATE u32 *place)
{
    u32 chosen = WS_NO_WARP;
    if (lane_first()) {
#define POOL_POLICY(name, value, doc)                                                                                              \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        *place = name##_choose(sm);
#include "shared/policies.def"
        chosen = sm_forming(sm)[*place].warp;
    }
    return lanes_from_first(&sm->lanes, chosen);
}

static inline u32 pool_uses_passed(PRIVATE const struct sm *sm)
{
#define PASSED(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return 1;
#include "shared/policies.def"
    return 0;
}

static inline void pool_joins(PRIVATE struct sm *sm, u32 pc, u32 threads)
{
    sm_pc_threads(sm)[pc] += (u16)threads;
#define JOINS(name)                                                                                                                \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_joins(sm, pc, threads);
#include "shared/policies.def"
}

static inline void pool_leaves(PRIVATE struct sm *sm, u32 pc, u32 threads)
{
    sm_pc_threads(sm)[pc] -= (u16)threads;
    sm_pool(sm)->kept_pc = pc;
#define LEAVES(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_leaves(sm, pc, threads);
#include "shared/policies.def"
}

#endif
