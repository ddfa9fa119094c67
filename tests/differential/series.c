/* Counters over time: at each multiple of an interval, counters and gauges of an engine equal those of the oracle at the start of
 * that cycle, and the quanta add up to the job's counters. The engine's own quanta, timelines and pre-decoded traces change
 * nothing. */
#include <stdlib.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "oracle/allocate.h"
#include "oracle/oracle.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 100, TIMELINE_CASES = 40, LEAST_INTERVAL = 50, MOST_INTERVAL = 1000 };

/* A job as its quanta tell it. */
struct told {
    u32 interval;
    u64 end; /* of the last quantum */
    u64 counters[WS_COUNTERS];
    u32 gauges[WS_GAUGES];
    struct oracle_moment *moments; /* after each interval; the first is missing */
    size_t moment_count;
    bool gap; /* a quantum did not begin where the last one ended, or crossed an interval */
};

static void hear_gauges(void *context, size_t job, const u32 *gauges)
{
    memcpy(((struct told *)context + job)->gauges, gauges, WS_GAUGES * sizeof *gauges);
}

static void hear_quantum(void *context, size_t job, u64 from, const u64 *counters)
{
    struct told *const told = (struct told *)context + job;
    told->gap = told->gap || from != told->end;
    ws_counters_add(told->counters, counters);
    told->end = from + counters[WS_COUNT_cycles];
    if (counters[WS_COUNT_cycles] == 0)
        return;
    told->gap = told->gap || (told->end - 1) / told->interval != from / told->interval;
    if (told->end % told->interval != 0)
        return;
    told->moments = oracle_grow(told->moments, told->moment_count, sizeof *told->moments);
    struct oracle_moment *const moment = &told->moments[told->moment_count++];
    memcpy(moment->counters, told->counters, sizeof moment->counters);
    memcpy(moment->gauges, told->gauges, sizeof moment->gauges);
}

static void hear_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    (void)context;
    (void)job;
    (void)event;
}

/* Counters that may be ahead of the cycle in which an interval ends (docs/results.md). */
static const u32 of_memory[] = {WS_COUNT_dram_reads, WS_COUNT_dram_writes,   WS_COUNT_dram_bytes,      WS_COUNT_dram_busy,
                                WS_COUNT_row_hits,   WS_COUNT_row_conflicts, WS_COUNT_l2_hits,         WS_COUNT_l2_misses,
                                WS_COUNT_l2_merges,  WS_COUNT_l2_store_hits, WS_COUNT_l2_store_misses, WS_COUNT_l2_writebacks};

/* Below the SM the cycle after the interval may have been simulated; entries are popped when an instruction issues. */
static u64 most_of(u32 counter, const struct oracle_moment *expected, const u64 *final)
{
    for (size_t n = 0; n < sizeof of_memory / sizeof *of_memory; n++)
        if (of_memory[n] == counter)
            return expected->later[counter];
    return counter == WS_COUNT_stack_pops ? final[counter] : expected->counters[counter];
}

static void expect_moment(u64 seed, u64 cycle, const struct oracle_moment *expected, const struct oracle_moment *found,
                          const u64 *final)
{
    size_t count;
    const struct ws_gauge *const gauges = ws_gauge_list(&count);
    for (u32 i = 0; i < WS_COUNTERS; i++)
        if (found->counters[i] < expected->counters[i] || found->counters[i] > most_of(i, expected, final))
            fail_msg("seed %llu, cycle %llu: %s is %llu by the oracle, %llu by the engine", (unsigned long long)seed,
                     (unsigned long long)cycle, counter_name(i), (unsigned long long)expected->counters[i],
                     (unsigned long long)found->counters[i]);
    for (u32 i = 0; i < WS_GAUGES; i++)
        if (expected->gauges[i] != found->gauges[i])
            fail_msg("seed %llu, cycle %llu: %s is %u by the oracle, %u by the engine", (unsigned long long)seed,
                     (unsigned long long)cycle, gauges[i].name, expected->gauges[i], found->gauges[i]);
}

/* Returns the number of moments compared. */
static size_t expect_series(const struct random_case *made, const struct ws_job_result *result, const struct told *told)
{
    struct oracle_log log = {.interval = told->interval};
    u64 counters[WS_COUNTERS];
    const enum ws_status status = oracle_run(&made->machine, made->image, counters, &log);
    assert_int_equal(status, result->status);
    size_t compared = 0;
    if (counters_specified(status)) {
        assert_false(told->gap);
        assert_int_equal(told->end, result->counters[WS_COUNT_cycles]);
        assert_memory_equal(told->counters, result->counters, sizeof told->counters);
        for (size_t n = 1; n < log.moment_count && n <= told->moment_count; n++, compared++)
            expect_moment(made->seed, n * told->interval, &log.moments[n], &told->moments[n - 1], counters);
        assert_int_equal(compared,
                         (result->counters[WS_COUNT_cycles] - (told->moment_count < log.moment_count - 1)) / told->interval);
    }
    oracle_log_free(&log);
    return compared;
}

static void judge(const struct ws_engine_options *options, u32 count, bool events)
{
    struct judged_cases cases = judged_cases(FIRST_SEED, count, &whole_size);
    struct ws_engine *const engine = engine_or_fail(options);
    size_t compared = 0;
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case made;
        random_case_make(&made, cases.first + i, &cases.size);
        const struct ws_job_spec job = {.machine = &made.machine, .image = made.image};
        struct told told = {.interval = LEAST_INTERVAL + (u32)(made.seed * 7919 % MOST_INTERVAL)};
        const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &told,      .event = events ? hear_event : NULL,
                                              .quantum = hear_quantum, .gauges = hear_gauges, .interval = told.interval};
        struct ws_job_result result;
        EXPECT_OK(ws_engine_run(engine, &job, 1, &result, &watch, &error));
        compared += expect_series(&made, &result, &told);
        ws_job_result_free(&result);
        free(told.moments);
        random_case_free(&made);
    }
    assert_true(cases.count < count || compared > 0);
    ws_engine_close(engine);
}

TEST(native_series_equal_oracle)
{
    judge(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native"}, CASES, false);
}

TEST(quanta_and_packets_made_before_change_no_series)
{
    judge(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native", .quantum = 77,
                                      .predecoding = WS_PREDECODE_ALWAYS},
          CASES, false);
}

TEST(timelines_change_no_series)
{
    judge(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native"}, TIMELINE_CASES, true);
}
