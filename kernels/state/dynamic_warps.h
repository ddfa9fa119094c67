/* Dynamic warps: threads that currently issue together (docs/model/divergence.md). Each thread is in one dynamic warp; each warp
 * has at least one thread, so there are at most as many as threads. First lane only. */
#ifndef WS_STATE_DYNAMIC_WARPS_H
#define WS_STATE_DYNAMIC_WARPS_H

#include "state/sm.h"

static inline GLOBAL struct ws_dynamic_warp *dynamic_warp(PRIVATE const struct sm *sm, u32 n)
{
    return sm_dynamic(sm) + n;
}

/* Thread slots of its places. */
static inline GLOBAL u16 *dynamic_threads(PRIVATE const struct sm *sm, u32 n)
{
    return sm_dynamic_threads(sm) + n * MACHINE(sm, core_warp_size);
}

/* ---- Chains ---- */

static inline void chain_open(GLOBAL struct ws_chain *chain)
{
    chain->first = chain->last = WS_NO_WARP;
}

/* Inserts a dynamic warp behind another of the chain, or in front (WS_NO_WARP). */
static inline void chain_insert(PRIVATE const struct sm *sm, GLOBAL struct ws_chain *chain, u32 before, u32 n)
{
    GLOBAL u16 *link = before == WS_NO_WARP ? &chain->first : &dynamic_warp(sm, before)->next;
    dynamic_warp(sm, n)->next = *link;
    *link = (u16)n;
    if (chain->last == before)
        chain->last = (u16)n;
}

static inline void chain_append(PRIVATE const struct sm *sm, GLOBAL struct ws_chain *chain, u32 n)
{
    chain_insert(sm, chain, chain->last, n);
}

/* Removes the one behind another, or the first (WS_NO_WARP), from the chain. */
static inline u32 chain_remove(PRIVATE const struct sm *sm, GLOBAL struct ws_chain *chain, u32 before)
{
    GLOBAL u16 *link = before == WS_NO_WARP ? &chain->first : &dynamic_warp(sm, before)->next;
    const u32 n = *link;
    *link = dynamic_warp(sm, n)->next;
    if (chain->last == n)
        chain->last = (u16)before;
    return n;
}

/* ---- Dynamic warps ---- */

/* Takes a dynamic warp without threads. */
static inline u32 dynamic_take(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_pool *pool = sm_pool(sm);
    const u32 n = pool->unused.first == WS_NO_WARP ? pool->fresh++ : chain_remove(sm, &pool->unused, WS_NO_WARP);
    pool->used += 1;
    dynamic_warp(sm, n)->mask = dynamic_warp(sm, n)->missing = 0;
    dynamic_warp(sm, n)->left = 0;
    dynamic_warp(sm, n)->apart = 0;
    dynamic_warp(sm, n)->exits = dynamic_warp(sm, n)->holds = 0;
    return n;
}

static inline void dynamic_free(PRIVATE const struct sm *sm, u32 n)
{
    sm_pool(sm)->used -= 1;
    chain_insert(sm, &sm_pool(sm)->unused, WS_NO_WARP, n);
}

/* The warp slot of a thread slot. */
static inline u32 home_warp(PRIVATE const struct sm *sm, u32 thread)
{
    return thread >> ws_log2(MACHINE(sm, core_warp_size));
}

/* Puts a thread into a place. */
static inline void dynamic_place(PRIVATE const struct sm *sm, u32 n, u32 place, u32 thread)
{
    dynamic_threads(sm, n)[place] = (u16)thread;
    dynamic_warp(sm, n)->mask |= ws_bit(place);
}

/* Takes a dynamic warp for some of another's threads, at its pc. */
static inline u32 dynamic_sibling(PRIVATE const struct sm *sm, u32 n)
{
    const u32 part = dynamic_take(sm);
    dynamic_warp(sm, part)->pc = dynamic_warp(sm, n)->pc;
    return part;
}

/* Splits some threads off into a dynamic warp of their own and returns it: the same one if they are all of its threads. */
static inline u32 dynamic_split(PRIVATE const struct sm *sm, u32 n, u32 places)
{
    if (places == dynamic_warp(sm, n)->mask)
        return n;
    const u32 part = dynamic_sibling(sm, n);
    dynamic_warp(sm, n)->mask &= ~places;
    for (; places != 0; places &= places - 1)
        dynamic_place(sm, part, ws_ctz(places), dynamic_threads(sm, n)[ws_ctz(places)]);
    return part;
}

/* Queues it for placement of its threads. */
static inline void dynamic_returns(PRIVATE struct sm *sm, u32 n)
{
    dynamic_warp(sm, n)->left = 0;
    chain_append(sm, &sm_pool(sm)->returned, n);
}

/* Number of packets that are in the pipeline, wait for lines or placement, or are held by barriers. Packets held by barriers are
 * never all that are not forming, because the last thread of a block to arrive releases them. */
static inline u32 pool_busy(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_pool *pool = sm_pool(sm);
    return pool->used - pool->forming;
}

/* Number of them released by a barrier in this cycle (mimd: all that wait for placement). */
static inline u32 pool_released(PRIVATE const struct sm *sm)
{
    u32 count = 0;
    for (u32 n = sm_pool(sm)->returned.first; n != WS_NO_WARP; n = dynamic_warp(sm, n)->next)
        ++count;
    return count;
}

/* ---- Those that form ---- */

/* The dynamic warp, whose pc is set, joins the forming ones. */
static inline void forming_add(PRIVATE const struct sm *sm, u32 n)
{
    const struct ws_forming last = {(u16)n, dynamic_warp(sm, n)->pc};
    sm_forming(sm)[sm_pool(sm)->forming++] = last;
}

static inline void forming_remove(PRIVATE const struct sm *sm, u32 place)
{
    GLOBAL struct ws_forming *forming = sm_forming(sm);
    for (sm_pool(sm)->forming -= 1; place < sm_pool(sm)->forming; ++place)
        forming[place] = forming[place + 1];
}

static inline GLOBAL struct ws_dynamic_warp *forming_warp(PRIVATE const struct sm *sm, u32 place)
{
    return dynamic_warp(sm, sm_forming(sm)[place].warp);
}

static inline u32 forming_selectable(PRIVATE const struct sm *sm, u32 place)
{
    return forming_warp(sm, place)->at <= sm->now;
}

/* Whether the first dynamic warp is older than the second. */
static inline u32 is_older(PRIVATE const struct sm *sm, u32 one, u32 other)
{
    const u32 ages = sm_pool(sm)->ages;
    return ages - dynamic_warp(sm, one)->age > ages - dynamic_warp(sm, other)->age;
}

#define WS_NO_PLACE WS_NEVER

/* Iterates over the places of forming dynamic warps, oldest first. */
#define FOR_FORMING(sm, place) for (u32 place = 0; place < sm_pool(sm)->forming; ++place)

#endif
