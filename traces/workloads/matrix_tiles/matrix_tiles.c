#include "families/product.h"

#include "base/error.h"
#include "workload.h"

WORKLOAD(matrix_tiles, "xiang2014", 10, "matrix of the size of its time, with its registers (Xiang 2014, Table 2: MatrixMultiply)");

enum { REGISTERS = 24 }; /* of a thread, Table 2: 6144 a block */

/* At size paper 15 columns of work-groups: those of one of 15 SMs are in one column. */
static const struct ws_product products[WS_SIZES] = {
    [WS_SIZE_TINY] = {"matrix_tiles", "matrix_tiles:tiny", 0, 16, 32, 32},
    [WS_SIZE_SMALL] = {"matrix_tiles", "matrix_tiles:small", 0, 96, 128, 128},
    [WS_SIZE_PAPER] = {"matrix_tiles", "matrix_tiles:paper", 0, 240, 160, 240},
};

enum ws_status ws_matrix_tiles_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    WS_TRY(ws_product_prepare(&products[size], seed, launch, error));
    launch->registers = REGISTERS;
    return WS_STATUS_ok;
}

enum ws_status ws_matrix_tiles_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_product_check(&products[size], launch, seed, error);
}
