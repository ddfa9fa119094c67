/* Successive halving over fidelities (Jamieson, Talwalkar: Non-stochastic best arm identification and hyperparameter
 * optimization, AISTATS 2016), without waiting (Li et al.: A system for massively parallel hyperparameter tuning, MLSys 2020): of
 * the points of a fidelity the best part, one of `reduction`, is promoted to the next; another method proposes points for the
 * first. Points are compared by rank and crowding. A failed point is not promoted. When the first fidelity has no points left, all
 * others are promoted, best first. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "search/methods/methods.h"
#include "search/methods/shared.h"

/* Promotes the best points of a fidelity, one of so many. */
static enum ws_status promote(struct ws_sampler *sampler, u32 fidelity, u32 reduction, struct ws_error *error)
{
    const struct ws_search_candidate *candidate = sampler->request->history.candidate;
    struct ws_ranking ranking;
    WS_TRY(ws_sampler_rank(sampler, fidelity, &ranking, error));
    for (u32 c = 0; c < ranking.count / reduction; c++) {
        const struct ws_search_candidate *best = &candidate[ranking.candidate[c]];
        if (isfinite(best->excess))
            ws_sampler_add(sampler, best->choice, fidelity + 1);
    }
    return WS_STATUS_ok;
}

/* Lets the other method propose the rest of the generation for the first fidelity, which it sees as the only one. */
static enum ws_status propose_first(struct ws_sampler *sampler, bool *exhausted, struct ws_error *error)
{
    const struct ws_search_request *request = sampler->request;
    struct ws_search_proposals *proposals = sampler->proposals;
    struct ws_search_candidate *const first = ws_arena_array(&sampler->arena, request->history.count, sizeof *first);
    if (!first)
        return ws_no_memory(error);
    struct ws_search_space space = *request->space;
    struct ws_search_request rest = *request;
    space.fidelities = 1;
    rest.space = &space;
    rest.history = (struct ws_search_history){first, 0};
    rest.wanted = request->wanted - proposals->count;
    for (u32 c = 0; c < request->history.count; c++) {
        if (request->history.candidate[c].fidelity == 0)
            first[rest.history.count++] = request->history.candidate[c];
    }
    struct ws_search_proposals added = {.choice = proposals->choice + (size_t)proposals->count * space.axes,
                                        .fidelity = proposals->fidelity + proposals->count};
    WS_TRY(ws_search_propose(request->settings.proposer, &rest, &added, error));
    proposals->count += added.count;
    proposals->drawn += added.drawn;
    *exhausted = added.exhausted;
    return WS_STATUS_ok;
}

enum ws_status ws_search_halving(const struct ws_search_request *request, struct ws_search_proposals *proposals,
                                 struct ws_error *error)
{
    struct ws_sampler sampler;
    const u32 last = request->space->fidelities - 1;
    bool exhausted = false;
    enum ws_status status = ws_sampler_open(&sampler, request, proposals, error);
    for (u32 f = last; f-- > 0 && status == WS_STATUS_ok;)
        status = promote(&sampler, f, request->settings.reduction, error);
    if (proposals->count < request->wanted)
        WS_THEN(status, propose_first(&sampler, &exhausted, error));
    for (u32 f = last; f-- > 0 && status == WS_STATUS_ok && proposals->count < request->wanted;)
        status = promote(&sampler, f, 1, error);
    ws_sampler_close(&sampler);
    proposals->exhausted = exhausted && proposals->count < request->wanted;
    return status;
}
