/* What all ways of dispatch share: resources, entries and ends (dispatch.md). */
#pragma once

#include "oracle/sm.h"

/* The value rounded up to a multiple. */
u64 multiple(u64 value, u32 unit);

/* Registers that a warp is allocated. */
u64 warp_registers(const struct sm *sm);

/* Warps for which there are warp slots and registers. */
u32 places(const struct sm *sm);

/* Whether shared memory and block slots suffice for so many blocks together. */
bool blocks_find_room(const struct sm *sm, u32 blocks);

/* The smallest n of the unfinished warps (schedulers.md). */
u64 fewest_fetched(const struct sm *sm);

/* The warp that is number-th of a block enters a free slot. */
void warp_enters(struct sm *sm, u32 slot, u32 block, u32 number, u64 fetched);

/* The first warps of a block are about to enter. */
void block_enters(struct sm *sm, u32 block);

/* oracle_dispatch.warp_ended. */
void warp_ends(struct sm *sm, u32 slot);

/* All warps of a block have ended (retired): its slots are free. */
void block_ends(struct sm *sm, u32 block);
