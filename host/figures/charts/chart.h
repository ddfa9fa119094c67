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

/* A chart of a figure's file, with its data. Texts belong to the file or to the chart's owner. */
struct ws_chart {
    enum ws_chart_kind kind;
    const char *title, *x, *y; /* titles of the chart and its axes; "" for none */
    double share;              /* of the picture's width */
    double from, low, high;    /* base of bars; least range of the value axis, NaN for none */
    unsigned numbers;          /* digits + 1 of the numbers at marks, 0: no numbers */
    bool sign;                 /* numbers have a plus sign */
    bool beside;               /* the paper's values are bars beside the simulated ones; else lines across them */
    bool reverse;              /* the value axis points down */
    bool upright;              /* spans run up */
    bool each;                 /* each bar has a colour of its own */
    size_t colours;
    const char *colour[WS_COLOURS_MOST];
    struct ws_answer answer;
};

/* A panel of a chart: the whole chart, or the rows with equal values in column panel. Edges of the axes, as fractions of the
 * picture. */
struct ws_panel {
    const struct ws_chart *chart;
    size_t number; /* number in the picture: its data block is $panelN */
    const char *name;
    double left, right, top, bottom;
    bool first;         /* of its chart */
    double key, middle; /* position of the chart's key, and centre of all its panels */
    size_t group;       /* the answer's column panel, or its number of columns */
};

/* Adds the data block of a panel, and its drawing commands. */
enum ws_status ws_chart_data(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error);
enum ws_status ws_chart_draw(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error);

/* ---- For the chart kinds ---- */

enum { WS_PICTURE_PIXELS = 1180 };
#define WS_FONT         "DejaVu Sans"
#define WS_PAPER_COLOUR "#d55e00"

/* Each kind has a data function, and a function that draws below the title within the margins. */
typedef enum ws_status ws_chart_function(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error);
#define CHART(name, words, needed, doc) ws_chart_function ws_chart_data_##name, ws_chart_draw_##name;
#include "figures/charts/charts.def"
#undef CHART

/* The column of this name in the panel's answer, or its number of columns. */
size_t ws_panel_column(const struct ws_panel *panel, const char *name);

/* Whether a row belongs to the panel. */
bool ws_panel_has(const struct ws_panel *panel, size_t row);

/* The distinct texts of a column in the panel's rows. */
enum ws_status ws_panel_words(const struct ws_panel *panel, const char *name, struct ws_words *words, struct ws_error *error);

/* The n-th colour of the chart, or of the kind's defaults. */
const char *ws_panel_colour(const struct ws_panel *panel, size_t n, const char *const *standard, size_t count);

/* Width of the row names of a scatter chart, as a fraction of the picture, and their font. */
double ws_scatter_room(const struct ws_chart *chart, int *font);

/* Pixels of the panel's width. */
double ws_panel_pixels(const struct ws_panel *panel);

/* Adds a text as a double-quoted gnuplot string; blank replaces blanks. */
void ws_put_string(struct ws_text *text, const char *words, const char *blank);

/* Adds a number to a data block, "?" for NaN. */
void ws_put_value(struct ws_text *text, double value);

/* Adds `set xtics (...)` with a position for each word: horizontal if they fit, else at an angle. */
void ws_put_tics(struct ws_text *text, const struct ws_panel *panel, const struct ws_words *words);

/* Adds a key in one row above the panel. */
void ws_put_key(struct ws_text *text, const struct ws_panel *panel);

/* Adds a panel with the note that there is nothing to draw. */
void ws_put_nothing(struct ws_text *text);
