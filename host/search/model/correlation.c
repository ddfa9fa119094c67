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

/* Values of the points at both fidelities: how many. */
static u32 collect_pairs(const struct ws_sampler *sampler, u32 fidelity, u32 objective, double *cheap, double *real)
{
    const struct ws_search_history *history = &sampler->request->history;
    const u32 last = sampler->request->space->fidelities - 1;
    u32 count = 0;
    for (u32 c = 0; c < history->count; c++) {
        const struct ws_search_candidate *candidate = &history->candidate[c];
        const u32 found = candidate->fidelity == last ? ws_sampler_find(sampler, candidate->choice, fidelity) : UINT32_MAX;
        if (found == UINT32_MAX || isinf(candidate->excess) || isinf(history->candidate[found].excess))
            continue;
        cheap[count] = history->candidate[found].objective[objective];
        real[count++] = candidate->objective[objective];
    }
    return count;
}

static enum ws_status resample(struct ws_arena *arena, const double *cheap, const double *real, u32 count,
                               struct ws_estimate *estimate, struct ws_error *error)
{
    double *const a = ws_arena_array(arena, count, sizeof *a), *const b = ws_arena_array(arena, count, sizeof *b);
    double sample[RESAMPLES];
    u64 random = 0;
    if (!a || !b)
        return ws_no_memory(error);
    for (u32 r = 0; r < RESAMPLES; r++) {
        for (u32 n = 0; n < count; n++) {
            const u32 drawn = ws_random_range(&random, 0, count - 1);
            a[n] = cheap[drawn];
            b[n] = real[drawn];
        }
        WS_TRY(ws_rank_correlation(a, b, count, &sample[r], error));
    }
    *estimate = ws_estimate(sample, RESAMPLES);
    return ws_rank_correlation(cheap, real, count, &estimate->value, error);
}

enum ws_status ws_fidelity_check(const struct ws_search_space *space, const struct ws_search_history *history, u32 fidelity,
                                 u32 objective, struct ws_fidelity_check *check, struct ws_error *error)
{
    struct ws_sampler sampler;
    struct ws_search_proposals none = {0};
    const struct ws_search_request request = {.space = space, .history = *history};
    *check = (struct ws_fidelity_check){0};
    enum ws_status status = ws_sampler_open(&sampler, &request, &none, error);
    double *const cheap = ws_arena_array(&sampler.arena, history->count, sizeof *cheap);
    double *const real = ws_arena_array(&sampler.arena, history->count, sizeof *real);
    if (status == WS_STATUS_ok && (!cheap || !real))
        status = ws_no_memory(error);
    if (status == WS_STATUS_ok) {
        check->points = collect_pairs(&sampler, fidelity, objective, cheap, real);
        if (check->points >= LEAST_POINTS)
            status = resample(&sampler.arena, cheap, real, check->points, &check->correlation, error);
    }
    ws_sampler_close(&sampler);
    return status;
}
