/* Packing a large warp's threads into a sub-warp (docs/model/divergence.md, fetch and pack; Narasiman 3.1, Figure 6). */
#ifndef WS_PATH_LWM_PACK_H
#define WS_PATH_LWM_PACK_H

#include "path/lwm/rows.h"
#include "path/slot.h"
#include "path/streams.h"

/* Removes threads with a false guard from todo and counts them. The caller has just picked the pc, which is a collective. */
static inline void pack_guarded(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    GLOBAL struct ws_rows *rows = rows_of(sm, packet->slot);
    for (u32 row = 0; row < PLAN(sm, rows); ++row) {
        const u32 mask = *row_of(rows, ROWS_ACTIVE, row);
        if (mask == 0)
            continue;
        threads_of_row(sm, &packet->threads, mask, thread_slot(sm, packet->slot, row, 0), packet->first + row * WS_LANES);
        peek_decisions(sm, &packet->threads, bits);
        const u32 run = lanes_ballot(&sm->lanes, bits);
        if (lane_is(row))
            *row_of(rows, ROWS_TODO, row) &= run;
        packet->skipped += ws_popcount(mask & ~run);
    }
}

/* Sets todo to the threads that a new instruction has to pack: the active ones, or those with a true guard. */
static inline void pack_what(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL struct ws_rows *rows = rows_of(sm, packet->slot);
    const u32 all = packet->instruction->class_ == WS_CLASS_jump ? 0 : 0xFFFFFFFFu;
    FOR_ROW_GROUPS (sm, group, n)
        rows[group].of[ROWS_TODO][n] = rows[group].of[ROWS_ACTIVE][n] & all;
    if (packet->instruction->flags & WS_GUARDED)
        pack_guarded(sm, packet);
}

/* Each lane gets the thread of its lowest row that is to be packed and not busy. */
static inline void pack_rows(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL const struct ws_rows *rows = rows_of(sm, packet->slot);
    u32 lanes = 0;
    FOR_ROW_GROUPS (sm, group, n)
        packet->gives[OF(ROW(group, n))] = 0;
    lanes_fence(&sm->lanes);
    for (u32 group = 0; group < WS_ROW_GROUPS(PLAN(sm, rows)) && lanes != 0xFFFFFFFFu; ++group) {
        for (u32 n = 0; n < ROWS_WALKED(sm, group); ++n) {
            const u32 row = ROW(group, n), gives = rows[group].of[ROWS_TODO][n] & ~rows[group].of[ROWS_BUSY][n] & ~lanes;
            if (gives == 0)
                continue;
            FOR_LANES (lane)
                packet->row[OF(lane)] = lanes == 0 || (gives >> lane & 1) ? row : packet->row[OF(lane)];
            if (lane_is(row))
                packet->gives[OF(row)] = gives;
            lanes |= gives;
            if (lanes == 0xFFFFFFFFu)
                break;
        }
    }
    packet->lanes = lanes;
    packet->mask = lanes != 0 || any_of(sm, packet->slot, ROWS_TODO);
    lanes_fence(&sm->lanes);
}

/* The threads of those rows. */
static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
    const u32 slot = thread_slot(sm, packet->slot, 0, 0);
    if (lanes_agree(packet->row, mask)) {
        const u32 row = packet->row[OF(ws_ctz(mask))];
        threads_of_row(sm, &packet->threads, mask, slot + row * WS_LANES, packet->first + row * WS_LANES);
        return;
    }
    packet->threads.mask = mask;
    packet->threads.row = 0;
    FOR_LANES (lane) {
        const u32 thread = packet->row[OF(lane)] * WS_LANES + lane;
        packet->threads.slot[OF(lane)] = slot + thread;
        packet->threads.thread[OF(lane)] = packet->first + thread;
    }
}

/* Consumes the guard bits of all active threads. */
static inline void take_guards(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    struct threads threads;
    GLOBAL struct ws_rows *rows = rows_of(sm, packet->slot);
    for (u32 row = 0; row < PLAN(sm, rows); ++row) {
        const u32 mask = *row_of(rows, ROWS_ACTIVE, row);
        threads_of_row(sm, &threads, mask, thread_slot(sm, packet->slot, row, 0), packet->first + row * WS_LANES);
        take(&threads, sm_decisions(sm));
    }
}

/* Branch decisions of the packed threads. */
static inline void pack_decisions(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    GLOBAL struct ws_rows *rows = rows_of(sm, packet->slot);
    path_threads(sm, packet, packet->lanes);
    peek_decisions(sm, &packet->threads, bits);
    take(&packet->threads, sm_decisions(sm));
    const u32 go = lanes_ballot(&sm->lanes, bits);
    FOR_ROW_GROUPS (sm, group, n)
        rows[group].of[ROWS_TAKEN][n] |= packet->gives[OF(ROW(group, n))] & go;
}

/* Moves the packed threads from todo to busy. */
static inline void pack_threads(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL struct ws_rows *rows = rows_of(sm, packet->slot);
    FOR_ROW_GROUPS (sm, group, n) {
        rows[group].of[ROWS_TODO][n] &= ~packet->gives[OF(ROW(group, n))];
        rows[group].of[ROWS_BUSY][n] |= packet->gives[OF(ROW(group, n))];
    }
    if (packet->instruction->class_ == WS_CLASS_branch && packet->lanes != 0)
        pack_decisions(sm, packet);
}

/* Number of threads that the packet executes; a jump covers all active ones. */
static inline u32 packet_threads(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL struct ws_rows *rows = rows_of(sm, packet->slot);
    u32 threads = 0;
    packet->shown = packet->lanes;
    if (packet->instruction->class_ != WS_CLASS_jump)
        return ws_popcount(packet->lanes);
    for (u32 row = 0; row < PLAN(sm, rows); ++row) {
        packet->shown |= *row_of(rows, ROWS_ACTIVE, row);
        threads += ws_popcount(*row_of(rows, ROWS_ACTIVE, row));
    }
    return threads;
}

#endif
