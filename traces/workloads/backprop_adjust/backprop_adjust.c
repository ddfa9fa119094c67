#include "workload.h"

#include "base/error.h"

WORKLOAD(backprop_adjust, "anantpur2015", 12,
         "weights of a neural network (Anantpur and Govindarajan 2015, Table II: bpnn_adjust_weights_cuda)");

enum { DELTA, INPUTS, WEIGHTS, CHANGES, HIDDEN, ARGUMENTS };

enum { SIDE = 16 }; /* of a work-group: inputs and hidden units */

static const struct {
    const char *source;
    u32 groups;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"backprop_adjust:tiny", 8},
    [WS_SIZE_SMALL] = {"backprop_adjust:small", 700},
    [WS_SIZE_PAPER] = {"backprop_adjust:paper", 4096},
};

static const double rate = 0.3, momentum = 0.3;

static const double tolerances[ARGUMENTS] = {[WEIGHTS] = 1e-6, [CHANGES] = 1e-6};

enum ws_status ws_backprop_adjust_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 groups = inputs[size].groups;
    const u64 rows = (u64)groups * SIDE + 1;
    u32 hidden = SIDE;
    const struct ws_argument arguments[ARGUMENTS] = {
        [DELTA] = {WS_ARGUMENT_BUFFER, "delta", (hidden + 1) * sizeof(float), NULL},
        [INPUTS] = {WS_ARGUMENT_BUFFER, "inputs", rows * sizeof(float), NULL},
        [WEIGHTS] = {WS_ARGUMENT_BUFFER, "weights", rows * (hidden + 1) * sizeof(float), NULL},
        [CHANGES] = {WS_ARGUMENT_BUFFER, "changes", rows * (hidden + 1) * sizeof(float), NULL},
        [HIDDEN] = {WS_ARGUMENT_SCALAR, "hidden", sizeof hidden, &hidden},
    };
    *launch = (struct ws_ndrange){
        .kernel = "backprop_adjust", .source = inputs[size].source, .global = {SIDE, SIDE * groups, 1}, .local = {SIDE, SIDE, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    for (u32 n = DELTA; n <= CHANGES; n++)
        ws_launch_random(launch, n, -1.0f, 1.0f, &seed);
    ((float *)launch->arguments[INPUTS].data)[0] = 1.0f; /* the bias's */
    return WS_STATUS_ok;
}

/* Column by column, the bias's row like any other, as its input is 1. */
static void adjust(struct ws_ndrange *launch, u64 rows)
{
    const float *delta = launch->arguments[DELTA].data, *input = launch->arguments[INPUTS].data;
    float *weights = launch->arguments[WEIGHTS].data, *changes = launch->arguments[CHANGES].data;
    for (u32 unit = 1; unit <= SIDE; unit++) {
        for (u64 row = 0; row < rows; row++) {
            const u64 cell = row * (SIDE + 1) + unit;
            const double change = rate * (double)delta[unit] * (double)input[row] + momentum * (double)changes[cell];
            changes[cell] = (float)change;
            weights[cell] = (float)((double)weights[cell] + change);
        }
    }
}

enum ws_status ws_backprop_adjust_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_backprop_adjust_prepare(size, seed, &expected, error));
    adjust(&expected, (u64)inputs[size].groups * SIDE + 1);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
