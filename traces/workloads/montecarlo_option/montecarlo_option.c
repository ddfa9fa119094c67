#include "workload.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(montecarlo_option, "anantpur2015", 24,
         "prices of options by Monte Carlo (Anantpur and Govindarajan 2015, Table II: MonteCarloOneBlockPerOption)");

enum { ITEMS = 256 }; /* of a work-group */

enum { PAYOFFS, SAMPLES, OPTIONS, PATHS, ARGUMENTS };

static const struct {
    const char *source;
    u32 options, paths;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"montecarlo_option:tiny", 2, 2000},
    [WS_SIZE_SMALL] = {"montecarlo_option:small", 64, 8192},
    [WS_SIZE_PAPER] = {"montecarlo_option:paper", 256, 64 * 1024},
};

/* Of sums of thousands of payoffs, whose exponential is approximate. */
static const double tolerances[ARGUMENTS] = {[PAYOFFS] = 3e-6};

struct option {
    float price, strike, drift, deviation;
};

struct payoff {
    float sum, square;
};

static void draw(struct option *option, u64 *seed)
{
    option->price = (float)ws_random_range(seed, 500, 5000) / 100.0f;
    option->strike = option->price * (float)ws_random_range(seed, 50, 125) / 100.0f;
    option->drift = (float)ws_random_range(seed, 0, 100) / 1000.0f;
    option->deviation = (float)ws_random_range(seed, 50, 350) / 1000.0f;
}

/* The sum of twelve numbers between 0 and 1, less its mean: nearly normal, with deviation 1, and the same on every machine. */
static float nearly_normal(u64 *seed)
{
    i32 sum = 0;
    for (u32 n = 0; n < 12; n++)
        sum += (i32)ws_random_range(seed, 0, 1 << 20) - (1 << 19);
    return (float)sum / (float)(1 << 20);
}

enum ws_status ws_montecarlo_option_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 options = inputs[size].options, paths = inputs[size].paths;
    const struct ws_argument arguments[ARGUMENTS] = {
        [PAYOFFS] = {WS_ARGUMENT_BUFFER, "payoffs", options * sizeof(struct payoff), NULL},
        [SAMPLES] = {WS_ARGUMENT_BUFFER, "samples", paths * sizeof(float), NULL},
        [OPTIONS] = {WS_ARGUMENT_BUFFER, "options", options * sizeof(struct option), NULL},
        [PATHS] = {WS_ARGUMENT_SCALAR, "paths", sizeof paths, &paths},
    };
    *launch = (struct ws_ndrange){
        .kernel = "montecarlo_option", .source = inputs[size].source, .global = {ITEMS * options, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    float *samples = launch->arguments[SAMPLES].data;
    struct option *option = launch->arguments[OPTIONS].data;
    for (u32 n = 0; n < paths; n++)
        samples[n] = nearly_normal(&seed);
    for (u32 n = 0; n < options; n++)
        draw(&option[n], &seed);
    return WS_STATUS_ok;
}

/* Path after path in double precision. */
static struct payoff price(const struct option *option, const float *samples, u32 paths)
{
    double sum = 0.0, square = 0.0;
    for (u32 n = 0; n < paths; n++) {
        const double end = (double)option->price * exp((double)option->drift + (double)option->deviation * (double)samples[n]);
        const double gain = end - (double)option->strike;
        sum += gain > 0.0 ? gain : 0.0;
        square += gain > 0.0 ? gain * gain : 0.0;
    }
    return (struct payoff){(float)sum, (float)square};
}

enum ws_status ws_montecarlo_option_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_montecarlo_option_prepare(size, seed, &expected, error));
    struct payoff *payoffs = expected.arguments[PAYOFFS].data;
    const struct option *options = expected.arguments[OPTIONS].data;
    for (u32 n = 0; n < inputs[size].options; n++)
        payoffs[n] = price(&options[n], expected.arguments[SAMPLES].data, inputs[size].paths);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
