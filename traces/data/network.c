#include "data/network.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "workload.h"

enum { IN, WEIGHTS, OUT, ARGUMENTS };

enum { STRIDE = 2 };

/* Of a neuron, which is at most 1.7159: sums of single precision, native exponential. */
static const double tolerance = 1e-5;

static u32 square(u32 side)
{
    return side * side;
}

static u32 side_out(const struct ws_layer *layer)
{
    return (layer->side_in - layer->window) / STRIDE + 1;
}

u32 ws_layer_weights(const struct ws_layer *layer)
{
    return 1 + layer->maps_in * square(layer->window);
}

/* Uniform numbers of a thousand steps up to most, of either sign. */
static void fill(struct ws_argument *buffer, float most, u64 *random)
{
    float *values = buffer->data;
    for (u64 n = 0; n < buffer->bytes / sizeof *values; n++)
        values[n] = most * ((float)ws_random_range(random, 0, 2000) / 1000.0f - 1.0f);
}

enum ws_status ws_layer_prepare(const struct ws_layer *layer, enum ws_size size, u64 seed, struct ws_ndrange *launch,
                                struct ws_error *error)
{
    const u32 maps = layer->sizes[size].maps_out, images = layer->sizes[size].images, side = side_out(layer);
    const u64 in = (u64)images * layer->maps_in * square(layer->side_in), out = (u64)images * maps * square(side);
    const struct ws_argument arguments[ARGUMENTS] = {
        [IN] = {WS_ARGUMENT_BUFFER, "in", in * sizeof(float), NULL},
        [WEIGHTS] = {WS_ARGUMENT_BUFFER, "weights", (u64)maps * ws_layer_weights(layer) * sizeof(float), NULL},
        [OUT] = {WS_ARGUMENT_BUFFER, "out", out * sizeof(float), NULL},
    };
    *launch = (struct ws_ndrange){.kernel = layer->kernel,
                                  .source = layer->sizes[size].source,
                                  .global = {maps * side, images * side, 1},
                                  .local = {side, side, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    fill(&launch->arguments[IN], 1.0f, &seed);
    fill(&launch->arguments[WEIGHTS], 2.0f / sqrtf((float)ws_layer_weights(layer)), &seed);
    return WS_STATUS_ok;
}

/* Adds the share of one neuron in to every neuron of a map out whose window it is in. The corner of a window lies STRIDE times as
 * far as its neuron. */
static void spread(const struct ws_layer *layer, double value, u32 row, u32 column, const float *weights, double *out)
{
    const u32 side = side_out(layer), window = layer->window;
    for (u32 y = 0; y < side; y++)
        for (u32 x = 0; x < side; x++)
            if (row - STRIDE * y < window && column - STRIDE * x < window)
                out[y * side + x] += value * (double)weights[(row - STRIDE * y) * window + column - STRIDE * x];
}

void ws_layer_map(const struct ws_layer *layer, const float *in, const float *weights, double *out)
{
    const u32 neurons = square(side_out(layer)), side = layer->side_in;
    for (u32 n = 0; n < neurons; n++)
        out[n] = (double)weights[0];
    for (u32 n = 0; n < layer->maps_in * square(side); n++)
        spread(layer, (double)in[n], n % square(side) / side, n % side, weights + 1 + n / square(side) * square(layer->window),
               out);
    for (u32 n = 0; n < neurons; n++)
        out[n] = 1.7159 * tanh(out[n] * 2.0 / 3.0);
}

enum ws_status ws_layer_check(const struct ws_layer *layer, const struct ws_ndrange *launch, enum ws_size size, u64 seed,
                              struct ws_error *error)
{
    const u32 maps = layer->sizes[size].maps_out, groups = maps * layer->sizes[size].images, neurons = square(side_out(layer));
    struct ws_ndrange input;
    WS_TRY(ws_layer_prepare(layer, size, seed, &input, error));
    const float *in = input.arguments[IN].data, *weights = input.arguments[WEIGHTS].data;
    double *out = calloc((size_t)groups * neurons, sizeof *out);
    enum ws_status status = out ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    for (u32 n = IN; n <= WEIGHTS && status == WS_STATUS_ok; n++)
        status = ws_launch_equal(launch, &input, n, sizeof(float), error);
    if (status == WS_STATUS_ok) {
        for (u32 n = 0; n < groups; n++)
            ws_layer_map(layer, in + (size_t)(n / maps) * layer->maps_in * square(layer->side_in),
                         weights + (size_t)(n % maps) * ws_layer_weights(layer), out + (size_t)n * neurons);
        status = ws_launch_near(launch, OUT, out, tolerance, error);
    }
    free(out);
    ws_launch_release(&input);
    return status;
}
