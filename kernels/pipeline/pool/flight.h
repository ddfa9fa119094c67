/* Packets in flight whose threads return one by one (docs/model/divergence.md). */
#ifndef WS_PIPELINE_POOL_FLIGHT_H
#define WS_PIPELINE_POOL_FLIGHT_H

#include "pipeline/parts/flight.h"
#include "pipeline/pool/threads.h"

static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle)
{
}

/* ---- Issue ---- */

static inline void flight_accesses(PRIVATE struct sm *sm, PRIVATE const struct packet *packet, PRIVATE const u32 *address)
{
    if (packet->instruction->space != WS_SPACE_global)
        return;
    FOR_LANES (lane)
        sm->scratch->work[lane] = ws_global_granule(packet->instruction->class_, address[OF(lane)]);
    lanes_fence(&sm->lanes);
    if (lane_first())
        sm_pool(sm)->asks = packet->lanes;
}

/* The ticket of the lines that the packet misses. */
static inline u32 flight_ticket(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    return packet->slot;
}

static inline u32 line_is_missing(PRIVATE struct sm *sm, u32 ticket, u32 n)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, ticket);
    const u32 offset = ws_bits_below(PLAN_OF(sm, sector_shift, WS_CACHE_DATA)), lead = threads[sm->scratch->leads[n]];
    for (u32 lanes = sm_pool(sm)->asks; lanes != 0; lanes &= lanes - 1) {
        const u32 lane = ws_ctz(lanes);
        if ((sm->scratch->work[lane] & ~offset) == sm->scratch->lines[n]) {
            dynamic_warp(sm, ticket)->missing |= ws_bit(lane);
            sm_thread_lead(sm)[threads[lane]] = (u16)lead;
        }
    }
    sm_thread_packet(sm)[lead] = (u16)ticket;
    return lead;
}

/* The packet occupies the pipeline until a cycle; ties in order of issue. */
static inline void flight_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 done, u32 outcome)
{
    if (lane_first()) {
        GLOBAL struct ws_chain *flights = &sm_pool(sm)->flights;
        GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, packet->slot);
        u32 before = flights->last;
        warp->at = done;
        warp->age = sm_pool(sm)->ages++;
        if (before != WS_NO_WARP && dynamic_warp(sm, before)->at > done) {
            before = WS_NO_WARP;
            for (u32 n = flights->first; dynamic_warp(sm, n)->at <= done; n = dynamic_warp(sm, n)->next)
                before = n;
        }
        chain_insert(sm, flights, before, packet->slot);
    }
    sm->flight_at = ws_min(sm->flight_at, done);
    lanes_fence(&sm->lanes);
}

/* Cycle in which the next packet leaves the pipeline. First lane only. */
static inline u32 next_leaves(PRIVATE const struct sm *sm)
{
    const u32 next = sm_pool(sm)->flights.first;
    return next == WS_NO_WARP ? WS_NEVER : dynamic_warp(sm, next)->at;
}

/* ---- Fill ---- */

/* The line of a packet's thread has arrived. Returns places of the threads that can continue; with dwf.wait = warp, nonzero if the
 * packet can. */
static inline u32 line_is_there(PRIVATE struct sm *sm, u32 n, u32 lead)
{
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, n);
    GLOBAL const u16 *threads = dynamic_threads(sm, n);
    u32 there = 0;
    for (u32 lanes = warp->missing; lanes != 0; lanes &= lanes - 1)
        there |= (u32)(sm_thread_lead(sm)[threads[ws_ctz(lanes)]] == lead) << ws_ctz(lanes);
    warp->missing &= ~there;
    if (!warp->left)
        return 0;
    if (MACHINE(sm, dwf_wait) == WS_dwf_wait_thread)
        return there;
    return warp->missing ? 0 : 1;
}

/* A packet whose last line has arrived completes in this cycle, in issue order among those that leave the pipeline. */
static inline void completes_now(PRIVATE struct sm *sm, u32 n)
{
    GLOBAL struct ws_chain *flights = &sm_pool(sm)->flights;
    u32 before = WS_NO_WARP, next = flights->first;
    for (; next != WS_NO_WARP && dynamic_warp(sm, next)->at <= sm->now && is_older(sm, next, n);
         next = dynamic_warp(sm, next)->next)
        before = next;
    dynamic_warp(sm, n)->at = sm->now;
    chain_insert(sm, flights, before, n);
}

/* A line arrives: threads that wait for it return. */
static inline void line_comes(PRIVATE struct sm *sm, u32 queue)
{
    u32 first = WS_NO_WARP;
    for (u32 node = QUEUE_FIRST(queue); node != 0; node = sm_line_next(sm)[node - 1]) {
        const u32 n = sm_thread_packet(sm)[node - 1], there = line_is_there(sm, n, node - 1);
        if (there == 0)
            continue;
        if (MACHINE(sm, dwf_wait) == WS_dwf_wait_warp) {
            completes_now(sm, n);
            continue;
        }
        first = pooled_line(sm, n, there, first);
    }
}

static inline void flight_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, waiters waiting)
{
    u32 queued = 0, flight_at = 0;
    if (lane_first()) {
        line_comes(sm, queue_of(waiting));
        queued = sm_pool(sm)->returned.first != WS_NO_WARP;
        flight_at = next_leaves(sm);
    }
    sm->queued = lanes_from_first(&sm->lanes, queued);
    sm->flight_at = lanes_from_first(&sm->lanes, flight_at);
}

/* ---- Complete and release ---- */

/* Threads in some places of a packet are held, those of a block together. */
static inline void threads_held(PRIVATE struct sm *sm, u32 n, u32 places)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, n);
    const u32 size = sm->job->groups_per_block * WS_LANES;
    while (places != 0) {
        const u32 block = sm_thread_image(sm)[threads[ws_ctz(places)]] / size;
        u32 mates = 0;
        for (u32 left = places; left != 0; left &= left - 1)
            mates |= (u32)(sm_thread_image(sm)[threads[ws_ctz(left)]] / size == block) << ws_ctz(left);
        places &= ~mates;
        chain_append(sm, &sm_pool(sm)->holds, dynamic_split(sm, n, mates));
    }
}

/* Counts threads that exit or are held. Returns the slots of their warps. */
static inline u32 threads_stop(PRIVATE struct sm *sm, u32 n, u32 places, GLOBAL u16 *counts, u32 by)
{
    u32 warps = 0;
    for (; places != 0; places &= places - 1) {
        const u32 warp = home_warp(sm, dynamic_threads(sm, n)[ws_ctz(places)]);
        counts[warp] += (u16)by;
        warps |= ws_bit(warp);
    }
    return warps;
}

/* A packet leaves the pipeline. Returns the slots of warps with threads that exited or are held. */
static inline u32 dynamic_leaves(PRIVATE struct sm *sm, u32 n)
{
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, n);
    const u32 together = MACHINE(sm, dwf_wait) == WS_dwf_wait_warp, exits = warp->exits, holds = warp->holds;
    warp->left = 1;
    if (together && warp->missing != 0)
        return 0;
    const u32 stopped = threads_stop(sm, n, exits, sm_warp_left(sm), 0xFFFFu) | threads_stop(sm, n, holds, sm_warp_held(sm), 1);
    warp->mask &= ~exits;
    if (warp->mask == 0) {
        dynamic_free(sm, n);
        return stopped;
    }
    const u32 stays = holds == warp->mask;
    threads_held(sm, n, holds);
    if (stays)
        return stopped;
    if (warp->missing != warp->mask)
        dynamic_returns(sm, dynamic_split(sm, n, warp->mask & ~warp->missing));
    return stopped;
}

/* All packets that leave the pipeline now. Returns the slots of warps that end; *arrived: of warps that arrive at a barrier. */
static inline u32 complete_all(PRIVATE struct sm *sm, PRIVATE u32 *arrived)
{
    GLOBAL struct ws_chain *flights = &sm_pool(sm)->flights;
    u32 stopped = 0, ended = 0;
    *arrived = 0;
    while (flights->first != WS_NO_WARP && dynamic_warp(sm, flights->first)->at <= sm->now)
        stopped |= dynamic_leaves(sm, chain_remove(sm, flights, WS_NO_WARP));
    for (; stopped != 0; stopped &= stopped - 1) {
        const u32 warp = ws_ctz(stopped), left = sm_warp_left(sm)[warp];
        ended |= (u32)(left == 0) << warp;
        *arrived |= (u32)(left != 0 && left == sm_warp_held(sm)[warp]) << warp;
    }
    return ended;
}

static inline u32 flight_completes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 ended = 0, arrived = 0, queued = 0, flight_at = 0;
    if (sm->now < sm->flight_at && !sm->queued)
        return 0;
    if (lane_first()) {
        ended = complete_all(sm, &arrived);
        if (sm_pool(sm)->returned.first != WS_NO_WARP)
            pooled_returned(sm);
        queued = sm_pool(sm)->returned.first != WS_NO_WARP;
        flight_at = next_leaves(sm);
    }
    ended = lanes_from_first(&sm->lanes, ended);
    arrived = lanes_from_first(&sm->lanes, arrived);
    sm->queued = lanes_from_first(&sm->lanes, queued);
    sm->flight_at = lanes_from_first(&sm->lanes, flight_at);
    sm->changed |= sm->queued ? CHANGED_STATE : 0;
    for (u32 warps = arrived; warps != 0; warps &= warps - 1)
        warp_arrives(sm, ws_ctz(warps));
    for (u32 warps = ended; warps != 0; warps &= warps - 1)
        warp_ends(sm, lanes, ws_ctz(warps));
    return ended | arrived;
}

static inline void flight_releases(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    path_released(sm, lanes, release_barriers(sm, lanes));
}

/* ---- Quanta ---- */

static inline void flight_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    for (u32 n = sm_pool(sm)->flights.first; n != WS_NO_WARP; n = dynamic_warp(sm, n)->next)
        dynamic_warp(sm, n)->at -= elapsed;
    for (u32 place = 0; place < sm_pool(sm)->forming; ++place) {
        GLOBAL struct ws_dynamic_warp *warp = forming_warp(sm, place);
        warp->at -= ws_min(warp->at, elapsed);
    }
}

/* Before the first quantum: empties chains and marks the program's reconvergence points. First lane only. */
static inline void flight_open(PRIVATE struct sm *sm)
{
    GLOBAL struct ws_pool *pool = sm_pool(sm);
    GLOBAL struct ws_chain *const chains[] = {&pool->unused, &pool->flights, &pool->returned, &pool->holds};
    for (u32 n = 0; n < sizeof chains / sizeof *chains; ++n)
        chain_open(chains[n]);
    pool->kept_pc = WS_NEVER;
    mark_reconvergence_pcs(sm);
}

#endif
