#include "report/speedup.h"

#include <math.h>
#include <string.h>

#include "report/statistics.h"

double ws_speedup(const struct ws_measures *measures, size_t point, size_t other, size_t trace)
{
    if (point >= measures->points || other >= measures->points || trace >= measures->traces || !ws_measures_whole(measures, trace))
        return (double)NAN;
    return measures->cycles[other * measures->traces + trace] / measures->cycles[point * measures->traces + trace];
}

double ws_speedup_mean(const struct ws_measures *measures, size_t point, size_t other)
{
    struct ws_mean mean = {0};
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_mean_add(&mean, ws_speedup(measures, point, other, trace));
    return ws_mean_geometric(&mean);
}

size_t ws_speedups_above(const struct ws_measures *measures, size_t point, size_t other, double bound)
{
    size_t count = 0;
    for (size_t trace = 0; trace < measures->traces; trace++)
        count += ws_speedup(measures, point, other, trace) > bound;
    return count;
}

size_t ws_speedups_below(const struct ws_measures *measures, size_t point, size_t other, double bound)
{
    size_t count = 0;
    for (size_t trace = 0; trace < measures->traces; trace++)
        count += ws_speedup(measures, point, other, trace) < bound;
    return count;
}

/* How many traces come before one in the order of speedups; of equal ones the first does. */
static size_t rank_of(const struct ws_measures *measures, size_t point, size_t other, size_t trace)
{
    const double own = ws_speedup(measures, point, other, trace);
    size_t rank = 0;
    for (size_t n = 0; n < measures->traces; n++) {
        const double speedup = ws_speedup(measures, point, other, n);
        rank += speedup < own || (speedup == own && n < trace);
    }
    return rank;
}

size_t ws_speedup_smallest(const struct ws_measures *measures, size_t point, size_t other, size_t rank)
{
    for (size_t trace = 0; trace < measures->traces; trace++)
        if (isfinite(ws_speedup(measures, point, other, trace)) && rank_of(measures, point, other, trace) == rank)
            return trace;
    return measures->traces;
}

size_t ws_speedup_largest(const struct ws_measures *measures, size_t point, size_t other)
{
    const size_t count = ws_speedups_above(measures, point, other, 0);
    return count > 0 ? ws_speedup_smallest(measures, point, other, count - 1) : measures->traces;
}

size_t ws_shown_peer(const struct ws_shown *shown, size_t of)
{
    return ws_measures_peer(shown->measures, shown->figure->point, of);
}

size_t ws_shown_point(const struct ws_shown *shown)
{
    return shown->measures->points > 0 ? ws_shown_peer(shown, 0) : 0;
}

bool ws_shown_other(const struct ws_shown *shown, size_t point)
{
    const struct ws_measures *const measures = shown->measures;
    return strcmp(measures->variation[point], measures->variation[0]) == 0 && point != ws_shown_point(shown);
}

size_t ws_shown_others(const struct ws_shown *shown)
{
    size_t count = 0;
    for (size_t point = 0; point < shown->measures->points; point++)
        count += ws_shown_other(shown, point);
    return count;
}

double ws_shown_paper_speedup(const struct ws_shown *shown, size_t other)
{
    size_t count;
    const struct ws_target *const target = ws_targets(&count);
    for (size_t n = 0; n < count; n++)
        if (target[n].kind == WS_TARGET_speedup && strcmp(target[n].paper, shown->figure->paper) == 0 &&
            strcmp(target[n].point, shown->figure->point) == 0 &&
            strcmp(target[n].versus, ws_measures_name(shown->measures, other)) == 0)
            return target[n].value;
    return (double)NAN;
}
