/* Lane forms group, ptx and subgroup in fibers against the oracle: counters must not depend on the order in which lanes run between
 * barriers. What ptx and subgroup take from the hardware (a shuffle, a ballot) is emulated; all above it is as on a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stddef.h>

#include <cmocka.h>

#include "differential/fiber.h"
#include "differential/judge.h"
#include "differential/kernel_run.h"

enum { FIRST_SEED = 1, CASES = 250, ORDERS = 3, SLICE = 1777 };

static const struct case_size small_size = {.blocks = 3, .block_threads = 400, .statements = 30, .thread_instructions = 2500};

/* Every lane form but loop, every divergence unit: WS_FIBERS are rows FIBER(form, unit). */
#define FIBER(form, unit) ws_native_slice fiber_slice_##unit##_##form;
WS_FIBERS
#undef FIBER

static const struct {
    const char *form;
    u32 divergence;
    ws_native_slice *slice;
} fibers[] = {
#define FIBER(form, unit) {#form, WS_divergence_##unit, fiber_slice_##unit##_##form},
    WS_FIBERS
#undef FIBER
};

enum { FIBERS = sizeof fibers / sizeof *fibers };

static bool agrees_in_order(const struct random_case *random_case, const struct verdict *verdict, u32 fiber, u64 order)
{
    struct ws_job_result result;
    fibers_seed(mix(random_case->seed ^ order << 32));
    kernel_run(random_case, fibers[fiber].slice, SLICE, &result);
    const bool agrees = verdict_agrees(verdict, &result, true) && !fibers_parted();
    ws_job_result_free(&result);
    if (!agrees)
        fprintf(stderr, "  differs as %s%s: WS_SEED=%llu\n", fibers[fiber].form,
                fibers_parted() ? ", and lanes part at a barrier" : "", (unsigned long long)random_case->seed);
    return agrees;
}

static bool agrees_in_all_orders(const struct random_case *random_case)
{
    struct verdict verdict;
    bool agrees = true;
    u32 forms = 0;
    verdict_make(random_case, &verdict);
    for (u32 fiber = 0; agrees && fiber < FIBERS; fiber++) {
        if (fibers[fiber].divergence != random_case->machine.divergence_unit)
            continue;
        forms++;
        for (u64 order = 0; agrees && order < ORDERS; order++)
            agrees = agrees_in_order(random_case, &verdict, fiber, order);
    }
    verdict_free(&verdict);
    assert_true(forms > 0);
    return agrees;
}

static void order_of_lanes_changes_nothing(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_of_lanes_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
