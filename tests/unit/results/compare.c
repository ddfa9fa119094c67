/* Comparisons of two results files: matching, order of the report, and stated reasons. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/file.h"
#include "base/text.h"
#include "test.h"
#include "unit/results/fakes.h"
#include "warpsweep/results.h"

static char file_b[100];

/* ---- The two files ---- */

/* A: a sweep of points p0, p1, ... over traces a, b, ...; B: a copy of it, then changed by a script. */
static void make_files(struct ws_experiment *experiment, enum ws_status expected, const char *change)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results};
    struct ws_sweep_summary summary;
    struct ws_error error;
    sqlite3 *database;
    char *data;
    size_t length;
    assert_int_equal(ws_sweep(experiment, &options, &summary, &error), expected);
    snprintf(file_b, sizeof file_b, "%s/b.db", fake_folder);
    assert_int_equal(ws_file_read(fake_results, 1 << 24, &data, &length, &error), WS_STATUS_ok);
    assert_int_equal(ws_file_write(file_b, data, length, &error), WS_STATUS_ok);
    free(data);
    assert_int_equal(sqlite3_open(file_b, &database), SQLITE_OK);
    if (sqlite3_exec(database, change, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", change, sqlite3_errmsg(database));
    sqlite3_close(database);
}

#define JOB(machine, trace_, shard_)                                                                                               \
    "trace_id = (SELECT trace_id FROM experiment_trace WHERE trace = '" trace_ "') AND shard = " shard_                            \
    " AND machine_id = (SELECT machine_id FROM point WHERE point = '" machine "')"

/* ---- Report, one line each ---- */

static void add_note(void *context, const struct ws_compare_note *note)
{
    ws_text_add(context, "note %s, %s '%s': %s, %s, %zu\n", note->experiment, note->kind, note->name, note->a, note->b,
                note->count);
}

static void add_point(void *context, const struct ws_compare_point *point)
{
    ws_text_add(context, "point %s, %s, %s: %zu of %zu, %.6f\n", point->experiment, point->point, point->metric, point->changed,
                point->kernels, point->ratio);
}

static void add_change(void *context, const struct ws_compare_change *change)
{
    ws_text_add(context, "change %s, %s, %s/%zu, %s: %.6g, %.6g%s, %.6f\n", change->experiment, change->point, change->trace,
                change->shards, change->metric, change->a, change->b, change->whole ? " whole" : "", change->difference);
}

static void add_other(void *context, const struct ws_compare_other *other)
{
    ws_text_add(context, "other %s, %s, %s/%zu: %s, %s\n", other->experiment, other->point, other->trace, other->shards,
                other->a ? other->a : "none", other->b ? other->b : "none");
}

static enum ws_status compare(const struct ws_compare_options *options, struct ws_text *report, struct ws_error *error)
{
    const struct ws_compare_sink sink = {WS_STRUCT(compare_sink), .note = add_note,   .point = add_point,
                                         .change = add_change,    .other = add_other, .context = report};
    struct ws_compare_summary summary;
    const enum ws_status status = ws_results_compare(fake_results, file_b, options, &sink, &summary, error);
    ws_text_add(report, "%zu %zu %zu %zu %zu\n", summary.same, summary.changed, summary.failed, summary.only_a, summary.only_b);
    return status;
}

/* The last line is the summary: same, changed, failed, only in A, only in B. */
static void assert_compares(const struct ws_compare_options *options, const char *expected)
{
    struct ws_text report = {0};
    EXPECT_OK(compare(options, &report, &error));
    assert_string_equal(report.data, expected);
    ws_text_free(&report);
}

/* ---- Tests ---- */

TEST_WITH(alike_files_have_nothing_to_report, fake_set_up, fake_tear_down)
{
    make_files(fake_experiment(3, 2, 2), WS_STATUS_ok, "UPDATE job SET run_seconds = 9, run_device = 'another'");
    assert_compares(NULL, "6 0 0 0 0\n");
    assert_compares(&(struct ws_compare_options){WS_STRUCT(compare_options), .metrics = (const char *[]){"all"}, .metric_count = 1},
                    "6 0 0 0 0\n");
}

/* Kernels of two shards: the slowest shard (1807 cycles for p0 on a, 1907 for p1) becomes slower; 40194 thread instructions. */
TEST_WITH(changes_come_with_the_largest_first, fake_set_up, fake_tear_down)
{
    make_files(
        fake_experiment(2, 2, 2), WS_STATUS_ok,
        "UPDATE job SET cycles = 2000 WHERE " JOB("p0", "a", "1") "; UPDATE job SET cycles = 4000 WHERE " JOB("p1", "a", "0"));
    assert_compares(NULL, "point made-up, p0, cycles: 1 of 2, 1.052049\n"
                          "point made-up, p0, ipc: 1 of 2, 0.950526\n"
                          "point made-up, p1, cycles: 1 of 2, 1.448287\n"
                          "point made-up, p1, ipc: 1 of 2, 0.690471\n"
                          "change made-up, p1, a/2, cycles: 1907, 4000 whole, 1.097535\n"
                          "change made-up, p1, a/2, ipc: 21.0771, 10.0485, -0.523250\n"
                          "change made-up, p0, a/2, cycles: 1807, 2000 whole, 0.106807\n"
                          "change made-up, p0, a/2, ipc: 22.2435, 20.097, -0.096500\n"
                          "2 2 0 0 0\n");
}

TEST_WITH(a_tolerance_includes_its_bound, fake_set_up, fake_tear_down)
{
    const char *const cycles[] = {"cycles"};
    struct ws_compare_options options = {WS_STRUCT(compare_options), .metrics = cycles, .metric_count = 1, .tolerance = 0.25};
    make_files(fake_experiment(1, 1, 1), WS_STATUS_ok, "UPDATE job SET cycles = 1797 + 449");
    assert_compares(&options, "1 0 0 0 0\n");
    options.tolerance = 448.9 / 1797;
    assert_compares(&options, "point made-up, p0, cycles: 1 of 1, 1.249861\n"
                              "change made-up, p0, a/1, cycles: 1797, 2246 whole, 0.249861\n"
                              "0 1 0 0 0\n");
    options.tolerance = 449.0 / 1797;
    assert_compares(&options, "1 0 0 0 0\n");
}

/* A ratio without a denominator is NULL: equal to NULL, different from any number. */
TEST_WITH(null_is_like_null_alone, fake_set_up, fake_tear_down)
{
    const char *const metrics[] = {"l1_hit_rate", "cycles", "l1_hits"};
    const struct ws_compare_options options = {WS_STRUCT(compare_options), .metrics = metrics, .metric_count = 3,
                                               .tolerance = 1000};
    make_files(fake_experiment(2, 1, 1), WS_STATUS_ok,
               "UPDATE job SET l1_hits = 3, cycles = cycles + 1 WHERE " JOB("p1", "a", "0"));
    assert_compares(&options, "point made-up, p1, l1_hit_rate: 1 of 1, nan\n"
                              "point made-up, p1, l1_hits: 1 of 1, nan\n"
                              "change made-up, p1, a/1, l1_hit_rate: nan, 1, nan\n"
                              "change made-up, p1, a/1, l1_hits: 0, 3 whole, nan\n"
                              "1 1 0 0 0\n");
}

/* p0: equal; p1: failed equally; p2: failed in B; p3: failed differently; p4: only in A; p5: in neither; p6: only in B. */
TEST_WITH(failed_and_missing_kernels_are_told_apart, fake_set_up, fake_tear_down)
{
    char script[2000];
    sqlite3 *database;
    snprintf(
        script, sizeof script, "%s",
        "UPDATE job SET status = 'deadlock' WHERE " JOB("p2", "a", "1") "; UPDATE job SET status = 'stack_overflow' WHERE " JOB(
            "p3", "a", "1") "; DELETE FROM job WHERE " JOB("p4", "a", "0") "; DELETE FROM job WHERE " JOB("p5", "a", "1"));
    make_files(fake_experiment(7, 1, 2), WS_STATUS_ok, script);
    assert_int_equal(sqlite3_open(fake_results, &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(database,
                     "UPDATE job SET status = 'deadlock' WHERE " JOB(
                         "p1", "a", "0") ";"
                                         "UPDATE job SET status = 'deadlock' WHERE " JOB(
                                             "p3", "a", "0") ";"
                                                             "DELETE FROM job WHERE " JOB(
                                                                 "p5", "a", "0") "; DELETE FROM point WHERE point = 'p6'",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(database);
    assert_int_equal(sqlite3_open(file_b, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "UPDATE job SET status = 'deadlock' WHERE " JOB("p1", "a", "1"), NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(database);
    assert_compares(NULL, "other made-up, p2, a/2: ok, deadlock\n"
                          "other made-up, p3, a/2: deadlock, stack_overflow\n"
                          "other made-up, p4, a/2: ok, none\n"
                          "other made-up, p6, a/2: none, ok\n"
                          "2 0 2 1 1\n");
}

TEST_WITH(reasons_are_named, fake_set_up, fake_tear_down)
{
    make_files(
        fake_experiment(2, 2, 1), WS_STATUS_ok,
        "UPDATE experiment SET model_version = 99; UPDATE job SET model_version = 99; UPDATE trace SET trace_digest = 'T' || "
        "trace_id; UPDATE machine SET machine_digest = 'M' WHERE machine_id = (SELECT machine_id FROM point WHERE point = 'p1')");
    struct ws_text report = {0};
    EXPECT_OK(compare(NULL, &report, &error));
    char *const machine = strstr(report.data, "machine of point 'p1': "), *const model = strstr(report.data, "model version '': ");
    assert_non_null(machine);
    assert_non_null(strstr(machine, ", M, 1\n"));
    assert_non_null(model);
    assert_non_null(strstr(model, ", 99, 1\n"));
    char *const trace = strstr(report.data, "trace 'a': ");
    assert_non_null(trace);
    assert_non_null(strstr(trace, ", T1, 2\n"));
    assert_non_null(strstr(report.data, "4 0 0 0 0\n"));
    ws_text_free(&report);
}

/* Kernels with other shards are different kernels. */
TEST_WITH(shards_are_part_of_a_kernel, fake_set_up, fake_tear_down)
{
    make_files(fake_experiment(1, 1, 1), WS_STATUS_ok, "UPDATE experiment SET shards = 2; UPDATE job SET shards = 2");
    assert_compares(NULL, "note made-up, shards '': 1, 2, 1\n"
                          "other made-up, p0, a/1: ok, none\n"
                          "0 0 0 1 0\n");
}

/* p1, and thus its trace, has its own front end. */
TEST_WITH(points_have_the_traces_of_their_front_end, fake_set_up, fake_tear_down)
{
    const char *const cycles[] = {"cycles"};
    const struct ws_compare_options options = {WS_STRUCT(compare_options), .metrics = cycles, .metric_count = 1};
    make_files(
        fake_experiment(2, 1, 1), WS_STATUS_ok,
        "UPDATE point SET frontend = 'if_convert=0' WHERE point = 'p1'; INSERT INTO trace VALUES (77, 'T', 'k', 's', 1, 1, 1, 1);"
        "INSERT INTO experiment_trace SELECT 77, experiment_id, 0, 'a', 'if_convert=0', 77 FROM experiment;"
        "UPDATE job SET trace_id = 77, cycles = 2000 WHERE " JOB("p1", "a", "0"));
    struct ws_text report = {0};
    EXPECT_OK(compare(&options, &report, &error));
    assert_non_null(strstr(report.data, "note made-up, trace 'a': "));
    assert_non_null(strstr(report.data, "change made-up, p1, a/1, cycles: 1897, 2000 whole, 0.054296\n1 1 0 0 0\n"));
    ws_text_free(&report);
}

TEST_WITH(wrong_questions_are_refused, fake_set_up, fake_tear_down)
{
    static const struct {
        const char *metrics[2];
        size_t count;
        const char *words;
    } cases[] = {
        {{"cycels"}, 1, "view kernel has no column 'cycels' (did you mean 'cycles'?)"},
        {{"point"}, 1, "found 'point', allowed are counters and metrics ('warpsweep list')"},
        {{"shards"}, 1, "found 'shards', allowed are counters and metrics ('warpsweep list')"},
        {{"ipc", "ipc"}, 2, "metric 'ipc' is named twice; remove one"},
        {{"ipc", "all"}, 2, "found metric 'all' beside others, allowed is 'all' alone"},
    };
    struct ws_error error;
    struct ws_text report = {0};
    char expected[300];
    make_files(fake_experiment(1, 1, 1), WS_STATUS_ok, "");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const struct ws_compare_options options = {WS_STRUCT(compare_options), .metrics = cases[n].metrics,
                                                   .metric_count = cases[n].count};
        assert_int_equal(compare(&options, &report, &error), WS_STATUS_usage);
        snprintf(expected, sizeof expected, "%s: %s", fake_results, cases[n].words);
        assert_string_equal(error.message, expected);
    }
    assert_int_equal(remove(file_b), 0);
    assert_int_equal(compare(NULL, &report, &error), WS_STATUS_no_file);
    snprintf(expected, sizeof expected, "%s: cannot be read: No such file or directory", file_b);
    assert_string_equal(error.message, expected);
    assert_int_equal(ws_file_write(file_b, "no database, but long enough to be one", 38, &error), WS_STATUS_ok);
    assert_int_equal(compare(NULL, &report, &error), WS_STATUS_bad_input);
    ws_text_free(&report);
}
