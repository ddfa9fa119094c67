/* Sweeps that derive results from others: jobs run, and records of the derived ones. Which results are derivable is tested in
 * differential_follows. */
#include <stdlib.h>

#include "base/text.h"
#include "test.h"
#include "unit/results/fakes.h"
#include "warpsweep/results.h"

enum { POINTS = 6, ENOUGH = 48 };

/* Points of one family except the last, unordered; 0 means no limit. */
static struct ws_experiment *experiment(u32 traces)
{
    static const u32 mshrs[POINTS] = {64, 0, 32, ENOUGH, 128, 32};
    struct ws_experiment *const made = fake_experiment(POINTS, traces, 1);
    for (size_t n = 0; n < POINTS; n++) {
        made->points[n].machine.core_depth = n + 1 < POINTS ? 7 : 8;
        made->points[n].machine.l1_mshrs = mshrs[n];
    }
    return made;
}

static bool from_enough(const struct ws_machine *from, const struct ws_machine *to)
{
    return from->core_depth == to->core_depth && from->l1_mshrs >= ENOUGH && (to->l1_mshrs == 0 || to->l1_mshrs > from->l1_mshrs);
}

/* No derived result equals the simulated one. */
static void cycles_by_mshrs(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    (void)trace;
    (void)shard;
    result->counters[WS_COUNT_cycles] = 1000 + machine->l1_mshrs;
}

static enum ws_status add_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    for (size_t n = 0; n < row->count; n++)
        ws_text_add(context, "%s%s", row->values[n] ? row->values[n] : "-", n + 1 < row->count ? " " : "\n");
    return WS_STATUS_ok;
}

static void assert_answer(const char *sql, const char *expected)
{
    struct ws_results *results;
    struct ws_text text = {0};
    EXPECT_OK(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error));
    EXPECT_OK(ws_results_query(results, sql, NULL, add_row, &text, &error));
    EXPECT_OK(ws_results_close(results, &error));
    assert_string_equal(text.data, expected);
    ws_text_free(&text);
}

static void sweep(const struct ws_experiment *swept, bool no_reuse, struct ws_sweep_summary *summary)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results, .size = WS_SIZE_SMALL,
                                             .no_reuse = no_reuse};
    fake_engine.follows = from_enough;
    fake_engine.alter = cycles_by_mshrs;
    EXPECT_OK(ws_sweep(swept, &options, summary, &error));
}

/* Limits run from the tightest on, until one is not reached. */
TEST_WITH(what_follows_is_recorded_and_not_run, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    sweep(experiment(1), false, &summary);
    assert_int_equal(summary.jobs, POINTS);
    assert_int_equal(summary.ran, 3);
    assert_int_equal(summary.reused, 3);
    assert_int_equal(fake_engine.ran, 3);
    assert_answer("SELECT point, l1_mshrs, cycles, run_from, run_seconds > 0 FROM result ORDER BY point",
                  "p0 64 1048 l1.mshrs=48 0\np1 0 1048 l1.mshrs=48 0\np2 32 1032 - 1\np3 48 1048 - 1\n"
                  "p4 128 1048 l1.mshrs=48 0\np5 32 1032 - 1\n");
    sweep(experiment(1), false, &summary);
    assert_int_equal(summary.before, POINTS);
    assert_int_equal(summary.ran + summary.reused, 0);
}

TEST_WITH(each_trace_has_its_own, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    sweep(experiment(3), false, &summary);
    assert_int_equal(summary.ran, 9);
    assert_int_equal(summary.reused, 9);
    assert_answer("SELECT trace, count(run_from) FROM result GROUP BY trace", "a 3\nb 3\nc 3\n");
}

TEST_WITH(without_reuse_all_run, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    sweep(experiment(1), true, &summary);
    assert_int_equal(summary.ran, POINTS);
    assert_int_equal(summary.reused, 0);
    assert_answer("SELECT sum(run_from IS NOT NULL), sum(cycles - 1000 = l1_mshrs) FROM result", "0 6\n");
}

TEST_WITH(nothing_follows_from_a_failure, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results, .size = WS_SIZE_SMALL};
    fake_engine.follows = from_enough;
    fake_engine.ending_trace = "a";
    fake_engine.ending = WS_STATUS_deadlock;
    assert_int_equal(ws_sweep(experiment(1), &options, &summary, NULL), WS_STATUS_failed);
    assert_int_equal(summary.ran, POINTS);
    assert_int_equal(summary.reused, 0);
}

/* Jobs that fail on an engine run on the next one, and their results are derived from there. */
TEST_WITH(the_next_engine_goes_on, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    struct ws_experiment *const made = experiment(1);
    fake_engine.large_warps = WS_STATUS_compiler;
    for (size_t n = 0; n < POINTS; n++)
        made->points[n].machine.divergence_unit = WS_divergence_lwm;
    sweep(made, false, &summary);
    assert_int_equal(summary.ran, 3);
    assert_int_equal(summary.reused, 3);
    assert_answer("SELECT count(*), count(run_from) FROM result WHERE status = 'ok' AND run_engine = 'native'", "6 3\n");
}

TEST_WITH(followers_have_times, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    struct ws_experiment *const made = experiment(1);
    made->times = true;
    sweep(made, false, &summary);
    assert_int_equal(summary.reused, 3);
    assert_answer("SELECT count(DISTINCT point), count(*) FROM block", "6 12\n");
}
