/* Shared by all ways of dispatch: resources, entries and ends (dispatch.md). */
#pragma once

#include "oracle/sm.h"

/* The value rounded up to a multiple. */
u64 multiple(u64 value, u32 unit);

/* Registers that a warp is allocated. */
u64 warp_registers(const struct sm *sm);

/* Warps that fit by warp slots and registers. */
u32 places(const struct sm *sm);

/* Whether shared memory and block slots suffice for this many blocks. */
bool blocks_find_room(const struct sm *sm, u32 blocks);

/* The smallest n of the unfinished warps (schedulers.md). */
u64 fewest_fetched(const struct sm *sm);

/* The warp number-th of a block enters a free slot. */
void warp_enters(struct sm *sm, u32 slot, u32 block, u32 number, u64 fetched);

/* The first warps of a block are about to enter. */
void block_enters(struct sm *sm, u32 block);

/* oracle_dispatch.warp_ended. */
void warp_ends(struct sm *sm, u32 slot);

/* All warps of a block have ended (retired): frees its slots. */
void block_ends(struct sm *sm, u32 block);
