#include "workload.h"

#include "data/network.h"

WORKLOAD(nn_layer2, "anantpur2015", 6,
         "layer 2 of a network for digits, 50 maps of 5 x 5 neurons (Anantpur 2015, Table II: executeSecondLayer)");

static const struct ws_layer layer = {
    .kernel = "nn_layer2",
    .maps_in = 6,
    .side_in = 13,
    .window = 5,
    .sizes =
        {
            [WS_SIZE_TINY] = {"nn_layer2:tiny", 4, 1},
            [WS_SIZE_SMALL] = {"nn_layer2:small", 50, 5},
            [WS_SIZE_PAPER] = {"nn_layer2:paper", 50, 28},
        },
};

enum ws_status ws_nn_layer2_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_layer_prepare(&layer, size, seed, launch, error);
}

enum ws_status ws_nn_layer2_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_layer_check(&layer, launch, size, seed, error);
}
