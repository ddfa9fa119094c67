#include "families/product.h"

#include "workload.h"

WORKLOAD(matrix, "fung2007", 7, "product of two matrices by tiles in local memory (Fung 2007: Matrix)");

static const struct ws_product products[WS_SIZES] = {
    [WS_SIZE_TINY] = {"matrix:tiny", 16, 32, 32},
    [WS_SIZE_SMALL] = {"matrix:small", 96, 128, 128},
    [WS_SIZE_PAPER] = {"matrix:paper", 96, 128, 128},
};

enum ws_status ws_matrix_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_product_prepare(&products[size], seed, launch, error);
}

enum ws_status ws_matrix_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_product_check(&products[size], launch, seed, error);
}
