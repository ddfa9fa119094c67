/* Reports: a paper's figures drawn from our runs, beside the paper's own numbers. */
#ifndef WARPSWEEP_REPORT_H
#define WARPSWEEP_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "warpsweep/sweep.h"

/* What a figure shows: IPC and mean gains; how many lanes are active, at all points or at the baseline; mean gains by variation. */
enum ws_figure_kind { WS_FIGURE_gains, WS_FIGURE_use, WS_FIGURE_baseline, WS_FIGURE_sensitivity };

/* A figure that can be reproduced. */
struct ws_figure {
    const char *paper, *name; /* "narasiman2011", "fig10" */
    const char *experiment;   /* bundled experiment whose results it shows */
    enum ws_figure_kind kind;
    const char *title;        /* what it shows */
    const char *source;       /* what and where it is in the paper, in words */
    const char *over;         /* what the paper's means are taken over */
};

/* All figures; *count receives their number. */
const struct ws_figure *ws_figures(size_t *count);

struct ws_reproduce_options {
    const char *folder; /* made when it is not there */
    enum ws_size size;
    u64 seed;
    struct ws_engine_options engine;
    struct ws_sweep_watch watch;
};

/* Reproduces what, "PAPER" or "PAPER/FIGURE": runs the experiments into FOLDER/PAPER-SIZE.db (what is there is not run again),
 * prints a table a figure to tables, writes FIGURE.gp, FIGURE.svg and FIGURE.png, and comparison.json and comparison.md with the
 * paper's values and ours for all figures of the paper that the results file holds. Failed jobs leave gaps and WS_STATUS_failed in the end. Without
 * gnuplot everything but the pictures is there and WS_STATUS_failed says what to install. */
enum ws_status ws_reproduce(const char *what, const struct ws_reproduce_options *options, FILE *tables, struct ws_error *error);

#endif
