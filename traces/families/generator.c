#include "families/generator.h"

#include "base/error.h"
#include "base/random.h"
#include "workload.h"

enum { NUMBERS, RESULTS, ROUNDS, ARGUMENTS };

enum { WARP = 32, REGISTERS = 32 };

enum ws_status ws_generator_prepare(const struct ws_generator *generator, u64 seed, struct ws_ndrange *launch,
                                    struct ws_error *error)
{
    u32 rounds = generator->rounds;
    const u32 items = generator->groups * generator->items;
    const struct ws_argument arguments[ARGUMENTS] = {
        [NUMBERS] = {WS_ARGUMENT_BUFFER, "numbers", items * sizeof(u32), NULL},
        [RESULTS] = {WS_ARGUMENT_BUFFER, "results", items * sizeof(u32), NULL},
        [ROUNDS] = {WS_ARGUMENT_SCALAR, "rounds", sizeof rounds, &rounds},
    };
    *launch = (struct ws_ndrange){.kernel = "first_warp",
                                  .source = generator->source,
                                  .global = {items, 1, 1},
                                  .local = {generator->items, 1, 1},
                                  .registers = REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32 *numbers = launch->arguments[NUMBERS].data;
    for (u32 n = 0; n < items; n++)
        numbers[n] = (u32)ws_random(&seed);
    return WS_STATUS_ok;
}

/* The generator after all rounds in one step, factor * number + addend: by squaring. */
static void skip(u32 rounds, u32 *factor, u32 *addend)
{
    u32 step_factor = 1664525, step_addend = 1013904223;
    *factor = 1;
    *addend = 0;
    for (; rounds > 0; rounds /= 2) {
        if (rounds % 2 > 0) {
            *factor *= step_factor;
            *addend = *addend * step_factor + step_addend;
        }
        step_addend *= step_factor + 1;
        step_factor *= step_factor;
    }
}

enum ws_status ws_generator_check(const struct ws_generator *generator, const struct ws_ndrange *launch, u64 seed,
                                  struct ws_error *error)
{
    u32 factor, addend;
    struct ws_ndrange expected;
    WS_TRY(ws_generator_prepare(generator, seed, &expected, error));
    skip(generator->rounds, &factor, &addend);
    const u32 *numbers = expected.arguments[NUMBERS].data;
    u32 *results = expected.arguments[RESULTS].data;
    for (u32 n = 0; n < generator->groups * generator->items; n++)
        results[n] = n % generator->items < WARP ? factor * numbers[n] + addend : numbers[n];
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
