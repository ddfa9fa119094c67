/* Machines that must agree in every counter, on the oracle (the engine equals it): one fetch group and round robin; large warps of
 * one row and warps of 32. */
#include <stdio.h>

#include "differential/judge/judge.h"
#include "oracle/oracle.h"
#include "oracle/trial.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 120 };

static enum ws_status run(const struct ws_machine *machine, const struct random_case *random_case, u64 counters[WS_COUNTERS])
{
    struct oracle_log log = {.want_invariants = true};
    const enum ws_status status = oracle_run(machine, random_case->image, counters, &log);
    if (log.violation[0])
        fail_msg("seed %llu: %s", (unsigned long long)random_case->seed, log.violation);
    oracle_log_free(&log);
    return status;
}

static void expect_equal(const struct random_case *random_case, const struct ws_machine *one, const struct ws_machine *other)
{
    u64 counters[WS_COUNTERS], others[WS_COUNTERS];
    const enum ws_status status = run(one, random_case, counters);
    assert_int_equal(run(other, random_case, others), status);
    for (u32 i = 0; i < WS_COUNTERS; i++)
        if (counters[i] != others[i] && counters_specified(status))
            fail_msg("seed %llu: %s is %llu and %llu", (unsigned long long)random_case->seed, counter_name(i),
                     (unsigned long long)counters[i], (unsigned long long)others[i]);
}

/* The machine with warps instead of a path unit of threads. */
static struct ws_machine with_warps(const struct ws_machine *machine)
{
    struct ws_machine other = *machine;
    if (machine->divergence_unit != WS_divergence_dwf && machine->divergence_unit != WS_divergence_mimd)
        return other;
    other.divergence_unit = WS_divergence_pdom;
    other.schedule_policy = WS_policy_rr;
    return other;
}

TEST(one_fetch_group_is_round_robin)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + i, &cases.size);
        struct ws_machine grouped = with_warps(&random_case.machine), plain = grouped;
        grouped.schedule_policy = WS_policy_two_level;
        grouped.schedule_fetch_group = grouped.core_warps;
        plain.schedule_policy = WS_policy_rr;
        expect_equal(&random_case, &grouped, &plain);
        random_case_free(&random_case);
    }
}

static void expect_large_equals_small(const struct random_case *random_case)
{
    struct ws_machine large = with_warps(&random_case->machine), small;
    large.core_warp_size = 32;
    large.core_warps = 32;
    large.divergence_unit = WS_divergence_lwm;
    large.memory_data_port = WS_data_port_select;
    small = large;
    small.divergence_unit = WS_divergence_pdom;
    expect_equal(random_case, &large, &small);
}

/* With one row the re-fetch rule makes no difference: a large warp has one sub-warp per instruction. */
TEST(one_row_is_pdom)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + i, &cases.size);
        if (random_case.machine.core_pipeline == WS_pipeline_barrel && !has_named_barriers(random_case.image))
            expect_large_equals_small(&random_case);
        random_case_free(&random_case);
    }
}
