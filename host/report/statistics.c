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

void ws_mean_add(struct ws_mean *mean, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    mean->logarithms += log(value);
    mean->count++;
}

double ws_mean_geometric(const struct ws_mean *mean)
{
    return mean->count > 0 ? exp(mean->logarithms / (double)mean->count) : (double)NAN;
}

double ws_geometric_mean(const double *values, size_t count)
{
    struct ws_mean mean = {0};
    for (size_t n = 0; n < count; n++)
        ws_mean_add(&mean, values[n]);
    return ws_mean_geometric(&mean);
}

double ws_gain_percent(double ratio)
{
    return 100 * (ratio - 1);
}
