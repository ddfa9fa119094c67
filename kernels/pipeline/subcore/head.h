/* The first buffered instruction of a warp: valid, ready, and the unit that it goes to (docs/model/subcore.md). */
#ifndef WS_PIPELINE_SUBCORE_HEAD_H
#define WS_PIPELINE_SUBCORE_HEAD_H

#include "pipeline/subcore/warps.h"

/* Inputs that it may take, beside those of the fixed units: that of FMA or ALU; the queue of a variable unit. */
enum { HEAD_EITHER = WS_SUB_SFU, HEAD_SFU, HEAD_FP64, HEAD_MEMORY, HEAD_BITS = 4 };

/* A counter above this holds back instructions that raise it. */
enum { COUNTER_FULL = 57 };

/* A group of copies counts as a counter from this number on. Most copies of a group in flight. */
enum { COUNTER_GROUPS = 8, COPIES_MOST = 254 };

/* What counters do to an instruction. */
enum { COUNTERS_HOLD = 1, COUNTERS_FULL = 2 };

static inline u32 head_input(PRIVATE const struct sm *sm, u32 pc)
{
    GLOBAL const struct ws_operands *const operands = operands_at(sm, pc);
    if (!is_fixed(sm, operands))
        return operands->unit == WS_SUB_MEMORY ? (u32)HEAD_MEMORY : operands->unit == WS_SUB_SFU ? (u32)HEAD_SFU : (u32)HEAD_FP64;
    const u32 either = operands->unit == WS_SUB_FMA && sm->program[pc].class_ == WS_CLASS_fp32 &&
                       MACHINE(sm, subcore_fp32_second) == WS_fp32_second_int;
    return either ? (u32)HEAD_EITHER : operands->unit;
}

/* Slots of a set whose first instruction takes an input. */
static inline slot_set heads_to(PRIVATE const struct sm *sm, slot_set slots, u32 input)
{
    for (u32 bit = 0; bit < HEAD_BITS; ++bit)
        slots = input >> bit & 1 ? slots_and(slots, sm->head_units[bit]) : slots_minus(slots, sm->head_units[bit]);
    return slots;
}

/* Whether a counter of the mask is not 0. */
static inline u32 counters_open(GLOBAL const struct ws_sub_warp *warp, u32 mask)
{
    u32 open = 0;
    for (; mask != 0; mask &= mask - 1)
        open |= warp->counters[ws_ctz(mask)];
    return open != 0;
}

static inline u32 counter_full(GLOBAL const struct ws_sub_warp *warp, u32 counter)
{
    return counter < WS_SUB_COUNTERS && warp->counters[counter] > COUNTER_FULL;
}

/* Counters that must be 0 for a fence. */
static inline u32 fence_mask(PRIVATE const struct sm *sm, GLOBAL const struct ws_operands *operands)
{
    const u32 waits = MACHINE(sm, subcore_fences) == WS_toggle_on && (operands->flags & WS_OPERANDS_FENCE);
    return waits ? ws_bits_below(WS_SUB_COUNTERS) : 0;
}

/* ---- Groups of copies: a ring of each warp ---- */

static inline u32 is_copy(PRIVATE const struct sm *sm, u32 flags)
{
    return MACHINE(sm, subcore_fences) == WS_toggle_on && (flags & WS_OPERANDS_COPY);
}

static inline u32 is_commit(PRIVATE const struct sm *sm, GLOBAL const struct ws_operands *operands)
{
    return MACHINE(sm, subcore_fences) == WS_toggle_on && (operands->flags & WS_OPERANDS_COMMIT) && is_fixed(sm, operands);
}

/* The group to which copies of the warp belong. */
static inline u32 group_open(GLOBAL const struct ws_sub_warp *warp)
{
    return (u32)(warp->group_first + warp->group_count) % WS_SUB_GROUPS;
}

/* Whether the warp's groups have no room for the instruction. */
static inline u32 groups_full(PRIVATE const struct sm *sm, GLOBAL const struct ws_sub_warp *warp,
                              GLOBAL const struct ws_operands *operands)
{
    return (is_commit(sm, operands) && warp->group_count == WS_SUB_GROUPS - 1) ||
           (is_copy(sm, operands->flags) && warp->groups[group_open(warp)] == COPIES_MOST);
}

/* COUNTERS_* for the warp's instruction. First lane only. */
static inline u32 counters_say(PRIVATE const struct sm *sm, GLOBAL const struct ws_sub_warp *warp,
                               GLOBAL const struct ws_operands *operands)
{
    const u32 control = operands->control;
    u32 holds = counters_open(warp, WS_CONTROL_WAITS(control) | fence_mask(sm, operands));
    if (operands->flags & WS_OPERANDS_DEPBAR)
        holds |= counters_open(warp, operands->others) || warp->counters[operands->counter] > operands->limit;
    const u32 full = counter_full(warp, WS_CONTROL_WRITES(control)) || counter_full(warp, WS_CONTROL_READS(control)) ||
                     groups_full(sm, warp, operands);
    return (holds ? COUNTERS_HOLD : 0) | (full ? COUNTERS_FULL : 0);
}

/* Evaluates whether a warp is ready in a cycle: this one until its issue step, then the next. Its counters, its time or its first
 * instruction may have changed. */
static inline void head_check(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 cycle)
{
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, slot);
    u32 at = WS_NEVER, say = 0;
    if (lane_first() && warp_at(sm, slot)->buffered != 0) {
        GLOBAL const struct ws_sub_warp *const warp = warp_at(sm, slot);
        at = ws_max(warp->valid_at[0], warp->issue_at);
        say = counters_say(sm, warp, operands_at(sm, pc));
    }
    at = lanes_from_first(&sm->lanes, at);
    say = lanes_from_first(&sm->lanes, say);
    sm->ready = slots_put(sm->ready, slot, at <= cycle && say == 0);
    if (at > cycle && at != WS_NEVER)
        wheel_put(sm, WHEEL_READY, slot, ws_min(at, sm->now + WS_WHEEL - 1));
    if (policy_rotates(sm))
        sm->counted = slots_put(sm->counted, slot, say & COUNTERS_HOLD);
}

/* Counters of which a change can change what counters_say, beside those that are nearly full. */
static inline u32 head_watches(PRIVATE const struct sm *sm, GLOBAL const struct ws_operands *operands)
{
    const u32 depbar = operands->flags & WS_OPERANDS_DEPBAR ? operands->others | ws_bit(operands->counter) : 0;
    return WS_CONTROL_WAITS(operands->control) | fence_mask(sm, operands) | depbar;
}

/* The warp has a new first instruction, as of the next cycle. */
static inline void head_comes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, slot), input = head_input(sm, pc);
    GLOBAL const struct ws_operands *const operands = operands_at(sm, pc);
    const u32 valid_at = lanes_from_first(&sm->lanes, lane_first() ? warp_at(sm, slot)->valid_at[0] : 0);
    if (lane_first()) {
        warp_at(sm, slot)->watched = (u8)head_watches(sm, operands);
        warp_at(sm, slot)->constant_line = operands->bank_offset >> ws_log2(MACHINE(sm, constant_line));
    }
    for (u32 bit = 0; bit < HEAD_BITS; ++bit)
        sm->head_units[bit] = slots_put(sm->head_units[bit], slot, input >> bit & 1);
    sm->head_results = slots_put(sm->head_results, slot, is_fixed(sm, operands) && (operands->flags & WS_OPERANDS_RESULT));
    if (MACHINE(sm, subcore_constant_sets) != 0)
        sm->head_constants = slots_put(sm->head_constants, slot, (operands->flags & WS_OPERANDS_CONSTANT) != 0);
    sm->valid = slots_put(sm->valid, slot, valid_at <= sm->now);
    if (valid_at > sm->now)
        wheel_put(sm, WHEEL_VALID, slot, valid_at);
    head_check(sm, lanes, slot, sm->now + 1);
}

/* The warp has no instruction. */
static inline void head_goes(PRIVATE struct sm *sm, u32 slot)
{
    sm->valid = slots_without(sm->valid, slot);
    sm->ready = slots_without(sm->ready, slot);
    sm->counted = slots_without(sm->counted, slot);
}

/* Applies the timing-wheel events of this cycle. */
static inline void heads_become(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 place = wheel_place(sm, sm->now);
    const u64 places = wheel_places(sm);
    if (!(places >> place & 1))
        return;
    sm->valid = slots_or(sm->valid, wheel_take(sm, place, WHEEL_VALID));
    slot_set due = wheel_take(sm, place, WHEEL_READY);
    wheel_become(sm, places & ~((u64)1 << place));
    for (; slots_any(due); due = slots_rest(due))
        head_check(sm, lanes, slots_first(due), sm->now);
}

#endif
