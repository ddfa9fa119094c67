/* Merging results files: choice between two jobs, conflicts, and unchanged files after a failed merge. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"
#include "unit/results/fakes.h"
#include "unit/results/run_sql.h"
#include "warpsweep/results.h"

static char a[100], b[100], out[100];

static int set_up(void **state)
{
    const int failed = fake_set_up(state);
    snprintf(a, sizeof a, "%s/a.db", fake_folder);
    snprintf(b, sizeof b, "%s/b.db", fake_folder);
    snprintf(out, sizeof out, "%s/out.db", fake_folder);
    return failed;
}

static enum ws_status sweep(const struct ws_experiment *experiment, const char *file)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = file};
    struct ws_sweep_summary summary;
    return ws_sweep(experiment, &options, &summary, NULL);
}

#define JOB(machine, trace_, shard_)                                                                                               \
    "trace_id = (SELECT trace_id FROM experiment_trace WHERE trace = '" trace_ "') AND shard = " shard_                            \
    " AND machine_id = (SELECT machine_id FROM point WHERE point = '" machine "')"

/* ---- Contents of a file ---- */

static enum ws_status add_values(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    for (size_t n = 0; n < row->count; n++)
        fprintf(context, "%s%s", row->values[n] ? row->values[n] : "NULL", n + 1 < row->count ? " " : "\n");
    return WS_STATUS_ok;
}

/* All rows of an answer; to be freed. */
static char *ask(const char *file, const char *question)
{
    struct ws_results *results;
    char *text;
    size_t length;
    FILE *const stream = open_memstream(&text, &length);
    EXPECT_OK(ws_results_open(file, WS_RESULTS_READ, &results, &error));
    EXPECT_OK(ws_results_query(results, question, NULL, add_values, stream, &error));
    ws_results_close(results, NULL);
    fclose(stream);
    return text;
}

static void assert_says(const char *file, const char *question, const char *expected)
{
    char *const found = ask(file, question);
    assert_string_equal(found, expected);
    free(found);
}

static void assert_files_agree(const char *one, const char *other, const char *question)
{
    char *const expected = ask(one, question);
    assert_true(expected[0] != 0);
    assert_says(other, question, expected);
    free(expected);
}

/* ---- Merging ---- */

static struct ws_merge_counts counts[3];
static size_t kept, jobs;

static enum ws_status merge_two(const char *first, const char *second, struct ws_error *error)
{
    const char *const inputs[] = {first, second};
    return ws_results_merge(out, inputs, second ? 2 : 1, NULL, counts, &kept, &jobs, error);
}

static void assert_merges(const char *first, const char *second)
{
    EXPECT_OK(merge_two(first, second, &error));
}

static void assert_counts(size_t taken_a, size_t dropped_a, size_t taken_b, size_t dropped_b, size_t kept_, size_t jobs_)
{
    assert_int_equal(counts[0].taken, taken_a);
    assert_int_equal(counts[0].dropped, dropped_a);
    assert_int_equal(counts[1].taken, taken_b);
    assert_int_equal(counts[1].dropped, dropped_b);
    assert_int_equal(kept, kept_);
    assert_int_equal(jobs, jobs_);
}

/* Expects a message with A, B and OUT as names of the files. */
static void assert_refused(enum ws_status expected_status, const char *words)
{
    struct ws_error error;
    char expected[900] = "";
    assert_int_equal(merge_two(a, b, &error), expected_status);
    for (const char *c = words; *c; c++) {
        const char *const file = *c == 'A' ? a : *c == 'B' ? b : NULL;
        const size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, file ? "%s" : "%.1s", file ? file : c);
    }
    assert_string_equal(error.message, expected);
}

static bool is_there(const char *file)
{
    return access(file, F_OK) == 0;
}

/* ---- Experiments and their ids ---- */

/* Machines, traces, points and experiments have other ids in both files. */
TEST_WITH(ids_are_those_of_the_new_file, set_up, fake_tear_down)
{
    static const char question[] =
        "SELECT experiment, point, trace, shard, core_depth, cycles, thread_instructions, run_engine FROM "
        "result WHERE experiment = 'made-up' ORDER BY 1, 2, 3, 4";
    struct ws_experiment *experiment = fake_experiment(4, 3, 2);
    assert_int_equal(sweep(experiment, a), WS_STATUS_ok);
    experiment = fake_experiment(6, 3, 2);
    experiment->name = (char[]){"another"};
    experiment->points += 2;
    experiment->point_count = 3;
    for (size_t n = 0; n < experiment->point_count; n++)
        experiment->points[n].baseline = experiment->points[1].label;
    experiment->traces[0] = (char[]){"c"};
    experiment->traces[2] = (char[]){"z"};
    assert_int_equal(sweep(experiment, b), WS_STATUS_ok);
    assert_merges(b, a);
    assert_counts(18, 0, 16, 8, 0, 34); /* points p2 and p3 on b and c are in both */
    assert_files_agree(a, out, question);
    assert_files_agree(b, out,
                       "SELECT experiment, point, trace, shard, core_depth, cycles, thread_instructions, point_position, "
                       "trace_position, baseline FROM result WHERE experiment = 'another' ORDER BY 1, 2, 3, 4");
    assert_says(out, "SELECT experiment, about, count(*) FROM experiment JOIN point USING (experiment_id) GROUP BY experiment",
                "another for tests 3\nmade-up for tests 4\n");
}

/* p1, and thus its trace, has its own front end. */
TEST_WITH(front_ends_keep_their_traces, set_up, fake_tear_down)
{
    assert_int_equal(sweep(fake_experiment(2, 1, 1), a), WS_STATUS_ok);
    run_sql(
        a,
        "UPDATE point SET frontend = 'if_convert=0' WHERE point = 'p1'; INSERT INTO trace VALUES (77, 'T', 'k', 's', 1, 1, 1, 1);"
        "INSERT INTO experiment_trace SELECT 77, experiment_id, 0, 'a', 'if_convert=0', 77 FROM experiment;"
        "UPDATE job SET trace_id = 77 WHERE " JOB("p1", "a", "0"));
    assert_merges(a, NULL);
    assert_merges(a, NULL);
    assert_says(out,
                "SELECT point, trace, frontend, trace_digest = 'T' FROM experiment JOIN point USING (experiment_id) JOIN "
                "experiment_trace USING (experiment_id, frontend) JOIN trace USING (trace_id) ORDER BY 1",
                "p0 a  0\np1 a if_convert=0 1\n");
    assert_says(out, "SELECT point, cycles FROM kernel ORDER BY 1", "p0 1797\np1 1897\n");
}

/* ---- Same jobs ---- */

/* Both files have p0 and p1 on a. */
static void make_doubles(const char *change_a, const char *change_b)
{
    assert_int_equal(sweep(fake_experiment(2, 1, 1), a), WS_STATUS_ok);
    assert_int_equal(sweep(fake_experiment(2, 1, 1), b), WS_STATUS_ok);
    run_sql(a, change_a);
    run_sql(b, change_b);
}

TEST_WITH(how_a_job_was_run_may_differ, set_up, fake_tear_down)
{
    make_doubles("UPDATE job SET status = 'deadlock', reason = 'late', run_engine = 'one'",
                 "UPDATE job SET status = 'deadlock', reason = 'later', run_engine = 'two', run_seconds = 9");
    assert_merges(b, a);
    assert_counts(2, 0, 0, 2, 0, 2);
    assert_says(out, "SELECT reason, run_engine, count(*) FROM job", "later two 2\n");
}

TEST_WITH(a_final_status_wins, set_up, fake_tear_down)
{
    make_doubles("UPDATE job SET status = 'device', reason = 'lost', cycles = NULL WHERE " JOB("p0", "a", "0"),
                 "UPDATE job SET status = 'no_memory', reason = 'none', cycles = NULL WHERE " JOB("p1", "a", "0"));
    assert_merges(a, b);
    assert_counts(1, 1, 1, 1, 0, 2);
    assert_says(out, "SELECT point, status, cycles, reason FROM result ORDER BY 1", "p0 ok 1797 NULL\np1 ok 1897 NULL\n");
    run_sql(out, "UPDATE job SET status = 'device' WHERE " JOB("p0", "a", "0"));
    assert_merges(b, a);
    assert_counts(1, 1, 0, 2, 1, 2);
    assert_says(out, "SELECT point, status, cycles FROM result ORDER BY 1", "p0 ok 1797\np1 ok 1897\n");
}

TEST_WITH(of_two_that_are_not_final_the_first_stays, set_up, fake_tear_down)
{
    make_doubles("UPDATE job SET status = 'device', reason = 'lost'", "UPDATE job SET status = 'no_memory', reason = 'none'");
    assert_merges(b, a);
    assert_counts(2, 0, 0, 2, 0, 2);
    assert_says(out, "SELECT DISTINCT status, reason FROM job", "no_memory none\n");
}

/* ---- Conflicts ---- */

TEST_WITH(counters_that_differ_are_a_conflict, set_up, fake_tear_down)
{
    make_doubles("", "UPDATE job SET cycles = 5, warp_instructions = 6, run_seconds = 7 WHERE " JOB("p1", "a", "0"));
    assert_refused(WS_STATUS_failed,
                   "experiment made-up, point p1, trace a, shard 0/1: cycles is 1897 in A, 5 in B; nothing is merged");
    assert_false(is_there(out));
    run_sql(b, "UPDATE job SET cycles = 9 WHERE " JOB("p0", "a", "0"));
    assert_refused(WS_STATUS_failed,
                   "experiment made-up, point p0, trace a, shard 0/1: cycles is 1797 in A, 9 in B (the first of 2 "
                   "conflicts); nothing is merged");
    assert_false(is_there(out));
}

TEST_WITH(final_statuses_that_differ_are_a_conflict, set_up, fake_tear_down)
{
    make_doubles("", "UPDATE job SET status = 'deadlock' WHERE " JOB("p1", "a", "0") "; DELETE FROM experiment_trace");
    run_sql(b, "CREATE TABLE aside AS SELECT job_digest FROM job WHERE status = 'deadlock'");
    char *const digest = ask(b, "SELECT job_digest FROM aside");
    char words[300];
    run_sql(a, "DELETE FROM experiment_trace");
    snprintf(words, sizeof words, "job %.16s of no experiment: status is ok in A, deadlock in B; nothing is merged", digest);
    assert_refused(WS_STATUS_failed, words);
    free(digest);
}

/* The output had the job before, and keeps it. */
TEST_WITH(an_output_is_left_as_it_was, set_up, fake_tear_down)
{
    struct ws_error error;
    char expected[600];
    make_doubles("", "UPDATE job SET row_hits = 7 WHERE " JOB("p0", "a", "0"));
    struct ws_experiment *const experiment = fake_experiment(1, 3, 1);
    experiment->name = (char[]){"before"};
    assert_int_equal(sweep(experiment, out), WS_STATUS_ok);
    char *const before = ask(out, "SELECT * FROM result");
    assert_int_equal(merge_two(b, a, &error), WS_STATUS_failed);
    snprintf(expected, sizeof expected,
             "experiment made-up, point p0, trace a, shard 0/1: row_hits is 0 in %s, 7 in %s; nothing is merged", out, b);
    assert_string_equal(error.message, expected);
    assert_says(out, "SELECT * FROM result", before);
    assert_says(out, "SELECT (SELECT count(*) FROM machine), (SELECT count(*) FROM point), (SELECT count(*) FROM job)", "1 1 3\n");
    free(before);
}

TEST_WITH(experiments_must_agree, set_up, fake_tear_down)
{
    static const struct {
        const char *change, *words;
    } cases[] = {
        {"UPDATE experiment SET shards = 2", "shards: 1 in A, 2 in B"},
        {"UPDATE experiment SET model_version = 7", "model version: 3 in A, 7 in B"},
        {"UPDATE trace SET trace_digest = 'T' WHERE trace_id = 2", "trace b: "},
        {"UPDATE experiment_trace SET trace = 'c' WHERE trace = 'b'", "trace b: "},
        {"UPDATE experiment_trace SET frontend = 'f' WHERE trace = 'b'", "trace b: "},
        {"DELETE FROM experiment_trace WHERE trace = 'a'", "trace a: "},
        {"UPDATE machine SET machine_digest = 'M' WHERE machine_id = (SELECT machine_id FROM point WHERE point = 'p1')",
         "point p1: "},
        {"UPDATE point SET baseline = 'p1' WHERE point = 'p0'", "point p0: "},
        {"UPDATE point SET baseline = NULL WHERE point = 'p1'", "point p1: "},
        {"UPDATE point SET variation = 'v' WHERE point = 'p1'", "point p1: "},
        {"UPDATE point SET frontend = 'f' WHERE point = 'p1'", "point p1: "},
        {"DELETE FROM point WHERE point = 'p1'", "point p1: "},
        {"UPDATE point SET point = 'p' WHERE point = 'p1'", "point p: missing in "},
    };
    make_doubles("", "");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_error error;
        char expected[300] = "experiment made-up: ";
        unlink(a);
        unlink(b);
        assert_int_equal(sweep(fake_experiment(2, 2, 1), a), WS_STATUS_ok);
        assert_int_equal(sweep(fake_experiment(2, 2, 1), b), WS_STATUS_ok);
        run_sql(b, cases[n].change);
        assert_int_equal(merge_two(a, b, &error), WS_STATUS_failed);
        strcat(expected, cases[n].words);
        char *const place = strstr(expected, " in A");
        if (place)
            *place = 0;
        if (strncmp(error.message, expected, strlen(expected)) != 0)
            fail_msg("%s: found '%s', expected '%s'", cases[n].change, error.message, expected);
        assert_non_null(strstr(error.message, a));
        assert_non_null(strstr(error.message, b));
        assert_non_null(strstr(error.message, "; nothing is merged"));
        assert_false(is_there(out));
    }
}

/* Descriptions of an experiment may differ; the first one is kept. */
TEST_WITH(words_about_an_experiment_may_differ, set_up, fake_tear_down)
{
    make_doubles("", "UPDATE experiment SET about = 'other', machine = 'other'; UPDATE point SET position = 1 - position");
    assert_merges(a, b);
    assert_says(out, "SELECT about, experiment.machine FROM experiment", "for tests defaults\n");
    assert_says(out, "SELECT point, position FROM point ORDER BY 1", "p0 0\np1 1\n");
}

/* ---- Files ---- */

TEST_WITH(files_are_refused_as_elsewhere, set_up, fake_tear_down)
{
    static const char other[] = "This is no results file, and stays as it is.";
    char *text;
    size_t length;
    make_doubles("", "PRAGMA user_version = 9");
    assert_refused(WS_STATUS_bad_input,
                   "B: written by a newer warpsweep (layout 9, this one reads 2 to 4); use that one, or another file");
    assert_false(is_there(out));
    unlink(b);
    assert_refused(WS_STATUS_no_file, "B: cannot be read: No such file or directory");
    assert_false(is_there(out));
    snprintf(out, sizeof out, "%s", a);
    assert_int_equal(sweep(fake_experiment(2, 1, 1), b), WS_STATUS_ok);
    assert_refused(WS_STATUS_usage, "A: is the output, and cannot be an input, too; name another --output");
    snprintf(out, sizeof out, "%s/./b.db", fake_folder);
    assert_refused(WS_STATUS_usage, "B: is the output, and cannot be an input, too; name another --output");
    assert_int_equal(ws_file_write(b, other, sizeof other, NULL), WS_STATUS_ok);
    EXPECT_ERROR_HAS(merge_two(a, NULL, &error), WS_STATUS_bad_input, "is not a results file");
    assert_int_equal(ws_file_read(b, 1000, &text, &length, NULL), WS_STATUS_ok);
    assert_string_equal(text, other);
    free(text);
}

/* Merges a sweep's results while it runs, and again when it is done. */
static bool merge_halfway(void *context, const struct ws_sweep_progress *progress)
{
    size_t *const merged = context;
    if (progress->done >= 3 && *merged == 0) {
        EXPECT_OK(merge_two(fake_results, NULL, &error));
        *merged = 1;
    }
    return true;
}

TEST_WITH(a_sweep_may_still_be_writing, set_up, fake_tear_down)
{
    size_t merged = 0;
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results,
                                             .watch = {.progress = merge_halfway, .context = &merged}};
    struct ws_sweep_summary summary;
    fake_engine.microseconds = 100;
    assert_int_equal(ws_sweep(fake_experiment(4, 2, 1), &options, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(merged, 1);
    assert_says(out, "SELECT count(*) FROM point", "4\n");
    assert_merges(fake_results, NULL);
    assert_int_equal(kept + counts[0].taken, 8);
    assert_files_agree(fake_results, out, "SELECT * FROM result");
}

static bool stop_soon(void *context)
{
    return --*(int *)context > 0;
}

TEST_WITH(an_interrupted_merge_leaves_nothing, set_up, fake_tear_down)
{
    int left = 5;
    const struct ws_merge_options options = {WS_STRUCT(merge_options), .go_on = stop_soon, .context = &left};
    const char *const inputs[] = {a, b};
    assert_int_equal(sweep(fake_experiment(3, 1, 1), a), WS_STATUS_ok);
    assert_int_equal(sweep(fake_experiment(3, 2, 2), b), WS_STATUS_ok);
    run_sql(b, "UPDATE experiment SET experiment = 'b'");
    EXPECT_ERROR(ws_results_merge(out, inputs, 2, &options, counts, &kept, &jobs, &error), WS_STATUS_interrupted,
                 "interrupted; nothing is merged");
    assert_false(is_there(out));
    left = 100;
    EXPECT_OK(ws_results_merge(out, inputs, 2, &options, counts, &kept, &jobs, &error));
    assert_counts(3, 0, 12, 0, 0, 15);
}

/* A limit on the file's size simulates a full disk. */
TEST_WITH(a_full_disk_leaves_the_output_as_it_was, set_up, fake_tear_down)
{
    int ended;
    assert_int_equal(sweep(fake_experiment(60, 20, 1), a), WS_STATUS_ok);
    struct ws_experiment *const experiment = fake_experiment(1, 1, 1);
    experiment->name = (char[]){"before"};
    assert_int_equal(sweep(experiment, out), WS_STATUS_ok);
    char *const before = ask(out, "SELECT * FROM result");
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {.rlim_cur = 200000, .rlim_max = 200000};
        struct ws_error error = {.message = ""};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        const enum ws_status status = merge_two(a, NULL, &error);
        _exit(status == WS_STATUS_no_file && strstr(error.message, "out.db: cannot ") ? 0 : 1);
    }
    waitpid(child, &ended, 0);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
    assert_says(out, "SELECT * FROM result", before);
    free(before);
}

#define TIMES                                                                                                                      \
    "SELECT point, trace, block, entered, ended, cycle, place FROM block LEFT JOIN block_order USING (block) "                     \
    "WHERE block_order.job_id IN (SELECT job_id FROM result JOIN job USING (job_digest) WHERE result.point = block.point "         \
    "AND result.trace = block.trace) ORDER BY point, trace, block, cycle"

#define WARPS                                                                                                                      \
    "SELECT point, trace, block, warp, entered, ended, packets, l1_misses, constant_misses, texture_misses FROM warp "             \
    "ORDER BY point, trace, block, warp"

/* Times of blocks and warps and orders of blocks are merged with their jobs, each once. */
TEST_WITH(times_of_blocks_are_merged, set_up, fake_tear_down)
{
    struct ws_experiment *const experiment = fake_experiment(2, 2, 1);
    experiment->times = true;
    assert_int_equal(sweep(experiment, a), WS_STATUS_ok);
    experiment->times = false;
    assert_int_equal(sweep(experiment, b), WS_STATUS_ok);
    assert_says(b, TIMES, "");
    assert_says(b, WARPS, "");
    assert_merges(b, a); /* whose jobs are those of b */
    assert_files_agree(a, out, TIMES);
    assert_files_agree(a, out, WARPS);
    assert_merges(a, NULL);
    assert_files_agree(a, out, TIMES);
    assert_files_agree(a, out, WARPS);
}
