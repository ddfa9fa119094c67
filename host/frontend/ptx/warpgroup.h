/* wgmma.mma_async, eight columns of D at a time. Each of the four warps of a warpgroup computes its 16 rows. */
#pragma once

#include "frontend/exec/memory/memory.h"
#include "frontend/ptx/matrix.h"

/* Sources of a wgmma: four registers of A, or its descriptor in the first; the descriptor of B; up to four registers of C; whether
 * C is added (0: D is the product alone). offset: number of the eight columns. */
enum { WS_WGMMA_A = 0, WS_WGMMA_B = 4, WS_WGMMA_C = 5, WS_WGMMA_ADDS = 9 };

/* Bits of `compare`. COLUMNS: the matrix lies in shared memory with its rows (of A), or columns (of B), side by side. */
enum { WS_WGMMA_A_COLUMNS = 1, WS_WGMMA_B_COLUMNS = 2, WS_WGMMA_A_NEGATIVE = 4, WS_WGMMA_B_NEGATIVE = 8, WS_WGMMA_A_SHARED = 16 };

enum { WS_WGMMA_ROWS = 16, WS_WGMMA_MOST_K = 32, WS_WGMMA_TILE = 8 };

/* The factors of a warp, read once for all lanes. */
struct ws_wgmma_tile {
    double a[WS_WGMMA_ROWS][WS_WGMMA_MOST_K], b[WS_WGMMA_TILE][WS_WGMMA_MOST_K];
};

/* Numbers of A in a row: 32 bytes. */
u32 ws_wgmma_k(const struct ws_op *op);

/* Reads the factors of the warp (number in its block) with the registers of its lanes. False if a descriptor has a base offset or
 * leaves shared memory. */
bool ws_wgmma_read(const struct ws_op *op, u32 warp, const struct ws_range *shared, const u64 (*sources)[WS_MATRIX_SOURCES],
                   struct ws_wgmma_tile *tile);

/* Writes the lane's part of D. */
void ws_wgmma_product(const struct ws_op *op, const struct ws_wgmma_tile *tile, u32 lane, const u64 *sources, u64 *slot);
