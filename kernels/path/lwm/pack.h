/* Packing a large warp's threads into a sub-warp (docs/model.md 4, fetch and pack; Narasiman 3.1, Figure 6). */
#ifndef WS_PATH_LWM_PACK_H
#define WS_PATH_LWM_PACK_H

#include "path/lwm/columns.h"
#include "path/slot.h"
#include "path/streams.h"

/* Threads whose guard is false leave todo; they are counted. */
static inline void pack_guarded(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, active);
    PER_LANE(u32, skipped);
    PER_LANE(u32, bits);
    FOR_LANES (lane) {
        active[OF(lane)] = *column(sm, COLUMN_ACTIVE, packet->slot, lane);
        skipped[OF(lane)] = active[OF(lane)];
    }
    for (u32 row = 0; row < sm->plan->rows; ++row) {
        const u32 mask = row_mask(sm, active, row);
        if (mask == 0)
            continue;
        threads_of_row(sm, &packet->threads, mask, thread_slot(sm, packet->slot, row, 0), packet->first + row * WS_LANES);
        peek_decisions(sm, &packet->threads, bits);
        FOR_LANES (lane)
            skipped[OF(lane)] &= ~(bits[OF(lane)] << row);
    }
    FOR_LANES (lane)
        *column(sm, COLUMN_TODO, packet->slot, lane) &= (u16)~skipped[OF(lane)];
    packet->skipped = count_threads(sm, skipped);
}

/* Sets todo to the threads that an instruction has to pack if it begins: the active ones, or those whose guard is true. */
static inline void pack_what(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL const u16 *active = column(sm, COLUMN_ACTIVE, packet->slot, 0);
    GLOBAL u16 *todo = column(sm, COLUMN_TODO, packet->slot, 0);
    const u32 none = packet->instruction.class_ == WS_CLASS_jump;
    FOR_LANES (lane)
        todo[lane] = none ? 0 : active[lane];
    if (packet->instruction.flags & WS_GUARDED)
        pack_guarded(sm, packet);
}

/* Every column gives its lowest row that is to be packed and not busy. */
static inline void pack_rows(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL const u16 *todo = column(sm, COLUMN_TODO, packet->slot, 0);
    GLOBAL const u16 *busy = column(sm, COLUMN_BUSY, packet->slot, 0);
    FOR_LANES (lane) {
        const u32 free = todo[lane] & ~(u32)busy[lane];
        packet->row[OF(lane)] = free & (0u - free);
    }
    packet->lanes = lanes_ballot(&sm->lanes, packet->row);
}

/* The threads of those rows. */
static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
    const u32 slot = thread_slot(sm, packet->slot, 0, 0);
    if (lanes_agree(packet->row, mask)) {
        const u32 row = row_of(packet->row[OF(ws_ctz(mask))]);
        threads_of_row(sm, &packet->threads, mask, slot + row * WS_LANES, packet->first + row * WS_LANES);
        return;
    }
    packet->threads.mask = mask;
    packet->threads.row = 0;
    FOR_LANES (lane) {
        const u32 thread = row_of(packet->row[OF(lane)]) * WS_LANES + lane;
        packet->threads.slot[OF(lane)] = slot + thread;
        packet->threads.thread[OF(lane)] = packet->first + thread;
    }
}

/* Guard bits of all active threads are used. */
static inline void take_guards(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, active);
    struct threads threads;
    FOR_LANES (lane)
        active[OF(lane)] = *column(sm, COLUMN_ACTIVE, packet->slot, lane);
    for (u32 row = 0; row < sm->plan->rows; ++row) {
        threads_of_row(sm, &threads, row_mask(sm, active, row), thread_slot(sm, packet->slot, row, 0),
                       packet->first + row * WS_LANES);
        take(&threads, sm_decisions(sm));
    }
}

/* Decisions of the packed threads of a branch. */
static inline void pack_decisions(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    GLOBAL u16 *taken = column(sm, COLUMN_TAKEN, packet->slot, 0);
    path_threads(sm, packet, packet->lanes);
    peek_decisions(sm, &packet->threads, bits);
    take(&packet->threads, sm_decisions(sm));
    FOR_LANES (lane)
        taken[lane] |= (u16)(bits[OF(lane)] ? packet->row[OF(lane)] : 0);
}

/* The packed threads leave todo and are busy. */
static inline void pack_threads(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL u16 *busy = column(sm, COLUMN_BUSY, packet->slot, 0);
    GLOBAL u16 *todo = column(sm, COLUMN_TODO, packet->slot, 0);
    FOR_LANES (lane) {
        todo[lane] &= (u16)~packet->row[OF(lane)];
        busy[lane] |= (u16)packet->row[OF(lane)];
    }
    if (packet->instruction.class_ == WS_CLASS_branch && packet->lanes != 0)
        pack_decisions(sm, packet);
}

/* Number of threads that the packet executes; a jump takes along all active ones. */
static inline u32 packet_threads(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, active);
    packet->shown = packet->lanes;
    if (packet->instruction.class_ != WS_CLASS_jump)
        return ws_popcount(packet->lanes);
    FOR_LANES (lane)
        active[OF(lane)] = *column(sm, COLUMN_ACTIVE, packet->slot, lane);
    packet->shown = lanes_ballot(&sm->lanes, active);
    return count_threads(sm, active);
}

#endif
