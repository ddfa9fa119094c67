#include "families/product.h"

#include "workload.h"

WORKLOAD(matrix, "fung2007", 7, "product of two matrices through the cache, an element a thread (Fung 2007: Matrix)");

enum { FRAME = 16 }; /* words of a work-item's stack */

static const struct ws_product products[WS_SIZES] = {
    [WS_SIZE_TINY] = {"matrix", "matrix:tiny", FRAME, 4, 32, 64},
    [WS_SIZE_SMALL] = {"matrix", "matrix:small", FRAME, 24, 128, 256},
    [WS_SIZE_PAPER] = {"matrix", "matrix:paper", FRAME, 24, 128, 256},
};

enum ws_status ws_matrix_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_product_prepare(&products[size], seed, launch, error);
}

enum ws_status ws_matrix_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_product_check(&products[size], launch, seed, error);
}
