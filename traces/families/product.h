/* Products of two matrices: the launch and the check that several workloads share. */
#pragma once

#include "warpsweep/frontend.h"

/* C, rows x columns, of A, rows x depth, and B. A work-item has an element of C and, where frame is not 0, so many words of a
 * stack, the last argument: then work-groups are runs of 256 elements or fewer, row by row. Else they are tiles of 16 x 16, and all
 * sides multiples of it. */
struct ws_product {
    const char *kernel, *source;
    u32 frame, rows, depth, columns;
};

/* A workload's two functions. */
enum ws_status ws_product_prepare(const struct ws_product *product, u64 seed, struct ws_ndrange *launch, struct ws_error *error);
enum ws_status ws_product_check(const struct ws_product *product, const struct ws_ndrange *launch, u64 seed,
                                struct ws_error *error);
