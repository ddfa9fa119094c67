/* The kernels with each cycle simulated singly, in form loop, against the oracle on every counter and all times. Skipping cycles,
 * or simulating them together, changes nothing, since the native engine, which does both, equals the oracle, too. */
#include <stdio.h>

#include "differential/judge/judge.h"
#include "differential/judge/kernel_run.h"
#include "engine/variant.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 1600, GROWING_CASES = 10 /* at least */ };

#define ONE_BY_ONE(pipeline, path, dispatch, words, quantum) ws_native_quantum quantum;
#include "one_by_one.def"
#undef ONE_BY_ONE

static const struct kernel {
    u32 pipeline, path, dispatch, words;
    ws_native_quantum *quantum;
} kernels[] = {
#define ONE_BY_ONE(pipeline, path, dispatch, words, quantum)                                                                       \
    {WS_pipeline_##pipeline, WS_divergence_##path, WS_dispatch_##dispatch, words, quantum},
#include "one_by_one.def"
#undef ONE_BY_ONE
};

/* NULL for machines with more warps than their pipeline's kernels support. */
static ws_native_quantum *kernel_for(const struct ws_machine *machine)
{
    for (size_t n = 0; n < sizeof kernels / sizeof *kernels; n++)
        if (ws_variant_suits(machine, kernels[n].pipeline, kernels[n].path, kernels[n].dispatch, kernels[n].words))
            return kernels[n].quantum;
    return NULL;
}

/* Whether the case agrees with the oracle; counts cases with grown request room in *growing. */
static bool agrees(const struct random_case *random_case, ws_native_quantum *kernel, u32 *growing)
{
    struct verdict verdict;
    struct ws_job_result result;
    verdict_make(random_case, &verdict);
    *growing += kernel_run(random_case, NULL, kernel, WS_QUANTUM_MOST, verdict_most_cycles(&verdict), &result) > 0;
    const bool equal = verdict_agrees(&verdict, &result, true);
    ws_job_result_free(&result);
    verdict_free(&verdict);
    return equal;
}

TEST(skips_change_nothing)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &whole_size);
    u32 different = 0, growing = 0, simulated = 0;
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + i, &cases.size);
        ws_native_quantum *const kernel = kernel_for(&random_case.machine);
        const bool equal = !kernel || agrees(&random_case, kernel, &growing);
        if (!equal)
            fprintf(stderr, "  differs: WS_SEED=%llu\n", (unsigned long long)random_case.seed);
        different += !equal;
        simulated += kernel != NULL;
        random_case_free(&random_case);
    }
    fprintf(stderr, "room for requests grew in %u of %u cases\n", growing, simulated);
    assert_int_equal(different, 0);
    assert_true(simulated >= cases.count / 3);
    if (cases.count >= CASES)
        assert_true(growing >= GROWING_CASES);
}
