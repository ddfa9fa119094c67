#include "workload.h"

#include "data/network.h"

WORKLOAD(nn_layer3, "anantpur2015", 7, "layer 3 of a network for digits, 100 neurons (Anantpur 2015, Table II: executeThirdLayer)");

static const struct ws_layer layer = {
    .kernel = "nn_layer3",
    .maps_in = 50,
    .side_in = 5,
    .window = 5,
    .sizes =
        {
            [WS_SIZE_TINY] = {"nn_layer3:tiny", 5, 2},
            [WS_SIZE_SMALL] = {"nn_layer3:small", 100, 7},
            [WS_SIZE_PAPER] = {"nn_layer3:paper", 100, 28},
        },
};

enum ws_status ws_nn_layer3_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_layer_prepare(&layer, size, seed, launch, error);
}

enum ws_status ws_nn_layer3_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_layer_check(&layer, launch, size, seed, error);
}
