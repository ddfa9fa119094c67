#include "workload.h"

#include "base/error.h"

WORKLOAD(backprop_forward, "anantpur2015", 11,
         "forward pass of a neural network (Anantpur and Govindarajan 2015, Table II: bpnn_layerforward)");

enum { INPUTS, WEIGHTS, PARTIAL, HIDDEN, ARGUMENTS };

enum { SIDE = 16 }; /* of a work-group: inputs and hidden units */

static const struct {
    const char *source;
    u32 groups;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"backprop_forward:tiny", 4},
    [WS_SIZE_SMALL] = {"backprop_forward:small", 320},
    [WS_SIZE_PAPER] = {"backprop_forward:paper", 4096},
};

/* Sums of up to 16 products in single precision. */
static const double tolerances[ARGUMENTS] = {[WEIGHTS] = 1e-6, [PARTIAL] = 1e-6};

enum ws_status ws_backprop_forward_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 groups = inputs[size].groups;
    const u64 rows = (u64)groups * SIDE + 1;
    u32 hidden = SIDE;
    const struct ws_argument arguments[ARGUMENTS] = {
        [INPUTS] = {WS_ARGUMENT_BUFFER, "inputs", rows * sizeof(float), NULL},
        [WEIGHTS] = {WS_ARGUMENT_BUFFER, "weights", rows * (hidden + 1) * sizeof(float), NULL},
        [PARTIAL] = {WS_ARGUMENT_BUFFER, "partial", (u64)groups * hidden * sizeof(float), NULL},
        [HIDDEN] = {WS_ARGUMENT_SCALAR, "hidden", sizeof hidden, &hidden},
    };
    *launch = (struct ws_ndrange){
        .kernel = "backprop_forward", .source = inputs[size].source, .global = {SIDE, SIDE * groups, 1}, .local = {SIDE, SIDE, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_launch_random(launch, INPUTS, 0.0f, 1.0f, &seed);
    ws_launch_random(launch, WEIGHTS, -1.0f, 1.0f, &seed);
    return WS_STATUS_ok;
}

/* In double precision: the tree leaves in row r the sum of as many rows from r on as the lowest bit of r says, in row 0 all. */
static void forward(struct ws_ndrange *launch, u32 group)
{
    const float *input = (const float *)launch->arguments[INPUTS].data + (u64)group * SIDE + 1;
    float *weights = (float *)launch->arguments[WEIGHTS].data + ((u64)group * SIDE + 1) * (SIDE + 1) + 1;
    float *partial = (float *)launch->arguments[PARTIAL].data + (u64)group * SIDE;
    for (u32 unit = 0; unit < SIDE; unit++) {
        for (u32 row = 0; row < SIDE; row++) {
            const u32 rows = row ? row & -row : SIDE;
            double sum = 0.0;
            for (u32 n = row; n < row + rows; n++)
                sum += (double)input[n] * (double)weights[(u64)n * (SIDE + 1) + unit];
            weights[(u64)row * (SIDE + 1) + unit] = (float)sum;
        }
        partial[unit] = weights[unit];
    }
}

enum ws_status ws_backprop_forward_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_backprop_forward_prepare(size, seed, &expected, error));
    for (u32 group = 0; group < inputs[size].groups; group++)
        forward(&expected, group);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
