/* The blocks of a cluster: addresses of their shared memory, and their barrier. */
#include "frontend/exec/cluster.h"

#include <string.h>

#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/access.h"

/* ---- Addresses ---- */

/* Where shared memory begins for the operation. */
static u64 base_of(const struct ws_step *step, const struct ws_thread *thread)
{
    return step->op->space == WS_SPACE_shared ? 0 : ws_memory_window(thread->memory, WS_SPACE_shared);
}

/* The place of an address of shared memory in the block of that rank; the own block has plain addresses. */
static u64 mapped(const struct ws_memory *memory, u64 place, u64 rank)
{
    const u64 inside = place & ((UINT64_C(1) << WS_CLUSTER_SHIFT) - 1);
    return rank == memory->rank ? inside : inside | (rank + 1) << WS_CLUSTER_SHIFT;
}

struct ws_basic_block *ws_mapa(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const u64 base = base_of(step, thread);
    const u64 address = base + mapped(thread->memory, slot[step->a] - base, slot[step->b] & (2 * WS_MOST_CLUSTER - 1));
    slot[step->dst] = step->op->type == WS_TYPE_u32 ? (u32)address : address;
    return ws_next(step, slot, thread);
}

struct ws_basic_block *ws_getctarank(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const u64 rank = (slot[step->a] - base_of(step, thread)) >> WS_CLUSTER_SHIFT & (4 * WS_MOST_CLUSTER - 1);
    slot[step->dst] = rank ? rank - 1 : thread->memory->rank;
    return ws_next(step, slot, thread);
}

bool ws_cluster_next(const struct ws_memory *memory, u64 address, u32 *mask, u64 *there)
{
    const u32 all = memory->cluster < 32 ? (1u << memory->cluster) - 1 : UINT32_MAX;
    *mask &= all;
    if (!*mask)
        return false;
    *there = mapped(memory, address, (u32)__builtin_ctz(*mask));
    *mask &= *mask - 1;
    return true;
}

/* The transfer in each block of the mask. One access of the trace. */
struct ws_basic_block *ws_multicast(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    u32 mask = (u32)slot[step->c];
    u64 there = 0;
    if (!ws_access(step, (u32)ws_address(step, slot), sizeof(u64), true, thread))
        return NULL;
    while (ws_cluster_next(thread->memory, (u32)ws_address(step, slot), &mask, &there)) {
        u8 *const at = ws_locate(step, there, sizeof(u64), true, thread);
        u64 word;
        if (!at)
            return NULL;
        memcpy(&word, at, sizeof word);
        word = ws_mbarrier_arrived(word, 0, 0, slot[step->b]);
        memcpy(at, &word, sizeof word);
        thread->changes++;
    }
    return ws_next(step, slot, thread);
}

/* ---- The barrier ---- */

struct ws_basic_block *ws_cluster_arrive(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    thread->arrivals++;
    thread->changes += thread->memory->cluster > 1; /* others may continue */
    return ws_next(step, slot, thread);
}

bool ws_cluster_waits(const struct ws_run *run)
{
    return run->meeting.at && run->meeting.barrier == WS_CLUSTER_BARRIER && run->plan->memory.cluster > 1;
}

/* How often all threads of a block have arrived. Those that wait have, and those that ended need not. */
static u64 arrived(const struct ws_run *run)
{
    const u64 whole = run->thread.arrivals / run->plan->block_threads,
              waited = run->cluster_passed + (ws_cluster_waits(run) ? 1 : 0);
    return whole > waited ? whole : waited;
}

bool ws_cluster_passes(const struct ws_run *run)
{
    for (u32 n = 0; n < run->plan->memory.cluster; n++)
        if (n != run->rank && (run->peers[n].absent || (run->peers[n].run && arrived(run->peers[n].run) <= run->cluster_passed)))
            return false;
    return true;
}

/* ---- Numbers ---- */

static void split(const struct ws_plan *plan, u64 block, u32 at[3])
{
    at[0] = (u32)(block % plan->grid[0]);
    at[1] = (u32)(block / plan->grid[0] % plan->grid[1]);
    at[2] = (u32)(block / plan->grid[0] / plan->grid[1]);
}

u32 ws_cluster_rank(const struct ws_plan *plan, u64 block)
{
    const u32 *const size = plan->cluster;
    u32 at[3];
    split(plan, block, at);
    return at[0] % size[0] + size[0] * (at[1] % size[1] + size[1] * (at[2] % size[2]));
}

u64 ws_cluster_block(const struct ws_plan *plan, u64 block, u32 rank)
{
    const u32 *const size = plan->cluster;
    u32 at[3];
    split(plan, block, at);
    const u64 x = at[0] - at[0] % size[0] + rank % size[0], y = at[1] - at[1] % size[1] + rank / size[0] % size[1];
    const u64 z = at[2] - at[2] % size[2] + rank / size[0] / size[1];
    return x + plan->grid[0] * (y + plan->grid[1] * z);
}
