/* Every workload's inputs, and detection of wrong results by its check. */
#include <stdbool.h>
#include <string.h>

#include "unit/workloads/rows.h"

static void prepare(const struct ws_workload *workload, enum ws_size size, u64 seed, struct ws_ndrange *launch)
{
    struct ws_error error;
    if (workload->prepare(size, seed, launch, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
}

static bool same_arguments(const struct ws_ndrange *a, const struct ws_ndrange *b)
{
    assert_int_equal(a->argument_count, b->argument_count);
    bool same = true;
    for (u32 n = 0; n < a->argument_count; n++) {
        const struct ws_argument *x = &a->arguments[n];
        const struct ws_argument *y = &b->arguments[n];
        assert_int_equal(x->kind, y->kind);
        const bool shared = x->kind == WS_ARGUMENT_SHARED; /* has no data */
        same = same && x->bytes == y->bytes && (shared || memcmp(x->data, y->data, x->bytes) == 0);
    }
    return same;
}

static void test_seed_decides(void **state)
{
    const struct ws_workload *workload = *state;
    struct ws_ndrange first, again, other;
    prepare(workload, WS_SIZE_TINY, 1, &first);
    prepare(workload, WS_SIZE_TINY, 1, &again);
    prepare(workload, WS_SIZE_TINY, 2, &other);
    assert_true(same_arguments(&first, &again));
    assert_false(same_arguments(&first, &other));
    workload->release(&first);
    workload->release(&again);
    workload->release(&other);
}

static void test_unexecuted_launch_is_wrong(void **state)
{
    const struct ws_workload *workload = *state;
    struct ws_ndrange launch;
    prepare(workload, WS_SIZE_TINY, 1, &launch);
    EXPECT_ERROR_HAS(workload->check(&launch, WS_SIZE_TINY, 1, &error), WS_STATUS_mismatch, launch.source);
    workload->release(&launch);
    assert_null(launch.arguments);
}

/* Narasiman 4: the twelve of Table 2 are one work-group of 1024; others have any number of whole work-groups. */
static void test_launch_fits(void **state)
{
    const struct ws_workload *workload = *state;
    const bool one_group = workload->paper && strcmp(workload->paper, "narasiman2011") == 0;
    for (enum ws_size size = WS_SIZE_TINY; size <= WS_SIZE_SMALL; size++) {
        struct ws_ndrange launch;
        prepare(workload, size, 1, &launch);
        u32 threads = 1, blocks = 1;
        for (u32 n = 0; n < 3; n++) {
            assert_in_range(launch.local[n], 1, 1024);
            assert_int_equal(launch.global[n] % launch.local[n], 0);
            threads *= launch.local[n];
            blocks *= launch.global[n] / launch.local[n];
        }
        assert_in_range(threads, one_group ? 1024 : 1, 1024);
        assert_in_range(blocks, 1, one_group ? 1 : UINT32_MAX);
        assert_int_equal(strncmp(launch.source, workload->name, strlen(workload->name)), 0);
        assert_int_equal(launch.source[strlen(workload->name)], ':');
        assert_string_equal(launch.source + strlen(workload->name) + 1, ws_size_name(size));
        workload->release(&launch);
    }
}

static void test_ptx_is_embedded_whole(void **state)
{
    const struct ws_workload *workload = *state;
    assert_int_equal(strlen(workload->ptx), workload->ptx_length);
    assert_int_equal(strncmp(workload->ptx, "// Made by: cl2ptx ", 19), 0);
    assert_string_equal(workload->ptx + workload->ptx_length - 3, "\n}\n");
}

int main(void)
{
    static struct workload_rows rows;
    workload_rows_add(&rows, "the seed decides", test_seed_decides);
    workload_rows_add(&rows, "an unexecuted launch is wrong", test_unexecuted_launch_is_wrong);
    workload_rows_add(&rows, "the launch fits", test_launch_fits);
    workload_rows_add(&rows, "the PTX is embedded whole", test_ptx_is_embedded_whole);
    return workload_rows_run(&rows, "workloads_inputs");
}
