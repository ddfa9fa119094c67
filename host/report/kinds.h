/* Kinds of figures: a function of each kind for every renderer, and what these share. A kind without its functions does not link.
 */
#ifndef WS_REPORT_KINDS_H
#define WS_REPORT_KINDS_H

#include "report/render.h"

/* table: the numbers as text. markdown: as Markdown. data and panels: gnuplot's commands for the data, and for the panels between
 * a figure's title and its comparison. */
typedef void ws_kind_function(struct ws_text *text, const struct ws_shown *shown);
#define KIND(name, standard, doc) ws_kind_function ws_table_##name, ws_markdown_##name, ws_data_##name, ws_panels_##name;
#include "warpsweep/figure_kinds.def"
#undef KIND

/* The two tables of a kind whose rows and columns are those of a grid, which fill fills in. */
#define WS_GRID_TABLES(kind, fill)                                                                                                 \
    void ws_table_##kind(struct ws_text *text, const struct ws_shown *shown)                                                       \
    {                                                                                                                              \
        struct ws_grid grid = {0};                                                                                                 \
        fill(&grid, shown);                                                                                                        \
        ws_grid_text(text, &grid);                                                                                                 \
        ws_grid_free(&grid);                                                                                                       \
    }                                                                                                                              \
    void ws_markdown_##kind(struct ws_text *text, const struct ws_shown *shown)                                                    \
    {                                                                                                                              \
        struct ws_grid grid = {0};                                                                                                 \
        fill(&grid, shown);                                                                                                        \
        ws_grid_markdown(text, &grid);                                                                                             \
        ws_grid_free(&grid);                                                                                                       \
    }

/* ---- Text ---- */

/* Adds a number in a column, "-" for NaN. */
void ws_table_number(struct ws_text *text, int width, const char *format, double value);

/* Width of the column of points, and of a trace's. */
int ws_table_label(const struct ws_measures *measures);
int ws_table_width(const struct ws_measures *measures, size_t trace);

/* Adds the heading of the column of points and those of the traces. */
void ws_table_heads(struct ws_text *text, const struct ws_measures *measures, const char *heading);

/* ---- Markdown ---- */

/* Adds a cell with a number, "-" for NaN. */
void ws_markdown_number(struct ws_text *text, const char *format, double value);

/* Adds the heading of the column of points and those of the traces, then a last one unless it is NULL, and the rule below. */
void ws_markdown_heads(struct ws_text *text, const struct ws_measures *measures, const char *heading, const char *last);

/* ---- Scripts ---- */

/* Adds a text as gnuplot's double-quoted string; blank stands for a blank. */
void ws_script_string(struct ws_text *text, const char *words, const char *blank);

/* Adds a number of a data block, "?" for NaN. */
void ws_script_value(struct ws_text *text, double value);

/* The font for names of one line a word, each with so many pixels of an axis, so that none touches its neighbour. */
u32 ws_script_font(const char *const *names, size_t count, double pixels);

/* Adds a panel that says in words what there is nothing to draw of. */
void ws_script_nothing(struct ws_text *text, const char *words);

/* Adds the tics of an axis with a place for each trace, up to the closing bracket. */
void ws_script_traces(struct ws_text *text, const struct ws_measures *measures);

/* What the paper says of a point's mean gain over the baseline, at this figure or another, or NaN. */
double ws_script_paper_gain(const struct ws_shown *shown, size_t point);

#endif
