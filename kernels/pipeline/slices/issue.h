/* The issue step of slices (docs/model/pipelines.md; Rogers 4.1): gangs first, then single warps in the remaining slices. */
#ifndef WS_PIPELINE_SLICES_ISSUE_H
#define WS_PIPELINE_SLICES_ISSUE_H

#include "pipeline/parts/issue_ports.h"
#include "pipeline/slices/units.h"

/* ---- Splits on memory ---- */

/* Splits gangs in which some members are ready while others wait for data of a load. */
static inline void memory_splits(PRIVATE struct sm *sm, slot_set ready)
{
    if (MACHINE(sm, vws_split) == WS_gang_split_none || !slots_any(slots_and(sm->loads_head, sm->ganged)))
        return;
    const slot_set some = slots_minus(gangs_with(sm, ready), gangs_within(sm, ready));
    for (slot_set left = leaders_of(sm, slots_and(some, gangs_with(sm, sm->loads_head))); slots_any(left);
         left = slots_rest(left)) {
        const u32 slot = slots_first(left), set = set_of(sm, slot), members = unit_of_slot(sm, slot);
        const u32 first = slices_of_set(sm, ready, set) & members;
        const u32 alone = MACHINE(sm, vws_split) == WS_gang_split_impatient;
        for (u32 rest = members; rest != 0;) {
            const u32 part = alone ? rest & (0u - rest) : rest == members ? first : rest;
            unit_forms(sm, set, part);
            record_unit(sm, set, part);
            rest &= ~part;
        }
        sm->moved = slots_or(sm->moved, slots_of_set(sm, set, members));
        count(sm, WS_COUNT_gang_memory_splits, 1);
    }
}

/* ---- Gangs ---- */

/* Leaders whose gangs have the size that goes first. */
static inline slot_set first_in_size(PRIVATE const struct sm *sm, slot_set leaders, u32 big)
{
    slot_set first = slots_none();
    u32 best = big ? 0 : WS_NEVER;
    FOR_WORDS (n) {
        for (u32 left = SLOT_WORD(leaders, n); left != 0; left &= left - 1) {
            const u32 slot = n * WS_LANES + ws_ctz(left), size = ws_popcount(unit_of_slot(sm, slot));
            if (big ? size > best : size < best) {
                best = size;
                first = slots_none();
            }
            if (size == best)
                first = slots_with(first, slot);
        }
    }
    return first;
}

/* The first gang in the order of vws.gang_policy, among those whose members are given. */
static inline u32 gang_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set members, slot_set greedy)
{
    const u32 policy = MACHINE(sm, vws_gang_policy);
    if (policy == WS_gang_policy_lrr)
        return slots_next(members, sm->gang_turn);
    slot_set leaders = leaders_of(sm, members);
    if (policy == WS_gang_policy_lpc)
        return lpc_choose(sm, lanes, leaders);
    if (policy != WS_gang_policy_gto)
        leaders = first_in_size(sm, leaders, policy == WS_gang_policy_bgto);
    if (slots_any(slots_and(leaders, greedy)))
        leaders = slots_and(leaders, greedy);
    return slots_least_of(&sm->lanes, leaders, lanes->first);
}

/* Issues gangs; ready: members of ready gangs. Returns the slices that have issued. */
static inline u32 gangs_issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready,
                              PRIVATE struct issuing *issuing)
{
    const u32 skips = MACHINE(sm, vws_overlap) == WS_gang_overlap_skip, all = all_slices(sm);
    const slot_set greedy = sm->greedy_gangs;
    slot_set issued = slots_none();
    u32 taken = 0, turn = sm->gang_turn;
    if (!slots_any(ready))
        return 0;
    if (skips) /* gangs without room do not end the choice, so they need not be tried one by one */
        ready = gangs_within(sm, with_room(sm, lanes, ready, issuing));
    for (u32 n = MACHINE(sm, vws_gang_issues); n != 0 && taken != all && slots_any(ready);) {
        const u32 slot = gang_choose(sm, lanes, ready, greedy), set = set_of(sm, slot), members = unit_of_slot(sm, slot);
        const slot_set slots = slots_of_set(sm, set, members);
        ready = slots_minus(ready, slots);
        if (!skips && (taken & members) != 0)
            break;
        if (slices_of_set(sm, with_room(sm, lanes, slots, issuing), set) != members)
            continue;
        issue_unit(sm, lanes, slot, members, issuing);
        if (sm->status != WS_STATUS_running)
            break;
        count(sm, WS_COUNT_gang_issues + ws_popcount(members), 1);
        issued = slots_with(issued, slot);
        turn = set + slices(sm);
        taken |= members;
        --n;
        if (skips)
            ready = slots_minus(ready, gangs_with(sm, slots_and(ready, slots_of_slices(sm, members))));
    }
    if (taken != 0)
        sm->greedy_gangs = issued;
    sm->gang_turn = turn;
    return taken;
}

/* ---- Slices ---- */

/* The remaining slices issue ready single warps. Returns the slices that have. */
static inline u32 singles_issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready, u32 left,
                                PRIVATE struct issuing *issuing)
{
    u32 issued = 0;
    ready = with_room(sm, lanes, ready, issuing);
    for (left &= slices_with(sm, ready); left != 0 && sm->status == WS_STATUS_running;) {
        const u32 slice = ws_ctz(left);
        left &= left - 1;
        const slot_set mine = with_access(sm, lanes, slots_and(ready, slots_of_port(sm, slice)), &issuing->accesses);
        if (!slots_any(mine))
            continue;
        sm->port = slice;
        issue_unit(sm, lanes, policy_choose(sm, lanes, mine), ws_bit(slice), issuing);
        issued |= ws_bit(slice);
    }
    return issued;
}

/* ---- The step ---- */

/* Ports have a fixed order. */
static inline u32 port_in_turn(PRIVATE const struct sm *sm, u32 n)
{
    return n;
}

/* Warps that are ready, apart from the other members of their gang and waits at reconvergence points. */
static inline slot_set members_ready(PRIVATE const struct sm *sm)
{
    return slots_minus(slots_minus(sm->ready, sm->at_barrier), sm->atomics);
}

/* Merges units of a set. */
static inline void units_reform(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (!rejoins(sm))
        return;
    const slot_set ready = units_within(sm, members_ready(sm));
    if (MACHINE(sm, vws_split) != WS_gang_split_none) {
        sm->moved = slots_or(sm->moved, slots_or(slots_minus(ready, sm->was_ready), slots_minus(sm->was_ready, ready)));
        sm->was_ready = ready;
    }
    const slot_set merged = reform(sm, lanes, ready);
    if (!slots_any(merged))
        return;
    buffers_join(sm, lanes, merged);
    sm->changed |= CHANGED_UNITS; /* the next step finds them merged, or no longer valid */
}

/* Each slice uses its slot. Returns whether one issued. */
static inline u32 issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct issuing issuing;
    const slot_set there = members_ready(sm);
    issuing_begins(sm, &issuing);
    sync_ends(sm, lanes);
    sync_completes(sm);
    memory_splits(sm, there);
    const slot_set ready = units_within(sm, slots_minus(there, sm->syncing));
    const slot_set valid = units_within(sm, slots_minus(slots_minus(sm->valid, sm->at_barrier), sm->atomics));
    const u32 valid_slices = slices_with(sm, valid), ready_slices = slices_with(sm, ready);
    const slot_set singles = singles_of(sm, ready);
    u32 issued = gangs_issue(sm, lanes, slots_minus(ready, singles), &issuing);
    issued |= singles_issue(sm, lanes, singles, ~issued, &issuing);
    if (sm->status != WS_STATUS_running)
        return 1;
    accesses_enter(sm, &issuing.accesses);
    sm->slot_kinds = ports_with(ready_slices & ~issued, SLOT_PIPELINE) |
                     ports_with(valid_slices & ~(ready_slices | issued), SLOT_SCOREBOARD) |
                     ports_with(all_slices(sm) & ~(valid_slices | ready_slices | issued), SLOT_IDLE);
    units_reform(sm, lanes);
    return issued != 0;
}

/* Next cycle after this one in which a unit has room again, a wait ends, or units may merge or have just merged. */
static inline u32 issue_next(PRIVATE struct sm *sm)
{
    const u32 next = ws_min(ws_min(sm->sync_at, room_next(sm)), policy_next(sm));
    return may_reform(sm) || (sm->changed & CHANGED_UNITS) ? sm->now + 1 : next;
}

#endif
