#include "search/methods/shared.h"

#include <string.h>

#include "base/error.h"
#include "search/front.h"

static void collect(const struct ws_sampler *sampler, u32 fidelity, u32 *candidate, double *objective, double *excess, u32 *count)
{
    const struct ws_search_history *history = &sampler->request->history;
    const u32 objectives = sampler->request->space->objectives;
    for (u32 c = 0; c < history->count; c++) {
        if (history->candidate[c].fidelity != fidelity)
            continue;
        candidate[*count] = c;
        excess[*count] = history->candidate[c].excess;
        memcpy(objective + (size_t)*count * objectives, history->candidate[c].objective, objectives * sizeof *objective);
        ++*count;
    }
}

enum ws_status ws_sampler_rank(struct ws_sampler *sampler, u32 fidelity, struct ws_ranking *ranking, struct ws_error *error)
{
    const u32 most = sampler->request->history.count, objectives = sampler->request->space->objectives;
    struct ws_arena scratch = {0};
    u32 *const candidate = ws_arena_array(&scratch, most, sizeof *candidate);
    u32 *const order = ws_arena_array(&scratch, most, sizeof *order), *const rank = ws_arena_array(&scratch, most, sizeof *rank);
    double *const objective = ws_arena_array(&scratch, (size_t)most * objectives, sizeof *objective);
    double *const excess = ws_arena_array(&scratch, most, sizeof *excess);
    *ranking = (struct ws_ranking){ws_arena_array(&sampler->arena, most, sizeof(u32)),
                                   ws_arena_array(&sampler->arena, most, sizeof(u32)), 0};
    enum ws_status status = WS_STATUS_ok;
    if (!candidate || !order || !rank || !objective || !excess || !ranking->candidate || !ranking->rank)
        status = ws_no_memory(error);
    if (status == WS_STATUS_ok) {
        collect(sampler, fidelity, candidate, objective, excess, &ranking->count);
        const struct ws_front_points points = {objective, excess, ranking->count, objectives};
        status = ws_front_order(&points, order, rank, error);
    }
    for (u32 c = 0; status == WS_STATUS_ok && c < ranking->count; c++) {
        ranking->candidate[c] = candidate[order[c]];
        ranking->rank[c] = rank[order[c]];
    }
    ws_arena_free(&scratch);
    return status;
}
