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

/* The lists of a port, read once: a compiler assumes that writing a place may change all that is in memory. */
struct lists {
    GLOBAL u8 *active, *queue; /* first place of each */
    u32 shift;                 /* log2 of the distance of places */
    u32 first;                 /* place of the queue's head */
    u32 size;                  /* ring_size */
};

static inline struct lists lists_of(PRIVATE const struct sm *sm, u32 size)
{
    const struct lists lists = {sm_active_list(sm) + AT_PORT(sm), sm_queue(sm) + AT_PORT(sm), ws_ctz(ports(sm)),
                                port_value(sm->queue_first, AT_PORT(sm)), size};
    return lists;
}

/* The n-th of the active list. */
static inline GLOBAL u8 *active_at(struct lists lists, u32 n)
{
    return lists.active + (n << lists.shift);
}

/* The n-th of the queue, or the n-th place behind it. */
static inline GLOBAL u8 *queue_at(struct lists lists, u32 n)
{
    const u32 place = lists.first + n;
    return lists.queue + ((place >= lists.size ? place - lists.size : place) << lists.shift);
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
    const struct lists lists = lists_of(sm, size);
    u32 kept = 0, moved = 0;
    if (!lane_first())
        return;
    for (u32 n = 0; n < active; ++n) { /* without branches: a slot is written to both, and counts in one */
        const u32 slot = *active_at(lists, n), leaves = slots_has(leaving, slot);
        *queue_at(lists, size - active + moved) = (u8)slot;
        *active_at(lists, kept) = (u8)slot;
        moved += leaves;
        kept += leaves ^ 1;
    }
}

/* The first slots of the queue become active, so many behind the others; returns them. */
static inline slot_set promote_first(PRIVATE struct sm *sm, u32 active, u32 few, u32 size)
{
    const struct lists lists = lists_of(sm, size);
    slot_set joined = slots_none();
    if (lane_first())
        for (u32 n = 0; n < few; ++n) {
            const u32 slot = *queue_at(lists, n);
            joined = slots_with(joined, slot);
            *active_at(lists, active + n) = (u8)slot;
        }
    queue_leave(sm, few, size);
    return slots_from_first(&sm->lanes, joined);
}

/* The first slots of the queue that can continue become active while there is room, up to most; returns them. */
static inline slot_set promote(PRIVATE struct sm *sm, slot_set going, u32 active, u32 most, u32 size)
{
    const struct lists lists = lists_of(sm, size);
    slot_set joined = slots_none();
    if (lane_first()) {
        u32 now = active, passed = 0, left = 0;
        for (; passed + active < size && now < most; ++passed) {
            const u32 slot = *queue_at(lists, passed);
            if (slots_has(going, slot)) {
                joined = slots_with(joined, slot);
                *active_at(lists, now++) = (u8)slot;
            } else {
                left += 1;
            }
        }
        for (u32 n = passed, to = passed; n-- > 0 && left != 0;) { /* those passed over move up to the rest */
            const u32 slot = *queue_at(lists, n);
            if (!slots_has(joined, slot))
                *queue_at(lists, --to) = (u8)slot;
        }
    }
    joined = slots_from_first(&sm->lanes, joined);
    queue_leave(sm, slots_count(joined), size);
    return joined;
}

/* The first slots are active, the others queue. */
static inline void lists_open(PRIVATE struct sm *sm, u32 most, u32 size)
{
    const struct lists lists = lists_of(sm, size);
    slot_set active = slots_none();
    for (u32 n = 0; n < size; ++n) {
        const u32 slot = n * ports(sm) + AT_PORT(sm);
        if (n < most)
            active = slots_with(active, slot);
        if (lane_first())
            *(n < most ? active_at(lists, n) : queue_at(lists, n - most)) = (u8)slot;
    }
    sm->active_slots = slots_or(sm->active_slots, active);
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
    const slot_set joined = blind ? promote_first(sm, active, most - active, size) : promote(sm, going, active, most, size);
    active += slots_count(joined);
    port_put(sm->active_count, AT_PORT(sm), active);
    sm->active_slots = slots_or(slots_minus(sm->active_slots, leaving), joined);
    if (active < size && slots_any(slots_minus(joined, going)))
        sm->changed |= CHANGED_STATE;
}

static inline slot_set two_level_active_candidates(PRIVATE const struct sm *sm, slot_set slots)
{
    return slots_and(slots, sm->active_slots);
}

static inline u32 two_level_active_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    const struct lists lists = lists_of(sm, ring_size(sm));
    u32 n = 0;
    if (lane_first())
        while (!slots_has(ready, *active_at(lists, n)))
            ++n;
    return lanes_from_first(&sm->lanes, lane_first() ? *active_at(lists, n) : 0);
}

/* The warp moves to the tail of the active list if it is still active (a large warp that holds decode need not be). */
static inline void two_level_active_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes,
                                           PRIVATE const struct issued *issued)
{
    if (issued->issues && lane_first() && slots_has(sm->active_slots, issued->slot)) {
        const struct lists lists = lists_of(sm, ring_size(sm));
        const u32 last = port_value(sm->active_count, AT_PORT(sm)) - 1;
        u32 n = 0;
        while (*active_at(lists, n) != issued->slot)
            ++n;
        for (; n < last; ++n)
            *active_at(lists, n) = *active_at(lists, n + 1);
        *active_at(lists, last) = (u8)issued->slot;
    }
}

/* ---- Rotations in advance. While nobody in the queue can continue, promoted warps await, too: all warps that await take turns in
 * the active list, in one order, from the leaving ones of the list to the last of the queue. ---- */

/* Members of a set among the slots in that order: bit n for the n-th. There are at most 64. */
static inline u64 turning(PRIVATE const struct sm *sm, slot_set leaving, slot_set set, u32 size)
{
    const struct lists lists = lists_of(sm, size);
    const u32 active = port_value(sm->active_count, AT_PORT(sm));
    u64 bits = 0;
    u32 place = 0;
    for (u32 n = 0; n < active; ++n)
        if (slots_has(leaving, *active_at(lists, n)))
            bits |= (u64)slots_has(set, *active_at(lists, n)) << place++;
    for (u32 n = 0; n < size - active; ++n)
        bits |= (u64)slots_has(set, *queue_at(lists, n)) << place++;
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
    struct lists lists = lists_of(sm, size);
    for (u32 left = few * (cycles - 1) % slots; left != 0; --left) {
        *queue_at(lists, slots) = *queue_at(lists, 0);
        lists.first = lists.first + 1 == size ? 0 : lists.first + 1;
    }
    port_put(sm->queue_first, AT_PORT(sm), lists.first);
    sm->active_slots = slots_or(slots_minus(sm->active_slots, leaving), promote_first(sm, active - few, few, size));
    return with;
}

#endif
