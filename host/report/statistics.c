#include "report/statistics.h"

#include <math.h>

double ws_arithmetic_mean(const double *values, size_t count)
{
    double sum = 0;
    size_t used = 0;
    for (size_t n = 0; n < count; n++) {
        if (!isfinite(values[n]))
            continue;
        sum += values[n];
        used++;
    }
    return used ? sum / (double)used : (double)NAN;
}

double ws_geometric_mean(const double *values, size_t count)
{
    double sum = 0;
    size_t used = 0;
    for (size_t n = 0; n < count; n++) {
        if (!isfinite(values[n]) || values[n] <= 0)
            continue;
        sum += log(values[n]);
        used++;
    }
    return used ? exp(sum / (double)used) : (double)NAN;
}

double ws_gain_percent(double ratio)
{
    return 100 * (ratio - 1);
}
