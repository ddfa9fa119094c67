/* What matters, and what a search had found after so many simulations. */
#include <math.h>

#include "base/error.h"
#include "page/outcome.h"
#include "search/front.h"

enum { FEWEST_POINTS = 10, MOST_STEPS = 200 };

bool ws_outcome_has_effects(const struct ws_outcome *outcome)
{
    return outcome->axes > 0 && outcome->points >= FEWEST_POINTS;
}

enum ws_status ws_outcome_effects(const struct ws_outcome *outcome, u32 objective, struct ws_effects *effects,
                                  struct ws_error *error)
{
    const u32 step = (outcome->points + WS_OUTCOME_MOST_POINTS - 1) / WS_OUTCOME_MOST_POINTS, axes = outcome->axes;
    struct ws_arena arena = {0};
    struct ws_search_axis *const axis = ws_arena_array(&arena, axes, sizeof *axis);
    u32 *const choice = ws_arena_array(&arena, (size_t)outcome->points * axes, sizeof *choice);
    double *const response = ws_arena_array(&arena, outcome->points, sizeof *response);
    enum ws_status status = axis && choice && response ? WS_STATUS_ok : ws_no_memory(error);
    u32 count = 0;
    *effects = (struct ws_effects){0};
    for (u32 n = 0; status == WS_STATUS_ok && n < outcome->points; n += step, count++) {
        response[count] = outcome->point[n].value[objective];
        for (u32 m = 0; m < axes; m++)
            choice[count * axes + m] = outcome->point[n].choice[m];
    }
    for (u32 n = 0; status == WS_STATUS_ok && n < axes; n++)
        axis[n] = (struct ws_search_axis){outcome->axis[n].key, outcome->axis[n].values, outcome->axis[n].ordered};
    const struct ws_effects_points points = {axis, choice, response, axes, count};
    const struct ws_effects_options options = {.seed = WS_OUTCOME_SEED, .resamples = WS_OUTCOME_RESAMPLES};
    WS_THEN(status, ws_effects(&points, &options, effects, error));
    ws_arena_free(&arena);
    return status;
}

/* The worst values of points within the limits, up to which the hypervolume is measured; false without such points. */
static bool find_worst(const struct ws_outcome *outcome, double *worst)
{
    bool any = false;
    for (u32 n = 0; n < outcome->points; n++) {
        const double *const value = &outcome->minimized[n * outcome->objectives];
        for (u32 m = 0; outcome->excess[n] == 0 && m < outcome->objectives; m++)
            worst[m] = !any || value[m] > worst[m] ? value[m] : worst[m];
        any = any || outcome->excess[n] == 0;
    }
    return any;
}

static enum ws_status share_of(const struct ws_outcome *outcome, u32 count, const double *worst, double *volume,
                               struct ws_error *error)
{
    const struct ws_front_points points = {outcome->minimized, outcome->excess, count, outcome->objectives};
    return ws_front_hypervolume(&points, worst, volume, error);
}

/* The best values of the points up to the last one. */
static const double *best_of(struct ws_outcome *outcome, u32 count)
{
    double *const best = ws_arena_array(&outcome->arena, outcome->objectives, sizeof *best);
    for (u32 m = 0; best && m < outcome->objectives; m++) {
        best[m] = NAN;
        for (u32 n = 0; n < count; n++) {
            const double value = outcome->point[n].value[m];
            if (outcome->excess[n] == 0 && !(outcome->objective[m].more ? value <= best[m] : value >= best[m]))
                best[m] = value;
        }
    }
    return best;
}

enum ws_status ws_outcome_steps(struct ws_outcome *outcome, struct ws_outcome_step **steps, u32 *count, struct ws_error *error)
{
    double *const worst = ws_arena_array(&outcome->arena, outcome->objectives + 1, sizeof *worst);
    const u32 stride = (outcome->points + MOST_STEPS - 1) / MOST_STEPS;
    double all = 0;
    *count = 0;
    *steps = ws_arena_array(&outcome->arena, MOST_STEPS + 1, sizeof **steps);
    if (!worst || !*steps)
        return ws_no_memory(error);
    if (!find_worst(outcome, worst))
        return WS_STATUS_ok;
    WS_TRY(share_of(outcome, outcome->points, worst, &all, error));
    for (u32 n = 0; n < outcome->points; n += stride) {
        const u32 points = n + stride < outcome->points ? n + stride : outcome->points;
        struct ws_outcome_step *const step = &(*steps)[*count];
        double volume;
        WS_TRY(share_of(outcome, points, worst, &volume, error));
        *step =
            (struct ws_outcome_step){outcome->point[points - 1].simulations, all > 0 ? volume / all : 1, best_of(outcome, points)};
        if (!step->best)
            return ws_no_memory(error);
        *count += isnan(step->best[0]) ? 0 : 1; /* nothing within the limits yet */
    }
    return WS_STATUS_ok;
}
