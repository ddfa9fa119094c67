#include "unit/report/made.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "test.h"

struct ws_figure figure;
struct ws_measures measures;
struct ws_shown shown;

enum ws_status made_show(const struct ws_figure *given, const struct ws_experiment *what)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results};
    struct ws_sweep_summary summary;
    struct ws_results *results;
    struct ws_error error;
    const enum ws_status status = ws_sweep(what, &options, &summary, &error);
    if ((status != WS_STATUS_ok && status != WS_STATUS_failed) ||
        ws_results_open(fake_results, WS_RESULTS_READ, &results, &error) != WS_STATUS_ok ||
        ws_measures_read(results, what->name, &measures, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    ws_results_close(results, NULL);
    figure = *given;
    figure.name = "made";
    figure.experiment = "made-up";
    figure.title = "Made-up runs";
    figure.over = "no workloads";
    shown = (struct ws_shown){.figure = &figure, .measures = &measures, .size = "tiny"};
    return status;
}

int made_tear_down(void **state)
{
    ws_measures_free(&measures);
    return fake_tear_down(state);
}

void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-4))
        fail_msg("%.6f is not %.6f", found, expected);
}

void assert_markdown(const char *table)
{
    struct ws_text text = {0};
    ws_render_markdown(&text, &shown);
    assert_non_null(text.data);
    if (!strstr(text.data, table))
        fail_msg("%s", text.data);
    ws_text_free(&text);
}

static void assert_word(const char *svg, const char *word)
{
    if (!strstr(svg, word))
        fail_msg("no '%s' in the picture", word);
}

void assert_drawn(const char *const *words)
{
    struct ws_text script = {0}, path = {0};
    struct ws_error error;
    char *svg;
    size_t length;
    ws_render_script(&script, &shown, fake_folder);
    ws_text_add(&path, "%s/made.gp", fake_folder);
    assert_int_equal(ws_file_write(path.data, script.data, script.length, &error), WS_STATUS_ok);
    if (ws_gnuplot(path.data, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    path.length = 0;
    ws_text_add(&path, "%s/made.svg", fake_folder);
    assert_int_equal(ws_file_read(path.data, 10 << 20, &svg, &length, &error), WS_STATUS_ok);
    assert_word(svg, "<svg");
    assert_word(svg, figure.title);
    assert_word(svg, figure.source);
    for (; *words; words++)
        assert_word(svg, *words);
    free(svg);
    ws_text_free(&script);
    ws_text_free(&path);
}

void assert_target(const struct ws_target *target, double ours)
{
    double found;
    assert_int_equal(ws_measures_target(NULL, "made-up", &measures, target, &found, NULL), WS_STATUS_ok);
    if (isnan(ours) ? !isnan(found) : !(fabs(found - ours) < 1e-4))
        fail_msg("%s %s %s: %.6f is not %.6f", target->point, target->versus ? target->versus : "", target->key, found, ours);
}

void assert_targets(const char *paper, const struct made_target *targets, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const struct made_target *const row = &targets[n];
        const struct ws_target target = {
            .paper = paper, .kind = row->kind, .point = row->point, .versus = row->versus, .key = row->key};
        assert_target(&target, row->ours);
    }
}
