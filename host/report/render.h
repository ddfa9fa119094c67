/* What becomes of measures: a table, a picture, rows of comparison.json. */
#ifndef WS_REPORT_RENDER_H
#define WS_REPORT_RENDER_H

#include "base/documents/json.h"
#include "report/measures.h"

/* A target with our value, NaN where we have none. */
struct ws_comparison {
    const struct ws_target *target;
    double ours;
};

/* A figure with all there is to show. */
struct ws_shown {
    const struct ws_figure *figure;
    const struct ws_measures *measures;
    const struct ws_comparison *comparisons;
    size_t comparison_count;
    const char *size; /* of the workloads */
};

/* How a target's values and their difference are written, for printf. */
const char *ws_target_format(const struct ws_target *target);
const char *ws_target_format_difference(const struct ws_target *target);

/* The value of a kind of target that the figure's paper reports, at this figure or another, of a point in whichever variation, and
 * with this key; NaN where it reports none. */
double ws_shown_paper_value(const struct ws_shown *shown, enum ws_target_kind kind, size_t point, const char *key);

/* Adds what our means and the paper's are over: "Ours: 3 of 4 workloads, size small. Paper: 12 benchmarks." */
void ws_render_over(struct ws_text *text, const struct ws_shown *shown);

/* Adds the table of IPC and gains, then what the paper says beside ours, then what the means are over and the device. */
void ws_render_table(struct ws_text *text, const struct ws_shown *shown);

/* Adds a script for gnuplot that draws FOLDER/FIGURE.svg and .png. */
void ws_render_script(struct ws_text *text, const struct ws_shown *shown, const char *folder);

/* Adds the figure's section to comparison.md: the table, the comparison, and the notes of notes.def for this size. */
void ws_render_markdown(struct ws_text *text, const struct ws_shown *shown);

/* Adds the figure's rows to an open array of comparison.json. */
void ws_render_rows(struct ws_json *json, const struct ws_shown *shown);

/* Runs gnuplot on a script. WS_STATUS_failed when it is missing, saying what to install, or fails. */
enum ws_status ws_gnuplot(const char *script, struct ws_error *error);

#endif
