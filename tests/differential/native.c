/* The native engine against the oracle on every counter and all times, and against itself with other quanta. */
#include "differential/judge/judge.h"
#include "engine/jobs/predecode.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 1600, SLICE_CASES = 200, SUB_CORE_CASES = 250 };

static void judge(u32 quantum, u64 first, u32 count, const struct wanted *wanted)
{
    struct judged_cases cases = judged_cases(first, count, &whole_size);
    cases.wanted = wanted;
    struct ws_engine *engine = engine_or_fail(
        &(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native", .quantum = quantum, .times = true});
    assert_int_equal(judge_engine(engine, &cases), 0);
    ws_engine_close(engine);
}

TEST(native_equals_oracle)
{
    judge(0, FIRST_SEED, CASES, NULL);
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
    judge(1000, FIRST_SEED, SLICE_CASES, NULL);
}

TEST(slices_of_1777_cycles_change_nothing)
{
    judge(1777, FIRST_SEED, SLICE_CASES, NULL);
}

/* One random machine in five has sub-cores, which have more rules than any other pipeline. */
TEST(sub_cores_equal_oracle)
{
    static const struct wanted sub_cores = {
        .pipeline = WS_pipeline_subcore, .divergence = WS_divergence_pdom, .policy = ANY_POLICY};
    judge(0, CASES + 1, SUB_CORE_CASES, &sub_cores);
    judge(1000, CASES + 1, SUB_CORE_CASES, &sub_cores);
}
