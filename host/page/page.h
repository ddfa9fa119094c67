/* The data of a report's page: JSON that SQLite makes from the rows of a results file. */
#pragma once

#include <stdio.h>

#include "base/documents/json.h"
#include "warpsweep/results.h"

struct ws_page {
    struct ws_results *results; /* open one of the files, */
    const char *file;           /* its name without folders */
    struct ws_json json;
    FILE *out;              /* destination of the JSON text, which is flushed now and then */
    const char *experiment; /* the one being written */
    size_t kernels;         /* its points x traces */
    size_t experiments;     /* written */
};

/* Numbers of kernels above which counters are omitted; metrics are always included. */
enum { WS_PAGE_MOST_NUMBERS = 1000000 };

/* Adds an array with the rows of a query. Columns are numbers or JSON; a row of several columns becomes an array, possibly of more
 * elements than json_array takes. ?1 is the experiment. */
enum ws_status ws_page_rows(struct ws_page *page, const char *key, const char *sql, struct ws_error *error);

/* Adds `parameters` (a value if common to all points, otherwise varying) and `points`, whose rows end with the values of the
 * varying ones. */
enum ws_status ws_page_points(struct ws_page *page, struct ws_error *error);

/* Adds `metrics` and `kernels`, whose rows have point, trace, and the metrics in that order; null for missing values. */
enum ws_status ws_page_kernels(struct ws_page *page, struct ws_error *error);

/* Adds `effects` (what explains each objective, where there are enough points), and of a search `search`: its objectives, the
 * values of its points, and what it had found after so many simulations. */
enum ws_status ws_page_answers(struct ws_page *page, struct ws_error *error);

/* Writes an element with the output of `run --format json` in a file; name is what the page calls it. The page checks it. */
enum ws_status ws_page_run(const char *path, const char *name, FILE *out, struct ws_error *error);

/* First line of the scripts that a page of a running sweep loads. */
#define WS_PAGE_FOLLOW_MARK "/* Made by `warpsweep report --follow`. */\n"

/* Writes JSON text for an HTML element: escapes what would end the element or start another. */
void ws_page_put(FILE *out, const struct ws_text *text);
