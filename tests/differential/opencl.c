/* OpenCL on a CPU device, lane form loop, against the oracle on every counter and all times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "differential/judge.h"

enum { FIRST_SEED = 1, CASES = 2000 };

/* Without an OpenCL CPU device there is nothing to judge; where everything must be judged, that is a failure. */
static void lane_form_loop_equals_oracle(void **state)
{
    (void)state;
    const struct ws_engine_options options = {.engine = "opencl", .device = "cpu", .lane_form = "loop", .times = true};
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &whole_size);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lane_form_loop_equals_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
