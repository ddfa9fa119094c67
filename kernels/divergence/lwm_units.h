/* Units of large warps in flight: the pipeline, sub-warps that wait for memory, and when a large warp is done with an instruction
 * (docs/model.md 4, advance). */
#ifndef WS_DIVERGENCE_LWM_UNITS_H
#define WS_DIVERGENCE_LWM_UNITS_H

#include "core/fill.h"
#include "divergence/lwm_stack.h"
#include "dispatch/block.h"

/* Changes the counts of a warp's units in flight. current: the unit is of the current instruction; missed: it waits for memory. */
static inline void units_change(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 by, u32 current, u32 missed)
{
    const u32 all = lanes_pick(&sm->lanes, lanes->flying, warp) + by;
    const u32 missing = lanes_pick(&sm->lanes, lanes->missed, warp) + (missed ? by : 0);
    if (lane_is(warp)) {
        lanes->units[OF(warp)] += current ? by : 0;
        lanes->flying[OF(warp)] = all;
        lanes->missed[OF(warp)] = missing;
    }
    if (missing != 0 && missing == all)
        sm->all_missed |= ws_bit(warp);
    else
        sm->all_missed &= ~ws_bit(warp);
}

/* A unit of the warp has completed; instruction: the one it belongs to, modulo 65536. */
static inline void unit_completes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 instruction, u32 missed)
{
    const u32 current = (lanes_pick(&sm->lanes, lanes->fetched, warp) & 0xFFFFu) == instruction;
    units_change(sm, lanes, warp, 0xFFFFFFFFu, current, missed);
    if (current)
        sm->any_done |= ws_bit(warp);
    sm->touched |= ws_bit(warp);
    const u32 aside = sm->begun & ~sm->drained & ~sm->code_missing;
    if (aside >> warp & 1 && sm->holder != warp && packable(sm, warp))
        sm->selectable |= ws_bit(warp);
}

/* The threads of a missing sub-warp are no longer busy. */
static inline void subwarp_returns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 leader)
{
    const u32 warp = leader / sm->machine->core_warp_size;
    GLOBAL u16 *busy = column(sm, COLUMN_BUSY, warp, 0);
    for (u32 row = 0; row < sm->plan->rows; ++row) {
        GLOBAL u16 *led = waiter(sm, WAITER_LEADER, thread_slot(sm, warp, row, 0));
        FOR_LANES (lane) {
            const u32 returns = led[lane] == leader + 1;
            busy[lane] = (u16)(busy[lane] & ~(returns << row));
            led[lane] = returns ? 0 : led[lane];
        }
    }
    unit_completes(sm, lanes, warp, *waiter(sm, WAITER_INSTRUCTION, leader), 1);
}

/* Lowers a leader's count of missing lines, or clears its mark; returns what is left. */
static inline u32 leader_lower(PRIVATE struct sm *sm, u32 leader, u32 by)
{
    u32 left = 0;
    if (lane_first()) {
        left = *waiter(sm, WAITER_LEFT, leader) - by;
        *waiter(sm, WAITER_LEFT, leader) = (u16)left;
    }
    return lanes_from_first(&sm->lanes, left);
}

static inline void unit_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 waiters)
{
    while (waiters != 0) {
        const u32 leader = *waiter(sm, WAITER_LEADER, waiters - 1) - 1u;
        const u32 next = *waiter(sm, WAITER_NEXT, waiters - 1);
        if (leader_lower(sm, leader, 1) == 0) {
            sm->waiting_units -= 1;
            subwarp_returns(sm, lanes, leader);
        }
        waiters = next;
    }
}

static inline void unit_code_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warps)
{
    (void)lanes;
    sm->selectable |= warps;
}

/* The unit that has been in the pipeline longest leaves it; one whose lines are missing goes on waiting. */
static inline void unit_leaves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    GLOBAL const struct ws_unit *unit = unit_at(sm, sm->unit_first);
    const u32 warp = unit->warp, leader = unit->leader;
    readmit(sm);
    sm->unit_first += 1;
    sm->unit_count -= 1;
    if (leader != 0) {
        if (leader_lower(sm, leader - 1, LEFT_IN_PIPELINE) == 0)
            subwarp_returns(sm, lanes, leader - 1);
        else
            sm->waiting_units += 1;
        return;
    }
    GLOBAL u16 *busy = column(sm, COLUMN_BUSY, warp, 0);
    FOR_LANES (lane)
        busy[lane] &= (u16)~unit->row[lane];
    unit_completes(sm, lanes, warp, unit->instruction, 0);
}

/* The large warp is done with its instruction: pc and stack change. */
static inline void lwm_advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 pc = lanes_pick(&sm->lanes, lanes->pc, warp);
    const struct ws_instruction instruction = sm->program[pc];
    const u32 bit = ws_bit(warp);
    sm->begun &= ~bit;
    sm->drained &= ~bit;
    if (instruction.class_ == WS_CLASS_branch)
        lwm_branch(sm, lanes, warp, &instruction);
    else if (instruction.class_ == WS_CLASS_exit)
        lwm_exit(sm, lanes, warp);
    else if (lane_is(warp))
        lanes->pc[OF(warp)] = instruction.class_ == WS_CLASS_jump ? instruction.target : pc + 1;
    if (sm->status != WS_STATUS_running)
        return;
    if (lwm_settle(sm, lanes, warp))
        warp_ends(sm, lanes, warp);
    else if (instruction.class_ == WS_CLASS_barrier)
        warp_arrives(sm, warp);
    else
        sm->selectable |= bit;
}

/* Units that complete in this cycle, large warps that are done with their instruction, and barriers that let go. */
static inline void unit_complete(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->selectable |= sm->entering;
    sm->entering = 0;
    while (sm->unit_count != 0 && unit_at(sm, sm->unit_first)->completes <= sm->now)
        unit_leaves(sm, lanes);
    const u32 done = sm->touched & sm->drained;
    const u32 before = sm->live;
    u32 arrived = 0;
    for (u32 warps = done; warps != 0; warps &= warps - 1) {
        const u32 warp = ws_ctz(warps);
        const u32 units = lanes_pick(&sm->lanes, lanes->units, warp);
        const u32 waits = sm->needs_all >> warp & 1 ? units != 0 : !(sm->any_done >> warp & 1);
        if (!waits && sm->status == WS_STATUS_running)
            lwm_advance(sm, lanes, warp);
        arrived |= sm->at_barrier & ws_bit(warp);
    }
    sm->touched = 0;
    if (arrived != 0 || sm->live != before)
        sm->selectable |= release_barriers(sm, lanes);
}

#endif
