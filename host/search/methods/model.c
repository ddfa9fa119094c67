/* Model-based search (Hutter, Hoos, Leyton-Brown: Sequential model-based optimization for general algorithm configuration, LION
 * 2011; with several objectives: Emmerich, Giannakoglou, Naujoks, IEEE TEC 2006): NSGA-II and local search propose many more points
 * than are wanted, and a random forest of each objective, fitted to the points so far, chooses among them. An eighth of each
 * generation is spread over the space, which keeps the model honest.
 *
 * In every other generation the model is an optimist: it predicts the mean of the trees less their standard deviation, so that
 * points on which they disagree are tried, too. Without that, some searches of small spaces never leave a part of the front.
 *
 * Chosen are the pool's points in the order of ws_front_order over their predictions and the best known points. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "search/model/forest.h"
#include "search/front.h"
#include "search/methods/methods.h"
#include "search/methods/shared.h"

enum { POOL = 16, MOST_POOL = 20000, TREES = 16, SPREAD = 8, LEAST_POINTS = 10 };

/* Points to choose from, and predictions of them; behind them the best known points. */
struct pool {
    u32 *choice;       /* [count][axes] */
    double *objective; /* [count + known][objectives] */
    double *excess;    /* [count + known] */
    u32 count, known, room;
};

/* Lets a method propose up to so many points of the last fidelity into the pool. */
static enum ws_status collect(struct ws_sampler *sampler, ws_search_propose_fn *propose, u32 wanted, struct pool *pool,
                              struct ws_error *error)
{
    struct ws_search_request request = *sampler->request;
    struct ws_search_proposals added = {.choice = pool->choice + (size_t)pool->count * request.space->axes};
    added.fidelity = ws_arena_array(&sampler->arena, wanted, sizeof *added.fidelity);
    if (!added.fidelity)
        return ws_no_memory(error);
    request.wanted = wanted;
    WS_TRY(propose(&request, &added, error));
    pool->count += added.count;
    sampler->proposals->drawn += added.drawn;
    return WS_STATUS_ok;
}

/* A copy of the candidates of the last fidelity for a model: of those that have not failed, or of all with the excess that a
 * failure stands for. Column o of their objectives, or the excess where o = objectives, is the response. */
static enum ws_status response_of(struct ws_sampler *sampler, u32 column, struct ws_effects_points *points, double *failure,
                                  struct ws_error *error)
{
    const struct ws_search_space *space = sampler->request->space;
    const struct ws_search_history *history = &sampler->request->history;
    u32 *const choice = ws_arena_array(&sampler->arena, (size_t)history->count * space->axes, sizeof *choice);
    double *const response = ws_arena_array(&sampler->arena, history->count, sizeof *response);
    if (!choice || !response)
        return ws_no_memory(error);
    *points = (struct ws_effects_points){space->axis, choice, response, space->axes, 0};
    *failure = 1;
    for (u32 c = 0; c < history->count; c++) {
        if (isfinite(history->candidate[c].excess))
            *failure = fmax(*failure, 2 * history->candidate[c].excess);
    }
    for (u32 c = 0; c < history->count; c++) {
        const struct ws_search_candidate *candidate = &history->candidate[c];
        const bool failed = isinf(candidate->excess);
        if (candidate->fidelity != space->fidelities - 1 || (failed && column < space->objectives))
            continue;
        memcpy(choice + (size_t)points->count * space->axes, candidate->choice, space->axes * sizeof *choice);
        response[points->count++] = column < space->objectives ? candidate->objective[column]
                                    : failed                   ? *failure
                                                               : candidate->excess;
    }
    return WS_STATUS_ok;
}

/* Predicts an objective, or the excess, of every point of the pool. A predicted excess below half of the least one is none. */
static enum ws_status predict(struct ws_sampler *sampler, u32 column, struct pool *pool, struct ws_error *error)
{
    const struct ws_search_space *space = sampler->request->space;
    struct ws_effects_points points;
    struct ws_forest forest = {0};
    const double hope = sampler->request->generation % 2;
    double failure, least = INFINITY;
    WS_TRY(response_of(sampler, column, &points, &failure, error));
    u32 *const sample = ws_arena_array(&sampler->arena, points.count, sizeof *sample);
    if (!sample)
        return ws_no_memory(error);
    for (u32 p = 0; p < points.count; p++) {
        sample[p] = p;
        least = points.response[p] > 0 ? fmin(least, points.response[p]) : least;
    }
    if (!points.count || (column == space->objectives && isinf(least)))
        return WS_STATUS_ok;
    const enum ws_status status = ws_forest_fit(&forest, &points, sample, points.count, TREES, true, &sampler->random, error);
    for (u32 p = 0; status == WS_STATUS_ok && p < pool->count; p++) {
        double deviation;
        const double value = ws_forest_predict(&forest, pool->choice + (size_t)p * space->axes, &deviation);
        if (column < space->objectives)
            pool->objective[(size_t)p * space->objectives + column] = value - hope * deviation;
        else
            pool->excess[p] = value < least / 2 ? 0 : value;
    }
    ws_arena_free(&forest.arena);
    return status;
}

/* Fills the pool and predicts its points. */
static enum ws_status fill(struct ws_sampler *sampler, const struct ws_ranking *ranking, struct pool *pool, struct ws_error *error)
{
    const struct ws_search_space *space = sampler->request->space;
    pool->room = (u32)ws_min((u64)POOL * sampler->request->wanted, ws_max(MOST_POOL, sampler->request->wanted));
    pool->known = ws_min(ranking->count, sampler->request->settings.population);
    const size_t rows = (size_t)pool->room + pool->known;
    pool->choice = ws_arena_array(&sampler->arena, (size_t)pool->room * space->axes, sizeof *pool->choice);
    pool->objective = ws_arena_array(&sampler->arena, rows * space->objectives, sizeof *pool->objective);
    pool->excess = ws_arena_array(&sampler->arena, rows, sizeof *pool->excess);
    if (!pool->choice || !pool->objective || !pool->excess)
        return ws_no_memory(error);
    WS_TRY(collect(sampler, ws_search_nsga2, pool->room / 2, pool, error));
    WS_TRY(collect(sampler, ws_search_local, pool->room / 2, pool, error));
    for (u32 column = 0; column <= space->objectives; column++)
        WS_TRY(predict(sampler, column, pool, error));
    for (u32 k = 0; k < pool->known; k++) {
        const struct ws_search_candidate *best = &sampler->request->history.candidate[ranking->candidate[k]];
        const size_t row = (size_t)pool->count + k;
        memcpy(pool->objective + row * space->objectives, best->objective, space->objectives * sizeof *best->objective);
        pool->excess[row] = best->excess;
    }
    return WS_STATUS_ok;
}

/* Proposes the points of the pool that the model ranks first, up to `most`. */
static enum ws_status choose(struct ws_sampler *sampler, const struct ws_ranking *ranking, u32 most, struct ws_error *error)
{
    const struct ws_search_space *space = sampler->request->space;
    struct pool pool = {0};
    WS_TRY(fill(sampler, ranking, &pool, error));
    const u32 rows = pool.count + pool.known;
    u32 *const order = ws_arena_array(&sampler->arena, rows, sizeof *order);
    if (!order)
        return ws_no_memory(error);
    const struct ws_front_points points = {pool.objective, pool.excess, rows, space->objectives};
    WS_TRY(ws_front_order(&points, order, NULL, error));
    for (u32 n = 0; n < rows && sampler->proposals->count < most; n++) {
        if (order[n] < pool.count)
            ws_sampler_add(sampler, pool.choice + (size_t)order[n] * space->axes, space->fidelities - 1);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_search_model(const struct ws_search_request *request, struct ws_search_proposals *proposals,
                               struct ws_error *error)
{
    struct ws_sampler sampler;
    struct ws_ranking ranking;
    const u32 fidelity = request->space->fidelities - 1;
    enum ws_status status = ws_sampler_open(&sampler, request, proposals, error);
    WS_THEN(status, ws_sampler_rank(&sampler, fidelity, &ranking, error));
    if (status == WS_STATUS_ok && ranking.count >= LEAST_POINTS)
        status = choose(&sampler, &ranking, request->wanted - request->wanted / SPREAD, error);
    WS_THEN(status, ws_sampler_spread(&sampler, request->wanted, fidelity, error));
    ws_sampler_close(&sampler);
    return status;
}
