/* Reports: results as an HTML page; reproduced figures of papers, next to the papers' values. */
#ifndef WARPSWEEP_REPORT_H
#define WARPSWEEP_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "warpsweep/sweep.h"

/* A figure that can be reproduced. Texts are valid until the callback returns. */
struct ws_figure {
    const char *paper, *name; /* "narasiman2011", "fig10" */
    const char *title;        /* what it shows */
    bool standard;            /* included when the whole paper is requested */
};

/* Calls use for every figure of the bundled papers. */
enum ws_status ws_figures(void (*use)(void *context, const struct ws_figure *figure), void *context, struct ws_error *error);

struct ws_reproduce_options {
    size_t struct_size; /* WS_STRUCT(reproduce_options) */
    const char *folder; /* created if missing */
    enum ws_size size;
    u64 seed;
    u32 lockstep;                    /* as for a sweep */
    struct ws_engine_options engine; /* as for a sweep */
    struct ws_sweep_watch watch;
};

/* Reproduces what, "PAPER" or "PAPER/FIGURE", where PAPER is a bundled paper or a folder (docs/adding-a-paper.md): runs the
 * experiments into FOLDER/PAPER-SIZE.db (recorded jobs are not run again), prints a table per figure to tables, writes FIGURE.gp,
 * FIGURE.svg and FIGURE.png, and comparison.json and comparison.md with the paper's and the simulated values of all its figures in
 * the results file. Failed jobs leave gaps, and the call returns WS_STATUS_failed in the end. Without gnuplot, everything except
 * the pictures is written, and WS_STATUS_failed says what to install. */
enum ws_status ws_reproduce(const char *what, const struct ws_reproduce_options *options, FILE *tables, struct ws_error *error);

struct ws_plot_options {
    size_t struct_size;     /* WS_STRUCT(plot_options) */
    const char *output;     /* .svg, .png, .gp (gnuplot's script), .md or .csv; NULL for text */
    const char *experiment; /* of the results file; NULL for the figure's, or the only one */
};

/* Draws a figure, FIGURE.yaml or PAPER/FIGURE, over a results file: writes options->output, or its table as text to out. An error
 * in the figure's file is WS_STATUS_bad_input with its line; an experiment missing in the results file is WS_STATUS_usage; a
 * missing gnuplot is WS_STATUS_failed. */
enum ws_status ws_plot(const char *figure, const char *results, const struct ws_plot_options *options, FILE *out,
                       struct ws_error *error);

/* Whether a file begins as JSON: the output of `run --format json`, which a page shows beside results files. */
bool ws_report_is_run(const char *path);

/* Writes FOLDER/index.html, a page with all results of count results files and outputs of `run --format json`. A browser shows it
 * from disk, without a server or a network (docs/reports.md). Creates the folder if missing. Replaces an earlier page atomically,
 * but no other file. run is as of ws_results_choose_run, or NULL. With reload, the page of a running sweep: the results are in
 * FOLDER/data.js, and a browser looks every so many seconds at FOLDER/progress.js (ws_report_progress) for newer ones; 0 for a
 * complete page. A file without an experiment, or one that ws_results_open refuses, is WS_STATUS_bad_input; a file that cannot be
 * read or written is WS_STATUS_no_file. */
enum ws_status ws_report(const char *const *results, size_t count, const char *run, u32 reload, const char *folder,
                         struct ws_error *error);

/* Writes the answers of a results file's sweeps and searches as text: the Pareto front of a search's objectives (of a sweep: the
 * best points in mean ipc) with its knee and what each point changes against the baseline, the parameters that matter, and what a
 * search had found after so many simulations; each with the points that it rests on. run and errors as of ws_report. */
enum ws_status ws_report_text(const char *results, const char *run, FILE *out, struct ws_error *error);

/* The same of the newest run of a search alone. */
enum ws_status ws_report_search_text(const char *results, const char *search, FILE *out, struct ws_error *error);

/* How far a followed sweep or search is. */
struct ws_report_progress {
    size_t struct_size; /* WS_STRUCT(report_progress) */
    u64 version;        /* of data.js: a page that has another one loads it */
    u64 done, wanted;   /* results */
    double rate, left;  /* results per second, seconds to the end; NaN while unknown */
    const char *words;  /* what the program waits for, or why it ended */
    bool ended;         /* pages load the complete index.html, which has been written, and stop looking */
};

/* Writes FOLDER/progress.js for pages that follow; at the end also removes FOLDER/data.js. Errors as of ws_report. */
enum ws_status ws_report_progress(const char *folder, const struct ws_report_progress *progress, struct ws_error *error);

#endif
