/* Spans of numbers in lanes, and fields of a plane. */
#include <math.h>

#include "base/error.h"
#include "figures/charts/chart.h"

/* ---- Spans ---- */

enum { MANY = 16, MOST_TICS = 12 };

enum ws_status ws_chart_data_spans(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    const struct ws_answer *const answer = &panel->chart->answer;
    struct ws_words lanes;
    WS_TRY(ws_panel_words(panel, "lane", &lanes, error));
    for (size_t row = 0; row < answer->rows; row++) {
        if (!ws_panel_has(panel, row))
            continue;
        ws_text_add(text, "%zu", ws_words_find(&lanes, ws_answer_text(answer, row, ws_panel_column(panel, "lane"))));
        ws_put_value(text, ws_answer_number(answer, row, ws_panel_column(panel, "from")));
        ws_put_value(text, ws_answer_number(answer, row, ws_panel_column(panel, "until")));
        ws_text_add(text, "\n");
    }
    ws_words_free(&lanes);
    return WS_STATUS_ok;
}

/* Names of lanes along an axis; every few, if many. */
static void add_lanes(struct ws_text *text, const char *axis, const struct ws_words *lanes, size_t step)
{
    ws_text_add(text, "set %stics (", axis);
    for (size_t n = 0; n < lanes->count; n += step) {
        ws_text_add(text, "%s", n > 0 ? ", " : "");
        ws_put_string(text, lanes->word[n], " ");
        ws_text_add(text, " %zu", n);
    }
    ws_text_add(text, ") scale 0 norotate nomirror font \"" WS_FONT ",%d\"\nset %srange ",
                lanes->count > MANY && step == 1 ? 6 : 10, axis);
}

enum ws_status ws_chart_draw_spans(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    const struct ws_answer *const answer = &panel->chart->answer;
    struct ws_words lanes;
    double most = 1;
    WS_TRY(ws_panel_words(panel, "lane", &lanes, error));
    for (size_t row = 0; row < answer->rows; row++)
        most = fmax(most, ws_answer_number(answer, row, ws_panel_column(panel, "until")));
    ws_text_add(text, "unset key\n");
    if (panel->chart->upright) {
        add_lanes(text, "x", &lanes, 1 + lanes.count / MOST_TICS);
        ws_text_add(text, "[-0.7:%.1f]\nset yrange [0:%.0f]\nplot $panel%zu using 1:2:($1-0.38):($1+0.38):2:3",
                    (double)lanes.count - 0.3, 1.03 * most, panel->number);
    } else {
        add_lanes(text, "y", &lanes, 1);
        ws_text_add(text,
                    "[%.1f:-0.7]\nset xtics autofreq norotate font \"" WS_FONT ",10\"\nset xrange [*:*]\nplot $panel%zu using "
                    "2:1:2:3:($1-0.38):($1+0.38)",
                    (double)lanes.count - 0.3, panel->number);
    }
    ws_text_add(text,
                " with boxxyerror lc rgb \"#2171b5\" notitle\nset ytics autofreq nomirror scale 0.5 font \"" WS_FONT ",11\"\n");
    ws_words_free(&lanes);
    return WS_STATUS_ok;
}

/* ---- Heat maps ---- */

enum ws_status ws_chart_data_heat_map(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    const struct ws_answer *const answer = &panel->chart->answer;
    struct ws_words x, y;
    WS_TRY(ws_panel_words(panel, "x", &x, error));
    const enum ws_status status = ws_panel_words(panel, "y", &y, error);
    for (size_t row = 0; status == WS_STATUS_ok && row < answer->rows; row++) {
        if (!ws_panel_has(panel, row))
            continue;
        ws_text_add(text, "%zu %zu", ws_words_find(&x, ws_answer_text(answer, row, ws_panel_column(panel, "x"))),
                    ws_words_find(&y, ws_answer_text(answer, row, ws_panel_column(panel, "y"))));
        ws_put_value(text, ws_answer_number(answer, row, ws_panel_column(panel, "value")));
        ws_text_add(text, "\n");
    }
    ws_words_free(&x);
    if (status == WS_STATUS_ok)
        ws_words_free(&y);
    return status;
}

enum ws_status ws_chart_draw_heat_map(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    struct ws_words x, y;
    WS_TRY(ws_panel_words(panel, "x", &x, error));
    const enum ws_status status = ws_panel_words(panel, "y", &y, error);
    ws_put_tics(text, panel, &x);
    ws_text_add(text, "set lmargin at screen %.4f; set rmargin at screen %.4f\n", panel->left + 0.1, panel->right - 0.05);
    if (status == WS_STATUS_ok) {
        add_lanes(text, "y", &y, 1);
        ws_text_add(text, "[-0.5:%.1f]\n", (double)y.count - 0.5);
    }
    ws_text_add(
        text,
        "unset key\nset xrange [-0.5:%.1f]\nset palette defined (0 \"#f7fbff\", 1 \"#9ecae1\", 2 \"#2171b5\", 3 \"#08306b\")\n"
        "plot $panel%zu using 1:2:3 with image notitle",
        (double)x.count - 0.5, panel->number);
    if (panel->chart->numbers > 0)
        ws_text_add(text, ", $panel%zu using 1:2:(sprintf(\"%%.%uf\", $3)) with labels center font \"" WS_FONT ",9\" notitle",
                    panel->number, panel->chart->numbers - 1);
    ws_text_add(text, "\nset ytics autofreq nomirror scale 0.5 font \"" WS_FONT ",11\"\n");
    ws_words_free(&x);
    if (status == WS_STATUS_ok)
        ws_words_free(&y);
    return status;
}
