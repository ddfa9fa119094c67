#include "families/options.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"
#include "workload.h"

enum { PRICE, STRIKE, YEARS, CALL, PUT, RATE, VOLATILITY, OPTIONS, ROUNDS, STACK, ARGUMENTS };

/* An option price may be off by this part of price + strike: single precision, and a polynomial good to 7.5e-8. */
static const double tolerance = 1e-6;

/* Hundredths: each value is one correctly rounded division, the same on every machine. */
static void fill(struct ws_argument *buffer, u32 least, u32 most, u64 *random)
{
    float *values = buffer->data;
    for (u64 n = 0; n < buffer->bytes / sizeof *values; n++)
        values[n] = (float)ws_random_range(random, least, most) / 100.0f;
}

enum ws_status ws_options_prepare(const struct ws_options *options, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = options->options, rounds = options->rounds;
    const u64 bytes = count * sizeof(float);
    float rate = 0.02f;
    float volatility = 0.30f;
    const struct ws_argument arguments[ARGUMENTS] = {
        [PRICE] = {WS_ARGUMENT_BUFFER, "price", bytes, NULL},
        [STRIKE] = {WS_ARGUMENT_BUFFER, "strike", bytes, NULL},
        [YEARS] = {WS_ARGUMENT_BUFFER, "years", bytes, NULL},
        [CALL] = {WS_ARGUMENT_BUFFER, "call", bytes, NULL},
        [PUT] = {WS_ARGUMENT_BUFFER, "put", bytes, NULL},
        [RATE] = {WS_ARGUMENT_SCALAR, "rate", sizeof rate, &rate},
        [VOLATILITY] = {WS_ARGUMENT_SCALAR, "volatility", sizeof volatility, &volatility},
        [OPTIONS] = {WS_ARGUMENT_SCALAR, "options", sizeof count, &count},
        [ROUNDS] = {WS_ARGUMENT_SCALAR, "rounds", sizeof rounds, &rounds},
        [STACK] = {WS_ARGUMENT_BUFFER, "stack", (u64)options->groups * options->items * options->frame * sizeof(u32), NULL},
    };
    *launch = (struct ws_ndrange){.kernel = options->kernel,
                                  .source = options->source,
                                  .global = {options->groups * options->items, 1, 1},
                                  .local = {options->items, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, rounds ? ARGUMENTS : ROUNDS, error));
    fill(&launch->arguments[PRICE], 500, 3000, &seed);
    fill(&launch->arguments[STRIKE], 100, 10000, &seed);
    fill(&launch->arguments[YEARS], 25, 1000, &seed);
    return WS_STATUS_ok;
}

static double normal_cdf(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

static enum ws_status compare(const struct ws_ndrange *launch, u32 argument, u64 option, double expected, double scale,
                              struct ws_error *error)
{
    const float *values = launch->arguments[argument].data;
    const double found = (double)values[option];
    if (fabs(found - expected) <= tolerance * scale)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_mismatch, "%s: %s[%llu] is %.9g instead of %.9g", launch->source,
                   launch->arguments[argument].name, (unsigned long long)option, found, expected);
}

static enum ws_status check_option(const struct ws_ndrange *launch, u64 option, double s, double x, double t,
                                   struct ws_error *error)
{
    const double rate = (double)*(const float *)launch->arguments[RATE].data;
    const double volatility = (double)*(const float *)launch->arguments[VOLATILITY].data;
    const double d1 = (log(s / x) + (rate + volatility * volatility / 2.0) * t) / (volatility * sqrt(t));
    const double d2 = d1 - volatility * sqrt(t);
    const double discounted = x * exp(-rate * t);
    WS_TRY(compare(launch, CALL, option, s * normal_cdf(d1) - discounted * normal_cdf(d2), s + x, error));
    return compare(launch, PUT, option, discounted * normal_cdf(-d2) - s * normal_cdf(-d1), s + x, error);
}

static enum ws_status check_options(const struct ws_ndrange *launch, const struct ws_ndrange *input, struct ws_error *error)
{
    for (u32 n = PRICE; n <= YEARS; n++)
        WS_TRY(ws_launch_equal(launch, input, n, sizeof(float), error));
    const float *price = input->arguments[PRICE].data;
    const float *strike = input->arguments[STRIKE].data;
    const float *years = input->arguments[YEARS].data;
    for (u64 n = 0; n < input->arguments[PRICE].bytes / sizeof *price; n++)
        WS_TRY(check_option(launch, n, (double)price[n], (double)strike[n], (double)years[n], error));
    return WS_STATUS_ok;
}

enum ws_status ws_options_check(const struct ws_options *options, const struct ws_ndrange *launch, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_options_prepare(options, seed, &input, error));
    const enum ws_status status = check_options(launch, &input, error);
    ws_launch_release(&input);
    return status;
}
