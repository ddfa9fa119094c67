/* The data of a report's page: JSON that SQLite itself makes of the rows of a results file. */
#pragma once

#include <stdio.h>

#include "base/documents/json.h"
#include "warpsweep/results.h"

struct ws_page {
    struct ws_results *results; /* open one of the files, */
    const char *file;           /* its name without folders */
    struct ws_json json;
    FILE *out;              /* where text of the JSON goes from time to time */
    const char *experiment; /* the one being written */
    size_t kernels;         /* its points x traces */
    size_t experiments;     /* written */
};

/* Numbers of an experiment's kernels beyond which counters are left out; metrics always stay. */
enum { WS_PAGE_MOST_NUMBERS = 1000000 };

/* Adds an array of what a question answers. Columns are numbers or JSON; a row of several is an array, which may have more elements
 * than json_array takes. ?1 is the experiment. */
enum ws_status ws_page_rows(struct ws_page *page, const char *key, const char *sql, struct ws_error *error);

/* Adds `parameters` (those common to all points have a value, the others vary) and `points`, whose rows end with the values of
 * those that vary. */
enum ws_status ws_page_points(struct ws_page *page, struct ws_error *error);

/* Adds `metrics` and `kernels`, whose rows have point, trace, and the metrics in that order; null for what is not there. */
enum ws_status ws_page_kernels(struct ws_page *page, struct ws_error *error);

/* Writes text, a piece of JSON, so that it may stand in an element of HTML: nothing in it ends the element or begins another. */
void ws_page_put(FILE *out, const struct ws_text *text);
