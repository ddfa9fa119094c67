/* NSGA-II on mixed spaces (Deb, Pratap, Agarwal, Meyarivan: A fast and elitist multiobjective genetic algorithm: NSGA-II, IEEE TEC
 * 2002): the best points so far, by rank and crowding, are the parents of the next.
 *
 * Choices. The parents are selected from all points so far, not from the last generation and its parents alone. Of points with
 * equal objectives, which parameters without effect make frequent, one is a parent. Variables are indices: each comes from either
 * parent (uniform crossover: Syswerda, ICGA 1989), then mutates with probability 1 / axes: an ordered one by a step that is twice
 * as rare for each further place, a categorical one to any other choice. */
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "search/methods/methods.h"
#include "search/methods/shared.h"

enum { ATTEMPTS = 12 }; /* at a child that is legal and new */

static bool equal(const struct ws_sampler *sampler, u32 a, u32 b)
{
    const struct ws_search_candidate *candidate = sampler->request->history.candidate;
    const u32 objectives = sampler->request->space->objectives;
    for (u32 o = 0; o < objectives; o++) {
        if (candidate[a].objective[o] != candidate[b].objective[o])
            return false;
    }
    return candidate[a].excess == candidate[b].excess;
}

/* The best points with different objectives, at most `most`: parent[] in order. Returns their number. */
static u32 select_parents(const struct ws_sampler *sampler, const struct ws_ranking *ranking, u32 most, u32 *parent)
{
    u32 count = 0;
    for (u32 c = 0; c < ranking->count && count < most; c++) {
        bool first = true;
        for (u32 p = 0; p < count && first; p++)
            first = !equal(sampler, ranking->candidate[c], parent[p]);
        if (first)
            parent[count++] = ranking->candidate[c];
    }
    return count;
}

/* The better of two parents drawn at random. */
static const u32 *tournament(struct ws_sampler *sampler, const u32 *parent, u32 count)
{
    const u32 one = ws_random_range(&sampler->random, 0, count - 1), other = ws_random_range(&sampler->random, 0, count - 1);
    return sampler->request->history.candidate[parent[ws_min(one, other)]].choice;
}

static u32 mutate(u64 *random, const struct ws_search_axis *axis, u32 choice)
{
    if (!axis->ordered) {
        const u32 other = ws_random_range(random, 0, axis->values - 2);
        return other + (other >= choice);
    }
    u32 step = 1;
    while (step < axis->values - 1 && ws_random_range(random, 0, 1))
        step++;
    const bool down = choice >= step, up = choice + step < axis->values;
    if (down && (!up || ws_random_range(random, 0, 1)))
        return choice - step;
    return up ? choice + step : choice < axis->values / 2 ? axis->values - 1 : 0;
}

/* Each choice mutates with probability 1 / axes. */
static void mutate_some(struct ws_sampler *sampler, u32 *choice)
{
    const struct ws_search_space *space = sampler->request->space;
    for (u32 a = 0; a < space->axes; a++) {
        if (space->axis[a].values > 1 && !ws_random_range(&sampler->random, 0, space->axes - 1))
            choice[a] = mutate(&sampler->random, &space->axis[a], choice[a]);
    }
}

/* Proposes a child of two parents: it is mutated until it is legal and new. False after many attempts. */
static bool add_child(struct ws_sampler *sampler, const u32 *parent, u32 count)
{
    const struct ws_search_space *space = sampler->request->space;
    const u32 *mother = tournament(sampler, parent, count), *father = tournament(sampler, parent, count);
    u32 *const child = sampler->scratch;
    for (u32 a = 0; a < space->axes; a++)
        child[a] = ws_random_range(&sampler->random, 0, 1) ? mother[a] : father[a];
    for (u32 attempt = 0; attempt < ATTEMPTS; attempt++) {
        mutate_some(sampler, child);
        if (ws_sampler_add(sampler, child, space->fidelities - 1))
            return true;
    }
    return false;
}

/* Breeds children until the generation is full, or many in a row are not new. */
static void breed(struct ws_sampler *sampler, const u32 *parent, u32 count)
{
    for (u32 failed = 0; sampler->proposals->count < sampler->request->wanted && failed < ATTEMPTS;)
        failed = add_child(sampler, parent, count) ? 0 : failed + 1;
}

enum ws_status ws_search_nsga2(const struct ws_search_request *request, struct ws_search_proposals *proposals,
                               struct ws_error *error)
{
    struct ws_sampler sampler;
    struct ws_ranking ranking;
    const u32 fidelity = request->space->fidelities - 1;
    enum ws_status status = ws_sampler_open(&sampler, request, proposals, error);
    WS_THEN(status, ws_sampler_rank(&sampler, fidelity, &ranking, error));
    if (status == WS_STATUS_ok) {
        const u32 population = request->settings.population;
        if (ranking.count < population)
            status = ws_sampler_spread(&sampler, ranking.count ? population - ranking.count : request->wanted, fidelity, error);
        u32 *const parent = ws_arena_array(&sampler.arena, population, sizeof *parent);
        const u32 parents = parent ? select_parents(&sampler, &ranking, population, parent) : 0;
        if (!parent)
            status = ws_no_memory(error);
        else if (parents)
            breed(&sampler, parent, parents);
    }
    WS_THEN(status, ws_sampler_random(&sampler, request->wanted, fidelity, error));
    ws_sampler_close(&sampler);
    return status;
}
