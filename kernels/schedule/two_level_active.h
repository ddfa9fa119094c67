/* `two_level_active`: an active list and a pending queue (docs/model/schedulers.md; Anantpur's TL). The queue of a port is a ring.
 * First lane only; place n of port p is at n * ports + p. */
#ifndef WS_SCHEDULE_TWO_LEVEL_ACTIVE_H
#define WS_SCHEDULE_TWO_LEVEL_ACTIVE_H

#include "schedule/ports.h"

/* Slots of the port. */
static inline u32 ring_size(PRIVATE const struct sm *sm)
{
    return (MACHINE(sm, core_warps) - AT_PORT(sm) + ports(sm) - 1) >> ws_ctz(ports(sm));
}

/* Index of a port's n-th place. */
static inline u32 place_of(PRIVATE const struct sm *sm, u32 n)
{
    return (n << ws_ctz(ports(sm))) + AT_PORT(sm);
}

/* The n-th of the active list. */
static inline GLOBAL u8 *active_at(PRIVATE const struct sm *sm, u32 n)
{
    return sm_active_list(sm) + place_of(sm, n);
}

/* The n-th of the queue, or the n-th place behind it; size: ring_size. */
static inline GLOBAL u8 *queue_at(PRIVATE const struct sm *sm, u32 n, u32 size)
{
    const u32 place = port_value(sm->queue_first, AT_PORT(sm)) + n;
    return sm_queue(sm) + place_of(sm, place >= size ? place - size : place);
}

/* Takes so many slots out of the queue at its head. */
static inline void queue_leave(PRIVATE struct sm *sm, u32 slots, u32 size)
{
    const u32 first = port_value(sm->queue_first, AT_PORT(sm)) + slots;
    port_put(sm->queue_first, AT_PORT(sm), first >= size ? first - size : first);
}

/* Active slots move to the tail of the queue; these and the others keep their order. */
static inline void demote(PRIVATE struct sm *sm, slot_set leaving, u32 active, u32 size)
{
    u32 kept = 0, moved = 0;
    if (!lane_first())
        return;
    for (u32 n = 0; n < active; ++n) {
        const u32 slot = *active_at(sm, n);
        if (slots_has(leaving, slot))
            *queue_at(sm, size - active + moved++, size) = (u8)slot;
        else
            *active_at(sm, kept++) = (u8)slot;
    }
}

/* The first slots of the queue that can continue become active while there is room, up to most; returns the number of active
 * slots. */
static inline u32 promote(PRIVATE struct sm *sm, slot_set going, u32 active, u32 most, u32 size)
{
    u32 now = active, passed = 0, left = 0;
    if (lane_first()) {
        slot_set joined = slots_none();
        for (; passed + active < size && now < most; ++passed) {
            const u32 slot = *queue_at(sm, passed, size);
            if (slots_has(going, slot)) {
                joined = slots_with(joined, slot);
                *active_at(sm, now++) = (u8)slot;
            } else {
                left += 1;
            }
        }
        for (u32 n = passed, to = passed; n-- > 0 && left != 0;) { /* those passed over move up to the rest */
            const u32 slot = *queue_at(sm, n, size);
            if (!slots_has(joined, slot))
                *queue_at(sm, --to, size) = (u8)slot;
        }
    }
    now = lanes_from_first(&sm->lanes, now);
    queue_leave(sm, now - active, size);
    return now;
}

/* The active slots as a set. */
static inline slot_set active_set(PRIVATE struct sm *sm, u32 active)
{
    slot_set slots = slots_none();
    if (lane_first())
        for (u32 n = 0; n < active; ++n)
            slots = slots_with(slots, *active_at(sm, n));
    return slots_from_first(&sm->lanes, slots);
}

/* The first slots are active, the others queue. */
static inline void lists_open(PRIVATE struct sm *sm, u32 most, u32 size)
{
    for (u32 n = 0; n < size && lane_first(); ++n) {
        GLOBAL u8 *const place = n < most ? active_at(sm, n) : queue_at(sm, n - most, size);
        *place = (u8)(n * ports(sm) + AT_PORT(sm));
    }
    sm->active_slots = slots_or(sm->active_slots, active_set(sm, most));
    port_put(sm->active_count, AT_PORT(sm), most);
}

/* Slots of the port that leave the active list if others await. */
static inline slot_set leaving_slots(PRIVATE const struct sm *sm, slot_set going)
{
    return slots_minus(slots_and(sm->active_slots, port_slots(sm)), going);
}

static inline void two_level_active_rotate(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set awaiting)
{
    const u32 size = ring_size(sm), most = ws_min(size, MACHINE(sm, schedule_active));
    const u32 blind = MACHINE(sm, schedule_promotion) == WS_promotion_blind;
    if (port_value(sm->active_count, AT_PORT(sm)) == WS_NEVER)
        lists_open(sm, most, size);
    const slot_set mine = port_slots(sm), going = slots_and(slots_minus(sm->live, awaiting), mine);
    const slot_set leaving = leaving_slots(sm, going);
    u32 active = port_value(sm->active_count, AT_PORT(sm));
    if (!slots_any(leaving) && (active == most || !slots_any(slots_minus(going, sm->active_slots))))
        return;
    if (slots_any(leaving))
        demote(sm, leaving, active, size);
    active -= slots_count(leaving);
    active = promote(sm, blind ? mine : going, active, most, size);
    const slot_set now = active_set(sm, active);
    port_put(sm->active_count, AT_PORT(sm), active);
    sm->active_slots = slots_or(slots_minus(sm->active_slots, mine), now);
    if (active < size && slots_any(slots_minus(now, going)))
        sm->changed |= CHANGED_STATE;
}

static inline slot_set two_level_active_candidates(PRIVATE const struct sm *sm, slot_set slots)
{
    return slots_and(slots, sm->active_slots);
}

static inline u32 two_level_active_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    u32 n = 0;
    if (lane_first())
        while (!slots_has(ready, *active_at(sm, n)))
            ++n;
    return lanes_from_first(&sm->lanes, lane_first() ? *active_at(sm, n) : 0);
}

/* The warp moves to the tail of the active list if it is still active (a large warp that holds decode need not be). */
static inline void two_level_active_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes,
                                           PRIVATE const struct issued *issued)
{
    if (issued->issues && lane_first() && slots_has(sm->active_slots, issued->slot)) {
        const u32 last = port_value(sm->active_count, AT_PORT(sm)) - 1;
        u32 n = 0;
        while (*active_at(sm, n) != issued->slot)
            ++n;
        for (; n < last; ++n)
            *active_at(sm, n) = *active_at(sm, n + 1);
        *active_at(sm, last) = (u8)issued->slot;
    }
}

/* ---- Rotations in advance. While nobody in the queue can continue, promoted warps await, too: all warps that await take turns in
 * the active list, in one order, from the leaving ones of the list to the last of the queue. ---- */

/* Members of a set among the slots in that order: bit n for the n-th. There are at most 64. */
static inline u64 turning(PRIVATE const struct sm *sm, slot_set leaving, slot_set set, u32 size)
{
    const u32 active = port_value(sm->active_count, AT_PORT(sm));
    u64 bits = 0;
    u32 place = 0;
    for (u32 n = 0; n < active; ++n)
        if (slots_has(leaving, *active_at(sm, n)))
            bits |= (u64)slots_has(set, *active_at(sm, n)) << place++;
    for (u32 n = 0; n < size - active; ++n)
        bits |= (u64)slots_has(set, *queue_at(sm, n, size)) << place++;
    return bits;
}

/* The next few of so many have had their turn. */
static inline u64 after_turn(u64 bits, u32 few, u32 slots)
{
    return (bits >> few | bits << (slots - few)) & ~(u64)0 >> (64 - slots);
}

static inline u32 two_level_active_quiet(PRIVATE struct sm *sm, slot_set awaiting, slot_set ready, u32 cycles)
{
    const u32 size = ring_size(sm), active = port_value(sm->active_count, AT_PORT(sm));
    const slot_set mine = port_slots(sm), going = slots_and(slots_minus(sm->live, awaiting), mine);
    const slot_set leaving = leaving_slots(sm, going), others = slots_minus(mine, slots_and(going, sm->active_slots));
    const u32 few = slots_count(leaving), slots = size - active + few;
    u32 quiet = 0;
    if (few == 0)
        return cycles;
    if (MACHINE(sm, schedule_promotion) != WS_promotion_blind || slots_any(slots_minus(going, sm->active_slots)) || few == slots ||
        slots > 64)
        return 0;
    if (!slots_any(slots_and(ready, others)))
        return cycles;
    for (u64 bits = turning(sm, leaving, ready, size); quiet < ws_min(cycles, slots); ++quiet) {
        bits = after_turn(bits, few, slots);
        if (bits & (((u64)1 << few) - 1))
            return quiet;
    }
    return cycles; /* by then each has had its turn */
}

static inline u32 two_level_active_turn(PRIVATE struct sm *sm, slot_set awaiting, slot_set set, u32 cycles)
{
    const u32 size = ring_size(sm), active = port_value(sm->active_count, AT_PORT(sm));
    const slot_set mine = port_slots(sm), going = slots_and(slots_minus(sm->live, awaiting), mine);
    const slot_set leaving = leaving_slots(sm, going), kept = slots_and(slots_and(going, sm->active_slots), mine);
    const u32 few = slots_count(leaving), slots = size - active + few;
    u32 with = slots_any(slots_and(set, kept)) ? cycles : 0;
    if (few == 0)
        return with;
    if (with == 0 && slots_any(slots_and(set, mine))) {
        u64 bits = turning(sm, leaving, set, size);
        for (u32 n = 0; n < cycles; ++n) {
            bits = after_turn(bits, few, slots);
            with += (bits & (((u64)1 << few) - 1)) != 0;
        }
    }
    demote(sm, leaving, active, size);
    for (u32 left = few * (cycles - 1) % slots; left != 0; --left) {
        *queue_at(sm, slots, size) = *queue_at(sm, 0, size);
        queue_leave(sm, 1, size);
    }
    sm->active_slots = slots_or(slots_minus(sm->active_slots, mine), active_set(sm, promote(sm, mine, active - few, active, size)));
    return with;
}

#endif
