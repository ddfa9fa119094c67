/* How much faster one point is than another. */
#ifndef WS_REPORT_SPEEDUP_H
#define WS_REPORT_SPEEDUP_H

#include "report/render.h"

/* Cycles of the other point over those of the point on a trace; NaN unless the trace is whole. Either may be measures->points. */
double ws_speedup(const struct ws_measures *measures, size_t point, size_t other, size_t trace);

/* Geometric mean of these over the traces; NaN of none. */
double ws_speedup_mean(const struct ws_measures *measures, size_t point, size_t other);

/* How many of them lie above (below) a bound. */
size_t ws_speedups_above(const struct ws_measures *measures, size_t point, size_t other, double bound);
size_t ws_speedups_below(const struct ws_measures *measures, size_t point, size_t other, double bound);

/* The trace with the rank-th smallest or largest of them, from 0; measures->traces when there are not so many. */
size_t ws_speedup_smallest(const struct ws_measures *measures, size_t point, size_t other, size_t rank);
size_t ws_speedup_largest(const struct ws_measures *measures, size_t point, size_t other);

/* Speedups that two decimals, as papers print them, do not tell from 1 are draws. */
#define WS_SPEEDUP_DRAW 0.005

/* The point that the figure is about: in the first variation, or in that of another point. measures->points when it is not there.
 */
size_t ws_shown_point(const struct ws_shown *shown);
size_t ws_shown_peer(const struct ws_shown *shown, size_t of);

/* Whether a point is one of those that the figure's is compared with: the others of the first variation. */
bool ws_shown_other(const struct ws_shown *shown, size_t point);

/* The number of such points. */
size_t ws_shown_others(const struct ws_shown *shown);

/* The geometric-mean speedup of the figure's point over another that the paper reports, at this figure or another, or NaN. */
double ws_shown_paper_speedup(const struct ws_shown *shown, size_t other);

#endif
