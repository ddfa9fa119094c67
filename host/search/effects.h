/* Which parameters matter: main effects and pairwise interactions of a response, from the points at hand.
 *
 * A search visits good points more often than others, so means over its points mix the effects of parameters. A model of
 * the response, a random forest, is fitted instead and its variance over the whole space is decomposed (functional ANOVA: Hutter,
 * Hoos, Leyton-Brown: An efficient approach for assessing hyperparameter importance, ICML 2014). Every combination of values
 * counts alike, also those that constraints forbid. The model is checked on points that it was not fitted to: effects of a model
 * that predicts badly mean nothing. */
#pragma once

#include "base/arena.h"
#include "search/model/estimate.h"
#include "search/model/response.h"

/* Zero fields mean the default. */
struct ws_effects_options {
    u64 seed;
    u32 resamples; /* of the points, with replacement, each with a forest of its own; 40 */
    u32 trees;     /* of a forest; 8 */
};

/* How well the model predicts points that it has not seen: each point by a forest fitted to the other four fifths. */
struct ws_effects_check {
    u32 points;
    double r2;    /* 1 - mean squared error / variance: 1 is exact, 0 no better than the mean */
    double rank;  /* Spearman's correlation of prediction and response */
    double error; /* root of the mean squared error, in units of the response */
};

struct ws_effects {
    u32 axes;
    struct ws_estimate *main; /* [axes]: share of the variance over the space that the axis explains alone */
    struct ws_estimate *pair; /* share of two axes beyond their main effects; ws_effects_pair */
    /* Mean response over the space at each value of an axis: level[axis][value]. */
    struct ws_estimate **level;
    double mean, deviation; /* of the model over the space: median of the resamples */
    struct ws_effects_check check;
    struct ws_arena arena; /* of the arrays */
};

/* The index of a pair of axes a < b in `pair`: (0, 1), (0, 2), ..., (1, 2), ... */
static inline u32 ws_effects_pair(u32 axes, u32 a, u32 b)
{
    return a * axes - a * (a + 1) / 2 + b - a - 1;
}

/* Fits and decomposes. Of an axis with many choices pairs use 8, evenly spaced. At least 10 points are needed (WS_STATUS_usage);
 * all shares are 0 where the model is constant. *effects is ended by ws_effects_free, in every case. Same points, same options,
 * same result. */
enum ws_status ws_effects(const struct ws_effects_points *points, const struct ws_effects_options *options,
                          struct ws_effects *effects, struct ws_error *error);
void ws_effects_free(struct ws_effects *effects);

/* Spearman's rank correlation of two lists; equal values share their mean rank. 0 if all of a list are equal. */
enum ws_status ws_rank_correlation(const double *a, const double *b, u32 count, double *correlation, struct ws_error *error);

/* The same with an interval, from resamples. 0 of fewer than 3 values. */
enum ws_status ws_rank_estimate(const double *a, const double *b, u32 count, struct ws_estimate *estimate, struct ws_error *error);
