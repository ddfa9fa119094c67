/* Searches over invented traces: values, limits, the front, resuming, ask and tell. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "unit/results/ask.h"
#include "unit/results/fakes.h"
#include "warpsweep/search.h"

enum { DEPTHS = 10 };

/* The best fetch group is 1 at every depth: the front of few cycles and a deep pipeline has that point of each depth. */
static struct ws_space *deep_and_fast(void)
{
    static const char *const traces[] = {"a,b"}, *const axes[] = {"core.depth=1..10", "schedule.fetch_group=1..32x2"},
                             *const settings[] = {"schedule.policy=two_level"},
                             *const objectives[] = {"minimize sum(cycles)", "maximize core.depth"};
    const struct ws_space_line line = {.experiment = {.name = "s",
                                                      .machine = "narasiman2011",
                                                      .traces = traces,
                                                      .trace_count = 1,
                                                      .settings = settings,
                                                      .setting_count = 1,
                                                      .axes = axes,
                                                      .axis_count = 2},
                                       .objectives = objectives,
                                       .objective_count = 2};
    struct ws_space *space;
    EXPECT_OK(ws_space_read_line(&line, &space, &error));
    space->simulations = 1000;
    space->generation = 7;
    free(space->method.name);
    space->method.name = strdup("random");
    return space;
}

static void add_limit(struct ws_space *space, const char *text)
{
    space->limits = realloc(space->limits, (space->limit_count + 1) * sizeof *space->limits);
    space->limits[space->limit_count++] = (struct ws_space_text){strdup(text), strdup("limit: ")};
}

static void set_objective(struct ws_space *space, u32 n, const char *text)
{
    free(space->objectives[n].expression.text);
    space->objectives[n].expression.text = strdup(text);
}

static struct ws_search_options to(const char *results)
{
    return (struct ws_search_options){WS_STRUCT(search_options), .results = results};
}

static struct ws_search_summary search(struct ws_space *space, const char *results)
{
    const struct ws_search_options options = to(results);
    struct ws_search_summary summary;
    EXPECT_OK(ws_search(space, &options, &summary, &error));
    return summary;
}

TEST_WITH(a_whole_space_has_the_true_front, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const struct ws_search_summary summary = search(space, fake_results);
    assert_string_equal(summary.ended, "exhausted");
    assert_int_equal(summary.points, 60);
    assert_int_equal(summary.simulations, 120);
    assert_int_equal(fake_engine.ran, 120);
    assert_int_equal(summary.front, DEPTHS);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM front WHERE objective = 'core.depth' AND point LIKE "
                                              "'%schedule.fetch_group=1'"),
                     DEPTHS);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM candidate WHERE on_front = 2"), 1);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM kernel WHERE experiment = 's'"), 120);
    ws_space_free(space);
}

TEST_WITH(objectives_have_the_values_of_their_expressions, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    struct ws_machine machine = space->machine;
    space->weights[1] = 3;
    set_objective(space, 0, "geometric_mean(cycles) + 2 * (mean(cycles) - harmonic_mean(cycles)) / core.depth");
    set_objective(space, 1, "max(cycles) - min(cycles) - -sum(cycles) / baseline(sum(cycles))");
    space->simulations = 2; /* the baseline: depth 7, groups of 8 */
    assert_string_equal(search(space, fake_results).ended, "budget");
    machine.core_depth = 7;
    const double a = (double)(fake_cycles(&machine, "a", 0)), b = (double)(fake_cycles(&machine, "b", 0));
    const double mean = (a + 3 * b) / 4, harmonic = 4 / (1 / a + 3 / b), geometric = exp((log(a) + 3 * log(b)) / 4);
    char wanted[2][80];
    snprintf(wanted[0], sizeof wanted[0], "%.6f|\n", geometric + 2 * (mean - harmonic) / 7);
    snprintf(wanted[1], sizeof wanted[1], "%.6f|\n", b - a + 1);
    assert_answers(fake_results, NULL, "SELECT format('%.6f', value) FROM candidate_value WHERE objective_position = 0", wanted[0]);
    assert_answers(fake_results, NULL, "SELECT format('%.6f', value) FROM candidate_value WHERE objective_position = 1", wanted[1]);
    ws_space_free(space);
}

TEST_WITH(points_beyond_a_limit_are_not_on_the_front, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    add_limit(space, "sum(cycles) <= baseline(sum(cycles))");
    add_limit(space, "core.depth >= 3");
    const struct ws_search_summary summary = search(space, fake_results);
    assert_true(summary.over > 0);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM candidate WHERE (status = 'over') <> (excess > 0)"), 0);
    /* depth 1 with groups of 1: two thirds below the second limit, within the first one */
    assert_answers(fake_results, NULL,
                   "SELECT status, round(excess, 6) FROM candidate WHERE point = 'core.depth=1 schedule.fetch_group=1'",
                   "over|0.666667|\n");
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM front WHERE point LIKE 'core.depth=1 %' OR point LIKE "
                                              "'core.depth=10 %'"),
                     0);
    ws_space_free(space);
}

/* ---- Resuming ---- */

static const char all_rows[] =
    "SELECT ordinal, generation, fidelity, choice, origin, status, excess, on_front, objective, value FROM "
    "candidate_value ORDER BY ordinal, objective_position";

static unsigned calls_left;

static bool die(void *context, const struct ws_sweep_progress *progress)
{
    (void)context;
    (void)progress;
    if (calls_left-- == 0)
        raise(SIGKILL);
    return true;
}

/* A process that is killed at the n-th report of progress; whether it ended by itself. */
static bool search_until_killed(struct ws_space *space, const char *results, unsigned n)
{
    const pid_t child = fork();
    if (child == 0) {
        struct ws_search_options options = to(results);
        struct ws_search_summary summary;
        options.watch.progress = die;
        calls_left = n;
        _exit(ws_search(space, &options, &summary, NULL) != WS_STATUS_ok);
    }
    return end_of(child) == 0;
}

TEST_WITH(a_killed_search_ends_as_one_in_peace, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    char killed[100];
    unsigned kills = 0;
    snprintf(killed, sizeof killed, "%s/killed.db", fake_folder);
    space->simulations = 80;
    search(space, fake_results);
    for (unsigned n = 1; !search_until_killed(space, killed, n % 23); n++)
        assert_true(++kills < 200);
    assert_true(kills > 2);
    char *const rows = ask(fake_results, NULL, all_rows);
    assert_answers(killed, NULL, all_rows, rows);
    free(rows);
    ws_space_free(space);
}

TEST_WITH(a_larger_budget_continues, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    space->simulations = 30;
    assert_int_equal(search(space, fake_results).points, 15);
    assert_int_equal(fake_engine.ran, 30);
    space->simulations = 60;
    assert_int_equal(search(space, fake_results).points, 30);
    assert_int_equal(fake_engine.ran, 60);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM search"), 1);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM run"), 1);
    ws_space_free(space);
}

TEST_WITH(a_changed_definition_is_a_new_run, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    space->simulations = 30;
    search(space, fake_results);
    space->seed = 2;
    search(space, fake_results);
    assert_int_equal(ask_number(fake_results, "SELECT max(run) FROM search"), 2);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM candidate"), 15);
    assert_int_equal(ask_number(fake_results, "SELECT count(DISTINCT experiment) FROM all_kernel"), 2);
    ws_space_free(space);
}

TEST_WITH(fidelities_are_experiments_of_their_own, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    struct ws_search_summary summary;
    const struct ws_search_options options = to(fake_results);
    space->fidelity_count = 2;
    space->fidelity[0] = (struct ws_fidelity){.size = WS_SIZE_TINY};
    space->fidelity[1] = (struct ws_fidelity){.size = WS_SIZE_SMALL};
    EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_bad_input,
                     "a has one size; fidelities of several sizes need");
    ws_space_free(space);
}

/* ---- Failures ---- */

TEST_WITH(a_failed_point_is_no_end, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    add_limit(space, "sum(cycles) / (core.depth - 3) <= 1000000"); /* no value at depth 3 */
    const struct ws_search_summary summary = search(space, fake_results);
    assert_int_equal(summary.failed, 6);
    assert_int_equal(
        ask_number(fake_results, "SELECT count(*) FROM candidate WHERE status = 'failed' AND point LIKE 'core.depth=3 %'"), 6);
    ws_space_free(space);
}

TEST_WITH(a_baseline_without_a_value_is_an_error, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const struct ws_search_options options = to(fake_results);
    struct ws_search_summary summary;
    set_objective(space, 0, "sum(cycles) / (core.depth - 7)");
    EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_bad_input, "the baseline has no value");
    ws_space_free(space);
}

TEST_WITH(a_baseline_that_fails_is_an_error, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const struct ws_search_options options = to(fake_results);
    struct ws_search_summary summary;
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "b";
    EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_failed, "the baseline failed: ");
    ws_space_free(space);
}

TEST_WITH(jobs_that_may_not_fail_again_stop_the_search, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const struct ws_search_options options = to(fake_results);
    struct ws_search_summary summary;
    fake_engine.ending = WS_STATUS_no_memory;
    fake_engine.ending_trace = "b";
    EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_failed, "jobs failed for what may not recur");
    fake_engine.ending = WS_STATUS_ok;
    assert_string_equal(search(space, fake_results).ended, "exhausted");
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM candidate WHERE status = 'ok'"), 60);
    ws_space_free(space);
}

TEST_WITH(a_missing_trace_leaves_no_file, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const struct ws_search_options options = to(fake_results);
    struct ws_search_summary summary;
    free(space->experiment->traces[1]);
    space->experiment->traces[1] = strdup("missing");
    EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_no_file, "missing");
    assert_int_not_equal(access(fake_results, F_OK), 0);
    ws_space_free(space);
}

TEST_WITH(wrong_expressions_are_refused, fake_set_up, fake_tear_down)
{
    static const struct {
        const char *text, *part;
    } refused[] = {
        {"ipc", "a metric or counter differs between workloads"},
        {"geometric_mean(ipcc)", "at character 16: found 'ipcc' (did you mean 'ipc'?)"},
        {"geometric_mean(ipc", "a bracket is not closed"},
        {"geometric_mean ipc", "an opening bracket is missing"},
        {"mean(max(ipc))", "a function over workloads inside another one"},
        {"sum(cycles) +", "ends early"},
        {"sum(cycles) sum(cycles)", "allowed is an operator"},
        {"schedule.policy", "this parameter is a choice without a number"},
        {"baseline(baseline(sum(cycles)))", "baseline() goes outside"},
        {"sum(baseline(core.depth))", "baseline() goes outside"},
        {"12K", "allowed is a decimal number without a suffix"},
        {"0x10", "at character 1: allowed is a decimal number"},
        {"0x1p3", "allowed is a decimal number"},
        {"1.5.2", "allowed is a decimal number"},
        {"1e400 * sum(cycles)", "the number is too large"},
        {"sum(active_lanes_33)", "found 'active_lanes_33'"},
        {"sum(active_lanes_032)", "found 'active_lanes_032'"},
        {"sum(active_lanes)", "found 'active_lanes'"},
    };
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        struct ws_space *const space = deep_and_fast();
        const struct ws_search_options options = to(fake_results);
        struct ws_search_summary summary;
        set_objective(space, 0, refused[n].text);
        EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_bad_input, refused[n].part);
        EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_bad_input, "--minimize: ");
        set_objective(space, 0, "sum(cycles)");
        add_limit(space, "core.depth < 3");
        EXPECT_ERROR_HAS(ws_search(space, &options, &summary, &error), WS_STATUS_bad_input, "a limit is EXPRESSION >= EXPRESSION");
        ws_space_free(space);
    }
}

/* SQLite takes "--" for a comment. */
TEST_WITH(signs_and_fractions_are_as_written, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    set_objective(space, 0, "core.depth * - -.5");
    add_limit(space, "- -core.depth >= --4.5e0 - -.5");
    search(space, fake_results);
    assert_int_equal(ask_number(fake_results, "SELECT 2 * min(value) FROM candidate_value WHERE objective_position = 0"), 1);
    assert_int_equal(
        ask_number(fake_results,
                   "SELECT count(*) FROM candidate_value WHERE objective_position = 0 AND (status = 'over') <> (value < 2.5)"),
        0);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM candidate WHERE status = 'over'"), 24);
    ws_space_free(space);
}

/* ---- Ask and tell ---- */

struct taken {
    u32 count, ids[64];
    u32 choice[64][2];
    double cycles[64];
    bool simulated;
};

static enum ws_status take(void *context, const struct ws_search_point *point, struct ws_error *error)
{
    struct taken *const taken = context;
    (void)error;
    assert_in_range(taken->count, 0, 63);
    taken->simulated = point->objectives != NULL;
    taken->cycles[taken->count] = point->objectives ? point->objectives[0] : 0;
    memcpy(taken->choice[taken->count], point->choice, sizeof taken->choice[0]);
    taken->ids[taken->count++] = point->id;
    return WS_STATUS_ok;
}

static struct taken ask_points(struct ws_space *space, u32 count)
{
    const struct ws_search_options options = to(fake_results);
    struct taken taken = {0};
    EXPECT_OK(ws_search_ask(space, &options, count, take, &taken, &error));
    return taken;
}

static struct taken tell_points(struct ws_space *space, const struct ws_search_told *told, u32 count)
{
    const struct ws_search_options options = to(fake_results);
    struct ws_search_summary summary;
    struct taken taken = {0};
    EXPECT_OK(ws_search_tell(space, &options, told, count, &summary, take, &taken, &error));
    return taken;
}

TEST_WITH(asked_points_stay_until_told, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const struct taken first = ask_points(space, 5), again = ask_points(space, 5);
    assert_int_equal(first.count, 5);
    assert_false(first.simulated);
    assert_memory_equal(first.ids, again.ids, sizeof first.ids);
    const struct ws_search_told told[] = {{.by_id = true, .id = first.ids[3]}, {.by_id = true, .id = first.ids[1]}};
    const struct taken answer = tell_points(space, told, 2);
    assert_int_equal(answer.count, 2);
    assert_true(answer.simulated);
    assert_int_equal(answer.ids[0], first.ids[3]);
    const struct taken rest = ask_points(space, 9);
    assert_int_equal(rest.count, 3);
    assert_int_equal(rest.ids[0], first.ids[0]);
    assert_int_equal(rest.ids[1], first.ids[2]);
    ws_space_free(space);
}

TEST_WITH(told_points_are_simulated_once, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    struct ws_machine machine = space->machine;
    const u32 choice[] = {4, 0};
    const struct ws_search_told told[] = {{.choice = choice}, {.choice = choice}};
    const struct taken answer = tell_points(space, told, 2);
    assert_int_equal(answer.count, 2);
    assert_int_equal(answer.ids[0], answer.ids[1]);
    machine.core_depth = 5;
    machine.schedule_fetch_group = 1;
    assert_true(fabs(answer.cycles[0] - (double)(fake_cycles(&machine, "a", 0) + fake_cycles(&machine, "b", 0))) < 1e-6);
    const unsigned ran = fake_engine.ran;
    tell_points(space, told, 1);
    assert_int_equal(fake_engine.ran, ran);
    assert_answers(fake_results, NULL, "SELECT origin, status FROM candidate ORDER BY ordinal", "baseline|ok|\ntell|ok|\n");
    ws_space_free(space);
}

TEST_WITH(a_search_continues_from_told_points, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const u32 choice[] = {4, 0};
    tell_points(space, &(struct ws_search_told){.choice = choice}, 1);
    ask_points(space, 3);
    const struct ws_search_summary summary = search(space, fake_results);
    assert_int_equal(summary.points, 60);
    assert_int_equal(summary.front, DEPTHS);
    ws_space_free(space);
}

TEST_WITH(an_unknown_id_is_refused, fake_set_up, fake_tear_down)
{
    struct ws_space *const space = deep_and_fast();
    const struct ws_search_options options = to(fake_results);
    struct ws_search_summary summary;
    const struct ws_search_told told = {.by_id = true, .id = 9};
    EXPECT_ERROR_HAS(ws_search_tell(space, &options, &told, 1, &summary, take, NULL, &error), WS_STATUS_usage,
                     "found id 9, which the search s does not have; it has 1 points");
    ws_space_free(space);
}
