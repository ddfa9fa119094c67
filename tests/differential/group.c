/* Lane form group as OpenCL C against the oracle, on a few tiny cases of each variant. races.sh runs it on a device that detects
 * data races. */
#include <stdio.h>

#include "differential/judge/judge.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 12 };

static const struct case_size tiny_size = {.blocks = 2, .block_threads = 64, .statements = 8, .thread_instructions = 300};

TEST(lane_form_group_equals_oracle)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .lane_form = "group", .times = true,
                                              .trust_device = true};
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &tiny_size);
    struct ws_engine *engine = engine_or_fail(&options);
    fprintf(stderr, "on %s\n", ws_engine_device(engine));
    assert_int_equal(judge_engine(engine, &cases), 0);
    ws_engine_close(engine);
}
