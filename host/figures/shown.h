/* A figure with its content: table, charts, and comparison with the paper. */
#pragma once

#include "base/documents/json.h"
#include "figures/charts/chart.h"
#include "figures/paper.h"
#include "figures/table.h"

enum { WS_CHARTS_MOST = 4 };

/* A row of targets.csv with the simulated value, NaN where there is none. Texts belong to the shown figure. */
struct ws_comparison {
    const char *where, *metric, *configuration, *versus, *unit;
    double paper, simulated;
    int digits;
    bool sign;    /* write a plus sign */
    bool matched; /* workloads were chosen to match the paper's value: no prediction */
};

struct ws_shown {
    const struct ws_paper_figure *figure;
    struct ws_answer rows; /* of the table */
    struct ws_text heading, over, device;
    struct ws_table table;
    struct ws_chart chart[WS_CHARTS_MOST];
    struct ws_text titles[WS_CHARTS_MOST];
    size_t charts;
    struct ws_answer targets;
    struct ws_comparison *comparison;
    size_t comparisons;
};

/* Prepares a connection for a figure, before its paper's views are added. */
typedef enum ws_status ws_prepare_function(void *context, const struct ws_paper_figure *figure, struct ws_results *results,
                                           struct ws_error *error);

/* Answers the queries of a figure, over an experiment of an open results file without other users. size: name of the workload size,
 * NULL if unknown. prepare may be NULL. To be freed by ws_shown_free after success. */
enum ws_status ws_shown_make(struct ws_results *results, const struct ws_paper_figure *figure, const char *experiment,
                             const char *size, ws_prepare_function *prepare, void *context, struct ws_shown *shown,
                             struct ws_error *error);
void ws_shown_free(struct ws_shown *shown);

/* Adds a value in comparison format, "-" for NaN; a difference has a sign. */
void ws_comparison_value(struct ws_text *text, const struct ws_comparison *row, double value);
void ws_comparison_difference(struct ws_text *text, const struct ws_comparison *row);

/* Append the table, the comparison with the paper, the workloads of the means, and the device. */
void ws_shown_text(struct ws_text *text, const struct ws_shown *shown);

/* Adds the figure's section of comparison.md: the table, the comparison, the notes for this size. */
enum ws_status ws_shown_markdown(struct ws_text *text, const struct ws_shown *shown, const char *size, struct ws_error *error);

/* Adds the figure's rows to an open array of comparison.json. */
void ws_shown_rows(struct ws_json *json, const struct ws_shown *shown);

/* Adds a gnuplot script that draws BASE.TYPE for each of the blank-separated types: svg, png. */
enum ws_status ws_shown_script(struct ws_text *text, const struct ws_shown *shown, const char *base, const char *types,
                               struct ws_error *error);

/* Whether there is anything to draw: a chart other than a table. */
bool ws_shown_draws(const struct ws_shown *shown);

/* Runs gnuplot on a script. WS_STATUS_failed if it is missing (says what to install), or fails. */
enum ws_status ws_gnuplot(const char *script, struct ws_error *error);
