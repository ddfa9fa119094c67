#include "search/effects.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "search/model/estimate.h"
#include "search/model/forest.h"

enum { RESAMPLES = 40, TREES = 8, LEAST_POINTS = 10, FOLDS = 5, PAIR_VALUES = 8, DRAWN = 4000 };

/* What a resample gives; arrays [resamples][...]. */
struct samples {
    struct ws_arena arena;
    double *main, *pair, *level, *mean, *deviation;
    u32 pairs, levels;
};

static double square(double x)
{
    return x * x;
}

/* Mean and deviation of the model over the space, from combinations drawn at random. */
static void moments(const struct ws_forest *forest, u32 *choice, u64 *random, double *mean, double *deviation)
{
    const struct ws_effects_points *points = forest->points;
    double sum = 0, squares = 0;
    for (u32 n = 0; n < DRAWN; n++) {
        for (u32 a = 0; a < points->axes; a++)
            choice[a] = ws_random_range(random, 0, points->axis[a].values - 1);
        const double value = ws_forest_predict(forest, choice, NULL);
        const double before = value - sum / (n ? n : 1);
        sum += value;
        squares += n ? before * (value - sum / (n + 1)) : 0;
    }
    *mean = sum / DRAWN;
    *deviation = sqrt(squares / DRAWN);
}

/* The variance over the choices of an axis of the mean at each, which level[values] receives. */
static double main_variance(const struct ws_forest *forest, u32 axis, double *level)
{
    const u32 values = forest->points->axis[axis].values;
    double sum = 0, squares = 0;
    for (u32 v = 0; v < values; v++) {
        level[v] = ws_forest_mean(forest, axis, v, axis, v);
        sum += level[v];
    }
    for (u32 v = 0; v < values; v++)
        squares += square(level[v] - sum / values);
    return squares / values;
}

/* Choice n of the up to PAIR_VALUES that pairs use of an axis. */
static u32 pair_choice(u32 values, u32 n)
{
    return values <= PAIR_VALUES ? n : (u32)((u64)n * (values - 1) / (PAIR_VALUES - 1));
}

/* The variance of the mean at each pair of choices that the sum of both axes' effects leaves over. */
static double pair_variance(const struct ws_forest *forest, u32 a, u32 b)
{
    const u32 values_a = forest->points->axis[a].values, values_b = forest->points->axis[b].values;
    const u32 rows = ws_min(values_a, PAIR_VALUES), columns = ws_min(values_b, PAIR_VALUES);
    double cell[PAIR_VALUES][PAIR_VALUES], row[PAIR_VALUES] = {0}, column[PAIR_VALUES] = {0}, mean = 0, squares = 0;
    for (u32 r = 0; r < rows; r++) {
        for (u32 c = 0; c < columns; c++) {
            cell[r][c] = ws_forest_mean(forest, a, pair_choice(values_a, r), b, pair_choice(values_b, c));
            row[r] += cell[r][c] / columns;
            column[c] += cell[r][c] / rows;
            mean += cell[r][c] / (rows * columns);
        }
    }
    for (u32 r = 0; r < rows; r++) {
        for (u32 c = 0; c < columns; c++)
            squares += square(cell[r][c] - row[r] - column[c] + mean);
    }
    return squares / (rows * columns);
}

/* Decomposes the model of resample r. */
static void decompose(const struct ws_forest *forest, struct samples *samples, u32 r, u32 *choice, u64 *random)
{
    const u32 axes = forest->points->axes;
    double *level = samples->level + (size_t)r * samples->levels;
    moments(forest, choice, random, &samples->mean[r], &samples->deviation[r]);
    const double variance = square(samples->deviation[r]);
    const double tiny = 1e-24 * square(samples->mean[r]); /* the rounding of a constant */
    for (u32 a = 0; a < axes; a++) {
        const double part = main_variance(forest, a, level);
        samples->main[(size_t)r * axes + a] = variance > tiny ? part / variance : 0;
        level += forest->points->axis[a].values;
    }
    for (u32 a = 0, p = 0; a < axes; a++) {
        for (u32 b = a + 1; b < axes; b++, p++)
            samples->pair[(size_t)r * samples->pairs + p] = variance > tiny ? pair_variance(forest, a, b) / variance : 0;
    }
}

static enum ws_status sample_effects(const struct ws_effects_points *points, const struct ws_effects_options *options,
                                     struct samples *samples, struct ws_error *error)
{
    u32 *const sample = ws_arena_array(&samples->arena, points->count, sizeof *sample);
    u32 *const choice = ws_arena_array(&samples->arena, points->axes, sizeof *choice);
    u64 random = options->seed;
    if (!sample || !choice)
        return ws_no_memory(error);
    for (u32 r = 0; r < options->resamples; r++) {
        struct ws_forest forest = {0};
        for (u32 p = 0; p < points->count; p++)
            sample[p] = ws_random_range(&random, 0, points->count - 1);
        const enum ws_status status = ws_forest_fit(&forest, points, sample, points->count, options->trees, false, &random, error);
        if (status == WS_STATUS_ok)
            decompose(&forest, samples, r, choice, &random);
        ws_arena_free(&forest.arena);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}

/* Predicts each point by a forest of the other folds. */
static enum ws_status predict_held_out(const struct ws_effects_points *points, const struct ws_effects_options *options,
                                       u32 *sample, double *predicted, struct ws_error *error)
{
    u64 random = ~options->seed;
    u32 *const fold = sample + points->count;
    for (u32 p = 0; p < points->count; p++)
        fold[p] = p % FOLDS;
    for (u32 p = points->count - 1; p > 0; p--) {
        const u32 other = ws_random_range(&random, 0, p), moved = fold[p];
        fold[p] = fold[other];
        fold[other] = moved;
    }
    for (u32 f = 0; f < FOLDS; f++) {
        struct ws_forest forest = {0};
        u32 count = 0;
        for (u32 p = 0; p < points->count; p++) {
            if (fold[p] != f)
                sample[count++] = p;
        }
        const enum ws_status status = ws_forest_fit(&forest, points, sample, count, 4 * options->trees, true, &random, error);
        for (u32 p = 0; status == WS_STATUS_ok && p < points->count; p++) {
            if (fold[p] == f)
                predicted[p] = ws_forest_predict(&forest, points->choice + (size_t)p * points->axes, NULL);
        }
        ws_arena_free(&forest.arena);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}

static enum ws_status check_model(const struct ws_effects_points *points, const struct ws_effects_options *options,
                                  struct ws_effects_check *check, struct ws_error *error)
{
    struct ws_arena arena = {0};
    u32 *const sample = ws_arena_array(&arena, points->count, 2 * sizeof *sample);
    double *const predicted = ws_arena_array(&arena, points->count, sizeof *predicted);
    enum ws_status status = sample && predicted ? WS_STATUS_ok : ws_no_memory(error);
    WS_THEN(status, predict_held_out(points, options, sample, predicted, error));
    WS_THEN(status, ws_rank_correlation(predicted, points->response, points->count, &check->rank, error));
    if (status == WS_STATUS_ok) {
        double mean = 0, variance = 0, squares = 0;
        for (u32 p = 0; p < points->count; p++)
            mean += points->response[p] / points->count;
        for (u32 p = 0; p < points->count; p++) {
            variance += square(points->response[p] - mean);
            squares += square(points->response[p] - predicted[p]);
        }
        check->points = points->count;
        check->error = sqrt(squares / points->count);
        check->r2 = variance > 1e-24 * points->count * square(mean) ? 1 - squares / variance : 0; /* beyond rounding */
    }
    ws_arena_free(&arena);
    return status;
}

/* The estimate of item n of rows of `width` values. */
static struct ws_estimate estimate(const double *rows, u32 width, u32 n, u32 resamples, double *scratch)
{
    for (u32 r = 0; r < resamples; r++)
        scratch[r] = rows[(size_t)r * width + n];
    return ws_estimate(scratch, resamples);
}

/* Of a share: resamples may add up to a little more than the whole, or a little less than nothing. */
static struct ws_estimate estimate_share(const double *rows, u32 width, u32 n, u32 resamples, double *scratch)
{
    const struct ws_estimate free = estimate(rows, width, n, resamples, scratch);
    return (struct ws_estimate){fmin(fmax(free.value, 0), 1), fmin(fmax(free.low, 0), 1), fmin(fmax(free.high, 0), 1)};
}

static enum ws_status summarize(const struct ws_effects_points *points, struct samples *samples, u32 resamples,
                                struct ws_effects *effects, struct ws_error *error)
{
    struct ws_arena *arena = &effects->arena;
    double *const scratch = ws_arena_array(&samples->arena, resamples, sizeof *scratch);
    effects->axes = points->axes;
    effects->main = ws_arena_array(arena, points->axes, sizeof *effects->main);
    effects->pair = ws_arena_array(arena, samples->pairs, sizeof *effects->pair);
    effects->level = ws_arena_array(arena, points->axes, sizeof *effects->level);
    struct ws_estimate *level = ws_arena_array(arena, samples->levels, sizeof *level);
    if (!scratch || !effects->main || !effects->pair || !effects->level || !level)
        return ws_no_memory(error);
    for (u32 n = 0; n < samples->levels; n++)
        level[n] = estimate(samples->level, samples->levels, n, resamples, scratch);
    for (u32 p = 0; p < samples->pairs; p++)
        effects->pair[p] = estimate_share(samples->pair, samples->pairs, p, resamples, scratch);
    for (u32 a = 0; a < points->axes; a++) {
        effects->main[a] = estimate_share(samples->main, points->axes, a, resamples, scratch);
        effects->level[a] = level;
        level += points->axis[a].values;
    }
    effects->mean = ws_estimate(samples->mean, resamples).value;
    effects->deviation = ws_estimate(samples->deviation, resamples).value;
    return WS_STATUS_ok;
}

static enum ws_status begin(const struct ws_effects_points *points, u32 resamples, struct samples *samples, struct ws_error *error)
{
    samples->pairs = points->axes * (points->axes - 1) / 2;
    for (u32 a = 0; a < points->axes; a++)
        samples->levels += points->axis[a].values;
    double **const array[] = {&samples->main, &samples->pair, &samples->level, &samples->mean, &samples->deviation};
    const u32 width[] = {points->axes, samples->pairs, samples->levels, 1, 1};
    for (u32 n = 0; n < sizeof array / sizeof array[0]; n++) {
        *array[n] = ws_arena_array(&samples->arena, (size_t)resamples * width[n], sizeof **array[n]);
        if (!*array[n])
            return ws_no_memory(error);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_effects(const struct ws_effects_points *points, const struct ws_effects_options *options,
                          struct ws_effects *effects, struct ws_error *error)
{
    struct ws_effects_options chosen = *options;
    struct samples samples = {0};
    *effects = (struct ws_effects){0};
    if (points->count < LEAST_POINTS)
        return ws_fail(error, WS_STATUS_usage, "effects: %u points are too few; at least %d are needed", points->count,
                       LEAST_POINTS);
    chosen.resamples = chosen.resamples ? chosen.resamples : RESAMPLES;
    chosen.trees = chosen.trees ? chosen.trees : TREES;
    enum ws_status status = begin(points, chosen.resamples, &samples, error);
    WS_THEN(status, sample_effects(points, &chosen, &samples, error));
    WS_THEN(status, summarize(points, &samples, chosen.resamples, effects, error));
    WS_THEN(status, check_model(points, &chosen, &effects->check, error));
    ws_arena_free(&samples.arena);
    return status;
}

void ws_effects_free(struct ws_effects *effects)
{
    ws_arena_free(&effects->arena);
}
