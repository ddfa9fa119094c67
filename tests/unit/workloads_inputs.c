/* The table of workloads, their inputs, and that their checks see what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "warpsweep/frontend.h"

static void prepare(const char *name, u64 seed, struct ws_ndrange *launch)
{
    struct ws_error error;
    if (ws_workload_find(name)->prepare(WS_SIZE_TINY, seed, launch, &error) != WS_STATUS_ok)
        fail_msg("%s: %s", name, error.message);
}

static bool same_arguments(const struct ws_ndrange *a, const struct ws_ndrange *b)
{
    assert_int_equal(a->argument_count, b->argument_count);
    bool same = true;
    for (u32 n = 0; n < a->argument_count; n++) {
        const struct ws_argument *x = &a->arguments[n];
        const struct ws_argument *y = &b->arguments[n];
        assert_int_equal(x->kind, y->kind);
        same = same && x->bytes == y->bytes && memcmp(x->data, y->data, x->bytes) == 0;
    }
    return same;
}

static void test_seed_decides(void **state)
{
    const char *name = *state;
    struct ws_ndrange first, again, other;
    prepare(name, 1, &first);
    prepare(name, 1, &again);
    prepare(name, 2, &other);
    assert_true(same_arguments(&first, &again));
    assert_false(same_arguments(&first, &other));
    ws_workload_find(name)->release(&first);
    ws_workload_find(name)->release(&again);
    ws_workload_find(name)->release(&other);
}

static void test_unexecuted_launch_is_wrong(void **state)
{
    const struct ws_workload *workload = ws_workload_find(*state);
    struct ws_ndrange launch;
    struct ws_error error;
    prepare(*state, 1, &launch);
    assert_int_equal(workload->check(&launch, WS_SIZE_TINY, 1, &error), WS_STATUS_mismatch);
    assert_non_null(strstr(error.message, launch.source));
    workload->release(&launch);
    assert_null(launch.arguments);
}

static void test_launch_is_one_group(void **state)
{
    const struct ws_workload *workload = ws_workload_find(*state);
    for (enum ws_size size = WS_SIZE_TINY; size <= WS_SIZE_SMALL; size++) {
        struct ws_ndrange launch;
        struct ws_error error;
        assert_int_equal(workload->prepare(size, 1, &launch, &error), WS_STATUS_ok);
        assert_int_equal(launch.global[0], 1024);
        assert_int_equal(launch.local[0], 1024);
        assert_int_equal(strncmp(launch.source, workload->name, strlen(workload->name)), 0);
        assert_string_equal(launch.source + strlen(workload->name) + 1, ws_size_name(size));
        workload->release(&launch);
    }
}

static void test_ptx_is_embedded_whole(void **state)
{
    const struct ws_workload *workload = ws_workload_find(*state);
    assert_int_equal(strlen(workload->ptx), workload->ptx_length);
    assert_int_equal(strncmp(workload->ptx, "// Made by: cl2ptx ", 19), 0);
    assert_string_equal(workload->ptx + workload->ptx_length - 3, "\n}\n");
}

/* FIPS 197, appendix C.1: what its example encrypts to. */
static void test_decrypt_is_aes(void **state)
{
    (void)state;
    static const u8 example[16] = {0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A};
    struct ws_ndrange launch;
    prepare("decrypt", 1, &launch);
    assert_string_equal(launch.arguments[0].name, "cipher");
    assert_memory_equal(launch.arguments[0].data, example, sizeof example);
    ws_workload_find("decrypt")->release(&launch);
}

static void test_unknown_names(void **state)
{
    (void)state;
    assert_null(ws_workload_find("no_such_workload"));
    assert_null(ws_workload_find(""));
    assert_null(ws_size_name(WS_SIZES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define ROW(test, name_)                                                                                                           \
    {                                                                                                                              \
        .name = #test " " #name_, .test_func = test, .initial_state = (char[])                                                     \
        {                                                                                                                          \
#name_                                                                                                                 \
        }                                                                                                                          \
    }
#define WORKLOAD(name_, about)                                                                                                     \
    ROW(test_seed_decides, name_), ROW(test_unexecuted_launch_is_wrong, name_), ROW(test_launch_is_one_group, name_),              \
        ROW(test_ptx_is_embedded_whole, name_),
#include "workloads.def"
#undef WORKLOAD
        cmocka_unit_test(test_decrypt_is_aes),
        cmocka_unit_test(test_unknown_names),
    };
    return cmocka_run_group_tests_name("workloads_inputs", tests, NULL, NULL);
}
