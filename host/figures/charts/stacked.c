/* Stacked bars: for each x some bars of several classes, the first class on top; areas if x are numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "figures/charts/chart.h"

static const char *const shades[] = {"#f0f0f0", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6",
                                     "#4292c6", "#2171b5", "#08519c", "#08306b"};
enum { SHADES = sizeof shades / sizeof *shades };

/* Numbers of a chart: of x g, bar b and class c at [(g * bars.count + b) * classes.count + c]. */
struct stacks {
    struct ws_words groups, bars, classes;
    double *value;
    bool area; /* every x is a number */
};

static void free_stacks(struct stacks *stacks)
{
    ws_words_free(&stacks->groups);
    ws_words_free(&stacks->bars);
    ws_words_free(&stacks->classes);
    free(stacks->value);
}

static void take_values(const struct ws_panel *panel, struct stacks *stacks)
{
    const struct ws_answer *const answer = &panel->chart->answer;
    const size_t x = ws_panel_column(panel, "x"), bar = ws_panel_column(panel, "bar"), class = ws_panel_column(panel, "class");
    stacks->area = bar == answer->columns;
    for (size_t row = 0; row < answer->rows; row++) {
        if (!ws_panel_has(panel, row))
            continue;
        const size_t group = ws_words_find(&stacks->groups, ws_answer_text(answer, row, x));
        const size_t which = ws_words_find(&stacks->bars, ws_answer_text(answer, row, bar));
        const size_t place = (group * stacks->bars.count + which) * stacks->classes.count;
        stacks->value[place + ws_words_find(&stacks->classes, ws_answer_text(answer, row, class))] =
            ws_answer_number(answer, row, ws_panel_column(panel, "y"));
        stacks->area = stacks->area && isfinite(ws_answer_number(answer, row, x));
    }
}

static enum ws_status read_stacks(const struct ws_panel *panel, struct stacks *stacks, struct ws_error *error)
{
    *stacks = (struct stacks){0};
    enum ws_status status = ws_panel_words(panel, "x", &stacks->groups, error);
    if (status == WS_STATUS_ok)
        status = ws_panel_words(panel, "bar", &stacks->bars, error);
    if (status == WS_STATUS_ok)
        status = ws_panel_words(panel, "class", &stacks->classes, error);
    const size_t count = stacks->groups.count * stacks->bars.count * stacks->classes.count;
    stacks->value = calloc(count + 1, sizeof *stacks->value);
    if (status == WS_STATUS_ok && !stacks->value)
        status = ws_no_memory(error);
    if (status != WS_STATUS_ok) {
        free_stacks(stacks);
        return status;
    }
    for (size_t n = 0; n < count; n++)
        stacks->value[n] = (double)NAN;
    take_values(panel, stacks);
    return status;
}

/* One row per x: its value or position, then for each bar the cumulative sums from the last class to the first. */
enum ws_status ws_chart_data_stacked(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    struct stacks stacks;
    WS_TRY(read_stacks(panel, &stacks, error));
    for (size_t group = 0; group < stacks.groups.count; group++) {
        if (stacks.area)
            ws_text_add(text, "%s", stacks.groups.word[group]);
        else
            ws_text_add(text, "%zu", group);
        for (size_t bar = 0; bar < stacks.bars.count; bar++) {
            double sum = 0;
            for (size_t class = stacks.classes.count; class -- > 0;)
                ws_put_value(text, sum += stacks.value[(group * stacks.bars.count + bar) * stacks.classes.count + class]);
        }
        ws_text_add(text, "\n");
    }
    free_stacks(&stacks);
    return WS_STATUS_ok;
}

/* ---- Drawing ---- */

/* A stacked bar is drawn as overlapping bars, the highest first. */
static void add_bars(struct ws_text *text, const struct ws_panel *panel, const struct stacks *stacks)
{
    const double width = 0.8 / (double)stacks->bars.count;
    const char *joint = "plot ";
    ws_put_tics(text, panel, &stacks->groups);
    ws_text_add(text, "set boxwidth %.4f\nset yrange [0:%s]\n", width * 0.9, isfinite(panel->chart->high) ? "100" : "*");
    for (size_t class = 0; class < stacks->classes.count; class ++) {
        for (size_t bar = 0; bar < stacks->bars.count; bar++, joint = ", ") {
            ws_text_add(text, "%s$panel%zu using ($1%+.4f):%zu with boxes lc rgb \"%s\" ", joint, panel->number,
                        ((double)bar + 0.5) * width - 0.4, 2 + bar * stacks->classes.count + (stacks->classes.count - 1 - class),
                        ws_panel_colour(panel, class, shades, SHADES));
            if (bar > 0)
                ws_text_add(text, "notitle");
            else
                ws_text_add(text, "title ");
            if (bar == 0)
                ws_put_string(text, stacks->classes.word[class], " ");
        }
    }
    ws_text_add(text, "\n");
}

/* The highest first, so that lower ones cover it. */
static void add_areas(struct ws_text *text, const struct ws_panel *panel, const struct stacks *stacks)
{
    ws_text_add(text, "set style fill solid 1 noborder\nset xrange [0:*]\nset yrange [0:*]\nset xtics auto norotate font \"" WS_FONT
                      ",10\"\n");
    for (size_t class = 0; class < stacks->classes.count; class ++) {
        ws_text_add(text, "%s$panel%zu using 1:%zu with fillsteps lc rgb \"%s\" title ", class > 0 ? ", " : "plot ", panel->number,
                    1 + stacks->classes.count - class, ws_panel_colour(panel, class, shades + 1, SHADES - 1));
        ws_put_string(text, stacks->classes.word[class], " ");
    }
    ws_text_add(text, "\n");
}

enum ws_status ws_chart_draw_stacked(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    struct stacks stacks;
    WS_TRY(read_stacks(panel, &stacks, error));
    (stacks.area ? add_areas : add_bars)(text, panel, &stacks);
    free_stacks(&stacks);
    return WS_STATUS_ok;
}
