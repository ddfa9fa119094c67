/* Specialized kernels (host/engine/native/specialized.h) against the oracle, in quanta, of which they simulate all but the first:
 * each pipeline with each path unit once, a random machine alone, and several random machines with fewer common values. Compiled
 * without optimization, which takes long and is not under test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "engine/native/rows.h"
#include "engine/variant.h"
#include "test.h"

enum { FIRST_SEED = 1, SEEDS = 400, SLICE = 300, KINDS = 32 };

/* A pipeline and a path unit. */
struct kind {
    u32 pipeline, path;
};

/* The kernels of a machine, with a pre-decoded trace if possible. */
static struct kind kind_of(const struct ws_machine *machine)
{
    return (struct kind){machine->core_pipeline,
                         ws_variant_predecoded(machine) ? WS_divergence_predecoded : machine->divergence_unit};
}

static struct kind wanted;

static bool is_wanted(const struct ws_machine *machine)
{
    const struct kind kind = kind_of(machine);
    return kind.pipeline == wanted.pipeline && kind.path == wanted.path && machine->core_warps <= 2 * WS_LANES;
}

/* Judges cases; returns whether specialized kernels were used: not natively if each case ended in its first quantum. */
static bool judge(u64 first, u32 count, bool (*judges)(const struct ws_machine *machine), const struct ws_engine_options *options)
{
    struct judged_cases cases = judged_cases(first, count, &whole_size);
    cases.judges = judges;
    struct ws_engine *const engine = engine_or_fail(options);
    assert_int_equal(judge_engine(engine, &cases), 0);
    const bool used = strstr(ws_engine_device(engine), "specialized kernels") != NULL;
    ws_engine_close(engine);
    return used;
}

static bool seen(struct kind *kinds, u32 *count, struct kind kind)
{
    for (u32 n = 0; n < *count; n++)
        if (kinds[n].pipeline == kind.pipeline && kinds[n].path == kind.path)
            return true;
    assert_true(*count < KINDS);
    kinds[(*count)++] = kind;
    return false;
}

TEST(a_machine_alone_is_compiled_for)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .quantum = SLICE,
                                              .predecoding = WS_PREDECODE_ALWAYS, .specialize = WS_SPECIALIZE_ALWAYS};
    struct kind kinds[KINDS];
    u32 count = 0, used = 0;
    for (u64 seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        struct random_case made;
        random_case_make(&made, seed, &whole_size);
        wanted = kind_of(&made.machine);
        const bool fits = is_wanted(&made.machine);
        random_case_free(&made);
        if (fits && !seen(kinds, &count, wanted))
            used += judge(seed, 1, is_wanted, &options);
    }
    printf("%u kinds of kernels, %u used after the first quantum\n", count, used);
    assert_int_equal(used, count);
    assert_true(count >= 8);
}

static bool is_pdom(const struct ws_machine *machine)
{
    return machine->divergence_unit == WS_divergence_pdom && machine->core_dispatch == WS_dispatch_block &&
           machine->core_warps <= WS_LANES;
}

TEST(machines_together_are_compiled_for)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .quantum = SLICE,
                                              .predecoding = WS_PREDECODE_NEVER, .specialize = WS_SPECIALIZE_ALWAYS};
    assert_true(judge(FIRST_SEED, 200, is_pdom, &options));
}

static bool is_first_variant(const struct ws_machine *machine)
{
    return ws_variant_of(machine) == 0;
}

/* A device's program is built before the jobs, or found in the cache. */
TEST(devices_compile_for_machines_too)
{
    struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu",
                                        .predecoding = WS_PREDECODE_NEVER, .specialize = WS_SPECIALIZE_NEVER};
    assert_false(judge(FIRST_SEED, 200, is_first_variant, &options));
    options.specialize = WS_SPECIALIZE_ALWAYS;
    assert_true(judge(FIRST_SEED, 200, is_first_variant, &options));
    options.specialize = WS_SPECIALIZE_AUTO;
    assert_true(judge(FIRST_SEED, 200, is_first_variant, &options));
}
