#include "workload.h"

#include "base/error.h"

WORKLOAD(scalar_product, "anantpur2015", 25,
         "scalar products of pairs of vectors (Anantpur and Govindarajan 2015, Table II: scalarProdGPU)");

#define ITEMS 256u /* in a work-group */

enum { PRODUCTS, A, B, PAIRS, SIZE, ARGUMENTS };

static const struct {
    const char *source;
    u32 groups, pairs, size;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"scalar_product:tiny", 1, 2, 1100},
    [WS_SIZE_SMALL] = {"scalar_product:small", 42, 84, 4096},
    [WS_SIZE_PAPER] = {"scalar_product:paper", 128, 256, 4096},
};

/* Of sums of thousands of products of at most 1. */
static const double tolerances[ARGUMENTS] = {[PRODUCTS] = 1e-6};

enum ws_status ws_scalar_product_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 pairs = inputs[size].pairs, elements = inputs[size].size;
    const u64 bytes = (u64)pairs * elements * sizeof(float);
    const struct ws_argument arguments[ARGUMENTS] = {
        [PRODUCTS] = {WS_ARGUMENT_BUFFER, "products", pairs * sizeof(float), NULL},
        [A] = {WS_ARGUMENT_BUFFER, "a", bytes, NULL},
        [B] = {WS_ARGUMENT_BUFFER, "b", bytes, NULL},
        [PAIRS] = {WS_ARGUMENT_SCALAR, "pairs", sizeof pairs, &pairs},
        [SIZE] = {WS_ARGUMENT_SCALAR, "size", sizeof elements, &elements},
    };
    *launch = (struct ws_ndrange){.kernel = "scalar_product",
                                  .source = inputs[size].source,
                                  .global = {ITEMS * inputs[size].groups, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_launch_random(launch, A, 0.0f, 1.0f, &seed);
    ws_launch_random(launch, B, 0.0f, 1.0f, &seed);
    return WS_STATUS_ok;
}

enum ws_status ws_scalar_product_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_scalar_product_prepare(size, seed, &expected, error));
    const float *a = expected.arguments[A].data, *b = expected.arguments[B].data;
    float *products = expected.arguments[PRODUCTS].data;
    for (u32 pair = 0; pair < inputs[size].pairs; pair++) {
        double sum = 0.0;
        for (u32 n = 0; n < inputs[size].size; n++)
            sum += (double)*a++ * (double)*b++;
        products[pair] = (float)sum;
    }
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
