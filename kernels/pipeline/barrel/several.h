/* Packets in flight where a large warp may have several: a ring of those in the pipeline, and threads that wait for memory. A
 * sub-warp that missed is identified by one of its threads, the leader. */
#ifndef WS_PIPELINE_BARREL_SEVERAL_H
#define WS_PIPELINE_BARREL_SEVERAL_H

#include "path/lwm/rows.h"
#include "pipeline/barrel/warps.h"

/* ---- Defined by the path unit ---- */

/* A packet of the slot has completed; current: it belongs to the slot's current instruction. Its threads are no longer busy. */
static inline void path_packet_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 current);

/* Called after all packets that complete in this cycle: warps that have completed their instruction advance. Returns whether one
 * arrived at a barrier or ended. */
static inline u32 path_advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

/* ---- Ring and waiters ---- */

/* The n-th packet in the pipeline; their number is at most the number of stages. The first lane writes it; a row's lane writes the
 * row's part. */
static inline GLOBAL struct ws_flight *flight_at(PRIVATE const struct sm *sm, u32 n)
{
    const u32 place = sm->flight_first + n, stages = PLAN(sm, depth);
    return sm_flight(sm) + (place >= stages ? place - stages : place);
}

/* flight_at(sm, 0) without the wrap-around test. */
static inline GLOBAL struct ws_flight *flight_oldest(PRIVATE const struct sm *sm)
{
    return sm_flight(sm) + sm->flight_first;
}

/* Of a thread slot: the leader of the sub-warp in which it missed, plus one; 0 for none. Written by the slot's lane. */
static inline GLOBAL u16 *leader_of(PRIVATE const struct sm *sm, u32 thread_slot)
{
    return sm_leaders(sm) + thread_slot;
}

#define LEFT_IN_PIPELINE 0x80u

/* Changes a warp's counts of packets in flight; missed: the packet waits for memory. */
static inline void flight_changes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 by, u32 missed)
{
    const u32 all = slots_pick(&sm->lanes, lanes->flying, warp) + by;
    const u32 missing = slots_pick(&sm->lanes, lanes->missed, warp) + (missed ? by : 0);
    if (slot_is(warp)) {
        lanes->flying[AT(warp)] = all;
        lanes->missed[AT(warp)] = missing;
    }
    sm->all_missed = missing != 0 && missing == all ? slots_with(sm->all_missed, warp) : slots_without(sm->all_missed, warp);
}

/* ---- Issue ---- */

static inline void flight_accesses(PRIVATE struct sm *sm, PRIVATE const struct packet *packet, PRIVATE const u32 *address)
{
}

/* Ticket of the lines that the packet misses: the first thread slot of its large warp. scratch->work: the lanes' rows, from which
 * memory/tickets_chain.h gets the threads of each line. */
static inline u32 flight_ticket(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    FOR_LANES (lane)
        sm->scratch->work[lane] = packet->row[OF(lane)];
    lanes_fence(&sm->lanes);
    return thread_slot(sm, packet->slot, 0, 0);
}

/* The packet's lines are missing: its first thread becomes the leader. Returns the leader's slot plus one. */
static inline u32 flight_misses(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    const u32 warp = packet->slot, lead = ws_ctz(packet->lanes), row = lanes_pick(&sm->lanes, packet->row, lead);
    const u32 leader = thread_slot(sm, warp, row, lead);
    FOR_LANES_OF (lane, packet->lanes)
        *leader_of(sm, thread_slot(sm, warp, packet->row[OF(lane)], lane)) = (u16)(leader + 1);
    if (lane_is(row))
        *row_of(rows_of(sm, warp), ROWS_LEAD, row) |= ws_bit(lead);
    if (lane_first())
        sm_lines_missing(sm)[leader] = (u8)(packet->access.misses | LEFT_IN_PIPELINE);
    return leader + 1;
}

/* The packet occupies the pipeline until a cycle. */
static inline void flight_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 done, u32 outcome)
{
    const u32 warp = packet->slot, missed = packet->access.misses != 0;
    const u32 leader = missed ? flight_misses(sm, packet) : 0;
    const u32 instruction = slots_pick(&sm->lanes, lanes->fetched, warp);
    GLOBAL struct ws_flight *flight = flight_at(sm, sm->flight_count);
    FOR_ROW_GROUPS (sm, group, n)
        flight->gives[ROW(group, n)] = packet->gives[OF(ROW(group, n))];
    if (lane_first()) {
        flight->warp = warp;
        flight->completes = done;
        flight->leader = leader;
        flight->instruction = instruction;
    }
    sm->flight_count += 1;
    flight_changes(sm, lanes, warp, 1, missed);
    lanes_fence(&sm->lanes);
}

static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle)
{
}

/* ---- Fill ---- */

/* The last missing line of a leader's sub-warp has arrived, and the sub-warp has left the pipeline. */
static inline void subwarp_returns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 leader)
{
    PER_LANE(u32, returns);
    PER_LANE(u32, current);
    const u32 warp = leader / MACHINE(sm, core_warp_size), lead = (leader - thread_slot(sm, warp, 0, 0)) / WS_LANES;
    GLOBAL struct ws_rows *rows = rows_of(sm, warp);
    for (u32 row = 0; row < PLAN(sm, rows); ++row) {
        GLOBAL u16 *led = leader_of(sm, thread_slot(sm, warp, row, 0));
        FOR_LANES (lane) {
            returns[OF(lane)] = led[lane] == leader + 1;
            led[lane] = returns[OF(lane)] ? 0 : led[lane];
        }
        const u32 mask = lanes_ballot(&sm->lanes, returns);
        if (lane_is(row))
            *row_of(rows, ROWS_BUSY, row) &= ~mask;
    }
    if (lane_is(lead))
        current[OF(lead)] = *row_of(rows, ROWS_LEAD, lead) >> leader % WS_LANES & 1;
    flight_changes(sm, lanes, warp, 0xFFFFFFFFu, 1);
    path_packet_done(sm, lanes, warp, lanes_pick(&sm->lanes, current, lead));
}

/* Decrements a leader's count of missing lines, or clears its mark; returns what is left. */
static inline u32 leader_lower(PRIVATE struct sm *sm, u32 leader, u32 by)
{
    u32 left = 0;
    if (lane_first()) {
        left = sm_lines_missing(sm)[leader] - by;
        sm_lines_missing(sm)[leader] = (u8)left;
    }
    return lanes_from_first(&sm->lanes, left);
}

static inline void flight_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, waiters waiting)
{
    for (u32 first = chain_first(waiting); first != 0;) {
        const u32 leader = *leader_of(sm, first - 1) - 1u;
        const u32 next = chain_next(sm, first);
        if (leader_lower(sm, leader, 1) == 0) {
            sm->flight_waiting -= 1;
            subwarp_returns(sm, lanes, leader);
        }
        first = next;
    }
}

/* ---- Complete and release ---- */

/* Threads given by the rows are no longer busy. The restrict-like copies help gcc, which does not see that the masks do not
 * overlap. */
static inline void fixed_return(PRIVATE const struct sm *sm, GLOBAL struct ws_rows *restrict rows, GLOBAL const u32 *restrict gives)
{
    FOR_ROW_GROUPS (sm, group, n)
        rows[group].of[ROWS_BUSY][n] &= ~gives[ROW(group, n)];
}

/* The oldest packet leaves the pipeline; one with missing lines continues to wait. */
static inline void flight_leaves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    GLOBAL const struct ws_flight *flight = flight_oldest(sm);
    const u32 warp = flight->warp, leader = flight->leader;
    readmit(sm);
    sm->flight_first = sm->flight_first + 1 == PLAN(sm, depth) ? 0 : sm->flight_first + 1;
    sm->flight_count -= 1;
    if (leader != 0) {
        if (leader_lower(sm, leader - 1, LEFT_IN_PIPELINE) == 0)
            subwarp_returns(sm, lanes, leader - 1);
        else
            sm->flight_waiting += 1;
        return;
    }
    fixed_return(sm, rows_of(sm, warp), flight->gives);
    flight_changes(sm, lanes, warp, 0xFFFFFFFFu, 0);
    path_packet_done(sm, lanes, warp, flight->instruction == slots_pick(&sm->lanes, lanes->fetched, warp));
}

static inline u32 flight_completes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    while (sm->flight_count != 0 && flight_oldest(sm)->completes <= sm->now)
        flight_leaves(sm, lanes);
    return path_advance(sm, lanes);
}

static inline void flight_releases(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    path_released(sm, lanes, release_barriers(sm, lanes));
}

/* ---- Stall slots ---- */

static inline slot_set flight_awaits(PRIVATE struct sm *sm, slot_set ready)
{
    const slot_set others = sm->holder == WS_NEVER ? sm->all_missed : slots_without(sm->all_missed, sm->holder);
    return slots_minus(others, ready);
}

static inline u32 flight_is_busy(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_SLOT(u32, flies);
    if (sm->flight_count == 0 && sm->flight_waiting == 0)
        return 0;
    FOR_SLOTS (slot)
        flies[AT(slot)] = lanes->flying[AT(slot)] != 0;
    return slots_any(policy_candidates(sm, slots_ballot(&sm->lanes, flies)));
}

static inline u32 flight_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 port)
{
    return sm->flight_count != 0 ? flight_oldest(sm)->completes : WS_NEVER;
}

static inline void flight_open(PRIVATE struct sm *sm)
{
}

static inline void flight_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    for (u32 n = 0; n < sm->flight_count; ++n)
        flight_at(sm, n)->completes -= elapsed;
}

#endif
