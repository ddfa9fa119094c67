/* The limit study of reconvergence on the workloads of a figure (warpsweep/limit.h). */
#ifndef WS_REPORT_LIMITS_H
#define WS_REPORT_LIMITS_H

#include "report/figures.h"
#include "warpsweep/limit.h"

/* One study for each trace of an experiment, in its order; a study that failed has no warps. */
struct ws_limits {
    size_t count;
    struct ws_limit *limit;
};

/* Studies the traces of a figure's experiment on the machine of its first point. What fails on a single trace is left out, and
 * *trouble says so of the first (its status is WS_STATUS_ok before). *limits is to be freed by ws_limits_free unless the call
 * fails. */
enum ws_status ws_limits_run(const struct ws_figure *figure, const struct ws_reproduce_options *options, struct ws_limits *limits,
                             struct ws_error *trouble, struct ws_error *error);

/* {0} is allowed. */
void ws_limits_free(struct ws_limits *limits);

/* Speedup of the best reconvergence points over immediate post-dominators on a trace; NaN without a study. */
double ws_limits_speedup(const struct ws_limits *limits, size_t trace);

#endif
