/* Masks of a large warp's threads: one word for each row, one bit for each lane (docs/model/divergence.md; Narasiman 3.1, Figure
 * 4). Lane n writes the word of row n. A lane reads its own word directly, and other words after a fence or a collective. */
#ifndef WS_PATH_LWM_ROWS_H
#define WS_PATH_LWM_ROWS_H

#include "state/counts.h"
#include "state/threads.h"

/* Kinds of masks, WS_ROW_KINDS of them. */
enum {
    ROWS_ACTIVE,
    ROWS_TODO,  /* of the current instruction, not packed yet */
    ROWS_BUSY,  /* in flight */
    ROWS_TAKEN, /* take the branch */
    ROWS_LEAD   /* leaders of sub-warps of the current instruction that missed */
};

/* FOR_ROWS: each row of a large warp, in its lane. FOR_ROW_GROUPS: the same with the group of rows and the row's place n in it,
 * ROW(group, n); the last group may extend past the last row. ROWS_WALKED: rows of a group for a loop in all lanes; a constant
 * count is faster natively than the exact one. AS_VECTORS: without it gcc unrolls these short loops before it vectorizes them. */
#define ROW(group, n) ((group)*WS_ROWS_TOGETHER + (n))
#if defined(__GNUC__) && !defined(__clang__)
#define AS_VECTORS _Pragma("GCC unroll 1")
#else
#define AS_VECTORS
#endif
#ifdef WS_LANES_LOOP
#define ROWS_WALKED(sm, group) WS_ROWS_TOGETHER
#define FOR_ROWS(sm, row)      for (u32 row = 0, row##_end = PLAN(sm, rows); row < row##_end; ++row)
#define FOR_ROW_GROUPS(sm, group, n)                                                                                               \
    for (u32 group = 0, group##_end = WS_ROW_GROUPS(PLAN(sm, rows)); group < group##_end; ++group)                                 \
    AS_VECTORS for (u32 n = 0; n < WS_ROWS_TOGETHER; ++n)
#else
#define ROWS_WALKED(sm, group) ws_min(WS_ROWS_TOGETHER, PLAN(sm, rows) - ROW(group, 0))
#define FOR_ROWS(sm, row)      for (u32 row = LANE_ID(); row < PLAN(sm, rows); row += WS_LANES)
#define FOR_ROW_GROUPS(sm, group, n)                                                                                               \
    for (u32 group = LANE_ID() / WS_ROWS_TOGETHER, n = LANE_ID() % WS_ROWS_TOGETHER; group < WS_ROW_GROUPS(PLAN(sm, rows));        \
         group = WS_NEVER)
#endif

/* The masks of the warp, by group; masks past the last row are empty. */
static inline GLOBAL struct ws_rows *rows_of(PRIVATE const struct sm *sm, u32 warp)
{
    return sm_rows(sm) + warp * WS_ROW_GROUPS(PLAN(sm, rows));
}

/* The mask of one row. */
static inline GLOBAL u32 *row_of(GLOBAL struct ws_rows *rows, u32 kind, u32 row)
{
    return &rows[row / WS_ROWS_TOGETHER].of[kind][row % WS_ROWS_TOGETHER];
}

/* Thread slot: index of a thread's stream cursors. */
static inline u32 thread_slot(PRIVATE const struct sm *sm, u32 warp, u32 row, u32 lane)
{
    return warp * MACHINE(sm, core_warp_size) + row * WS_LANES + lane;
}

/* Whether any lane has found something in its row. */
static inline u32 rows_any(PRIVATE struct sm *sm, u32 found)
{
#ifdef WS_LANES_LOOP
    return found != 0;
#else
    return lanes_any(&sm->lanes, &found);
#endif
}

/* Whether the warp has a thread of a kind. */
static inline u32 any_of(PRIVATE struct sm *sm, u32 warp, u32 kind)
{
    GLOBAL const struct ws_rows *rows = rows_of(sm, warp);
    u32 some = 0;
    FOR_ROW_GROUPS (sm, group, n)
        some |= rows[group].of[kind][n];
    return rows_any(sm, some);
}

/* Whether the warp has a thread of one kind and not of another. */
static inline u32 any_but(PRIVATE struct sm *sm, u32 warp, u32 kind, u32 without)
{
    GLOBAL const struct ws_rows *rows = rows_of(sm, warp);
    u32 some = 0;
    FOR_ROW_GROUPS (sm, group, n)
        some |= rows[group].of[kind][n] & ~rows[group].of[without][n];
    return rows_any(sm, some);
}

/* Whether the warp has a thread to pack. */
static inline u32 packable(PRIVATE struct sm *sm, u32 warp)
{
    return any_but(sm, warp, ROWS_TODO, ROWS_BUSY);
}

#endif
