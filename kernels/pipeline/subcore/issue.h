/* The step issue: each sub-core issues an instruction, or its stall slot gets a reason (docs/model/subcore.md). */
#ifndef WS_PIPELINE_SUBCORE_ISSUE_H
#define WS_PIPELINE_SUBCORE_ISSUE_H

#include "pipeline/parts/port_order.h"
#include "pipeline/subcore/constants.h"
#include "pipeline/subcore/fetch.h"
#include "pipeline/subcore/lsu.h"
#include "pipeline/parts/follow.h"
#include "skip/skip.h"

/* ---- Room ---- */

/* Inputs that are not free, one bit each; the port is closed; no result can be reserved. */
enum { ROOM_INPUTS = 0x7FF, ROOM_CLOSED = 0x800, ROOM_NO_RESULT = 0x1000 };

/* Queues that have no room; Control is empty. First lane only. */
static inline u32 queues_full(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core)
{
    if (MACHINE(sm, subcore_throttle) == WS_toggle_off)
        return 0;
    return (u32)(core->ldst_count == MACHINE(sm, subcore_memory_queue)) << HEAD_MEMORY |
           (u32)(core->fp64_count == MACHINE(sm, subcore_fp64_queue)) << HEAD_FP64 | (u32)(core->sfu.full != 0) << HEAD_SFU;
}

/* ROOM_* of the port. First lane only. */
static inline u32 room_of(PRIVATE const struct sm *sm, u32 port)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    u32 room = 0;
    if (core->control.full || core->opens_at > sm->now)
        return ROOM_CLOSED;
    for (u32 left = core->units_taken; left != 0; left &= left - 1)
        room |= (u32)(core->unit_free[ws_ctz(left)] > sm->now) << ws_ctz(left);
    core->units_taken = (u8)room;
    if ((room & ws_bit(WS_SUB_ALU)) && (room & ws_bit(WS_SUB_FMA)))
        room |= ws_bit(HEAD_EITHER);
    room |= queues_full(sm, core);
    return results_reserved(sm, core) >= MACHINE(sm, subcore_results) ? room | ROOM_NO_RESULT : room;
}

/* Next cycle after this one in which the port may have room that it lacks, beside for an instruction in Control. First lane only.
 */
static inline u32 room_next(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core)
{
    u32 next = core->result_count != 0 ? core->results[core->result_first] : WS_NEVER;
    for (u32 left = core->units_taken; left != 0; left &= left - 1)
        next = core->unit_free[ws_ctz(left)] > sm->now ? ws_min(next, core->unit_free[ws_ctz(left)]) : next;
    next = core->opens_at > sm->now ? ws_min(next, core->opens_at) : next;
    next = constant_hold_end(sm, core) > sm->now ? ws_min(next, constant_hold_end(sm, core)) : next;
    return ws_max(next, sm->now + 1);
}

/* Slots that the port can issue from. */
static inline slot_set with_room(PRIVATE struct sm *sm, slot_set slots)
{
    const u32 room = lanes_from_first(&sm->lanes, lane_first() ? room_of(sm, sm->port) : 0);
    if (room & ROOM_CLOSED)
        return slots_none();
    if (room & ROOM_NO_RESULT)
        slots = slots_minus(slots, sm->head_results);
    for (u32 inputs = room & ROOM_INPUTS; inputs != 0; inputs &= inputs - 1)
        slots = slots_minus(slots, heads_to(sm, slots, ws_ctz(inputs)));
    return slots;
}

/* ---- Issue ---- */

/* A fixed instruction takes the input of its unit; control, allocate: cycles for which it is held there. An input that is taken for
 * one cycle is free again while the instruction is held in Allocate. */
static inline void input_taken(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core, u32 pc, u32 control, u32 allocate)
{
    const u32 either = head_input(sm, pc), interval = interval_of(sm, pc);
    const u32 input = either != HEAD_EITHER ? either : core->unit_free[WS_SUB_ALU] <= sm->now ? (u32)WS_SUB_ALU : (u32)WS_SUB_FMA;
    core->unit_free[input] = sm->now + interval + control + (interval > 1 ? allocate : 0);
    core->units_taken |= (u8)ws_bit(input);
}

/* Write event of an instruction that leaves Allocate in a cycle. */
static inline u32 written_at(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core, u32 pc, u32 allocated)
{
    const u32 at = allocated + 4 + latency_of(sm, pc);
    if (!(operands_at(sm, pc)->flags & WS_OPERANDS_RESULT))
        return at;
    core->written = ws_max(at, core->written + 1);
    core->results[(core->result_first + core->result_count) % WS_SUB_RESULTS] = core->written;
    core->result_count += 1;
    return core->written;
}

/* Write event of a fixed instruction. A commit ends when its copies are written, too. */
static inline void fixed_ends(PRIVATE const struct sm *sm, u32 slot, GLOBAL const struct ws_operands *operands, u32 read,
                              u32 written)
{
    GLOBAL struct ws_sub_warp *warp = warp_at(sm, slot);
    const u32 group = group_open(warp);
    if (!is_commit(sm, operands)) {
        fall_at(sm, slot, WS_CONTROL_WRITES(operands->control), written);
        instruction_ends(sm, slot, ws_max(read, written));
        return;
    }
    warp->groups[group] += 1;
    warp->committed[group] = (u8)WS_CONTROL_WRITES(operands->control);
    warp->group_count += 1;
    counter_changes_at(sm, slot, COUNTER_GROUPS + group, written, FALL);
}

/* A fixed instruction enters Control. Only earlier ones can hold it, so all its events are known at once. */
static inline void fixed_enters(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot, u32 pc)
{
    GLOBAL const struct ws_operands *const operands = operands_at(sm, pc);
    const u32 leaves = ws_max(sm->now + 1, core->allocated), allocated = allocated_at(sm, core, slot, operands, leaves + 1);
    const u32 read = allocated + 3, written = written_at(sm, core, pc, allocated), held = leaves - (sm->now + 1);
    input_taken(sm, core, pc, held, allocated - (leaves + 1));
    core->opens_at = leaves;
    core->allocated = allocated;
    count(sm, WS_COUNT_control_stalls, held);
    rise_at(sm, slot, operands->control, leaves);
    fall_at(sm, slot, WS_CONTROL_READS(operands->control), read);
    fixed_ends(sm, slot, operands, read, written);
}

/* A variable instruction enters Control. */
static inline void variable_enters(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot, u32 pc)
{
    sm_busy(sm)->stages |= (u8)ws_bit(sm->port);
    core->control.full = 1;
    core->control.slot = (u8)slot;
    core->control.pc = (u16)pc;
}

/* The instruction enters Control. First lane only. */
static inline void control_enters(PRIVATE struct sm *sm, u32 slot, u32 pc)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, sm->port);
    GLOBAL const struct ws_operands *const operands = operands_at(sm, pc);
    GLOBAL struct ws_sub_warp *warp = warp_at(sm, slot);
    const u32 stall = WS_CONTROL_STALL(operands->control), yields = WS_CONTROL_YIELDS(operands->control);
    warp->issue_at = sm->now + (yields ? (stall == 0 ? MACHINE(sm, subcore_long_stall) : ws_max(stall, 2)) : ws_max(stall, 1));
    warp->out += 1;
    if (is_fixed(sm, operands))
        fixed_enters(sm, core, slot, pc);
    else
        variable_enters(sm, core, slot, pc);
    if (operands->flags & WS_OPERANDS_WIDE)
        core->opens_at = ws_max(core->opens_at, sm->now + 2);
    if (is_copy(sm, operands->flags))
        warp->groups[group_open(warp)] += 1;
    if (MACHINE(sm, subcore_constant_sets) != 0 && (operands->flags & WS_OPERANDS_CONSTANT))
        constant_touched(sm, sm->port, warp->constant_line);
    core->missed_at = 0;
}

/* Kind of a memory instruction's accesses. */
static inline u32 memory_kind_of(PRIVATE const struct sm *sm, PRIVATE const struct packet *packet)
{
    if (!is_access(packet->instruction))
        return LDST_NOTHING;
    const u32 kind = ldst_kind_of(sm, packet);
    return kind == WS_CACHE_DATA && (packet->instruction->flags & WS_BYPASS) ? (u32)LDST_LOAD : kind;
}

/* A memory instruction takes its place behind the memory queue, with its accesses. */
static inline void memory_enters(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, line);
    const u32 count = lanes_from_first(&sm->lanes, lane_first() ? subcore_at(sm, sm->port)->ldst_count : 0);
    GLOBAL struct ws_ldst *entry = memory_at_place(sm, sm->port, count);
    if (lane_first()) {
        entry->pc = (u16)packet->pc;
        entry->answers = (u16)packet->slot;
        entry->next = entry->missed = 0;
        entry->kind = (u8)memory_kind_of(sm, packet);
        entry->class_ = packet->instruction->class_;
        entry->members = (u8)group_open(warp_at(sm, packet->slot));
    }
    if (has_addresses(packet))
        path_threads(sm, packet, packet->lanes);
    ldst_enter_accesses(sm, entry, packet, line);
}

/* Issues the first buffered instruction of the warp in a slot. */
static inline void issue_packet(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    struct packet packet;
    packet.slot = slot;
    packet.pc = slots_pick(&sm->lanes, lanes->pc, slot);
    packet.instruction = sm->program + packet.pc;
    packet.access.passes = packet.access.misses = 0;
    port_put(sm->issued_last, sm->port, slot);
    path_peek(sm, lanes, &packet);
    path_take(sm, lanes, &packet);
    policy_chosen(sm, lanes, slot);
    count_fetched(sm, lanes, &packet, 1);
    if (lane_first())
        count_issue(sm, packet.pc, packet.instruction, packet.executed, packet.effective);
    record_issue(sm, slot, packet.pc, packet.shown);
    if (operands_at(sm, packet.pc)->unit == WS_SUB_MEMORY)
        memory_enters(sm, &packet);
    if (!is_fixed(sm, operands_at(sm, packet.pc)))
        sm->changed |= CHANGED_STATE; /* it may leave Control in the next cycle */
    if (lane_first())
        control_enters(sm, slot, packet.pc);
    follow(sm, lanes, &packet);
}

/* The port sm->port uses its slot; returns the slot's outcome. */
static inline u32 port_issues(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 holds;
    const slot_set slots = slots_minus(port_slots(sm), sm->at_barrier), mine = policy_candidates(sm, slots);
    const u32 unready = slots_any(slots_and(sm->valid, mine)) ? SLOT_SCOREBOARD : SLOT_IDLE;
    if (NONE_IS_SEEN(slots_and(sm->ready, slots)))
        return unready;
    const slot_set missed = constants_missed(sm, lanes, slots_and(sm->ready, slots), &holds);
    const slot_set ready = slots_minus(slots_and(sm->ready, mine), missed);
    const slot_set selectable = slots_any(ready) && !holds ? with_room(sm, ready) : slots_none();
    if (!slots_any(selectable)) {
        sm->stalled = slots_or(sm->stalled, slots_or(ready, missed));
        return slots_any(ready) ? (u32)SLOT_PIPELINE : unready;
    }
    issue_packet(sm, lanes, policy_choose(sm, lanes, selectable));
    return SLOT_ISSUED;
}

static inline slot_set awaiting(PRIVATE const struct sm *sm)
{
    return slots_or(slots_or(sm->at_barrier, sm->asleep), sm->counted);
}

/* The steps rotate and issue; returns whether a port issued. Form loop visits only ports that have a ready warp, unless the
 * scheduler hides warps. */
static inline u32 issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 ports = MACHINE(sm, core_issue_ports), first = first_port(sm), every = ws_bits_below(ports);
    sm->stalled = slots_none();
    policy_events(sm, lanes);
    rotate(sm, lanes);
    const u32 some = LANE_COPIES > 1 && !policy_rotates(sm);
    const u32 visited = some ? ports_of(sm, slots_minus(sm->ready, sm->at_barrier)) : every;
    const u32 valid = some ? ports_of(sm, slots_minus(sm->valid, sm->at_barrier)) : 0;
    u32 issued = 0, kinds = ports_with(valid & ~visited, SLOT_SCOREBOARD) | ports_with(every & ~valid & ~visited, SLOT_IDLE);
    for (u32 left = ports_turned(visited, ports, first); left != 0 && sm->status == WS_STATUS_running; left &= left - 1) {
        const u32 n = ws_ctz(left);
        sm->port = port_from(ports, first, n);
        const u32 slot = port_issues(sm, lanes);
        kinds |= slot << SLOT_BITS * sm->port;
        issued |= slot == SLOT_ISSUED;
        if (n + 1 < ports)
            policy_events(sm, lanes);
    }
    sm->slot_kinds = kinds;
    return issued;
}

#endif
