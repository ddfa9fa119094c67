/* The native engine against the oracle on every counter and all times, and against itself with other quanta. */
#include "differential/judge/judge.h"
#include "engine/jobs/predecode.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 1600, SLICE_CASES = 200 };

static void judge(u32 quantum, u32 count)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, count, &whole_size);
    struct ws_engine *engine = engine_or_fail(
        &(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native", .quantum = quantum, .times = true});
    assert_int_equal(judge_engine(engine, &cases), 0);
    ws_engine_close(engine);
}

TEST(native_equals_oracle)
{
    judge(0, CASES);
}

static bool lowers(const struct ws_machine *machine)
{
    struct ws_predecoding lowering;
    return ws_predecoding_of(machine, &lowering);
}

/* Pre-decoded traces, in quanta, too. */
TEST(packets_made_before_change_nothing)
{
    static const u32 slices[] = {0, 1000};
    for (size_t n = 0; n < sizeof slices / sizeof *slices; n++) {
        struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &whole_size);
        cases.judges = lowers;
        struct ws_engine *engine =
            engine_or_fail(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native", .quantum = slices[n],
                                                       .times = true, .predecoding = WS_PREDECODE_ALWAYS});
        assert_int_equal(judge_engine(engine, &cases), 0);
        ws_engine_close(engine);
    }
}

TEST(slices_of_1000_cycles_change_nothing)
{
    judge(1000, SLICE_CASES);
}

TEST(slices_of_1777_cycles_change_nothing)
{
    judge(1777, SLICE_CASES);
}
