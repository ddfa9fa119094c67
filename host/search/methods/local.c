/* Local search with restarts, for several objectives (Pareto local search: Paquete, Chiarandini, Stutzle, in Metaheuristics for
 * Multiobjective Optimisation, 2004): the neighbours of points that no known neighbour dominates are simulated. A neighbour has
 * the next choice on one ordered axis, or any other choice on one categorical axis.
 *
 * Every such point is the head of a descent; many descents run side by side. A descent ends where all neighbours are known and
 * none dominates: a certain local optimum. An eighth of each generation, and what is left over when all descents have ended, starts
 * new ones at random points. */
#include "base/error.h"
#include "base/random.h"
#include "search/front.h"
#include "search/methods/methods.h"
#include "search/methods/shared.h"

enum { RESTARTS = 8 }; /* one of so many points is a new start */

/* Neighbour n of a point, in scratch; false beyond the last one. */
static bool neighbour(const struct ws_sampler *sampler, const u32 *choice, u32 n)
{
    const struct ws_search_space *space = sampler->request->space;
    u32 *const next = sampler->scratch;
    for (u32 a = 0; a < space->axes; a++)
        next[a] = choice[a];
    for (u32 a = 0; a < space->axes; a++) {
        const u32 values = space->axis[a].values, low = choice[a] > 0, high = choice[a] + 1 < values;
        const u32 steps = space->axis[a].ordered ? low + high : values - 1;
        if (n >= steps) {
            n -= steps;
            continue;
        }
        if (space->axis[a].ordered)
            next[a] = n < low ? choice[a] - 1 : choice[a] + 1;
        else
            next[a] = n + (n >= choice[a]);
        return true;
    }
    return false;
}

static bool dominates(const struct ws_sampler *sampler, u32 a, u32 b)
{
    const struct ws_search_candidate *one = &sampler->request->history.candidate[a],
                                     *other = &sampler->request->history.candidate[b];
    if (one->excess > 0 || other->excess > 0)
        return one->excess < other->excess;
    bool better = false;
    for (u32 o = 0; o < sampler->request->space->objectives; o++) {
        if (one->objective[o] > other->objective[o])
            return false;
        better = better || one->objective[o] < other->objective[o];
    }
    return better;
}

/* Whether a known neighbour dominates the candidate; *neighbours: how many it has, known or not. */
static bool dominated(const struct ws_sampler *sampler, u32 candidate, u32 fidelity, u32 *neighbours)
{
    const struct ws_search_history *history = &sampler->request->history;
    for (*neighbours = 0; neighbour(sampler, history->candidate[candidate].choice, *neighbours); ++*neighbours) {
        const u32 found = ws_sampler_find(sampler, sampler->scratch, fidelity);
        if (found < history->count && dominates(sampler, found, candidate))
            return true;
    }
    return false;
}

/* Proposes the first legal new neighbour of a head, from a random one on. False if there is none. */
static bool add_neighbour(struct ws_sampler *sampler, u32 candidate, u32 fidelity)
{
    u32 neighbours;
    if (dominated(sampler, candidate, fidelity, &neighbours) || !neighbours)
        return false;
    const u32 first = ws_random_range(&sampler->random, 0, neighbours - 1);
    for (u32 n = 0; n < neighbours; n++) {
        neighbour(sampler, sampler->request->history.candidate[candidate].choice, (first + n) % neighbours);
        if (ws_sampler_add(sampler, sampler->scratch, fidelity))
            return true;
    }
    return false;
}

/* Rank after rank, each head is given one neighbour after the other in turn, up to `most` proposals. */
static enum ws_status descend(struct ws_sampler *sampler, const struct ws_ranking *ranking, u32 most, u32 fidelity,
                              struct ws_error *error)
{
    u32 *const head = ws_arena_array(&sampler->arena, ranking->count, sizeof *head);
    if (!head)
        return ws_no_memory(error);
    for (u32 first = 0, end; first < ranking->count && sampler->proposals->count < most; first = end) {
        u32 heads = 0;
        for (end = first; end < ranking->count && ranking->rank[end] == ranking->rank[first]; end++)
            head[heads++] = ranking->candidate[end];
        while (heads && sampler->proposals->count < most) {
            u32 left = 0;
            for (u32 h = 0; h < heads && sampler->proposals->count < most; h++) {
                if (add_neighbour(sampler, head[h], fidelity))
                    head[left++] = head[h];
            }
            heads = left;
        }
    }
    return WS_STATUS_ok;
}

enum ws_status ws_search_local(const struct ws_search_request *request, struct ws_search_proposals *proposals,
                               struct ws_error *error)
{
    struct ws_sampler sampler;
    struct ws_ranking ranking;
    const u32 fidelity = request->space->fidelities - 1;
    enum ws_status status = ws_sampler_open(&sampler, request, proposals, error);
    WS_THEN(status, ws_sampler_rank(&sampler, fidelity, &ranking, error));
    WS_THEN(status, descend(&sampler, &ranking, request->wanted - request->wanted / RESTARTS, fidelity, error));
    WS_THEN(status, ws_sampler_spread(&sampler, request->wanted, fidelity, error));
    ws_sampler_close(&sampler);
    return status;
}
