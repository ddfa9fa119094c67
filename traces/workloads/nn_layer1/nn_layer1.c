#include "workload.h"

#include "data/network.h"

WORKLOAD(nn_layer1, "anantpur2015", 5,
         "layer 1 of a network for digits, 6 maps of 13 x 13 neurons (Anantpur 2015, Table II: executeFirstLayer)");

static const struct ws_layer layer = {
    .kernel = "nn_layer1",
    .maps_in = 1,
    .side_in = 29,
    .window = 5,
    .sizes =
        {
            [WS_SIZE_TINY] = {"nn_layer1:tiny", 2, 1},
            [WS_SIZE_SMALL] = {"nn_layer1:small", 6, 24},
            [WS_SIZE_PAPER] = {"nn_layer1:paper", 6, 28},
        },
};

enum ws_status ws_nn_layer1_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_layer_prepare(&layer, size, seed, launch, error);
}

enum ws_status ws_nn_layer1_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_layer_check(&layer, launch, size, seed, error);
}
