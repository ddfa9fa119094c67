/* One group of 32 lanes simulates one SM. This file has the forms of a group and all communication between its lanes:
 *   WS_LANES_LOOP      one work-item; a lane-private value is an array, "for all lanes" is a loop
 *   WS_LANES_GROUP     a work-group of 32; collectives go through local memory
 *   WS_LANES_PTX       a work-group of 32 that is one NVIDIA warp; collectives are its instructions
 *   WS_LANES_SUBGROUP  a work-group of 32 that is one sub-group; collectives are its built-in functions
 *   WS_FIBER           with any form but the first, in C: lanes are fibers, a barrier is a yield (tests)
 * A lane is a warp slot while scheduling, a SIMD column while executing. Rules: all lanes execute a collective; each datum is
 * written by one lane; data of another lane are read only after a fence or a collective. */
#ifndef WS_LANES_H
#define WS_LANES_H

#include "shared/image.h"

/* The first lane of a mask (not empty), from a lane on, cyclically. */
static inline u32 next_in_turn(u32 mask, u32 from)
{
    const u32 onwards = mask & ~ws_bits_below(from);
    return ws_ctz(onwards ? onwards : mask);
}

/* Number of lanes of a mask before one of its lanes, from a lane on, cyclically. */
static inline u32 rank_in_turn(u32 mask, u32 from, u32 lane)
{
    const u32 before = ws_popcount(mask & ws_bits_below(lane)) - ws_popcount(mask & ws_bits_below(from));
    return lane >= from ? before : before + ws_popcount(mask);
}

#ifdef WS_LANES_LOOP
#include "lanes/loop.h"
#else
#include "lanes/apart.h"
#endif

/* Declares a kernel: one work-item for each lane, unless the form defines it otherwise. */
#ifndef LANES_KERNEL
#define LANES_KERNEL __kernel __attribute__((reqd_work_group_size(32, 1, 1)))
#endif

/* A lane-private array. */
#define PER_LANE(type, name) type name[LANE_COPIES]

#endif
