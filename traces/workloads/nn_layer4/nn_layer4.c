#include "workload.h"

#include "data/network.h"

WORKLOAD(nn_layer4, "anantpur2015", 8, "layer 4 of a network for digits, 10 neurons (Anantpur 2015, Table II: executeFourthLayer)");

static const struct ws_layer layer = {
    .kernel = "nn_layer4",
    .maps_in = 100,
    .side_in = 1,
    .window = 1,
    .sizes =
        {
            [WS_SIZE_TINY] = {"nn_layer4:tiny", 10, 10},
            [WS_SIZE_SMALL] = {"nn_layer4:small", 10, 28},
            [WS_SIZE_PAPER] = {"nn_layer4:paper", 10, 28},
        },
};

enum ws_status ws_nn_layer4_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_layer_prepare(&layer, size, seed, launch, error);
}

enum ws_status ws_nn_layer4_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_layer_check(&layer, launch, size, seed, error);
}
