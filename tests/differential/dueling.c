/* SM dueling (docs/model/dispatch.md) on an engine against the oracle: random machines with shards that are random programs of one
 * pipeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "oracle/oracle.h"
#include "test.h"
#include "unit/kit/variant_cover.h"

enum { FIRST_SEED = 1, CASES = 20, COVERING_CASES = 50, SHARDS = 4 };

struct dueling_case {
    struct random_case made[SHARDS];
    const struct ws_image *images[SHARDS];
};

/* The machine comes from the first case; the first program replaces any that does not fit. */
static void make(struct dueling_case *dueling, u64 seed, const struct case_size *size)
{
    struct wanted wanted = {.pipeline = seed % 2 ? WS_pipeline_scoreboard : WS_pipeline_barrel,
                            .divergence = WS_divergence_pdom,
                            .policy = ANY_POLICY,
                            .by_warps = true};
    for (u32 shard = 0; shard < SHARDS; shard++) {
        random_case_make_of(&dueling->made[shard], seed + 1000000 * shard, size, &wanted);
        struct ws_machine *const machine = &dueling->made[0].machine;
        machine->dispatch_spatial = WS_spatial_dueling;
        machine->dispatch_window = 16 + (u32)(seed % 7) * 50;
        struct ws_error error;
        const struct ws_job_spec job = {.machine = machine, .image = dueling->made[shard].image};
        dueling->images[shard] = dueling->made[ws_job_check(&job, &error) == WS_STATUS_ok ? shard : 0].image;
    }
}

static void run(struct ws_engine *engine, const struct dueling_case *made, struct ws_job_result *results)
{
    struct ws_job_spec jobs[SHARDS];
    struct ws_dueling *const dueling = ws_dueling_new();
    for (u32 shard = 0; shard < SHARDS; shard++)
        jobs[shard] = (struct ws_job_spec){
            .machine = &made->made[0].machine, .image = made->images[shard], .shard = shard, .dueling = dueling};
    EXPECT_OK(ws_engine_run(engine, jobs, WS_DUELING_LEADERS, results, NULL, &error));
    EXPECT_OK(
        ws_engine_run(engine, jobs + WS_DUELING_LEADERS, SHARDS - WS_DUELING_LEADERS, results + WS_DUELING_LEADERS, NULL, &error));
    ws_dueling_free(dueling);
}

/* Prints differences; returns the number of differing shards. */
static u32 compare(const struct dueling_case *made, u64 seed, const struct ws_job_result *results)
{
    enum ws_status statuses[SHARDS];
    u64 counters[SHARDS][WS_COUNTERS];
    u32 different = 0;
    oracle_run_dueling(&made->made[0].machine, made->images, SHARDS, statuses, counters);
    for (u32 shard = 0; shard < SHARDS; shard++) {
        bool agrees = results[shard].status == statuses[shard];
        for (u32 n = 0; n < WS_COUNTERS && counters_specified(statuses[shard]); n++) {
            if (results[shard].counters[n] == counters[shard][n])
                continue;
            agrees = false;
            fprintf(stderr, "  %s: found %llu, the oracle has %llu\n", counter_name(n),
                    (unsigned long long)results[shard].counters[n], (unsigned long long)counters[shard][n]);
        }
        if (!agrees)
            fprintf(stderr, "  differs: WS_SEED=%llu, shard %u\n", (unsigned long long)seed, shard);
        different += !agrees;
    }
    return different;
}

static void judge(const struct ws_engine_options *options, bool (*judges)(const struct ws_machine *machine), u32 count)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, count, &whole_size);
    struct ws_engine *const engine = engine_or_fail(options);
    u32 different = 0, judged = 0;
    for (u64 seed = cases.first; seed < cases.first + cases.count; seed++) {
        struct dueling_case made;
        struct ws_job_result results[SHARDS];
        make(&made, seed, &cases.size);
        if (!judges || judges(&made.made[0].machine)) {
            run(engine, &made, results);
            different += compare(&made, seed, results);
            judged++;
            for (u32 shard = 0; shard < SHARDS; shard++)
                ws_job_result_free(&results[shard]);
        }
        for (u32 shard = 0; shard < SHARDS; shard++)
            random_case_free(&made.made[shard]);
    }
    ws_engine_close(engine);
    assert_int_equal(different, 0);
    assert_true(judged > 0);
}

TEST(native_equals_oracle)
{
    judge(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native"}, NULL, CASES);
}

/* Shorter than most windows, and never a divisor of them. */
TEST(slices_change_nothing)
{
    judge(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native", .quantum = 37}, NULL, CASES / 4);
}

/* On the variants of variant_cover: a CPU device takes seconds to compile each. */
TEST(opencl_equals_oracle)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .quantum = 1000,
                                              .trust_device = true};
    struct ws_engine *engine;
    struct ws_error error;
    const char *const ci = getenv("CI");
    if (ws_engine_open(&options, &engine, &error) != WS_STATUS_ok) {
        if (ci && strcmp(ci, "true") == 0)
            fail_msg("%s", error.message);
        skip();
    }
    ws_engine_close(engine);
    judge(&options, is_in_variant_cover, COVERING_CASES);
}
