/* Lane form group in fibers against the oracle: counters must not depend on the order in which lanes run between barriers. */
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

ws_native_slice fiber_slice_pdom, fiber_slice_lwm, fiber_slice_tbc;

static bool agrees_in_all_orders(const struct random_case *random_case)
{
    static ws_native_slice *const slices[] = {
        [WS_divergence_pdom] = fiber_slice_pdom,
        [WS_divergence_lwm] = fiber_slice_lwm,
        [WS_divergence_tbc] = fiber_slice_tbc,
    };
    ws_native_slice *advance = slices[random_case->machine.divergence_unit];
    struct verdict verdict;
    bool agrees = true;
    verdict_make(random_case, &verdict);
    for (u64 order = 0; agrees && order < ORDERS; order++) {
        struct ws_job_result result;
        fibers_seed(mix(random_case->seed ^ order << 32));
        kernel_run(random_case, advance, SLICE, &result);
        agrees = verdict_agrees(&verdict, &result, true) && !fibers_parted();
        ws_job_result_free(&result);
    }
    verdict_free(&verdict);
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
        if (!agrees_in_all_orders(&random_case)) {
            fprintf(stderr, "  differs%s: WS_SEED=%llu\n", fibers_parted() ? " and lanes part at a barrier" : "",
                    (unsigned long long)random_case.seed);
            different++;
        }
        random_case_free(&random_case);
    }
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_of_lanes_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
