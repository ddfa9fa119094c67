/* Means of ratios. */
#ifndef WS_REPORT_STATISTICS_H
#define WS_REPORT_STATISTICS_H

#include <stddef.h>

/* Mean of the finite values among count; NaN without any. */
double ws_arithmetic_mean(const double *values, size_t count);

/* The same, geometric, of the finite positive values. */
double ws_geometric_mean(const double *values, size_t count);

/* A geometric mean on its way: starts as {0}. What is not finite and positive is left out. */
struct ws_mean {
    double logarithms;
    size_t count;
};
void ws_mean_add(struct ws_mean *mean, double value);
double ws_mean_geometric(const struct ws_mean *mean); /* NaN of none */

/* A ratio as a gain in percent: 1.079 is 7.9. */
double ws_gain_percent(double ratio);

#endif
