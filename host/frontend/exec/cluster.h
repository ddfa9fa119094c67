/* The blocks of a cluster. */
#pragma once

#include "frontend/exec/block.h"

/* The rank of a block in its cluster, and the block of that rank in the same cluster. */
u32 ws_cluster_rank(const struct ws_plan *plan, u64 block);
u64 ws_cluster_block(const struct ws_plan *plan, u64 block, u32 rank);

/* Whether all threads of the block that have not ended wait at the cluster's barrier; and whether they may pass it: every other
 * block has arrived as often. */
bool ws_cluster_waits(const struct ws_run *run);
bool ws_cluster_passes(const struct ws_run *run);

/* Takes the lowest block from a mask of ranks: *there is its place for an address of shared memory. False if none is left. */
bool ws_cluster_next(const struct ws_memory *memory, u64 address, u32 *mask, u64 *there);

/* An mbarrier after count arrivals, some of which leave, and transactions (atomic.c). */
u64 ws_mbarrier_arrived(u64 word, u64 count, u64 leaving, u64 transactions);
