/* Tables of a results file: JSON lines, conditions, columns, the order of rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/results/fakes.h"
#include "warpsweep/results.h"

static void make_results(struct ws_experiment *experiment, enum ws_status expected)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results};
    struct ws_sweep_summary summary;
    struct ws_error error;
    assert_int_equal(ws_sweep(experiment, &options, &summary, &error), expected);
}

/* What is written of the results file; to be freed. */
static char *export(const struct ws_export_options *options, enum ws_status expected, struct ws_error *error)
{
    struct ws_results *results;
    char *text = NULL;
    size_t length;
    FILE *const stream = open_memstream(&text, &length);
    assert_int_equal(ws_results_open(fake_results, WS_RESULTS_READ, &results, error), WS_STATUS_ok);
    assert_int_equal(ws_results_export(results, options, stream, error), expected);
    ws_results_close(results, NULL);
    fclose(stream);
    return text;
}

static void assert_exports(const struct ws_export_options *options, const char *expected)
{
    struct ws_error error;
    char *const text = export(options, WS_STATUS_ok, &error);
    assert_string_equal(text, expected);
    free(text);
}

TEST_WITH(json_lines_are_typed_and_escaped, fake_set_up, fake_tear_down)
{
    struct ws_experiment *const experiment = fake_experiment(1, 2, 1);
    fake_label(experiment, 0, (char[]){"7 \"\\\n\x01\xff\xc3\xa4"});
    fake_engine.ending = WS_STATUS_device; /* which leaves no counters */
    fake_engine.ending_trace = "b";
    make_results(experiment, WS_STATUS_failed);
    assert_exports(&(struct ws_export_options){WS_STRUCT(export_options), .format = WS_EXPORT_JSON_LINES,
                                               .columns = "point,trace,cycles,run_seconds,reason"},
                   "{\"point\": \"7 \\\"\\\\\\n\\u0001\\ufffd\xc3\xa4\", \"trace\": \"a\", \"cycles\": 1797, \"run_seconds\": 0.5, "
                   "\"reason\": null}\n"
                   "{\"point\": \"7 \\\"\\\\\\n\\u0001\\ufffd\xc3\xa4\", \"trace\": \"b\", \"cycles\": null, \"run_seconds\": 0.5, "
                   "\"reason\": \"made-up reason\"}\n");
}

/* A text of digits stays a text. */
TEST_WITH(texts_are_no_numbers, fake_set_up, fake_tear_down)
{
    struct ws_experiment *const experiment = fake_experiment(2, 1, 1);
    fake_label(experiment, 0, (char[]){"10"});
    fake_label(experiment, 1, (char[]){"9"});
    make_results(experiment, WS_STATUS_ok);
    assert_exports(&(struct ws_export_options){WS_STRUCT(export_options), .format = WS_EXPORT_JSON_LINES, .columns = "point"},
                   "{\"point\": \"10\"}\n{\"point\": \"9\"}\n");
    assert_exports(&(struct ws_export_options){WS_STRUCT(export_options), .columns = "point",
                                               .conditions = (const char *[]){"point < 2"}, .condition_count = 1},
                   "point\n10\n");
    assert_exports(&(struct ws_export_options){WS_STRUCT(export_options), .columns = "point",
                                               .conditions = (const char *[]){"point = 10.0"}, .condition_count = 1},
                   "point\n");
    assert_exports(&(struct ws_export_options){WS_STRUCT(export_options), .columns = "core.depth",
                                               .conditions = (const char *[]){"core.depth = 7.0"}, .condition_count = 1},
                   "core_depth\n7\n");
}

/* One condition selects among points p0 to p9 (depth 7 to 16) and traces a and b; b has failed and has no counters. */
TEST_WITH(conditions_choose_rows, fake_set_up, fake_tear_down)
{
    static const struct {
        const char *condition;
        size_t rows;
    } cases[] = {
        {"point=p3", 2},
        {"point = p3", 2},
        {"point != p3", 18},
        {"point = P3", 0},
        {"point ~ p[0-4]", 10},
        {"point~*", 20},
        {"point ~ p", 0},
        {"point ~ ?3", 2},
        {"point >= p7", 6},
        {"core.depth < 9", 4},
        {"core.depth<=9", 6},
        {"core_depth > 9", 14},
        {"core.depth >= 9", 16},
        {"core.depth = 1e1", 2},
        {"core.depth != 10", 18},
        {"cycles > 0", 10},
        {"cycles < 0", 0},
        {"cycles = ", 10},
        {"cycles != ", 10},
        {"cycles != 1797", 19},
        {"reason =", 10},
        {"reason !=", 10},
        {"reason = made-up reason", 10},
        {"reason != made-up reason", 10},
        {"ipc > 11.1", 1},
        {"ipc >= -1.5e+3", 10},
        {"variation =", 20},
        {"core.depth ~ 1*", 14},
        {"trace = a' OR 1 --", 0},
    };
    fake_engine.ending = WS_STATUS_device;
    fake_engine.ending_trace = "b";
    make_results(fake_experiment(10, 2, 1), WS_STATUS_failed);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_error error;
        const struct ws_export_options options = {WS_STRUCT(export_options), .format = WS_EXPORT_JSON_LINES, .columns = "point",
                                                  .conditions = &cases[n].condition, .condition_count = 1};
        char *const text = export(&options, WS_STATUS_ok, &error);
        size_t rows = 0;
        for (const char *c = text; *c; c++)
            rows += *c == '\n';
        if (rows != cases[n].rows)
            fail_msg("%s: %zu rows, expected %zu", cases[n].condition, rows, cases[n].rows);
        free(text);
    }
}

TEST_WITH(all_conditions_must_hold, fake_set_up, fake_tear_down)
{
    const char *const conditions[] = {"core.depth > 7", "trace = b", "shard = 1"};
    make_results(fake_experiment(3, 2, 2), WS_STATUS_ok);
    assert_exports(&(struct ws_export_options){WS_STRUCT(export_options), .columns = "shard, trace ,point",
                                               .conditions = conditions, .condition_count = 3},
                   "shard,trace,point\n1,b,p1\n1,b,p2\n");
}

TEST_WITH(rows_are_sorted_by_experiment_point_trace_shard, fake_set_up, fake_tear_down)
{
    struct ws_experiment *experiment = fake_experiment(2, 2, 2);
    experiment->name = (char[]){"z"};
    fake_label(experiment, 0, (char[]){"y"});
    experiment->traces[0] = (char[]){"x"};
    make_results(experiment, WS_STATUS_ok);
    experiment = fake_experiment(1, 1, 1);
    experiment->name = (char[]){"w"};
    make_results(experiment, WS_STATUS_ok);
    assert_exports(
        &(struct ws_export_options){WS_STRUCT(export_options), .columns = "experiment,point,trace,shard"},
        "experiment,point,trace,shard\nw,p0,a,0\nz,y,x,0\nz,y,x,1\nz,y,b,0\nz,y,b,1\nz,p1,x,0\nz,p1,x,1\nz,p1,b,0\nz,p1,b,1\n");
    assert_exports(
        &(struct ws_export_options){WS_STRUCT(export_options), .view = "kernel", .columns = "experiment,point,trace,shards"},
        "experiment,point,trace,shards\nw,p0,a,1\nz,y,x,2\nz,y,b,2\nz,p1,x,2\nz,p1,b,2\n");
}

/* No column with a similar name. */
#define LISTED "; columns are parameters, counters and metrics ('warpsweep list'), and others in docs/results.md"

TEST_WITH(nonsense_is_named_and_nothing_written, fake_set_up, fake_tear_down)
{
    const struct {
        struct ws_export_options options;
        const char *words;
    } cases[] = {
        {{WS_STRUCT(export_options), .view = "results"},
         "no view is called 'results'; views are result, kernel, speedup, block, warp, sort, run (did you mean 'result'?)"},
        {{WS_STRUCT(export_options), .columns = "point,cycels"}, "view result has no column 'cycels' (did you mean 'cycles'?)"},
        {{WS_STRUCT(export_options), .columns = "core.dept"}, "view result has no column 'core.dept' (did you mean 'core_depth'?)"},
        {{WS_STRUCT(export_options), .columns = "core_depth.x"},
         "view result has no column 'core_depth.x' (did you mean 'core_depth'?)"},
        {{WS_STRUCT(export_options), .columns = ""}, "view result has no column ''" LISTED},
        {{WS_STRUCT(export_options), .columns = "point,"}, "view result has no column ''" LISTED},
        {{WS_STRUCT(export_options), .columns = "point,trace,point"}, "column 'point' is named twice; remove one"},
        {{WS_STRUCT(export_options), .columns = "job_id"}, "view result has no column 'job_id'" LISTED},
        {{WS_STRUCT(export_options), .conditions = (const char *[]){"shard == 1"}, .condition_count = 1},
         "condition 'shard == 1': allowed is COLUMN OP VALUE with OP one of = != < <= > >= ~ (like a file name: * ? [...])"},
        {{WS_STRUCT(export_options), .conditions = (const char *[]){"cycles > 1x"}, .condition_count = 1},
         "condition 'cycles > 1x': found '1x', allowed is a number"},
        {{WS_STRUCT(export_options), .conditions = (const char *[]){"cycles > "}, .condition_count = 1},
         "condition 'cycles > ': found '', allowed is a number"},
        {{WS_STRUCT(export_options), .conditions = (const char *[]){"cycles = nan"}, .condition_count = 1},
         "condition 'cycles = nan': found 'nan', allowed is a number"},
    };
    make_results(fake_experiment(1, 1, 1), WS_STATUS_ok);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_error error;
        char expected[400];
        char *const text = export(&cases[n].options, WS_STATUS_usage, &error);
        snprintf(expected, sizeof expected, "%s: %s", fake_results, cases[n].words);
        assert_string_equal(error.message, expected);
        assert_string_equal(text, "");
        free(text);
    }
}
