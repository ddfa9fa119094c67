/* The network that recognises digits: its layers, each a workload. */
#pragma once

#include "warpsweep/frontend.h"

/* A layer: every neuron of a map out sees a window of each map in, two neurons from its neighbour's window, with the map's own
 * weights, and squashes the sum as 1.7159 tanh(2/3 sum). Maps and windows are squares. A work-group is a map of an image, a
 * work-item a neuron. */
struct ws_layer {
    const char *kernel;
    u32 maps_in, side_in, window;
    struct {
        const char *source;
        u32 maps_out, images;
    } sizes[WS_SIZES];
};

/* A workload's two functions for a layer. The arguments: neurons in [image][map][row][column], weights [map out][1 + map in][row]
 * [column] with the map's bias first, neurons out as those in. */
enum ws_status ws_layer_prepare(const struct ws_layer *layer, enum ws_size size, u64 seed, struct ws_ndrange *launch,
                                struct ws_error *error);
enum ws_status ws_layer_check(const struct ws_layer *layer, const struct ws_ndrange *launch, enum ws_size size, u64 seed,
                              struct ws_error *error);

/* Weights of one map out, its bias included. */
u32 ws_layer_weights(const struct ws_layer *layer);

/* One map out of one image, by neurons in instead of by neurons out. */
void ws_layer_map(const struct ws_layer *layer, const float *in, const float *weights, double *out);
