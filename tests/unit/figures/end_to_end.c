/* The main job at its smallest: traces kernels, simulates them with both engines, records and draws. Both must give the same
 * results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "test.h"
#include "unit/results/ask.h"
#include "warpsweep/report.h"
#include "warpsweep/results.h"

static char folder[64];

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
static char *reproduce(const char *engine)
{
    char file[128];
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
    snprintf(file, sizeof file, "%s/narasiman2011-tiny.db", folder);
    char *const table = ask(file, NULL, "SELECT * FROM result ORDER BY experiment, point_position, trace_position");
    assert_answers(file, NULL, "SELECT count(*), count(DISTINCT run_engine) FROM result WHERE status = 'ok' AND cycles > 0",
                   "228|1|\n");
    assert_answers(
        file, NULL,
        "SELECT count(DISTINCT cycles) FROM result WHERE point IN ('baseline 32x32 RR', '2Lev fetch group 32') GROUP BY trace",
        "1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n1|\n"); /* one fetch group is round robin (Narasiman 5.3) */
    remove_files();
    return table;
}

TEST(both_engines_reproduce_the_same)
{
    char *const native = reproduce("native"), *const opencl = reproduce("opencl");
    assert_true(strlen(native) > 10000);
    assert_string_equal(native, opencl);
    free(native);
    free(opencl);
}
