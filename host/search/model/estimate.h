/* Estimates from resamples. */
#pragma once

#include <stdlib.h>

#include "shared/dialect.h"

/* The median of the resamples, and the interval from 2.5 to 97.5 % of them. */
struct ws_estimate {
    double value, low, high;
};

static inline int ws_estimate_order(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median and the interval of 95 % of the values, which are sorted. count is at least 1. */
static inline struct ws_estimate ws_estimate(double *value, u32 count)
{
    qsort(value, count, sizeof *value, ws_estimate_order);
    const u32 tail = (u32)(0.025 * count);
    return (struct ws_estimate){(value[(count - 1) / 2] + value[count / 2]) / 2, value[tail], value[count - 1 - tail]};
}
