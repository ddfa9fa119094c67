/* Lane forms group, ptx and subgroup in fibers against the oracle: counters must not depend on the order in which lanes run between
 * barriers. Emulates the hardware operations of ptx and subgroup (shuffle, ballot); all else is as on a device. */
#include <stdio.h>

#include "differential/fiber.h"
#include "differential/judge/judge.h"
#include "differential/judge/kernel_run.h"
#include "engine/variant.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 100, ORDERS = 2, SLICE = 1777 };

#define FIBER(form, pipeline, path, dispatch, words, quantum) ws_native_quantum quantum;
#include "fibers.def"
#undef FIBER

static const struct fiber_form {
    const char *name;
    u32 pipeline, path, dispatch, words;
    ws_native_quantum *quantum;
} forms[] = {
#define FIBER(form, pipeline, path, dispatch, words, quantum)                                                                      \
    {#form, WS_pipeline_##pipeline, WS_divergence_##path, WS_dispatch_##dispatch, words, quantum},
#include "fibers.def"
#undef FIBER
};

static bool agrees_in_order(const struct random_case *random_case, const struct ws_image *packets, const struct verdict *verdict,
                            const struct fiber_form *form, u64 order)
{
    struct ws_job_result result;
    fibers_seed(mix(random_case->seed ^ order << 32));
    kernel_run(random_case, packets, form->quantum, SLICE, verdict_most_cycles(verdict), &result);
    const bool agrees = verdict_agrees(verdict, &result, true) && !fibers_parted();
    ws_job_result_free(&result);
    if (!agrees)
        fprintf(stderr, "  differs as %s%s: WS_SEED=%llu\n", form->name, fibers_parted() ? ", and lanes part at a barrier" : "",
                (unsigned long long)random_case->seed);
    return agrees;
}

/* Whether the form supports the case, and agrees; counts supported cases in *suited. */
static bool form_agrees(const struct random_case *random_case, const struct verdict *verdict, const struct fiber_form *form,
                        u32 *suited)
{
    struct ws_machine machine;
    struct ws_image *packets;
    bool agrees = true;
    if (kernel_case(random_case, form->path, &machine, &packets) &&
        ws_variant_suits(&machine, form->pipeline, form->path, form->dispatch, form->words)) {
        *suited += 1;
        for (u64 order = 0; agrees && order < ORDERS; order++)
            agrees = agrees_in_order(random_case, packets, verdict, form, order);
    }
    ws_predecoded_free(packets);
    return agrees;
}

static bool agrees_in_all_orders(const struct random_case *random_case)
{
    struct verdict verdict;
    bool agrees = true;
    u32 suited = 0;
    verdict_make(random_case, &verdict);
    for (size_t n = 0; agrees && n < sizeof forms / sizeof *forms; n++)
        agrees = form_agrees(random_case, &verdict, &forms[n], &suited);
    verdict_free(&verdict);
    assert_true(!agrees || suited > 0);
    return agrees;
}

TEST(order_of_lanes_changes_nothing)
{
    struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    u32 different = 0;
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + i, &cases.size);
        different += !agrees_in_all_orders(&random_case);
        random_case_free(&random_case);
    }
    assert_int_equal(different, 0);
}
