/* Rank correlations (search/effects.h). */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "search/effects.h"
#include "search/model/estimate.h"
#include "search/sampler.h"

enum { RESAMPLES = 200, LEAST_POINTS = 3 };

struct ranked {
    double value;
    u32 index;
};

static int by_value(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* Ranks from 0; equal values share their mean. */
static void rank(struct ranked *sorted, const double *value, u32 count, double *ranks)
{
    for (u32 n = 0; n < count; n++)
        sorted[n] = (struct ranked){value[n], n};
    qsort(sorted, count, sizeof *sorted, by_value);
    for (u32 first = 0, end; first < count; first = end) {
        for (end = first; end < count && sorted[end].value == sorted[first].value;)
            end++;
        for (u32 n = first; n < end; n++)
            ranks[sorted[n].index] = (first + end - 1) / 2.0;
    }
}

enum ws_status ws_rank_correlation(const double *a, const double *b, u32 count, double *correlation, struct ws_error *error)
{
    struct ws_arena arena = {0};
    struct ranked *const sorted = ws_arena_array(&arena, count, sizeof *sorted);
    double *const x = ws_arena_array(&arena, count, sizeof *x), *const y = ws_arena_array(&arena, count, sizeof *y);
    *correlation = 0;
    if (!sorted || !x || !y) {
        ws_arena_free(&arena);
        return ws_no_memory(error);
    }
    rank(sorted, a, count, x);
    rank(sorted, b, count, y);
    const double mean = (count - 1.0) / 2;
    double xx = 0, yy = 0, xy = 0;
    for (u32 n = 0; n < count; n++) {
        xx += (x[n] - mean) * (x[n] - mean);
        yy += (y[n] - mean) * (y[n] - mean);
        xy += (x[n] - mean) * (y[n] - mean);
    }
    if (xx > 0 && yy > 0)
        *correlation = xy / sqrt(xx * yy);
    ws_arena_free(&arena);
    return WS_STATUS_ok;
}

static enum ws_status resample(struct ws_arena *arena, const double *x, const double *y, u32 count, struct ws_estimate *estimate,
                               struct ws_error *error)
{
    double *const a = ws_arena_array(arena, count, sizeof *a), *const b = ws_arena_array(arena, count, sizeof *b);
    double sample[RESAMPLES];
    u64 random = 0;
    if (!a || !b)
        return ws_no_memory(error);
    for (u32 r = 0; r < RESAMPLES; r++) {
        for (u32 n = 0; n < count; n++) {
            const u32 drawn = ws_random_range(&random, 0, count - 1);
            a[n] = x[drawn];
            b[n] = y[drawn];
        }
        WS_TRY(ws_rank_correlation(a, b, count, &sample[r], error));
    }
    *estimate = ws_estimate(sample, RESAMPLES);
    return ws_rank_correlation(x, y, count, &estimate->value, error);
}

enum ws_status ws_rank_estimate(const double *a, const double *b, u32 count, struct ws_estimate *estimate, struct ws_error *error)
{
    struct ws_arena arena = {0};
    *estimate = (struct ws_estimate){0};
    const enum ws_status status = count < LEAST_POINTS ? WS_STATUS_ok : resample(&arena, a, b, count, estimate, error);
    ws_arena_free(&arena);
    return status;
}
