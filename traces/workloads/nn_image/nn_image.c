#include "data/network.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"
#include "workload.h"

WORKLOAD(nn_image, "xiang2014", 11, "digits, an image a block through all four layers (Xiang 2014, Table 2: Neural Network)");

enum { IMAGES, WEIGHTS, NEURONS, MAPS_1, MAPS_2, HIDDEN, DIGITS, ARGUMENTS };

enum {
    LAYERS = 4,
    CONVOLVED = 2,
    ITEMS = 256,
    PIXELS = 29,
    REGISTERS = 24
}; /* of a thread, Table 2: 6144 a block, misprinted 6114 */

enum { MOST_NEURONS = 13 * 13, MOST_WEIGHTS = 1 + 50 * 25 }; /* of a map out */

static const struct input {
    const char *source;
    u32 images, maps[LAYERS]; /* out of each layer; of the last two, neurons */
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"nn_image:tiny", 1, {1, 2, 10, 10}},
    [WS_SIZE_SMALL] = {"nn_image:small", 5, {6, 50, 100, 10}},
    [WS_SIZE_PAPER] = {"nn_image:paper", 120, {6, 50, 100, 10}},
};

/* Of a neuron, which is at most 1.7159: four layers of sums of single precision. */
static const double tolerances[ARGUMENTS] = {[NEURONS] = 1e-4};

/* The layers as windows: those of the last two take whole maps. */
static void make_layers(const struct input *input, struct ws_layer layers[LAYERS])
{
    static const u32 sides[LAYERS] = {PIXELS, 13, 5, 1}, windows[LAYERS] = {5, 5, 5, 1};
    for (u32 n = 0; n < LAYERS; n++)
        layers[n] = (struct ws_layer){.maps_in = n > 0 ? input->maps[n - 1] : 1, .side_in = sides[n], .window = windows[n]};
}

/* Neurons of a map out. */
static u32 map_neurons(const struct ws_layer *layer)
{
    const u32 side = (layer->side_in - layer->window) / 2 + 1;
    return side * side;
}

static void fill(float *values, u32 count, float most, u64 *random)
{
    for (u32 n = 0; n < count; n++)
        values[n] = most * ((float)ws_random_range(random, 0, 2000) / 1000.0f - 1.0f);
}

enum ws_status ws_nn_image_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    struct input input = inputs[size];
    struct ws_layer layers[LAYERS];
    make_layers(&input, layers);
    u32 neurons = 0, weights = 0;
    for (u32 n = 0; n < LAYERS; n++) {
        neurons += input.maps[n] * map_neurons(&layers[n]);
        weights += input.maps[n] * ws_layer_weights(&layers[n]);
    }
    const u32 pixels = input.images * PIXELS * PIXELS;
    struct ws_argument arguments[ARGUMENTS] = {
        [IMAGES] = {WS_ARGUMENT_BUFFER, "images", pixels * sizeof(float), NULL},
        [WEIGHTS] = {WS_ARGUMENT_BUFFER, "weights", weights * sizeof(float), NULL},
        [NEURONS] = {WS_ARGUMENT_BUFFER, "neurons", (u64)input.images * neurons * sizeof(float), NULL},
        [MAPS_1] = {WS_ARGUMENT_SCALAR, "maps_1", sizeof(u32), &input.maps[0]},
        [MAPS_2] = {WS_ARGUMENT_SCALAR, "maps_2", sizeof(u32), &input.maps[1]},
        [HIDDEN] = {WS_ARGUMENT_SCALAR, "hidden", sizeof(u32), &input.maps[2]},
        [DIGITS] = {WS_ARGUMENT_SCALAR, "digits", sizeof(u32), &input.maps[3]},
    };
    *launch = (struct ws_ndrange){.kernel = "nn_image",
                                  .source = input.source,
                                  .global = {input.images * ITEMS, 1, 1},
                                  .local = {ITEMS, 1, 1},
                                  .registers = REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    fill(launch->arguments[IMAGES].data, pixels, 1.0f, &seed);
    float *weight = launch->arguments[WEIGHTS].data;
    for (u32 n = 0; n < LAYERS; weight += input.maps[n] * ws_layer_weights(&layers[n]), n++)
        fill(weight, input.maps[n] * ws_layer_weights(&layers[n]), 2.0f / sqrtf((float)ws_layer_weights(&layers[n])), &seed);
    return WS_STATUS_ok;
}

/* The weights of a map out of a layer: of the last two layers, where the neurons' lie side by side, copied. */
static const float *weights_of(const struct ws_layer *layer, bool side_by_side, u32 maps, u32 map, const float *weights,
                               float copy[MOST_WEIGHTS])
{
    const u32 count = ws_layer_weights(layer);
    if (!side_by_side)
        return weights + (size_t)map * count;
    for (u32 n = 0; n < count; n++)
        copy[n] = weights[(size_t)n * maps + map];
    return copy;
}

/* An image through the network; returns where its neurons end. */
static float *recognise(const struct input *input, const float *in, const float *weights, float *neurons)
{
    float copy[MOST_WEIGHTS];
    struct ws_layer layers[LAYERS];
    double out[MOST_NEURONS];
    make_layers(input, layers);
    for (u32 n = 0; n < LAYERS; n++) {
        float *const first = neurons;
        for (u32 map = 0; map < input->maps[n]; map++) {
            ws_layer_map(&layers[n], in, weights_of(&layers[n], n >= CONVOLVED, input->maps[n], map, weights, copy), out);
            for (u32 neuron = 0; neuron < map_neurons(&layers[n]); neuron++)
                *neurons++ = (float)out[neuron];
        }
        weights += input->maps[n] * ws_layer_weights(&layers[n]);
        in = first;
    }
    return neurons;
}

enum ws_status ws_nn_image_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_nn_image_prepare(size, seed, &expected, error));
    const float *images = expected.arguments[IMAGES].data;
    float *neurons = expected.arguments[NEURONS].data;
    for (u32 image = 0; image < inputs[size].images; image++, images += PIXELS * PIXELS)
        neurons = recognise(&inputs[size], images, expected.arguments[WEIGHTS].data, neurons);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
