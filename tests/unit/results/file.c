/* Results files: opening foreign files, leftover logs, full disks, queries, CSV. */
#define _DEFAULT_SOURCE /* syscall */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/error.h"
#include "base/file.h"
#include "test.h"
#include "unit/results/fakes.h"
#include "unit/results/run_sql.h"
#include "warpsweep/results.h"

static enum ws_status sweep(const struct ws_experiment *experiment, struct ws_error *error)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results};
    struct ws_sweep_summary summary;
    return ws_sweep(experiment, &options, &summary, error);
}

static enum ws_status open_close(const char *file, enum ws_results_access access, struct ws_error *error)
{
    struct ws_results *results;
    const enum ws_status status = ws_results_open(file, access, &results, error);
    if (status != WS_STATUS_ok) {
        assert_null(results);
        return status;
    }
    return ws_results_close(results, error);
}

/* Expects that opening fails with "PATH: words". */
static void assert_refused(enum ws_results_access access, enum ws_status status, const char *words)
{
    struct ws_error error;
    char expected[600];
    assert_int_equal(open_close(fake_results, access, &error), status);
    snprintf(expected, sizeof expected, "%s: %s", fake_results, words);
    assert_string_equal(error.message, expected);
}

/* ---- Opening ---- */

TEST_WITH(a_new_file_is_empty_and_ours, fake_set_up, fake_tear_down)
{
    EXPECT_OK(open_close(fake_results, WS_RESULTS_WRITE, &error));
    EXPECT_OK(open_close(fake_results, WS_RESULTS_READ, &error));
    EXPECT_OK(open_close(fake_results, WS_RESULTS_WRITE, &error));
}

TEST_WITH(what_is_not_ours_is_refused, fake_set_up, fake_tear_down)
{
    assert_refused(WS_RESULTS_READ, WS_STATUS_no_file, "cannot be read: No such file or directory");
    EXPECT_OK(ws_file_write(fake_results, "This is a text, and no database at all.\n", 40, &error));
    assert_refused(WS_RESULTS_READ, WS_STATUS_bad_input, "cannot read the results: file is not a database");
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_bad_input,
                   "exists and is not a results file; an output replaces a file of its own kind only. Name another file, or remove "
                   "this one");
    unlink(fake_results);
    run_sql(fake_results, "CREATE TABLE theirs (x)");
    assert_refused(WS_RESULTS_READ, WS_STATUS_bad_input,
                   "is not a results file of warpsweep; name one that sweep, search or reproduce wrote");
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_bad_input,
                   "is not a results file of warpsweep; name one that sweep, search or reproduce wrote");
    unlink(fake_results);
    EXPECT_OK(ws_file_write(fake_results, "", 0, &error));
    assert_refused(WS_RESULTS_READ, WS_STATUS_bad_input,
                   "is not a results file of warpsweep; name one that sweep, search or reproduce wrote");
    EXPECT_OK(open_close(fake_results, WS_RESULTS_WRITE, &error));
}

/* Byte 18 of a database is its write version: 2 with a write-ahead log. */
TEST_WITH(what_is_refused_stays_as_it_is, fake_set_up, fake_tear_down)
{
    char *before, *after;
    size_t length, length_after;
    run_sql(fake_results, "PRAGMA journal_mode = WAL; CREATE TABLE theirs (x)");
    EXPECT_OK(ws_file_read(fake_results, 1 << 20, &before, &length, &error));
    assert_int_equal(before[18], 2);
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_bad_input,
                   "is not a results file of warpsweep; name one that sweep, search or reproduce wrote");
    EXPECT_OK(ws_file_read(fake_results, 1 << 20, &after, &length_after, &error));
    assert_int_equal(length_after, length);
    assert_memory_equal(after, before, length);
    free(before);
    free(after);
}

TEST_WITH(other_versions_are_refused, fake_set_up, fake_tear_down)
{
    EXPECT_OK(open_close(fake_results, WS_RESULTS_WRITE, &error));
    run_sql(fake_results, "PRAGMA user_version = 9");
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_bad_input,
                   "written by a newer warpsweep (layout 9, this one reads 2 to 4); use that one, or another file");
    assert_refused(WS_RESULTS_READ, WS_STATUS_bad_input,
                   "written by a newer warpsweep (layout 9, this one reads 2 to 4); use that one, or another file");
    run_sql(fake_results, "PRAGMA user_version = 1");
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_bad_input,
                   "written by an older warpsweep (layout 1, this one reads 2 to 4); use that one, or another file");
}

TEST_WITH(a_folder_that_is_not_there_is_named, fake_set_up, fake_tear_down)
{
    snprintf(fake_results, sizeof fake_results, "no-such-folder/results.db");
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_no_file, "cannot open the file: unable to open database file");
    snprintf(fake_results, sizeof fake_results, "/");
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_no_file, "is not a regular file; name a results file");
}

/* Names with another meaning in SQLite: a sweep into them would leave no file. */
TEST_WITH(every_name_is_a_files_name, fake_set_up, fake_tear_down)
{
    static const char *const names[] = {":memory:", "file:results.db?mode=memory"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        snprintf(fake_results, sizeof fake_results, "%s", names[n]);
        EXPECT_OK(sweep(fake_experiment(2, 1, 1), &error));
        EXPECT_OK(open_close(names[n], WS_RESULTS_READ, &error));
        assert_int_equal(unlink(names[n]), 0);
    }
    fake_results[0] = 0;
    EXPECT_ERROR(sweep(fake_experiment(2, 1, 1), &error), WS_STATUS_no_file, ": cannot be written: No such file or directory");
    assert_refused(WS_RESULTS_WRITE, WS_STATUS_no_file, "cannot open the file: unable to open database file");
}

/* ---- Logs, full disks ---- */

static bool die(void *context, const struct ws_sweep_progress *progress)
{
    (void)context;
    if (progress->done > 0)
        raise(SIGKILL);
    return true;
}

static enum ws_status count_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)row;
    (void)error;
    ++*(size_t *)context;
    return WS_STATUS_ok;
}

/* A killed sweep leaves its log; a reader sees its contents, and the next writer merges it. */
TEST_WITH(a_log_left_behind_is_taken_in, fake_set_up, fake_tear_down)
{
    char log[160];
    struct ws_results *results;
    size_t points = 0;
    int ended;
    snprintf(log, sizeof log, "%s-wal", fake_results);
    const pid_t child = fork();
    if (child == 0) {
        const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results, .watch.progress = die};
        struct ws_sweep_summary summary;
        ws_sweep(fake_experiment(2, 1, 1), &options, &summary, NULL);
        _exit(1);
    }
    waitpid(child, &ended, 0);
    assert_true(WIFSIGNALED(ended));
    assert_int_equal(access(log, F_OK), 0);
    EXPECT_OK(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error));
    EXPECT_OK(ws_results_query(results, "SELECT point FROM point", NULL, count_row, &points, &error));
    assert_int_equal(points, 2);
    EXPECT_OK(ws_results_close(results, &error));
    EXPECT_OK(open_close(fake_results, WS_RESULTS_WRITE, &error));
    assert_int_not_equal(access(log, F_OK), 0);
}

static bool forget_points(void *context, const struct ws_sweep_progress *progress)
{
    (void)context;
    if (progress->done > 0)
        run_sql(fake_results, "DELETE FROM point");
    return true;
}

/* Failures count even if another process has replaced the experiment meanwhile. */
TEST_WITH(failures_are_not_forgotten, fake_set_up, fake_tear_down)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results, .watch.progress = forget_points};
    struct ws_sweep_summary summary;
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "b";
    EXPECT_ERROR(ws_sweep(fake_experiment(2, 2, 1), &options, &summary, &error), WS_STATUS_failed, "made-up: 2 of 4 jobs failed");
}

/* Runs a function in a separate process; the function returns success. */
static void assert_in_child(bool (*work)(void))
{
    int ended;
    const pid_t child = fork();
    if (child == 0)
        _exit(work() ? 0 : 1);
    waitpid(child, &ended, 0);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

/* root may write read-only files, until it drops its privileges. */
static bool obey_permissions(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return syscall(SYS_capset, &header, none) == 0;
}

static bool new_file_is_refused(void)
{
    struct ws_error error;
    return obey_permissions() && sweep(fake_experiment(1, 1, 1), &error) == WS_STATUS_no_file &&
           strstr(error.message, "results.db: cannot be written: Permission denied");
}

static bool only_reading_is_possible(void)
{
    struct ws_error error = {.message = ""};
    return obey_permissions() && open_close(fake_results, WS_RESULTS_READ, &error) == WS_STATUS_ok &&
           sweep(fake_experiment(2, 1, 1), &error) == WS_STATUS_no_file &&
           strstr(error.message, "results.db: cannot record results: attempt to write a readonly database");
}

TEST_WITH(read_only_folders_and_files_are_errors, fake_set_up, fake_tear_down)
{
    chmod(fake_folder, 0500);
    assert_in_child(new_file_is_refused);
    assert_int_not_equal(access(fake_results, F_OK), 0);
    chmod(fake_folder, 0700);
    EXPECT_OK(sweep(fake_experiment(1, 1, 1), &error));
    chmod(fake_results, 0400);
    chmod(fake_folder, 0500);
    assert_in_child(only_reading_is_possible);
    chmod(fake_folder, 0700);
    EXPECT_OK(open_close(fake_results, WS_RESULTS_READ, &error));
}

/* A limit on the file's size simulates a full disk. */
static bool full_disk_is_said(void)
{
    const struct rlimit limit = {.rlim_cur = 100000, .rlim_max = 100000};
    struct ws_error error = {.message = ""};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    return sweep(fake_experiment(60, 20, 1), &error) == WS_STATUS_no_file && strstr(error.message, "results.db: cannot ");
}

TEST_WITH(a_full_disk_is_an_error, fake_set_up, fake_tear_down)
{
    assert_in_child(full_disk_is_said);
}

/* ---- Queries and CSV ---- */

static enum ws_status refuse(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)context;
    (void)row;
    return ws_fail(error, WS_STATUS_interrupted, "enough");
}

TEST_WITH(questions_may_fail, fake_set_up, fake_tear_down)
{
    struct ws_results *results;
    struct ws_error error;
    char expected[300];
    const char *const parameters[] = {"made-up", NULL};
    assert_int_equal(sweep(fake_experiment(2, 1, 1), &error), WS_STATUS_ok);
    assert_int_equal(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error), WS_STATUS_ok);
    assert_int_equal(ws_results_query(results, "SELECT nonsense FROM job", NULL, refuse, NULL, &error), WS_STATUS_usage);
    snprintf(expected, sizeof expected, "%s: the query is not valid: no such column: nonsense", fake_results);
    assert_string_equal(error.message, expected);
    assert_int_equal(ws_results_query(results, "SELECT point FROM result WHERE experiment = ?1", parameters, refuse, NULL, &error),
                     WS_STATUS_interrupted);
    assert_string_equal(error.message, "enough");
    assert_int_equal(ws_results_query(results, "DELETE FROM job", NULL, refuse, NULL, &error), WS_STATUS_usage);
    assert_int_equal(ws_results_close(results, &error), WS_STATUS_ok);
}

/* Every example query of docs/results.md returns rows. */
TEST_WITH(documented_questions_work, fake_set_up, fake_tear_down)
{
    struct ws_results *results;
    struct ws_error error;
    char *page;
    size_t length, asked = 0;
    assert_int_equal(sweep(fake_experiment(2, 2, 1), &error), WS_STATUS_ok);
    assert_int_equal(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error), WS_STATUS_ok);
    assert_int_equal(ws_file_read(DOCS_FOLDER "/results.md", 1 << 20, &page, &length, &error), WS_STATUS_ok);
    char *question = strstr(page, "```sql\n");
    assert_non_null(question);
    question += strlen("```sql\n");
    *strstr(question, "```") = 0;
    for (char *end; (end = strchr(question, ';')); question = end + 1, asked++) {
        size_t rows = 0;
        *end = 0;
        if (ws_results_query(results, question, NULL, count_row, &rows, &error) != WS_STATUS_ok)
            fail_msg("%s: %s", question, error.message);
    }
    assert_true(asked >= 5);
    free(page);
    assert_int_equal(ws_results_close(results, &error), WS_STATUS_ok);
}

static char *export_csv(void)
{
    struct ws_results *results;
    char *text = NULL;
    size_t length;
    FILE *const stream = open_memstream(&text, &length);
    EXPECT_OK(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error));
    EXPECT_OK(ws_results_export(results, NULL, stream, &error));
    EXPECT_OK(ws_results_close(results, &error));
    fclose(stream);
    return text;
}

static size_t count(const char *text, char wanted)
{
    size_t found = 0;
    for (; *text; text++)
        found += *text == wanted;
    return found;
}

static size_t columns(void)
{
    size_t parameters;
    ws_parameters(&parameters);
    size_t metrics = 0;
#define METRIC(name, expression, unit, doc) metrics++;
#include "results/schema/metrics.def"
#undef METRIC
    return 13 + parameters + WS_COUNTERS + metrics + 6;
}

#define FIRST_NAMES                                                                                                                \
    "experiment,point,variation,baseline,trace,shard,shards,status,reason,point_position,trace_position,job_digest,model_version," \
    "core_pipeline,"
#define LAST_NAMES ",run_engine,run_device,run_version,run_seconds,run_finished,run_from"

TEST_WITH(an_empty_file_exports_its_names, fake_set_up, fake_tear_down)
{
    EXPECT_OK(open_close(fake_results, WS_RESULTS_WRITE, &error));
    char *const csv = export_csv();
    const size_t length = strlen(csv), last = strlen(LAST_NAMES "\n");
    assert_int_equal(strncmp(csv, FIRST_NAMES, strlen(FIRST_NAMES)), 0);
    assert_string_equal(csv + length - last, LAST_NAMES "\n");
    assert_int_equal(count(csv, ',') + 1, columns());
    assert_int_equal(count(csv, '\n'), 1);
    assert_non_null(strstr(csv, ",divergence_unit,"));
    assert_non_null(strstr(csv, ",cycles,warp_instructions,thread_instructions,active_lanes_0,active_lanes_1,"));
    assert_non_null(strstr(csv, ",active_lanes_32,stall_idle,"));
    assert_non_null(strstr(csv, ",ipc,"));
    free(csv);
}

TEST_WITH(texts_are_quoted, fake_set_up, fake_tear_down)
{
    struct ws_error error;
    struct ws_experiment *const experiment = fake_experiment(1, 1, 1);
    fake_label(experiment, 0, (char[]){"a \"b\", c\nd"});
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "a";
    assert_int_equal(sweep(experiment, &error), WS_STATUS_failed);
    char *const csv = export_csv();
    const char *const row = strchr(csv, '\n') + 1;
    const char start[] = "made-up,\"a \"\"b\"\", c\nd\",,\"a \"\"b\"\", c\nd\",a,0,1,deadlock,made-up reason,0,0,";
    assert_int_equal(strncmp(row, start, strlen(start)), 0);
    assert_non_null(strstr(row, ",3,barrel,1,fixed,2,1,2,1,7,32,")); /* model_version, core.pipeline to core.warp_size */
    assert_non_null(strstr(row, ",1797,800,20097,0,0,"));            /* cycles, warp and thread instructions, active_lanes_0, _1 */
    assert_non_null(strstr(row, ",made-up,\"no device, \"\"really\"\"\",")); /* run_engine, run_device */
    free(csv);
}

TEST_WITH(a_stream_that_is_full_is_an_error, fake_set_up, fake_tear_down)
{
    struct ws_results *results;
    FILE *const full = fopen("/dev/full", "w");
    if (!full)
        skip();
    EXPECT_OK(sweep(fake_experiment(20, 2, 1), &error));
    EXPECT_OK(ws_results_open(fake_results, WS_RESULTS_READ, &results, &error));
    EXPECT_ERROR(ws_results_export(results, NULL, full, &error), WS_STATUS_no_file,
                 "the table cannot be written: No space left on device");
    EXPECT_OK(ws_results_close(results, &error));
    fclose(full);
}
