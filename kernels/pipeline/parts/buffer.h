/* Instruction buffers: when a warp needs a fetch, has a valid instruction, and is ready (docs/model/pipelines.md). */
#ifndef WS_PIPELINE_PARTS_BUFFER_H
#define WS_PIPELINE_PARTS_BUFFER_H

#include "memory/levels/levels.h"
#include "pipeline/parts/registers.h"
#include "pipeline/parts/units.h"
#include "pipeline/parts/timing_wheel.h"

/* State that issue ports depend on, or that the scheduler must see, has changed: ports are evaluated in this cycle. */
static inline void ports_change(PRIVATE struct sm *sm)
{
    sm->ports_at = sm->now;
}

/* Schedules a state change of the slot: now, in a later cycle, or unknown (REGISTER_PENDING or more). Cycles beyond the timing
 * wheel go to the overflow list. Returns whether the change is still to come. */
static inline u32 comes_later(PRIVATE struct sm *sm, u32 kind, u32 slot, u32 cycle)
{
    if (cycle <= sm->now)
        return 0;
    if (cycle - sm->now < WS_WHEEL) {
        wheel_put(sm, kind, slot, cycle);
    } else if (cycle < REGISTER_PENDING) {
        sm->overflow = slots_with(sm->overflow, slot);
        sm->overflow_at = ws_min(sm->overflow_at, cycle - (WS_WHEEL - 1));
    }
    return 1;
}

/* Slots whose oldest buffered instruction goes to a unit. */
static inline slot_set oldest_to_unit(PRIVATE const struct sm *sm, slot_set slots, u32 unit)
{
    slots = unit & 1 ? slots_and(slots, sm->oldest_low) : slots_minus(slots, sm->oldest_low);
    return unit & 2 ? slots_and(slots, sm->oldest_high) : slots_minus(slots, sm->oldest_high);
}

/* The warp's oldest buffered instruction goes to a unit. */
static inline void oldest_goes_to(PRIVATE struct sm *sm, u32 slot, u32 unit)
{
    sm->oldest_low = slots_put(sm->oldest_low, slot, unit & 1);
    sm->oldest_high = slots_put(sm->oldest_high, slot, unit >> 1);
}

/* The warp has another oldest buffered instruction, or registers that it uses have changed. */
static inline void oldest_changes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    GLOBAL const struct ws_instruction *const instruction = sm->program + slots_pick(&sm->lanes, lanes->pc, slot);
    u32 at = 0;
    oldest_goes_to(sm, slot, unit_of(sm, instruction));
    if (slot_is(slot))
        at = ws_max(registers_there(sm, slot, instruction), lanes->front_at[AT(slot)]);
    const u32 ready = !comes_later(sm, WHEEL_READY, slot, slots_give(&sm->lanes, slot, at));
    sm->ready = slots_put(sm->ready, slot, ready);
    if (ready)
        ports_change(sm);
    if (!policy_rotates(sm)) /* only rotating schedulers use long registers */
        return;
    if (slot_is(slot))
        at = registers_long(sm, slot, instruction);
    sm->oldest_long = slots_put(sm->oldest_long, slot, comes_later(sm, WHEEL_SHORT, slot, slots_give(&sm->lanes, slot, at)));
}

/* The warp's buffer is empty; it may be fetched from a cycle on. */
static inline void buffer_empties(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 from)
{
    if (slot_is(slot))
        lanes->buffered[AT(slot)] = 0;
    if (!comes_later(sm, WHEEL_NEEDS_FETCH, slot, from))
        sm->needs_fetch = slots_with(sm->needs_fetch, slot);
}

/* The oldest buffered instruction, at pc, has issued; the warp's pc is already the next one. */
static inline void buffer_moves_on(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc)
{
    const u32 next = slots_pick(&sm->lanes, lanes->pc, slot), left = slots_pick(&sm->lanes, lanes->buffered, slot) - 1;
    if (left != 0 && next == pc + 1) {
        if (slot_is(slot))
            lanes->buffered[AT(slot)] = left;
        oldest_changes(sm, lanes, slot);
        return;
    }
    sm->valid = slots_without(sm->valid, slot);
    count(sm, WS_COUNT_buffer_flushes, left != 0);
    buffer_empties(sm, lanes, slot, next == pc + 1 ? sm->now : sm->now + MACHINE(sm, core_branch_delay));
}

/* The warp has ended. It retires when all its issued instructions are complete. */
static inline void warp_leaves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    u32 at = 0;
    sm->leaving = slots_with(sm->leaving, slot);
    sm->valid = slots_without(sm->valid, slot);
    count(sm, WS_COUNT_buffer_flushes, slots_pick(&sm->lanes, lanes->buffered, slot) > 1);
    if (slot_is(slot)) {
        lanes->buffered[AT(slot)] = 0;
        at = lanes->accesses_out[AT(slot)] == 0 ? ws_max(lanes->busy_until[AT(slot)], sm->now + 1) : WS_NEVER;
    }
    sm->retire_at = ws_min(sm->retire_at, slots_give(&sm->lanes, slot, at));
}

/* Applies the timing-wheel events due this cycle. */
static inline void slots_become(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 place = wheel_place(sm, sm->now);
    const u64 places = wheel_places(sm);
    if (places >> place & 1) {
        sm->needs_fetch = slots_or(sm->needs_fetch, wheel_take(sm, place, WHEEL_NEEDS_FETCH));
        sm->valid = slots_or(sm->valid, wheel_take(sm, place, WHEEL_VALID));
        sm->ready = slots_or(sm->ready, wheel_take(sm, place, WHEEL_READY));
        if (policy_rotates(sm))
            sm->oldest_long = slots_minus(sm->oldest_long, wheel_take(sm, place, WHEEL_SHORT));
        wheel_become(sm, places & ~((u64)1 << place));
        ports_change(sm);
    }
    if (sm->overflow_at <= sm->now) {
        const slot_set overflow = sm->overflow;
        sm->overflow = slots_none();
        sm->overflow_at = WS_NEVER;
        for (slot_set left = overflow; slots_any(left); left = slots_rest(left))
            oldest_changes(sm, lanes, slots_first(left));
    }
}

/* Number of instructions that a fetch at pc delivers; shift: log2 of instructions in a line. */
static inline u32 fetched_from(PRIVATE const struct sm *sm, u32 pc, u32 shift)
{
    const u32 in_line = ws_bit(shift) - (pc & ws_bits_below(shift));
    return ws_min(ws_min(MACHINE(sm, core_buffer), in_line), sm->job->instructions - pc);
}

/* Looks up the instruction line of pc; a miss waits with the ticket. */
static inline u32 fetch_line(PRIVATE struct sm *sm, u32 pc, u32 ticket)
{
    u32 outcome = ACCESS_HIT;
    if (MACHINE(sm, icache_size) != 0) {
        const u32 number = pc >> PLAN(sm, code_line_shift);
        const u32 line = WS_CODE_GRANULE + (number << (PLAN(sm, code_line_shift) - PLAN(sm, code_shift)));
        if (lane_first())
            outcome = l1_access(sm, WS_CACHE_CODE, line, ticket, 0);
        outcome = lanes_from_first(&sm->lanes, outcome);
    }
    count(sm, WS_COUNT_fetches, outcome != ACCESS_REFUSED);
    return outcome;
}

#endif
