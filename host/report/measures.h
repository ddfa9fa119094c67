/* What a results file says about an experiment, as matrices of points and traces. */
#ifndef WS_REPORT_MEASURES_H
#define WS_REPORT_MEASURES_H

#include "report/figures.h"
#include "warpsweep/results.h"

/* Classes of active lanes. */
enum {
#define USE(name, first, last, words, colour) WS_USE_##name,
#include "report/uses.def"
#undef USE
    WS_USES
};

/* Everything belongs to the measures. What is missing is NaN. */
struct ws_measures {
    size_t points, variations, traces; /* variations: as many as points */
    char **point, **trace;             /* labels and names; traces without their size */
    char **variation;                  /* of each point, "" for none */
    size_t *base;                      /* of each point the one that it is compared with, `points` for none */
    size_t baseline;                   /* the first point that is its own base, `points` for none */
    double *ipc;                       /* of point p on trace t at [p * traces + t] */
    size_t whole_traces;               /* traces with an IPC at every point: those that means are over */
    double *row_hits;                  /* row-buffer hit rate, likewise */
    double (*use)[WS_USES];            /* shares of the cycles by active lanes, likewise */
    double *ratio;                     /* of that IPC to the baseline's on the same trace; NaN unless the trace is whole */
    double *geometric, *arithmetic;    /* mean gain of a point in percent */
    char engine[32], device[512];      /* of one of the jobs */
};

/* Reads an experiment; one that the file does not hold has no points. To be freed by ws_measures_free. */
enum ws_status ws_measures_read(struct ws_results *results, const char *experiment, struct ws_measures *measures,
                                struct ws_error *error);
void ws_measures_free(struct ws_measures *measures);

/* Ours for a target of the experiment: NaN when it cannot be told. */
enum ws_status ws_measures_target(struct ws_results *results, const char *experiment, const struct ws_measures *measures,
                                  const struct ws_target *target, double *ours, struct ws_error *error);

/* The label of a point without its variation. */
const char *ws_measures_name(const struct ws_measures *measures, size_t point);

/* The point labelled so, or measures->points. */
size_t ws_measures_point(const struct ws_measures *measures, const char *label);

/* The point other than the baseline whose geometric mean gain is largest, or measures->points. */
size_t ws_measures_best(const struct ws_measures *measures);

#endif
