/* The main job at its smallest: kernels traced, simulated by both engines, recorded, drawn. Both must find the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "test.h"
#include "warpsweep/report.h"
#include "warpsweep/results.h"

static char folder[64];

static enum ws_status add_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    for (size_t n = 0; n < row->count; n++)
        if (strncmp(row->names[n], "run_", 4) != 0)
            ws_text_add(context, "%s|", row->values[n] ? row->values[n] : "NULL");
    ws_text_add(context, "\n");
    return WS_STATUS_ok;
}

/* What a question is answered, without what is about the execution. */
static void ask(const char *sql, struct ws_text *answer)
{
    char path[128];
    struct ws_results *results;
    snprintf(path, sizeof path, "%s/narasiman2011-tiny.db", folder);
    EXPECT_OK(ws_results_open(path, WS_RESULTS_READ, &results, &error));
    EXPECT_OK(ws_results_query(results, sql, NULL, add_row, answer, &error));
    EXPECT_OK(ws_results_close(results, &error));
}

/* It must be there. */
static void remove_file(const char *name, const char *type)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s%s%s", folder, name, type ? "." : "", type ? type : "");
    assert_int_equal(unlink(path), 0);
}

static void remove_files(void)
{
    static const char *const names[] = {"comparison.json", "comparison.md", "narasiman2011-tiny.db"};
    static const char *const types[] = {"gp", "svg", "png"};
    static const char *const figures[] = {"fig1", "fig8", "fig9", "fig10", "fig11", "timeout"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        remove_file(names[n], NULL);
    for (size_t n = 0; n < sizeof figures / sizeof *figures; n++)
        for (size_t type = 0; type < sizeof types / sizeof *types; type++)
            remove_file(figures[n], types[type]);
    assert_int_equal(rmdir(folder), 0); /* and nothing else */
}

/* Reproduces the paper with an engine; the whole result table goes to *table. */
static void reproduce(const char *engine, struct ws_text *table)
{
    struct ws_text same = {0};
    snprintf(folder, sizeof folder, "reproduce-%s-XXXXXX", engine);
    assert_non_null(mkdtemp(folder));
    const struct ws_reproduce_options options = {
        WS_STRUCT(reproduce_options), .folder = folder, .size = WS_SIZE_TINY,
        .engine = {.engine = engine, .device = strcmp(engine, "opencl") == 0 ? "cpu" : NULL}};
    char *tables;
    size_t length;
    FILE *const stream = open_memstream(&tables, &length);
    EXPECT_OK(ws_reproduce("narasiman2011", &options, stream, &error));
    fclose(stream);
    assert_non_null(strstr(tables, "narasiman2011/fig10"));
    assert_non_null(strstr(tables, "narasiman2011/fig11"));
    free(tables);
    ask("SELECT * FROM result ORDER BY experiment, point_position, trace_position", table);
    ask("SELECT count(*), count(DISTINCT run_engine) FROM result WHERE status = 'ok' AND cycles > 0", &same);
    ask("SELECT count(DISTINCT cycles) FROM result WHERE point IN ('baseline 32x32 RR', '2Lev fetch group 32') GROUP BY trace",
        &same);
    assert_string_equal(
        same.data, "228|1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n"); /* one fetch group is round robin (Narasiman 5.3) */
    ws_text_free(&same);
    remove_files();
}

TEST(both_engines_reproduce_the_same)
{
    struct ws_text native = {0}, opencl = {0};
    reproduce("native", &native);
    reproduce("opencl", &opencl);
    assert_true(native.length > 10000);
    assert_string_equal(native.data, opencl.data);
    ws_text_free(&native);
    ws_text_free(&opencl);
}
