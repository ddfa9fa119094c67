/* Products of two matrices by tiles of 16 x 16: the launch and the check that several workloads share. */
#pragma once

#include "warpsweep/frontend.h"

/* C, rows x columns, of A, rows x depth, and B; all are multiples of 16. */
struct ws_product {
    const char *source;
    u32 rows, depth, columns;
};

/* A workload's two functions, for the kernel of matrix. */
enum ws_status ws_product_prepare(const struct ws_product *product, u64 seed, struct ws_ndrange *launch, struct ws_error *error);
enum ws_status ws_product_check(const struct ws_product *product, const struct ws_ndrange *launch, u64 seed,
                                struct ws_error *error);
