/* Results files of builds with other parameters, defaults and counters: read, resumed, compared, merged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/text.h"
#include "test.h"
#include "unit/results/ask.h"
#include "unit/results/fakes.h"
#include "unit/results/run_sql.h"
#include "warpsweep/report.h"
#include "warpsweep/results.h"

/* Scripts that convert a file to one of a build without two parameters, two counters and runs (layout 3), or of a build with more.
 */
#define DROP_VIEWS                                                                                                                 \
    "DROP VIEW result; DROP VIEW kernel; DROP VIEW speedup; DROP VIEW block; DROP VIEW warp; DROP VIEW sort; "                     \
    "DROP VIEW histogram; DROP VIEW all_result; DROP VIEW all_kernel; DROP VIEW all_speedup; DROP VIEW run; DROP VIEW selected; "
#define OLDER                                                                                                                      \
    DROP_VIEWS                                                                                                                     \
    "DROP TABLE claim; ALTER TABLE experiment DROP COLUMN run; ALTER TABLE experiment DROP COLUMN earlier_of; "                    \
    "PRAGMA user_version = 3; DROP TABLE block_time; DROP TABLE warp_time; DROP TABLE block_order; ALTER TABLE machine DROP "      \
    "COLUMN "                                                                                                                      \
    "dram_queue; "                                                                                                                 \
    "ALTER TABLE machine DROP COLUMN divergence_unit; ALTER TABLE job DROP COLUMN row_hits; "                                      \
    "ALTER TABLE job DROP COLUMN active_lanes_3; UPDATE meta SET value = 'older' WHERE key = 'schema'"
#define NEWER                                                                                                                      \
    "ALTER TABLE machine ADD COLUMN core_later INTEGER NOT NULL DEFAULT 5; ALTER TABLE job ADD COLUMN later INTEGER; "             \
    "UPDATE machine SET core_later = 6 WHERE core_depth = 8; UPDATE job SET later = 9; "                                           \
    "UPDATE meta SET value = 'newer' WHERE key = 'schema'"

static char other[100], out[100];

static int set_up(void **state)
{
    const int failed = fake_set_up(state);
    snprintf(other, sizeof other, "%s/other.db", fake_folder);
    snprintf(out, sizeof out, "%s/out.db", fake_folder);
    return failed;
}

/* Expects these numbers of jobs already done, and of jobs run. */
static void assert_sweeps(const struct ws_experiment *experiment, const char *file, size_t before, size_t ran)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = file};
    struct ws_sweep_summary summary;
    EXPECT_OK(ws_sweep(experiment, &options, &summary, &error));
    assert_int_equal(summary.before, before);
    assert_int_equal(summary.ran, ran);
}

static void make(const struct ws_experiment *experiment, const char *file, const char *change)
{
    assert_sweeps(experiment, file, 0, experiment->point_count * experiment->trace_count * experiment->shards);
    run_sql(file, change);
}

static void add_values(struct ws_text *text, const struct ws_results_row *row)
{
    for (size_t n = 0; n < row->count; n++)
        ws_text_add(text, "%s%s", row->values[n] ? row->values[n] : "NULL", n + 1 < row->count ? " " : "\n");
}

static enum ws_status take_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    add_values(context, row);
    return WS_STATUS_ok;
}

static void assert_says(const char *file, const char *question, const char *expected)
{
    struct ws_results *results;
    struct ws_text text = {0};
    EXPECT_OK(ws_results_open(file, WS_RESULTS_READ, &results, &error));
    EXPECT_OK(ws_results_query(results, question, NULL, take_row, &text, &error));
    assert_string_equal(text.data ? text.data : "", expected);
    ws_results_close(results, NULL);
    ws_text_free(&text);
}

static char *read_bytes(const char *file, size_t *length)
{
    char *bytes;
    assert_int_equal(ws_file_read(file, 1 << 24, &bytes, length, NULL), WS_STATUS_ok);
    return bytes;
}

/* Expects an unchanged file; frees the bytes. */
static void assert_bytes(const char *file, char *before, size_t length)
{
    size_t length_after;
    char *const after = read_bytes(file, &length_after);
    assert_int_equal(length_after, length);
    assert_memory_equal(after, before, length);
    free(before);
    free(after);
}

static void assert_refused(enum ws_results_access access, const char *words)
{
    struct ws_results *results;
    struct ws_error error;
    size_t length;
    char *const before = read_bytes(fake_results, &length);
    assert_int_not_equal(ws_results_open(fake_results, access, &results, &error), WS_STATUS_ok);
    if (!strstr(error.message, words))
        fail_msg("found '%s', expected '%s'", error.message, words);
    assert_bytes(fake_results, before, length);
}

static void add_note(void *context, const struct ws_compare_note *note)
{
    ws_text_add(context, "%s %s: %s, %s, %zu\n", note->kind, note->name, note->a, note->b, note->count);
}

static void add_point(void *context, const struct ws_compare_point *point)
{
    ws_text_add(context, "%s %s\n", point->point, point->metric);
}

static void no_change(void *context, const struct ws_compare_change *change)
{
    (void)context;
    (void)change;
}

static void no_other(void *context, const struct ws_compare_other *none)
{
    (void)context;
    (void)none;
}

/* Compares all metrics of fake_results and other: notes, changed points, equal and changed kernels; checks the end of the report.
 */
static void assert_compares(const char *expected)
{
    struct ws_text text = {0};
    const struct ws_compare_options options = {WS_STRUCT(compare_options), .metrics = (const char *[]){"all"}, .metric_count = 1};
    const struct ws_compare_sink sink = {WS_STRUCT(compare_sink), .note = add_note,  .point = add_point,
                                         .change = no_change,     .other = no_other, .context = &text};
    struct ws_compare_summary summary;
    EXPECT_OK(ws_results_compare(fake_results, other, &options, &sink, &summary, &error));
    ws_text_add(&text, "%zu %zu\n", summary.same, summary.changed);
    assert_true(strlen(expected) <= text.length);
    assert_string_equal(text.data + text.length - strlen(expected), expected);
    ws_text_free(&text);
}

static void assert_merges(const char *first, const char *second, size_t expected)
{
    const char *const inputs[] = {first, second};
    struct ws_merge_counts counts[2];
    size_t kept, jobs;
    remove(out);
    EXPECT_OK(ws_results_merge(out, inputs, 2, NULL, counts, &kept, &jobs, &error));
    assert_int_equal(jobs, expected);
}

/* ---- Layout 2 ---- */

/* A file of an earlier build with this model: its records are found under this build's digests. */
static void make_layout_2(const char *file)
{
    char *script, change[100];
    size_t length;
    assert_int_equal(ws_file_read(UNIT_FOLDER "/results/layout2.sql", 1 << 20, &script, &length, NULL), WS_STATUS_ok);
    run_sql(file, script);
    free(script);
    snprintf(change, sizeof change, "UPDATE experiment SET model_version = %d; UPDATE job SET model_version = %d", WS_MODEL_VERSION,
             WS_MODEL_VERSION);
    run_sql(file, change);
}

TEST_WITH(layout_2_is_read, set_up, fake_tear_down)
{
    size_t length;
    make_layout_2(fake_results);
    char *const before = read_bytes(fake_results, &length);
    make(fake_experiment(2, 2, 1), other, "");
    assert_compares("4 0\n");
    assert_merges(fake_results, other, 4);
    assert_merges(other, fake_results, 4);
    assert_bytes(fake_results, before, length);
}

TEST_WITH(layout_2_is_resumed, set_up, fake_tear_down)
{
    make_layout_2(fake_results);
    assert_sweeps(fake_experiment(2, 2, 1), fake_results, 4, 0);
    assert_int_equal(fake_engine.opened, 0);
    make(fake_experiment(2, 2, 1), other, "");
    assert_compares("4 0\n");
    assert_sweeps(fake_experiment(3, 2, 1), fake_results, 4, 2);
}

/* A parameter that this build lacks, without a default: the records are readable, but nothing can be added. */
TEST_WITH(a_parameter_that_is_gone_forbids_writing, set_up, fake_tear_down)
{
    make_layout_2(fake_results);
    run_sql(fake_results, "DROP VIEW result; ALTER TABLE machine RENAME COLUMN core_depth TO core_stages");
    assert_says(fake_results,
                "SELECT core_stages, core_depth, cycles FROM job JOIN machine USING (machine_id) ORDER BY job_id LIMIT 2",
                "7 7 1797\n8 7 1897\n");
    assert_refused(WS_RESULTS_WRITE, "results.db: column machine.core_stages has no default, and this warpsweep does not know it; "
                                     "use the one that wrote the file, or a new file");
}

/* ---- Fewer columns ---- */

TEST_WITH(what_a_build_lacked_has_defaults_and_no_counters, set_up, fake_tear_down)
{
    struct ws_results *results;
    struct ws_error error;
    size_t length;
    make(fake_experiment(2, 1, 1), fake_results, OLDER);
    char *const before = read_bytes(fake_results, &length);
    assert_says(fake_results,
                "SELECT point, divergence_unit, dram_queue, cycles, row_hits, row_hit_rate, active_lanes_3 FROM kernel ORDER BY 1",
                "p0 pdom 1024 1797 NULL NULL NULL\np1 pdom 1024 1897 NULL NULL NULL\n");
    assert_int_equal(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error), WS_STATUS_ok);
    assert_int_equal(ws_results_query(results, "DELETE FROM job", NULL, take_row, NULL, &error), WS_STATUS_usage);
    assert_int_equal(ws_results_close(results, &error), WS_STATUS_ok);
    assert_int_equal(ws_report((const char *const[]){fake_results}, 1, NULL, 0, fake_folder, &error), WS_STATUS_ok);
    assert_bytes(fake_results, before, length);
}

/* Figures query an upgraded copy: it accepts tables, and has functions and views. */
TEST_WITH(an_older_file_answers_figures, set_up, fake_tear_down)
{
    struct ws_results *results;
    struct ws_text said = {0};
    char csv[] = "workload,kind\nnone,odd\n";
    make(fake_experiment(2, 1, 1), fake_results, OLDER);
    EXPECT_OK(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error));
    EXPECT_OK(ws_results_table(results, "groups", "groups.csv", csv, &error));
    EXPECT_OK(ws_results_derive(results, "made-up", &error));
    EXPECT_OK(ws_results_query(results, "SELECT point, whole, fixed(cycles, 0) FROM measure ORDER BY point_position", NULL,
                               take_row, &said, &error));
    assert_string_equal(said.data, "p0 1 1797\np1 1 1897\n");
    ws_text_free(&said);
    EXPECT_OK(ws_results_close(results, &error));
}

TEST_WITH(what_a_build_lacked_is_added_once, set_up, fake_tear_down)
{
    make(fake_experiment(2, 1, 1), fake_results, OLDER);
    assert_sweeps(fake_experiment(3, 1, 1), fake_results, 2, 1);
    assert_says(fake_results, "SELECT point, divergence_unit, dram_queue, row_hits, active_lanes_3 FROM result ORDER BY 1",
                "p0 pdom 1024 NULL NULL\np1 pdom 1024 NULL NULL\np2 pdom 1024 0 0\n");
    run_sql(fake_results, "SELECT dram_queue FROM result"); /* the file itself has them now */
    assert_sweeps(fake_experiment(3, 1, 1), fake_results, 3, 0);
}

/* If two builds ran the shards of a kernel, a sum over those with a counter would not be the kernel's counter. */
TEST_WITH(a_kernel_lacks_what_a_shard_lacks, set_up, fake_tear_down)
{
    make(fake_experiment(1, 1, 2), fake_results, "UPDATE job SET row_hits = NULL, stack_deepest = NULL WHERE shard = 0");
    assert_says(fake_results, "SELECT cycles, thread_instructions, row_hits, stack_deepest, row_conflicts FROM kernel",
                "1807 40194 NULL NULL 0\n");
}

/* A point without a counter is reported; it counts as changed only if both files have measured it. */
TEST_WITH(only_what_both_measured_is_compared, set_up, fake_tear_down)
{
    make(fake_experiment(2, 1, 1), fake_results, OLDER);
    make(fake_experiment(2, 1, 1), other,
         "UPDATE job SET row_hits = 3, row_conflicts = 1; "
         "UPDATE job SET warps_done = 7 WHERE machine_id = 2");
    run_sql(fake_results, "UPDATE job SET row_conflicts = 1");
    assert_compares("counters of point p0: some, all, 2\np1 warps_done\n1 1\n");
}

TEST_WITH(merging_takes_what_either_measured, set_up, fake_tear_down)
{
    make(fake_experiment(2, 1, 1), fake_results, OLDER);
    make(fake_experiment(3, 1, 1), other, "UPDATE job SET row_hits = 3; UPDATE experiment SET experiment = 'another'");
    static const char question[] = "SELECT core_depth, divergence_unit, row_hits, active_lanes_3 FROM job JOIN machine USING "
                                   "(machine_id) ORDER BY 1";
    assert_merges(fake_results, other, 3);
    assert_says(out, question, "7 pdom 3 0\n8 pdom 3 0\n9 pdom 3 0\n");
    assert_merges(other, fake_results, 3);
    assert_says(out, question, "7 pdom 3 0\n8 pdom 3 0\n9 pdom 3 0\n");
    run_sql(other, "UPDATE job SET cycles = 5 WHERE machine_id = 1");
    const char *const inputs[] = {fake_results, other};
    struct ws_merge_counts counts[2];
    size_t kept, jobs;
    EXPECT_ERROR_HAS(ws_results_merge(out, inputs, 2, NULL, counts, &kept, &jobs, &error), WS_STATUS_failed, "cycles is 1797 in ");
}

/* ---- Names of earlier releases ---- */

#define OLD_NAMES                                                                                                                  \
    DROP_VIEWS "ALTER TABLE job RENAME COLUMN data_port_busy TO port_busy; "                                                       \
               "ALTER TABLE machine RENAME COLUMN memory_data_port TO memory_port; UPDATE machine SET dram_timing = 'rows'; "      \
               "UPDATE job SET port_busy = 5; CREATE VIEW mine AS SELECT port_busy + "                                             \
               "1 AS n FROM job; UPDATE meta SET value = 'older' WHERE key = "                                                     \
               "'schema'"

TEST_WITH(old_columns_and_values_get_their_new_names, set_up, fake_tear_down)
{
    struct ws_experiment *const experiment = fake_experiment(2, 1, 1);
    make(experiment, fake_results, OLD_NAMES);
    assert_says(fake_results, "SELECT point, memory_data_port, dram_timing, data_port_busy FROM result ORDER BY 1",
                "p0 select fixed 5\np1 select fixed 5\n");
    assert_says(fake_results, "SELECT point, memory_port, port_busy FROM result WHERE port_busy > 4 ORDER BY 1",
                "p0 select 5\np1 select 5\n");
    assert_sweeps(experiment, fake_results, 2, 0); /* their digests are those of the new names */
}

/* ---- More columns ---- */

TEST_WITH(what_this_build_does_not_know_is_kept, set_up, fake_tear_down)
{
    static const char question[] = "SELECT core_depth, core_later, later FROM job JOIN machine USING (machine_id) ORDER BY 1, 2";
    make(fake_experiment(2, 1, 1), fake_results, NEWER);
    assert_says(fake_results, "SELECT point, cycles FROM kernel ORDER BY 1", "p0 1797\np1 1897\n");
    make(fake_experiment(3, 1, 1), other, "UPDATE experiment SET experiment = 'another'");
    assert_merges(fake_results, other, 4);
    assert_says(out, question, "7 5 9\n8 5 NULL\n8 6 9\n9 5 NULL\n");
    assert_merges(other, fake_results, 4);
    assert_says(out, question, "7 5 9\n8 5 NULL\n8 6 9\n9 5 NULL\n");
    assert_sweeps(fake_experiment(2, 1, 1), fake_results, 1, 1); /* p1 was another machine */
    assert_says(fake_results, question, "7 5 9\n8 5 NULL\n8 6 9\n");
}

/* ---- Digests ---- */

/* A build with another default digests other parameters. Where it omits 8 instead of 7, this build's digests are exchanged. */
TEST_WITH(digests_follow_from_values, set_up, fake_tear_down)
{
    make(fake_experiment(2, 1, 1), fake_results,
         "CREATE TEMP TABLE was AS SELECT * FROM machine; UPDATE machine SET machine_digest = machine_id; UPDATE machine SET "
         "machine_digest = (SELECT machine_digest FROM was WHERE was.core_depth = 15 - machine.core_depth); "
         "UPDATE meta SET value = 'another default' WHERE key = 'schema'");
    make(fake_experiment(2, 1, 1), other, "");
    assert_compares("2 0\n");
    assert_sweeps(fake_experiment(2, 1, 1), fake_results, 2, 0);
    assert_says(fake_results, "SELECT machine_digest FROM machine WHERE core_depth = 7", "0000000000000000\n");
}

/* The sweep's writer runs concurrently. */
static void wait_for_a_job(void)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    while (ask_number(fake_results, "SELECT count(*) FROM job") == 0)
        nanosleep(&pause, NULL);
}

static bool take_over(void *context, const struct ws_sweep_progress *progress)
{
    (void)context;
    if (progress->done == 1) {
        wait_for_a_job();
        run_sql(fake_results, "UPDATE meta SET value = 'another default' WHERE key = 'schema'");
    }
    return true;
}

/* Digests of two builds in one file would not identify machines. */
TEST_WITH(a_file_that_another_build_took_over_is_left_alone, set_up, fake_tear_down)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results, .watch.progress = take_over};
    struct ws_sweep_summary summary;
    fake_engine.microseconds = 600000;
    EXPECT_ERROR_HAS(
        ws_sweep(fake_experiment(2, 1, 1), &options, &summary, &error), WS_STATUS_failed,
        "results.db: another warpsweep, with other parameters or counters, has converted the file; run one version at a time");
    assert_sweeps(fake_experiment(2, 1, 1), fake_results, 1, 1);
}

TEST_WITH(what_cannot_be_brought_up_stays_as_it_was, set_up, fake_tear_down)
{
    make(fake_experiment(2, 1, 1), fake_results, OLDER "; UPDATE machine SET core_depth = 7");
    assert_refused(WS_RESULTS_WRITE, "UNIQUE constraint failed: machine.machine_digest");
    assert_refused(WS_RESULTS_READ, "UNIQUE constraint failed: machine.machine_digest");
}
