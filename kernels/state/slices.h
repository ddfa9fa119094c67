/* Slices, and sets of small warps (docs/model/pipelines.md): slot w belongs to slice w modulo their number, and to set w / that
 * number. The slots of a set are adjacent in one word; a set is identified by its first slot. */
#ifndef WS_STATE_SLICES_H
#define WS_STATE_SLICES_H

#include "state/sm.h"

/* Number of slices: 1, 2, 4 or 8. */
static inline u32 slices(PRIVATE const struct sm *sm)
{
    return PATH_SLICES ? WS_LANES >> ws_ctz(MACHINE(sm, core_warp_size)) : 1;
}

/* All of them, a mask. */
static inline u32 all_slices(PRIVATE const struct sm *sm)
{
    return ws_bit(slices(sm)) - 1;
}

static inline u32 slice_of(PRIVATE const struct sm *sm, u32 slot)
{
    return slot & (slices(sm) - 1);
}

/* First slot of the set of a slot. */
static inline u32 set_of(PRIVATE const struct sm *sm, u32 slot)
{
    return slot & ~(slices(sm) - 1);
}

/* First slots of sets with some of the slots. */
static inline slot_set first_slots(PRIVATE const struct sm *sm, slot_set slots)
{
    const u32 size = slices(sm), firsts = PLAN(sm, first_slots);
    FOR_WORDS (n) {
        u32 word = SLOT_WORD(slots, n);
        word |= word >> size / 2;
        word |= word >> size / 4;
        word |= word >> size / 8;
        SLOT_WORD_PUT(slots, n, word & firsts);
    }
    return slots;
}

/* All slots of sets with some of the slots. */
static inline slot_set whole_sets(PRIVATE const struct sm *sm, slot_set slots)
{
    const u32 size = slices(sm);
    slots = first_slots(sm, slots);
    FOR_WORDS (n)
        SLOT_WORD_PUT(slots, n, (SLOT_WORD(slots, n) << size) - SLOT_WORD(slots, n));
    return slots;
}

/* For each set its lowest slot among these. */
static inline slot_set lowest_slots(PRIVATE const struct sm *sm, slot_set slots)
{
    const slot_set firsts = first_slots(sm, slots);
    FOR_WORDS (n)
        SLOT_WORD_PUT(slots, n, SLOT_WORD(slots, n) & ~(SLOT_WORD(slots, n) - SLOT_WORD(firsts, n)));
    return slots;
}

/* The slices of some slots, a mask. */
static inline u32 slices_with(PRIVATE const struct sm *sm, slot_set slots)
{
    const u32 size = slices(sm);
    u32 word = 0;
    FOR_WORDS (n)
        word |= SLOT_WORD(slots, n);
    for (u32 reach = WS_LANES / 2; reach >= size; reach /= 2)
        word |= word >> reach;
    return word & all_slices(sm);
}

/* All slots of some slices. */
static inline slot_set slots_of_slices(PRIVATE const struct sm *sm, u32 mask)
{
    slot_set slots = slots_none();
    FOR_WORDS (n)
        SLOT_WORD_PUT(slots, n, PLAN(sm, first_slots) * mask);
    return slots;
}

/* Slots of one set, as a mask of slices. */
static inline u32 slices_of_set(PRIVATE const struct sm *sm, slot_set slots, u32 set)
{
    return SLOT_WORD(slots, set / WS_LANES) >> set % WS_LANES & all_slices(sm);
}

/* The slots of a set in some slices. */
static inline slot_set slots_of_set(PRIVATE const struct sm *sm, u32 set, u32 mask)
{
    slot_set slots = slots_none();
    FOR_WORDS (n)
        SLOT_WORD_PUT(slots, n, n == set / WS_LANES ? mask << set % WS_LANES : 0);
    return slots;
}

/* The lanes of some slices. */
static inline u32 lanes_of_slices(PRIVATE const struct sm *sm, u32 mask)
{
    const u32 size = MACHINE(sm, core_warp_size), one = ws_bits_below(size);
    u32 lanes = 0;
    for (; mask != 0; mask &= mask - 1)
        lanes |= one << ws_ctz(mask) * size;
    return lanes;
}

/* Slices of some lanes, a mask. */
static inline u32 slices_of_lanes(PRIVATE const struct sm *sm, u32 lanes)
{
    const u32 size = MACHINE(sm, core_warp_size);
    u32 mask = 0;
    for (u32 n = 0; n < slices(sm); ++n)
        mask |= (u32)((lanes >> n * size & ws_bits_below(size)) != 0) << n;
    return mask;
}

/* The lanes of a slice, numbered in its small warp. */
static inline u32 lanes_in_slice(PRIVATE const struct sm *sm, u32 lanes, u32 slice)
{
    const u32 size = MACHINE(sm, core_warp_size);
    return lanes >> slice * size & ws_bits_below(size);
}

#endif
