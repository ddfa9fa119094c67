/* The warp scheduler: the one compiled in (WS_POLICY), else the machine's. A policy NAME defines
 *   NAME_choose      one of the ready warps, of which there is at least one; changes nothing
 * and those of the following that a row of shared/policies.def names:
 *   NAME_chosen      the warp used its slot, or stalled for a reason other than room in memory
 *   NAME_issued      what a warp issued
 *   NAME_rotate      step rotate of every cycle, for each port, with the warps that wait
 *   NAME_quiet       cycles after this one, of a run in which nothing but rotations changes, until a rotation lets a ready warp
 *                    be selected; ready: all ready warps, which none may select in this cycle
 *   NAME_turn        rotates for so many of these cycles at once; returns in how many of them a warp of a set may be selected
 *   NAME_tick        step rotate of every cycle, once
 *   NAME_next        next cycle in which NAME_tick changes anything
 *   NAME_events      warps have ended (sm->ended), arrived at a barrier or been released, blocks and then warps have entered:
 *                    applied in that order
 *   NAME_candidates  the slots from which a warp may be selected
 *   NAME_round       how warps take turns from the chosen one on, while each only advances its pc (skip/rounds.h); 0: unknown,
 *                    as without a row
 * Each port has a scheduler of its own; sm->port is the current one (schedule/ports.h). */
#ifndef WS_SCHEDULE_POLICY_H
#define WS_SCHEDULE_POLICY_H

#include "state/counts.h"

/* How warps take turns: in cyclic order of slots from the chosen one. */
struct round {
    slot_set slots;  /* warps that take turns */
    slot_set before; /* warps that go before these once they are ready */
    u32 by_count;    /* only warps with as many fetched instructions as the chosen one take turns; those with fewer go first */
    u32 most;        /* turns */
};

/* What a warp has issued. */
struct issued {
    u32 slot;
    u32 threads;   /* thread instructions, false guards included */
    u32 effective; /* with a true guard */
    u32 begins;    /* it starts its instruction */
    u32 issues;    /* a packet has issued; 0 for an empty pack */
};

#define POLICY_FILES
#include "shared/policies.def"
#undef POLICY_FILES

static inline u32 policy_of(PRIVATE const struct sm *sm)
{
#ifdef WS_POLICY
    return WS_POLICY;
#else
    return MACHINE(sm, schedule_policy);
#endif
}

static inline u32 policy_is(PRIVATE const struct sm *sm, u32 policy)
{
    return policy == policy_of(sm);
}

static inline u32 policy_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
#define POLICY(name, value, doc)                                                                                                   \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_choose(sm, lanes, ready);
#include "shared/policies.def"
    return 0;
}

static inline u32 policy_round(PRIVATE const struct sm *sm, u32 warp, slot_set awaiting, PRIVATE struct round *round)
{
#define ROUND(name)                                                                                                                \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_round(sm, warp, awaiting, round);
#include "shared/policies.def"
    return 0;
}

static inline void policy_chosen(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
#define CHOSEN(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_chosen(sm, lanes, warp);
#include "shared/policies.def"
}

static inline void policy_rotate(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set awaiting)
{
#define ROTATE(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_rotate(sm, lanes, awaiting);
#include "shared/policies.def"
}

/* How many cycles can be rotated at once (policy_turn); at most so many. */
static inline u32 policy_quiet(PRIVATE struct sm *sm, slot_set awaiting, slot_set ready, u32 cycles)
{
#define AHEAD(name)                                                                                                                \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_quiet(sm, awaiting, ready, cycles);
#include "shared/policies.def"
    return 0;
}

static inline u32 policy_turn(PRIVATE struct sm *sm, slot_set awaiting, slot_set set, u32 cycles)
{
#define AHEAD(name)                                                                                                                \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_turn(sm, awaiting, set, cycles);
#include "shared/policies.def"
    return 0;
}

/* Whether the scheduler rotates. */
static inline u32 policy_rotates(PRIVATE const struct sm *sm)
{
    u64 rotating = 0; /* schedulers of a pool are numbered from 32 */
#define ROTATE(name) rotating |= (u64)1 << WS_policy_##name;
#include "shared/policies.def"
    return (u32)(rotating >> policy_of(sm)) & 1;
}

static inline void policy_tick(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
#define TICK(name)                                                                                                                 \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_tick(sm, lanes);
#include "shared/policies.def"
}

static inline u32 policy_next(PRIVATE const struct sm *sm)
{
#define TICK(name)                                                                                                                 \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_next(sm);
#include "shared/policies.def"
    return WS_NEVER;
}

/* Passes the events since the last call to the scheduler. A scheduler without EVENTS never reads the sets; they are cleared only
 * with one work-item per lane, where they would occupy registers. */
static inline void policy_events(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 clears = LANE_COPIES == 1;
#define EVENTS(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name)) {                                                                                         \
        name##_events(sm, lanes);                                                                                                  \
        clears = 1;                                                                                                                \
    }
#include "shared/policies.def"
    if (clears)
        sm->ended = sm->arrived = sm->released = sm->entered = sm->joined = slots_none();
}

static inline slot_set policy_candidates(PRIVATE const struct sm *sm, slot_set slots)
{
#define CANDIDATES(name)                                                                                                           \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        return name##_candidates(sm, slots);
#include "shared/policies.def"
    return slots;
}

static inline void policy_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct issued *issued)
{
#define ISSUED(name)                                                                                                               \
    if (policy_is(sm, WS_policy_##name))                                                                                           \
        name##_issued(sm, lanes, issued);
#include "shared/policies.def"
}

#endif
