/* Charts: an answer drawn by gnuplot as one of the eight kinds (charts.def). */
#pragma once

#include "base/text.h"
#include "figures/answer.h"

enum ws_chart_kind {
#define CHART(name, words, needed, doc) WS_CHART_##name,
#include "figures/charts/charts.def"
#undef CHART
    WS_CHART_KINDS
};

enum { WS_COLOURS_MOST = 16 };

/* A chart of a figure's file with what it is to show. Texts belong to the file or to the chart's owner. */
struct ws_chart {
    enum ws_chart_kind kind;
    const char *title, *x, *y; /* titles: of the chart, of its axes; "" for none */
    double share;              /* of the picture's width */
    double from, low, high;    /* where bars begin; what the axis of values covers at least, NaN for nothing */
    unsigned numbers;          /* digits + 1 of the numbers at marks, 0: no numbers */
    bool sign;                 /* whether they have a plus */
    bool beside;               /* the paper's values are bars beside simulated ones, else lines across them */
    bool reverse;              /* the axis of values runs down */
    bool upright;              /* spans run up */
    bool each;                 /* each bar has a colour of its own */
    size_t colours;
    const char *colour[WS_COLOURS_MOST];
    struct ws_answer answer;
};

/* A part of a chart: all of it, or the rows whose column panel is the same. Edges are of the axes, as parts of the picture. */
struct ws_panel {
    const struct ws_chart *chart;
    size_t number; /* in the picture: the data block is $panelN */
    const char *name;
    double left, right, top, bottom;
    bool first;         /* of its chart */
    double key, middle; /* where the chart's key is, and the middle of all its panels */
    size_t group;       /* the answer's column panel, or its columns */
};

/* Adds the data block of a panel, and the commands that draw it. */
enum ws_status ws_chart_data(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error);
enum ws_status ws_chart_draw(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error);

/* ---- For the kinds ---- */

enum { WS_PICTURE_PIXELS = 1180 };
#define WS_FONT         "DejaVu Sans"
#define WS_PAPER_COLOUR "#d55e00"

/* What each kind has: its data, and its drawing below the title and in the margins. */
typedef enum ws_status ws_chart_function(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error);
#define CHART(name, words, needed, doc) ws_chart_function ws_chart_data_##name, ws_chart_draw_##name;
#include "figures/charts/charts.def"
#undef CHART

/* The column of this name in the panel's answer, or its number of columns. */
size_t ws_panel_column(const struct ws_panel *panel, const char *name);

/* Whether a row is one of the panel's. */
bool ws_panel_has(const struct ws_panel *panel, size_t row);

/* The different texts of a column in the panel's rows. */
enum ws_status ws_panel_words(const struct ws_panel *panel, const char *name, struct ws_words *words, struct ws_error *error);

/* The n-th colour of the chart, or of those that a kind has. */
const char *ws_panel_colour(const struct ws_panel *panel, size_t n, const char *const *standard, size_t count);

/* The room that the names of a scatter chart's rows take, as a part of the picture's width, and their font. */
double ws_scatter_room(const struct ws_chart *chart, int *font);

/* Pixels of the panel's width. */
double ws_panel_pixels(const struct ws_panel *panel);

/* Adds a text as gnuplot's double-quoted string; blank stands for a blank. */
void ws_put_string(struct ws_text *text, const char *words, const char *blank);

/* Adds a number of a data block, "?" for NaN. */
void ws_put_value(struct ws_text *text, double value);

/* Adds `set xtics (...)` with a place for each word: side by side where they fit, else at an angle. */
void ws_put_tics(struct ws_text *text, const struct ws_panel *panel, const struct ws_words *words);

/* Adds a key in one row above the panel. */
void ws_put_key(struct ws_text *text, const struct ws_panel *panel);

/* Adds a panel that says that there is nothing to draw. */
void ws_put_nothing(struct ws_text *text);
