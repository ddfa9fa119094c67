/* OpenCL on a CPU device against the oracle: lane form `loop` on all cases, `group` on a few small ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "differential/judge.h"

enum { FIRST_SEED = 1, CASES = 2000, GROUP_CASES = 12 };

static const struct case_size small_size = {.blocks = 2, .block_threads = 64, .statements = 12, .thread_instructions = 1500};

/* Without an OpenCL CPU device there is nothing to judge; where everything must be judged, that is a failure. */
static void judge(const char *lane_form, u32 count, const struct case_size *size)
{
    const struct ws_engine_options options = {.engine = "opencl", .device = "cpu", .lane_form = lane_form, .times = true};
    const struct judged_cases cases = judged_cases(FIRST_SEED, count, size);
    struct ws_engine *engine;
    struct ws_error error;
    const char *ci = getenv("CI");
    if (ws_engine_open(&options, &engine, &error) != WS_STATUS_ok) {
        fprintf(stderr, "SKIPPED, no OpenCL device to judge: %s\n", error.message);
        if (ci && strcmp(ci, "true") == 0)
            fail_msg("%s", error.message);
        skip();
    }
    assert_int_equal(judge_engine(engine, &cases), 0);
    ws_engine_close(engine);
}

static void lane_form_loop_equals_oracle(void **state)
{
    (void)state;
    judge("loop", CASES, &whole_size);
}

static void lane_form_group_equals_oracle(void **state)
{
    (void)state;
    judge("group", GROUP_CASES, &small_size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lane_form_loop_equals_oracle),
        cmocka_unit_test(lane_form_group_equals_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
