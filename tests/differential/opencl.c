/* OpenCL on a device against the oracle on every counter and all times: a CPU device in lane form loop, or the one given by
 * WS_DEVICE and WS_LANE_FORM. A CPU device is judged on the variants of variant_cover: PoCL takes seconds to compile each, and they
 * cover every choice. A named device is judged on all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "engine/jobs/predecode.h"
#include "test.h"
#include "unit/kit/variant_cover.h"

enum { FIRST_SEED = 1, CASES = 1600 };

static bool judge(const struct ws_engine_options *options, bool (*judges)(const struct ws_machine *machine), struct ws_error *error)
{
    struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &whole_size);
    struct ws_engine *engine;
    if (ws_engine_open(options, &engine, error) != WS_STATUS_ok)
        return false;
    cases.judges = judges;
    assert_int_equal(judge_engine(engine, &cases), 0);
    ws_engine_close(engine);
    return true;
}

static bool lowers(const struct ws_machine *machine)
{
    struct ws_predecoding lowering;
    return ws_predecoding_of(machine, &lowering);
}

/* Without an OpenCL CPU device nothing is judged; that is a failure if a full run is required, or a device was named. */
TEST(opencl_equals_oracle)
{
    const char *const device = getenv("WS_DEVICE"), *const form = getenv("WS_LANE_FORM");
    struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = device ? device : "cpu",
                                        .lane_form = form ? form : "loop", .times = true};
    struct ws_error error;
    const char *ci = getenv("CI");
    if (!judge(&options, device ? NULL : is_in_variant_cover, &error)) {
        fprintf(stderr, "SKIPPED, no OpenCL device to judge: %s\n", error.message);
        if (device || (ci && strcmp(ci, "true") == 0))
            fail_msg("%s", error.message);
        skip();
    }
    options.predecoding = WS_PREDECODE_ALWAYS;
    assert_true(judge(&options, device ? lowers : is_replayed_in_variant_cover, &error));
}
