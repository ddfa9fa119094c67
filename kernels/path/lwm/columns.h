/* Masks of a large warp's threads: a 16-bit word for every column (lane), a bit for every row (docs/model.md 4; Narasiman 3.1,
 * Figure 4). A column's words are read and written by its lane alone. */
#ifndef WS_PATH_LWM_COLUMNS_H
#define WS_PATH_LWM_COLUMNS_H

#include "state/counts.h"
#include "state/threads.h"

/* WS_COLUMN_KINDS of them. */
enum { COLUMN_ACTIVE, COLUMN_TODO, COLUMN_BUSY, COLUMN_TAKEN };

static inline GLOBAL u16 *column(PRIVATE const struct sm *sm, u32 kind, u32 warp, u32 lane)
{
    return sm_columns(sm) + (kind * sm->machine->core_warps + warp) * WS_LANES + lane;
}

/* Where the cursors of a thread are. */
static inline u32 thread_slot(PRIVATE const struct sm *sm, u32 warp, u32 row, u32 lane)
{
    return warp * sm->machine->core_warp_size + row * WS_LANES + lane;
}

/* Whether the warp has a thread of one kind and not of another. */
static inline u32 any_but(PRIVATE struct sm *sm, u32 warp, u32 kind, u32 without)
{
    PER_LANE(u32, some);
    GLOBAL const u16 *with = column(sm, kind, warp, 0), *minus = column(sm, without, warp, 0);
    FOR_LANES (lane)
        some[OF(lane)] = with[lane] & ~(u32)minus[lane];
    return lanes_any(&sm->lanes, some);
}

/* Whether the warp has a thread of a kind. */
static inline u32 any_of(PRIVATE struct sm *sm, u32 warp, u32 kind)
{
    PER_LANE(u32, some);
    GLOBAL const u16 *with = column(sm, kind, warp, 0);
    FOR_LANES (lane)
        some[OF(lane)] = with[lane];
    return lanes_any(&sm->lanes, some);
}

/* Whether the warp has a thread to pack. */
static inline u32 packable(PRIVATE struct sm *sm, u32 warp)
{
    return any_but(sm, warp, COLUMN_TODO, COLUMN_BUSY);
}

/* Lanes of one row, those whose bit is set in their column. */
static inline u32 row_mask(PRIVATE struct sm *sm, PRIVATE const u32 *columns, u32 row)
{
    PER_LANE(u32, bit);
    FOR_LANES (lane)
        bit[OF(lane)] = columns[OF(lane)] >> row & 1;
    return lanes_ballot(&sm->lanes, bit);
}

/* Number of threads of a mask of columns. */
static inline u32 count_threads(PRIVATE struct sm *sm, PRIVATE const u32 *mask)
{
    u32 threads = 0;
    for (u32 row = 0; row < sm->plan->rows; ++row)
        threads += ws_popcount(row_mask(sm, mask, row));
    return threads;
}

/* The row of a bit, without a branch. */
static inline u32 row_of(u32 bit)
{
    return (u32)((bit & 0xAAAAu) != 0) | (u32)((bit & 0xCCCCu) != 0) << 1 | (u32)((bit & 0xF0F0u) != 0) << 2 |
           (u32)((bit & 0xFF00u) != 0) << 3;
}

#endif
