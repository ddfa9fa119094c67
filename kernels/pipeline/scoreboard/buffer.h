/* Instruction buffers, the fetch unit, and when a warp is valid and ready (docs/model.md 10). */
#ifndef WS_PIPELINE_SCOREBOARD_BUFFER_H
#define WS_PIPELINE_SCOREBOARD_BUFFER_H

#include "pipeline/scoreboard/registers.h"
#include "pipeline/scoreboard/units.h"

/* The warp is valid and ready by what is known of it now. */
static inline void slot_settles(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 held = slots_has(sm->at_barrier, slot) || slots_has(sm->atomics, slot);
    if (slot_is(slot)) {
        lanes->valid_at[AT(slot)] = held || lanes->buffered[AT(slot)] == 0 ? WS_NEVER : lanes->front_at[AT(slot)];
        lanes->ready_at[AT(slot)] = ws_max(lanes->valid_at[AT(slot)], lanes->operands_at[AT(slot)]);
    }
}

/* Another instruction is the first of the warp's buffer, or registers that it uses have changed. */
static inline void head_changes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const struct ws_instruction instruction = sm->program[slots_pick(&sm->lanes, lanes->pc, slot)];
    const u32 unit = unit_of(sm, &instruction);
    sm->heads_sfu = slots_put(sm->heads_sfu, slot, unit == UNIT_SFU);
    sm->heads_ldst = slots_put(sm->heads_ldst, slot, unit == UNIT_LDST);
    if (slot_is(slot))
        registers_of(sm, slot, &instruction, &lanes->operands_at[AT(slot)], &lanes->long_until[AT(slot)]);
    slot_settles(sm, lanes, slot);
}

/* Registers of the warp have changed. */
static inline void registers_change(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    if (slots_pick(&sm->lanes, lanes->buffered, slot) != 0)
        head_changes(sm, lanes, slot);
}

/* The warp has no buffered instruction and may be fetched from a cycle on. */
static inline void buffer_empties(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 from)
{
    if (slots_has(sm->live, slot))
        sm->hungry = slots_with(sm->hungry, slot);
    if (slot_is(slot)) {
        lanes->buffered[AT(slot)] = 0;
        lanes->front_at[AT(slot)] = from;
        lanes->long_until[AT(slot)] = 0;
        lanes->valid_at[AT(slot)] = lanes->ready_at[AT(slot)] = WS_NEVER;
    }
}

/* The first buffered instruction, at pc, has issued, and the warp's pc is what follows from it. */
static inline void buffer_moves_on(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc)
{
    const u32 next = slots_pick(&sm->lanes, lanes->pc, slot), left = slots_pick(&sm->lanes, lanes->buffered, slot) - 1;
    if (left != 0 && next == pc + 1) {
        if (slot_is(slot))
            lanes->buffered[AT(slot)] = left;
        head_changes(sm, lanes, slot);
        return;
    }
    count(sm, WS_COUNT_buffer_flushes, left != 0);
    buffer_empties(sm, lanes, slot, next == pc + 1 ? sm->now : sm->now + sm->machine->core_branch_delay);
}

/* How many instructions from pc on a fetch brings. */
static inline u32 fetched_from(PRIVATE const struct sm *sm, u32 pc)
{
    const u32 in_line = ws_bit(sm->plan->code_line_shift) - (pc & ws_bits_below(sm->plan->code_line_shift));
    return ws_min(ws_min(sm->machine->core_buffer, in_line), sm->job->instructions - pc);
}

/* Looks up the instruction line of pc; a warp that misses is the ticket. */
static inline u32 fetch_line(PRIVATE struct sm *sm, u32 pc, u32 slot)
{
    u32 outcome = ACCESS_HIT;
    if (sm->machine->icache_size != 0) {
        const u32 number = pc >> sm->plan->code_line_shift;
        const u32 line = WS_CODE_GRANULE + (number << (sm->plan->code_line_shift - sm->plan->code_shift));
        if (lane_first())
            outcome = first_access(sm, WS_CACHE_CODE, line, slot, 0);
        outcome = lanes_from_first(&sm->lanes, outcome);
    }
    count(sm, WS_COUNT_fetches, outcome != ACCESS_REFUSED);
    return outcome;
}

/* The warp that is tried in this cycle, WS_SLOTS if there is none. */
static inline u32 fetch_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    slot_set candidates = sm->hungry;
    while (slots_any(candidates)) {
        const u32 slot = slots_next(candidates, sm->fetch_turn);
        if (slots_pick(&sm->lanes, lanes->front_at, slot) <= sm->now)
            return slot;
        candidates = slots_without(candidates, slot);
    }
    return WS_SLOTS;
}

static inline void fetch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 slot = fetch_choose(sm, lanes);
    if (slot == WS_SLOTS)
        return;
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, slot);
    if (pc >= sm->job->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return;
    }
    sm->fetch_turn = slot + 1 == sm->machine->core_warps ? 0 : slot + 1;
    const u32 outcome = fetch_line(sm, pc, slot);
    if (outcome == ACCESS_REFUSED)
        return;
    sm->hungry = slots_without(sm->hungry, slot);
    if (outcome == ACCESS_WAITS) {
        sm->asleep = slots_with(sm->asleep, slot);
        return;
    }
    if (slot_is(slot)) {
        lanes->buffered[AT(slot)] = fetched_from(sm, pc);
        lanes->front_at[AT(slot)] = sm->now + sm->machine->core_fetch_latency;
    }
    head_changes(sm, lanes, slot);
}

#endif
