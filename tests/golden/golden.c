/* Every counter of every workload at size tiny, by mechanism, of the native engine against counters.tsv: detects any change of
 * front end or model. The table is the oracle's, which WS_GOLDEN_ORACLE=1 asks again: that takes most of the time. After an
 * intended change, WS_GOLDEN_WRITE=1 rewrites the table. Its differences belong in the same commit; if counters change, so must
 * WS_MODEL_VERSION. A workload of a paper whose machine is not listed may lack columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "golden/table.h"
#include "oracle/oracle.h"
#include "oracle/trial.h"
#include "unit/workloads/rows.h"
#include "warpsweep/frontend.h"

enum { MOST_TABLE_BYTES = 1 << 20, MOST_MECHANISMS = 6, MOST_OVERRIDES = 6, MOST_DIFFERENCES = 10 };

/* The mechanisms for a paper's workloads, each a machine with changed parameters. The first one also serves workloads without a
 * paper. */
static const struct suite {
    const char *paper, *machine;
    struct {
        const char *name;
        struct {
            const char *key, *value;
        } overrides[MOST_OVERRIDES];
    } mechanisms[MOST_MECHANISMS];
} suites[] = {
    {"narasiman2011",
     "narasiman2011",
     {{"pdom/rr", {{NULL, NULL}}},
      {"pdom/two_level:8", {{"schedule.policy", "two_level"}, {"schedule.fetch_group", "8"}}},
      {"tbc:256/rr", {{"divergence.unit", "tbc"}}},
      {"tbc:256/srr", {{"divergence.unit", "tbc"}, {"schedule.policy", "srr"}}},
      {"lwm:256/rr", {{"divergence.unit", "lwm"}, {"core.warp_size", "256"}, {"core.warps", "4"}}},
      {"lwm:256/two_level:1",
       {{"divergence.unit", "lwm"},
        {"core.warp_size", "256"},
        {"core.warps", "4"},
        {"schedule.policy", "two_level"},
        {"schedule.fetch_group", "1"},
        {"schedule.timeout", "32768"}}}}},
    {"anantpur2015",
     "gtx480",
     {{"lrr", {{"schedule.policy", "lrr"}}},
      {"gto", {{"schedule.policy", "gto"}}},
      {"two_level_active:6", {{"schedule.policy", "two_level_active"}, {"schedule.active", "6"}}},
      {"pro", {{"schedule.policy", "pro"}}}}},
    {"xiang2014",
     "gtx480",
     {{"lrr", {{"schedule.policy", "lrr"}}},
      {"rr", {{"schedule.policy", "rr"}}},
      {"two_level_active:6", {{"schedule.policy", "two_level_active"}, {"schedule.active", "6"}}}}},
    {"rogers2015",
     "rogers2015",
     {{"32 gto", {{NULL, NULL}}},
      {"32 lrr", {{"schedule.policy", "lrr"}}},
      {"WS8", {{"divergence.unit", "vws"}, {"core.warp_size", "8"}, {"core.warps", "128"}}},
      {"WS4", {{"divergence.unit", "vws"}, {"core.warp_size", "4"}, {"core.warps", "256"}}},
      {"I-VWS", {{"divergence.unit", "vws"}, {"core.warp_size", "4"}, {"core.warps", "256"}, {"vws.gangs", "on"}}},
      {"E-VWS-ImpatientMem",
       {{"divergence.unit", "vws"},
        {"core.warp_size", "4"},
        {"core.warps", "256"},
        {"vws.gangs", "on"},
        {"vws.split", "impatient"},
        {"vws.reform", "opportunistic"}}}}},
    {"fung2007",
     "fung2007",
     {{"pdom/rr", {{NULL, NULL}}},
      {"serial/rr", {{"divergence.unit", "serial"}}},
      {"dwf aware/majority", {{"divergence.unit", "dwf"}, {"schedule.policy", "majority"}}},
      {"dwf conflicts/majority_table",
       {{"divergence.unit", "dwf"}, {"dwf.lanes", "conflicts"}, {"schedule.policy", "majority_table"}}},
      {"dwf ideal/pdom_priority",
       {{"divergence.unit", "dwf"}, {"dwf.lanes", "ideal"}, {"dwf.lut", "0"}, {"schedule.policy", "pdom_priority"}}},
      {"mimd/rr", {{"divergence.unit", "mimd"}}}}},
};

static const struct suite *suite_of(const struct ws_workload *workload)
{
    for (size_t n = 1; workload->paper && n < sizeof suites / sizeof *suites; n++)
        if (strcmp(workload->paper, suites[n].paper) == 0)
            return &suites[n];
    return &suites[0];
}

/* State while a workload's table is made. */
struct golden {
    const struct ws_workload *workload;
    const struct suite *suite;
    size_t count; /* of mechanisms */
    struct ws_machine machines[MOST_MECHANISMS];
    struct ws_image *image;
    struct ws_job_result results[MOST_MECHANISMS];
    u64 digest;
};

static enum ws_status make_machine(const struct suite *suite, size_t n, struct ws_machine *machine, struct ws_error *error)
{
    struct ws_machine_file file;
    WS_TRY(ws_machine_load(suite->machine, &file, error));
    *machine = file.machine;
    for (size_t i = 0; i < MOST_OVERRIDES && suite->mechanisms[n].overrides[i].key; i++)
        WS_TRY(ws_machine_set(machine, suite->mechanisms[n].overrides[i].key, suite->mechanisms[n].overrides[i].value, error));
    return ws_machine_check(machine, error);
}

static enum ws_status make_machines(struct golden *golden, struct ws_error *error)
{
    golden->suite = suite_of(golden->workload);
    for (size_t n = 0; n < MOST_MECHANISMS && golden->suite->mechanisms[n].name; n++, golden->count++)
        WS_TRY(make_machine(golden->suite, n, &golden->machines[n], error));
    return WS_STATUS_ok;
}

/* The trace is rebuilt: a cached one would hide changes of the front end. */
static enum ws_status make_image(struct golden *golden, struct ws_error *error)
{
    char path[] = "golden-XXXXXX";
    struct ws_frontend_options options;
    struct ws_trace *trace;
    const int descriptor = mkstemp(path);
    if (descriptor < 0)
        return ws_fail(error, WS_STATUS_no_file, "no temporary file can be made here");
    close(descriptor);
    ws_frontend_defaults(&options);
    enum ws_status status = ws_workload_trace(golden->workload, WS_SIZE_TINY, 0, &options, path, NULL, error);
    if (status == WS_STATUS_ok)
        status = ws_trace_open(path, &trace, error);
    if (status == WS_STATUS_ok) {
        golden->digest = ws_trace_digest(trace);
        status = ws_image_load(trace, 0, 1, ws_machine_spaces(&golden->machines[0]), &golden->image, error);
        ws_trace_close(trace);
    }
    unlink(path);
    return status;
}

static enum ws_status simulate(struct golden *golden, struct ws_error *error)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native"};
    struct ws_job_spec jobs[MOST_MECHANISMS];
    struct ws_engine *engine;
    for (size_t n = 0; n < golden->count; n++)
        jobs[n] = (struct ws_job_spec){.machine = &golden->machines[n], .image = golden->image};
    WS_TRY(ws_engine_open(&options, &engine, error));
    enum ws_status status = ws_engine_run(engine, jobs, golden->count, golden->results, NULL, error);
    ws_engine_close(engine);
    for (size_t n = 0; n < golden->count && status == WS_STATUS_ok; n++)
        if (golden->results[n].status != WS_STATUS_ok)
            status = ws_fail(error, golden->results[n].status, "%s: %s", golden->suite->mechanisms[n].name,
                             ws_job_reason(&golden->results[n]));
    return status;
}

/* The oracle's counters replace the engine's, which must be equal. */
static enum ws_status judge(struct golden *golden, struct ws_error *error)
{
    for (size_t n = 0; n < golden->count; n++) {
        struct oracle_log log = {.want_invariants = true};
        u64 counters[WS_COUNTERS];
        const enum ws_status status = oracle_run(&golden->machines[n], golden->image, counters, &log);
        oracle_log_free(&log);
        if (status != WS_STATUS_ok)
            return ws_fail(error, status, "%s: the oracle ends as %s; %s", golden->suite->mechanisms[n].name,
                           ws_status_name(status), log.violation);
        for (u32 i = 0; i < WS_COUNTERS; i++)
            if (counters[i] != golden->results[n].counters[i])
                return ws_fail(error, WS_STATUS_mismatch, "%s: %s is %llu by the oracle, %llu by the native engine",
                               golden->suite->mechanisms[n].name, counter_name(i), (unsigned long long)counters[i],
                               (unsigned long long)golden->results[n].counters[i]);
        memcpy(golden->results[n].counters, counters, sizeof counters);
    }
    return WS_STATUS_ok;
}

static enum ws_status make_results(struct golden *golden, struct ws_error *error)
{
    WS_TRY(make_machines(golden, error));
    WS_TRY(make_image(golden, error));
    WS_TRY(simulate(golden, error));
    return getenv("WS_GOLDEN_WRITE") || getenv("WS_GOLDEN_ORACLE") ? judge(golden, error) : WS_STATUS_ok;
}

static void name_column(struct golden_column *column, const struct ws_workload *workload, size_t n)
{
    const struct suite *const suite = suite_of(workload);
    const char *const words[GOLDEN_WORDS] = {workload->name, suite->machine, suite->mechanisms[n].name};
    memset(column, 0, sizeof *column);
    for (u32 word = 0; word < GOLDEN_WORDS; word++)
        snprintf(column->words[word], GOLDEN_LONGEST, "%s", words[word]);
}

static struct golden_table table;

static void compare_with_table(const struct golden_column *found)
{
    const struct golden_column *const expected = golden_find(&table, found);
    struct ws_text differences = {0};
    if (!expected)
        fail_msg("the table has no column %s, %s, %s", found->words[0], found->words[1], found->words[2]);
    const size_t count = golden_compare(&differences, expected, found, MOST_DIFFERENCES);
    if (count > 0)
        fail_msg("%s, %s, %s: %zu rows differ; the first:\n%s", found->words[0], found->words[1], found->words[2], count,
                 differences.data);
}

/* Workloads of other papers may lack columns until they are added; those without a paper, until the table is written. */
static bool lacks_columns(const struct ws_workload *workload)
{
    struct golden_column column;
    if (workload->paper && strcmp(workload->paper, suite_of(workload)->paper) == 0)
        return false;
    name_column(&column, workload, 0);
    return !golden_find(&table, &column) && (workload->paper || !getenv("WS_GOLDEN_WRITE"));
}

static void test_golden(void **state)
{
    struct golden golden = {.workload = *state};
    struct golden_column column;
    struct ws_error error;
    if (lacks_columns(golden.workload)) {
        print_message("%s has no column\n", golden.workload->name);
        skip();
    }
    if (make_results(&golden, &error) != WS_STATUS_ok)
        fail_msg("%s: %s", golden.workload->name, error.message);
    for (size_t n = 0; n < golden.count; n++) {
        name_column(&column, golden.workload, n);
        column.trace = golden.digest;
        memcpy(column.counters, golden.results[n].counters, sizeof column.counters);
        if (getenv("WS_GOLDEN_WRITE"))
            golden_put(&table, &column);
        else
            compare_with_table(&column);
    }
    ws_image_free(golden.image);
}

static bool is_todays(const struct golden_column *column)
{
    struct golden_column todays;
    for (const struct ws_workload *workload = ws_workloads(); workload->name; workload++)
        for (size_t n = 0; n < MOST_MECHANISMS && suite_of(workload)->mechanisms[n].name; n++) {
            name_column(&todays, workload, n);
            if (memcmp(todays.words, column->words, sizeof todays.words) == 0)
                return true;
        }
    return false;
}

/* The file is exactly the table of today's workloads, machines, mechanisms and counters. */
static void test_table(void **state)
{
    struct golden_table kept = {0};
    struct ws_text text = {0};
    char *file;
    size_t length;
    (void)state;
    for (size_t n = 0; n < table.count; n++)
        if (is_todays(&table.columns[n]))
            golden_put(&kept, &table.columns[n]);
    golden_write(&text, &kept);
    assert_false(text.failed);
    EXPECT_OK(getenv("WS_GOLDEN_WRITE") && ws_file_write(GOLDEN_FILE, text.data, text.length, &error));
    EXPECT_OK(ws_file_read(GOLDEN_FILE, MOST_TABLE_BYTES, &file, &length, &error));
    if (strcmp(file, text.data) != 0)
        fail_msg("%s has a row or a column of something that there is no more, or another layout: WS_GOLDEN_WRITE=1 rewrites it",
                 GOLDEN_FILE);
    free(file);
    golden_free(&kept);
    ws_text_free(&text);
}

/* The comparison reports differences and their number. */
static void test_comparison(void **state)
{
    static struct golden_column expected = {.trace = 7, .counters = {1, 2}}, found = {.trace = 8, .counters = {1, 3, 4}};
    struct ws_text out = {0};
    (void)state;
    assert_int_equal(golden_compare(&out, &expected, &expected, MOST_DIFFERENCES), 0);
    assert_null(out.data);
    assert_int_equal(golden_compare(&out, &expected, &found, 2), 3);
    assert_string_equal(out.data, "trace is 8, in the table 7\nwarp_instructions is 3, in the table 2\n");
    ws_text_free(&out);
}

/* A written table is read again; test_table covers empty rows and unknown columns. */
static void test_layout(void **state)
{
    static const char text[] = "workload\ta\tc\nmachine\tm\tm\nmechanism\t32 gto\trr\n"
                               "trace\t00000000000000ff\t0000000000000001\ncycles\t0\t12\n";
    struct golden_table read = {0};
    struct golden_column column = {.words = {"b", "m", "rr"}, .counters = {0, 5}};
    struct ws_text out = {0};
    (void)state;
    golden_read(&read, text);
    golden_write(&out, &read);
    assert_string_equal(out.data, text);
    golden_put(&read, &column);
    assert_string_equal(read.columns[1].words[0], "b");
    assert_string_equal(read.columns[2].words[2], "rr");
    assert_ptr_equal(golden_find(&read, &column), &read.columns[1]);
    ws_text_free(&out);
    golden_free(&read);
}

int main(void)
{
    static struct workload_rows rows;
    struct ws_error error;
    char *text;
    size_t length;
    if (ws_file_read(GOLDEN_FILE, MOST_TABLE_BYTES, &text, &length, &error) == WS_STATUS_ok) {
        golden_read(&table, text);
        free(text);
    }
    workload_rows_add(&rows, "golden", test_golden);
    rows.test[rows.count++] = (struct CMUnitTest)cmocka_unit_test(test_table);
    rows.test[rows.count++] = (struct CMUnitTest)cmocka_unit_test(test_comparison);
    rows.test[rows.count++] = (struct CMUnitTest)cmocka_unit_test(test_layout);
    const int failed = workload_rows_run(&rows, "golden");
    golden_free(&table);
    return failed;
}
