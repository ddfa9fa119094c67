/* Fetch of slices and gangs (docs/model/pipelines.md; Rogers 4.6). A line's ticket is the set and the members for which it was
 * fetched. */
#ifndef WS_PIPELINE_SLICES_FETCH_H
#define WS_PIPELINE_SLICES_FETCH_H

#include "pipeline/slices/members.h"

/* The instruction line that the warps wait for has arrived. */
static inline void code_arrives(PRIVATE struct sm *sm, u32 ticket)
{
    const slot_set slots = slots_of_set(sm, (ticket >> WS_MOST_SLICES) * slices(sm), ticket & ws_bits_below(WS_MOST_SLICES));
    sm->asleep = slots_minus(sm->asleep, slots);
    sm->needs_fetch = slots_or(sm->needs_fetch, slots);
}

/* Fills the buffers of a unit's members from a line; shift: log2 of the instructions in it. */
static inline void unit_filled(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 set, u32 members, u32 pc, u32 shift)
{
    const u32 brings = fetched_from(sm, pc, shift), at = sm->now + MACHINE(sm, core_fetch_latency);
    for (u32 left = members; left != 0; left &= left - 1) {
        const u32 slot = set + ws_ctz(left);
        if (slot_is(slot)) {
            lanes->buffered[AT(slot)] = brings;
            lanes->front_at[AT(slot)] = at;
        }
        wheel_put(sm, WHEEL_VALID, slot, at);
        member_head(sm, lanes, slot);
    }
}

/* Tries a fetch for a unit at a pc; returns the outcome. */
static inline u32 unit_fetches(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 set, u32 members, u32 pc)
{
    const slot_set slots = slots_of_set(sm, set, members);
    const u32 outcome = fetch_line(sm, pc, set / slices(sm) << WS_MOST_SLICES | members);
    if (outcome == ACCESS_REFUSED)
        return outcome;
    sm->needs_fetch = slots_minus(sm->needs_fetch, slots);
    if (outcome == ACCESS_WAITS)
        sm->asleep = slots_or(sm->asleep, slots);
    else
        unit_filled(sm, lanes, set, members, pc, PLAN(sm, code_line_shift));
    return outcome;
}

/* The pc of a slot; a pc outside of the program ends the job. */
static inline u32 pc_to_fetch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, slot);
    if (pc >= sm->job->instructions)
        sm->status = WS_STATUS_bad_trace;
    return pc;
}

/* Tries fetches for gangs; returns how many accesses are left. */
static inline u32 gangs_fetch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 accesses)
{
    slot_set gangs = gangs_within(sm, sm->needs_fetch);
    const u32 from = sm->gang_fetch_turn;
    for (u32 n = ws_min(accesses, MACHINE(sm, vws_gang_issues)); n != 0 && slots_any(gangs); --n) {
        const u32 slot = slots_next(gangs, from), set = set_of(sm, slot), members = unit_of_slot(sm, slot);
        const u32 pc = pc_to_fetch(sm, lanes, slot);
        if (sm->status != WS_STATUS_running)
            return 0;
        gangs = slots_minus(gangs, slots_of_set(sm, set, members));
        sm->gang_fetch_turn = set + slices(sm);
        count(sm, WS_COUNT_gang_fetches, unit_fetches(sm, lanes, set, members, pc) != ACCESS_REFUSED);
        accesses -= 1;
    }
    return accesses;
}

/* ---- L0 ---- */

/* Looks up the line of a pc in the L0 of a slice, touches it if present, else inserts it. Returns whether it was present. First
 * lane only. */
static inline u32 l0_touch(PRIVATE const struct sm *sm, u32 slice, u32 pc, u32 fill)
{
    const u32 size = PLAN(sm, l0_lines), line = (pc >> PLAN(sm, l0_shift)) + 1;
    GLOBAL u32 *lines = sm_l0(sm) + slice * size;
    u32 way = 0;
    while (way < size && lines[way] != line)
        ++way;
    const u32 hit = way < size;
    if (!hit && !fill)
        return 0;
    for (way = hit ? way : size - 1; way > 0; --way)
        lines[way] = lines[way - 1];
    lines[0] = line;
    return hit;
}

/* Whether the L0 of a slice has the line of a pc. */
static inline u32 l0_hits(PRIVATE struct sm *sm, u32 slice, u32 pc)
{
    if (MACHINE(sm, vws_l0) == 0)
        return 0;
    return lanes_from_first(&sm->lanes, lane_first() ? l0_touch(sm, slice, pc, 0) : 0);
}

/* The line of a pc has been fetched, bypassing the L0 of a slice. */
static inline void l0_missed(PRIVATE struct sm *sm, u32 slice, u32 pc, u32 outcome)
{
    if (MACHINE(sm, vws_l0) == 0 || outcome == ACCESS_REFUSED)
        return;
    count(sm, WS_COUNT_l0_misses, 1);
    if (outcome == ACCESS_HIT && lane_first())
        l0_touch(sm, slice, pc, 1);
}

/* ---- Slices ---- */

/* A slice tries one of its single warps; may: it may make an access. Returns whether it has. */
static inline u32 slice_fetches(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slice, slot_set singles, u32 may)
{
    const u32 slot = slots_next(slots_and(singles, slots_of_port(sm, slice)), port_value(sm->slice_fetch_turn, slice));
    const u32 pc = pc_to_fetch(sm, lanes, slot);
    if (sm->status != WS_STATUS_running)
        return 0;
    const u32 hit = l0_hits(sm, slice, pc);
    if (!hit && !may)
        return 0;
    port_put(sm->slice_fetch_turn, slice, slot + 1);
    if (hit) {
        count(sm, WS_COUNT_l0_hits, 1);
        count(sm, WS_COUNT_fetches, 1);
        sm->needs_fetch = slots_without(sm->needs_fetch, slot);
        unit_filled(sm, lanes, set_of(sm, slot), ws_bit(slice), pc, PLAN(sm, l0_shift));
        return 0;
    }
    l0_missed(sm, slice, pc, unit_fetches(sm, lanes, set_of(sm, slot), ws_bit(slice), pc));
    return 1;
}

static inline void fetch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (!slots_any(sm->needs_fetch))
        return;
    u32 accesses = gangs_fetch(sm, lanes, MACHINE(sm, vws_fetches));
    const slot_set singles = singles_of(sm, sm->needs_fetch);
    const u32 slices = slices_with(sm, singles), from = sm->slice_turn;
    for (u32 left = slices; left != 0 && (accesses != 0 || MACHINE(sm, vws_l0) != 0) && sm->status == WS_STATUS_running;) {
        const u32 slice = next_in_turn(left, from);
        left &= ~ws_bit(slice);
        if (!slice_fetches(sm, lanes, slice, singles, accesses != 0))
            continue;
        accesses -= 1;
        sm->slice_turn = slice + 1;
    }
}

/* Whether a warp needs a fetch in the next cycle. */
static inline u32 fetches_next(PRIVATE const struct sm *sm)
{
    return slots_any(units_within(sm, sm->needs_fetch));
}

#endif
