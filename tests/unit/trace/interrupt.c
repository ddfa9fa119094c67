/* A trace file exists only when complete and with correct results: not after an interruption, not after a wrong result. */
#include <dirent.h>
#include <unistd.h>

#include "base/error.h"
#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/frontend.h"

static unsigned asked, asked_most;

static bool go_on(void *context)
{
    assert_ptr_equal(context, &asked);
    return ++asked <= asked_most;
}

static enum ws_status trace(const struct ws_workload *workload, u64 *instructions, struct ws_error *error)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.go_on = go_on;
    options.context = &asked;
    asked = 0;
    return ws_workload_trace(workload, WS_SIZE_TINY, 1, &options, "t.wst", instructions, error);
}

/* The folder holds the trace, or nothing. Empties it. */
static void assert_trace(bool there)
{
    size_t files = 0;
    DIR *const folder = opendir(".");
    assert_non_null(folder);
    for (const struct dirent *file = readdir(folder); file; file = readdir(folder))
        files += file->d_name[0] != '.';
    closedir(folder);
    assert_int_equal(files, there);
    assert_int_equal(unlink("t.wst"), there ? 0 : -1);
}

TEST(a_trace_may_be_interrupted_at_any_time)
{
    struct ws_error error;
    u64 instructions = 0;
    const struct ws_workload *const workload = ws_workload_find("bfs");
    asked_most = UINT32_MAX;
    assert_int_equal(trace(workload, &instructions, &error), WS_STATUS_ok);
    assert_true(instructions > 0);
    const unsigned times = asked;
    assert_true(times > 0);
    assert_trace(true);
    for (asked_most = 0; asked_most < times; asked_most += 1 + times / 10) {
        assert_int_equal(trace(workload, &instructions, &error), WS_STATUS_interrupted);
        assert_int_equal(asked, asked_most + 1);
        assert_string_equal(error.message, "t.wst: interrupted, nothing is written");
        assert_trace(false);
    }
}

static enum ws_status find_it_wrong(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    assert_non_null(launch->arguments);
    assert_int_equal(size, WS_SIZE_TINY);
    assert_int_equal(seed, 1);
    assert_int_equal(access("t.wst", F_OK), -1);
    return ws_fail(error, WS_STATUS_mismatch, "wrong");
}

TEST(a_wrong_result_leaves_no_trace)
{
    u64 instructions;
    struct ws_workload workload = *ws_workload_find("reduction");
    workload.check = find_it_wrong;
    asked_most = UINT32_MAX;
    EXPECT_ERROR(trace(&workload, &instructions, &error), WS_STATUS_mismatch, "wrong");
    assert_trace(false);
}

TESTS(files_enter, files_leave)
