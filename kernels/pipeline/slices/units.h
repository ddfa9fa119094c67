/* Issue of a unit, a gang or a single warp, and its room (docs/model/pipelines.md). */
#ifndef WS_PIPELINE_SLICES_UNITS_H
#define WS_PIPELINE_SLICES_UNITS_H

#include "pipeline/slices/fetch.h"
#include "pipeline/slices/ldst.h"

/* State of an issue step: slices whose units of a kind are full, and accesses to memory. */
struct issuing {
    u32 full[WS_UNIT_KINDS];
    struct accesses accesses;
};

/* ---- Room ---- */

/* Each slice owns units. */
static inline u32 unit_owners(PRIVATE const struct sm *sm)
{
    return slices(sm);
}

/* Slices whose units of a kind are full. */
static inline u32 slices_full(PRIVATE struct sm *sm, u32 kind)
{
    u32 full = 0;
    if (sm->room_at <= sm->now)
        return 0;
    if (lane_first())
        for (u32 slice = 0; slice < slices(sm); ++slice)
            full |= (u32)(unit_at(sm, slice, kind)->room_at > sm->now) << slice;
    return lanes_from_first(&sm->lanes, full);
}

static inline void issuing_begins(PRIVATE struct sm *sm, PRIVATE struct issuing *issuing)
{
    issuing->full[UNIT_SP] = slices_full(sm, UNIT_SP);
    issuing->full[UNIT_SFU] = slices_full(sm, UNIT_SFU);
    issuing->full[UNIT_TENSOR] = slices_full(sm, UNIT_TENSOR);
    issuing->accesses.slices = issuing->accesses.kinds = issuing->accesses.order = issuing->accesses.packet.lanes = 0;
}

/* Slots whose oldest buffered instruction has room behind the accesses of this cycle, if it is an access. */
static inline slot_set with_access(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots,
                                   PRIVATE const struct accesses *accesses)
{
    if (any_access_has_room(sm, accesses))
        return slots;
    if (accesses->kinds == 0)
        return slots_minus(slots, oldest_to_unit(sm, slots, UNIT_LDST));
    const slot_set heads = oldest_to_unit(sm, slots, UNIT_LDST);
    FOR_WORDS (n) {
        for (u32 left = SLOT_WORD(heads, n); left != 0; left &= left - 1) {
            const u32 slot = n * WS_LANES + ws_ctz(left);
            GLOBAL const struct ws_instruction *const instruction = sm->program + slots_pick(&sm->lanes, lanes->pc, slot);
            if (!access_has_room(sm, accesses, kind_of_access(instruction)))
                slots = slots_without(slots, slot);
        }
    }
    return slots;
}

/* Slots whose unit has room for their oldest buffered instruction. */
static inline slot_set with_room(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots,
                                 PRIVATE const struct issuing *issuing)
{
    if (issuing->full[UNIT_SFU] != 0)
        slots = slots_minus(slots, oldest_to_unit(sm, slots_of_slices(sm, issuing->full[UNIT_SFU]), UNIT_SFU));
    if (issuing->full[UNIT_TENSOR] != 0)
        slots = slots_minus(slots, oldest_to_unit(sm, slots_of_slices(sm, issuing->full[UNIT_TENSOR]), UNIT_TENSOR));
    if (issuing->full[UNIT_SP] != 0)
        slots = slots_minus(slots, oldest_to_unit(sm, slots_of_slices(sm, issuing->full[UNIT_SP]), UNIT_SP));
    return with_access(sm, lanes, slots, &issuing->accesses);
}

/* ---- Issue ---- */

/* Sends the members' instructions to their units. */
static inline void execute(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet, u32 members,
                           PRIVATE struct issuing *issuing)
{
    const u32 unit = unit_of(sm, sm->program + packet->pc);
    const u32 atomic = unit == UNIT_LDST && ldst_kind_of(sm, packet) == LDST_ATOMIC;
    if (unit == UNIT_LDST)
        accesses_add(sm, &issuing->accesses, packet, members);
    for (; members != 0; members &= members - 1) {
        const u32 slice = ws_ctz(members), slot = packet->home + slice;
        if (slot_is(slot))
            loads_issue(sm, lanes, slot, sm->program + packet->pc);
        if (unit == UNIT_LDST) {
            ldst_begins(sm, lanes, slot, packet->pc, atomic && lanes_in_slice(sm, packet->lanes, slice) != 0);
            continue;
        }
        const u32 done = unit_issue(sm, sm->program + packet->pc, slice, unit);
        if (slot_is(slot) && packet->instruction->writes != 0) {
            registers_reserve(sm, slot, sm->program + packet->pc, done);
            lanes->busy_until[AT(slot)] = ws_max(lanes->busy_until[AT(slot)], done);
        }
    }
}

/* Applies the packet's outcome in the cycle of issue. */
static inline void follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet, u32 members)
{
    const u32 outcome = path_follow(sm, lanes, packet);
    if (sm->status != WS_STATUS_running)
        return;
    if (outcome == OUTCOME_PATH)
        path_done(sm, lanes, slots_of_set(sm, packet->home, packet->ended));
    sm->barriers_due |= outcome != OUTCOME_NEXT;
    for (u32 left = members; left != 0; left &= left - 1) {
        const u32 slice = ws_ctz(left), slot = packet->home + slice;
        if (outcome == OUTCOME_BARRIER)
            warp_at_barrier(sm, lanes, slot);
        if (packet->ended >> slice & 1)
            warp_leaves(sm, lanes, slot);
        else
            member_moves_on(sm, lanes, slot, packet->pc);
    }
}

/* Counts instructions that the members of a packet start; reports single warps to the scheduler of their slice. */
static inline void count_members(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 members)
{
    const struct issued issued = {packet->slot, packet->executed, packet->effective, 1, 1};
    count(sm, WS_COUNT_instructions_fetched, ws_popcount(members));
    for (u32 left = members; left != 0; left &= left - 1) {
        const u32 slice = ws_ctz(left), slot = packet->home + slice;
        const u32 lanes_here = lanes_in_slice(sm, packet->lanes, slice);
        sm->port = slice;
        if (slot_is(slot))
            lanes->fetched[AT(slot)] += 1;
        if (lane_first())
            count_issue(sm, packet->pc, packet->instruction, ws_popcount(lanes_in_slice(sm, packet->mask, slice)),
                        ws_popcount(lanes_here));
        record_issue(sm, slot, packet->pc, lanes_here);
    }
    if ((members & (members - 1)) == 0)
        policy_issued(sm, lanes, &issued);
}

/* Issues the oldest buffered instruction of the unit of a slot. */
static inline void issue_unit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 members,
                              PRIVATE struct issuing *issuing)
{
    const slot_set slots = slots_of_set(sm, set_of(sm, slot), members);
    struct packet packet;
    packet.slot = slot;
    packet.pc = slots_pick(&sm->lanes, lanes->pc, slot);
    packet.instruction = sm->program + packet.pc;
    packet.access.passes = packet.access.misses = packet.ended = 0;
    sm->ready = slots_minus(sm->ready, slots);
    sm->loads_head = slots_minus(sm->loads_head, slots);
    path_peek(sm, lanes, &packet);
    path_take(sm, lanes, &packet);
    count_members(sm, lanes, &packet, members);
    execute(sm, lanes, &packet, members, issuing);
    follow(sm, lanes, &packet, members);
}

/* ---- Reform ---- */

/* Buffers of a new unit's members: what all of them hold, valid when the last one is. */
static inline void buffers_join(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    u32 least = WS_NEVER, front = 0;
    for (slot_set left = slots; slots_any(left); left = slots_rest(left)) {
        least = ws_min(least, slots_pick(&sm->lanes, lanes->buffered, slots_first(left)));
        front = ws_max(front, slots_pick(&sm->lanes, lanes->front_at, slots_first(left)));
    }
    wheel_forget(sm, slots);
    sm->overflow = slots_minus(sm->overflow, slots);
    sm->valid = slots_minus(sm->valid, slots);
    sm->ready = slots_minus(sm->ready, slots);
    sm->loads_head = slots_minus(sm->loads_head, slots);
    for (slot_set left = slots; slots_any(left); left = slots_rest(left)) {
        const u32 slot = slots_first(left), held = slots_pick(&sm->lanes, lanes->buffered, slot);
        if (least == 0) {
            if (held != 0)
                buffer_empties(sm, lanes, slot, sm->now);
            continue;
        }
        if (slot_is(slot)) {
            lanes->buffered[AT(slot)] = least;
            lanes->front_at[AT(slot)] = front;
        }
        if (!comes_later(sm, WHEEL_VALID, slot, front))
            sm->valid = slots_with(sm->valid, slot);
        member_head(sm, lanes, slot);
    }
}

#endif
