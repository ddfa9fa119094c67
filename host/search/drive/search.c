#include "warpsweep/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "search/drive/state.h"
#include "search/effects.h"

/* ---- Preparing ---- */

static enum ws_status find_method(const struct ws_space *space, const char *name, const struct ws_search_method **method,
                                  struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}};
    u32 count;
    const struct ws_search_method *const methods = ws_search_methods(&count);
    *method = ws_search_method(name);
    if (*method)
        return WS_STATUS_ok;
    for (u32 n = 0; n < count; n++)
        ws_names_offer(&names, methods[n].name);
    ws_fail(error, WS_STATUS_usage, "%sfound '%s', allowed are %s", space->method.place ? space->method.place : "method: ", name,
            ws_names_text(&names));
    ws_names_free(&names);
    return WS_STATUS_usage;
}

/* Methods from the best one on (docs/search.md), of those that this build has. */
static const char *standard_method(const struct ws_search_state *search)
{
    static const char *const names[] = {"model", "nsga2", "random"};
    size_t n = 0;
    if (search->fidelities > 1 && ws_search_method("halving"))
        return "halving";
    while (!ws_search_method(names[n]))
        n++;
    return names[n];
}

/* An option that the method would ignore is refused. */
static enum ws_status check_options(const struct ws_space *space, const struct ws_search_method *method, struct ws_error *error)
{
    const struct ws_space_method *const given = &space->method;
    const bool halves = strcmp(method->name, "halving") == 0, breeds = strcmp(method->name, "nsga2") == 0;
    const char *const place = given->place ? given->place : "method: ";
    if (!halves && (given->reduction || given->proposer))
        return ws_fail(error, WS_STATUS_usage, "%s%s is an option of halving, not of %s; remove it", place,
                       given->reduction ? "reduction" : "proposer", method->name);
    if (!halves && !breeds && strcmp(method->name, "model") != 0 && given->population)
        return ws_fail(error, WS_STATUS_usage, "%spopulation is an option of nsga2, model and halving, not of %s; remove it", place,
                       method->name);
    return WS_STATUS_ok;
}

/* A trace of one size only would be no cheaper at another. */
static enum ws_status check_sizes(const struct ws_search_state *search, struct ws_error *error)
{
    const struct ws_experiment *const experiment = search->space->experiment;
    const bool one = search->fidelity[0].size == search->fidelity[search->fidelities - 1].size;
    for (size_t n = 0; !one && n < experiment->trace_count; n++)
        if (!ws_workload_find(experiment->traces[n]))
            return ws_fail(error, WS_STATUS_bad_input,
                           "%s%s has one size; fidelities of several sizes need bundled workloads, named without a size",
                           experiment->trace_places[n], experiment->traces[n]);
    return WS_STATUS_ok;
}

static bool allows(void *context, const u32 *choice)
{
    return ws_space_allows(context, choice);
}

static enum ws_status set_up(struct ws_search_state *search, struct ws_error *error)
{
    const struct ws_space *const space = search->space;
    const struct ws_space_method *const method = &space->method;
    search->fidelities = space->fidelity_count > 0 ? space->fidelity_count : 1;
    search->fidelity[0] = (struct ws_fidelity){.size = search->options->size};
    for (u32 n = 0; n < space->fidelity_count; n++)
        search->fidelity[n] = space->fidelity[n];
    for (u32 n = 0; n < search->fidelities; n++)
        ws_fidelity_name(&search->fidelity[n], search->fidelity_name[n]);
    WS_TRY(find_method(space, method->name ? method->name : standard_method(search), &search->method, error));
    WS_TRY(check_options(space, search->method, error));
    search->settings = (struct ws_search_settings){.population = method->population, .reduction = method->reduction};
    if (method->proposer)
        WS_TRY(find_method(space, method->proposer, &search->settings.proposer, error));
    else if (strcmp(search->method->name, "halving") == 0)
        search->settings.proposer = ws_search_method("model");
    WS_TRY(check_sizes(search, error));
    search->name = strdup(space->experiment->name);
    search->axes = calloc(space->axis_count, sizeof *search->axes);
    if (!search->name || !search->axes)
        return ws_no_memory(error);
    for (u32 n = 0; n < space->axis_count; n++)
        search->axes[n] =
            (struct ws_search_axis){.key = space->axes[n].key, .values = space->axes[n].count, .ordered = space->axes[n].ordered};
    return WS_STATUS_ok;
}

enum ws_status ws_search_prepare(struct ws_search_state *search, struct ws_error *error)
{
    search->began = ws_seconds_now();
    search->knee = UINT32_MAX;
    *search->summary = (struct ws_search_summary){.size = ws_space_size(search->space)};
    WS_TRY(WS_STRUCT_CHECK(search_options, search->options, error));
    WS_TRY(set_up(search, error));
    WS_TRY(ws_goals_compile(search->space, &search->goals, error));
    return ws_search_define(search, error);
}

void ws_search_state_free(struct ws_search_state *search)
{
    ws_goals_free(&search->goals);
    ws_search_points_free(&search->points);
    ws_text_free(&search->definition);
    for (u32 n = 0; n < WS_FIDELITIES; n++)
        free(search->baseline[n]);
    free(search->name);
    free(search->axes);
    free(search->front);
}

/* ---- Proposing ---- */

/* The history as methods want it: candidates whose objectives are to be minimized. */
struct history {
    struct ws_search_candidate *candidate;
    double *minimized;
};

static enum ws_status gather(const struct ws_search_state *search, struct history *history, struct ws_error *error)
{
    const struct ws_search_points *const points = &search->points;
    const size_t axes = search->space->axis_count, objectives = search->space->objective_count;
    history->candidate = calloc(points->count + 1, sizeof *history->candidate);
    history->minimized = calloc(points->count * objectives + 1, sizeof *history->minimized);
    if (!history->candidate || !history->minimized)
        return ws_no_memory(error);
    for (size_t n = 0; n < points->count; n++) {
        double *const minimized = &history->minimized[n * objectives];
        for (size_t k = 0; k < objectives; k++) {
            const double value = points->objective[n * objectives + k];
            minimized[k] = search->space->objectives[k].maximize ? -value : value;
        }
        history->candidate[n] = (struct ws_search_candidate){.choice = &points->choice[n * axes],
                                                             .objective = minimized,
                                                             .excess = points->excess[n],
                                                             .fidelity = points->fidelity[n],
                                                             .generation = points->generation[n]};
    }
    return WS_STATUS_ok;
}

static enum ws_status propose(struct ws_search_state *search, const struct history *history, u32 wanted,
                              struct ws_search_proposals *proposals, struct ws_error *error)
{
    const struct ws_search_space space = {.axis = search->axes,
                                          .axes = search->space->axis_count,
                                          .objectives = search->space->objective_count,
                                          .fidelities = search->fidelities,
                                          .legal = allows,
                                          .context = search->space};
    const struct ws_search_request request = {.space = &space,
                                              .history = {history->candidate, search->points.count},
                                              .settings = search->settings,
                                              .seed = search->space->seed,
                                              .generation = ws_search_next_generation(search),
                                              .wanted = wanted};
    const enum ws_status status = ws_search_propose(search->method, &request, proposals, error);
    if (status == WS_STATUS_usage && search->space->method.place)
        ws_fail_in(error, "%s", search->space->method.place);
    WS_TRY(ws_space_failure(search->space, error));
    if (status == WS_STATUS_ok && proposals->count == 0 && search->points.count == 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: no combination of the axes meets the constraints and is a machine; widen the axes or the constraints",
                       search->space->experiment->file ? search->space->experiment->file : search->name);
    return status;
}

enum ws_status ws_search_choose(struct ws_search_state *search, u32 wanted, bool *exhausted, struct ws_error *error)
{
    const size_t axes = search->space->axis_count;
    const u32 generation = ws_search_next_generation(search);
    const double began = ws_seconds_now();
    struct ws_search_proposals proposals = {.choice = calloc(wanted * axes, sizeof *proposals.choice),
                                            .fidelity = calloc(wanted, sizeof *proposals.fidelity)};
    struct history history = {0};
    enum ws_status status = proposals.choice && proposals.fidelity ? gather(search, &history, error) : ws_no_memory(error);
    WS_THEN(status, propose(search, &history, wanted, &proposals, error));
    for (u32 n = 0; n < proposals.count && status == WS_STATUS_ok; n++)
        status = ws_search_add(search, &proposals.choice[n * axes], proposals.fidelity[n], generation, error);
    *exhausted = proposals.count < wanted;
    free(proposals.choice);
    free(proposals.fidelity);
    free(history.candidate);
    free(history.minimized);
    search->summary->choosing += ws_seconds_now() - began;
    return status;
}

/* ---- Beginning and ending ---- */

static enum ws_status load(struct ws_search_state *search, enum ws_results_access access_, struct ws_error *error)
{
    WS_TRY(ws_results_open(search->options->results, access_, &search->results, error));
    return ws_search_load(search, access_ == WS_RESULTS_WRITE, error);
}

enum ws_status ws_search_end(struct ws_search_state *search, enum ws_status status, struct ws_error *error)
{
    enum ws_status closed = WS_STATUS_ok;
    if (status == WS_STATUS_ok)
        closed = ws_results_close(search->results, error);
    else if (search->results)
        ws_results_abandon(search->results);
    search->results = NULL;
    return status == WS_STATUS_ok ? closed : status;
}

/* Proposes the baseline at each fidelity: ordinals 0, 1, ... */
static enum ws_status add_baseline(struct ws_search_state *search, struct ws_error *error)
{
    for (u32 fidelity = 0; fidelity < search->fidelities; fidelity++)
        WS_TRY(ws_search_add(search, search->space->baseline, fidelity, 0, error));
    return WS_STATUS_ok;
}

enum ws_status ws_search_begin(struct ws_search_state *search, struct ws_error *error)
{
    WS_TRY(load(search, WS_RESULTS_WRITE, error));
    if (!search->space->baseline)
        return WS_STATUS_ok;
    if (search->points.count == 0) {
        WS_TRY(add_baseline(search, error));
        WS_TRY(ws_search_put_proposals(search, 0, WS_ORIGIN_BASELINE, error));
    }
    return ws_search_simulate_waiting(search, search->fidelities, error);
}

void ws_search_summarize(struct ws_search_state *search)
{
    const struct ws_search_points *const points = &search->points;
    struct ws_search_summary *const summary = search->summary;
    summary->points = points->answered;
    summary->simulations = (u64)points->answered * search->space->experiment->trace_count;
    for (u32 n = 0; n < points->count; n++) {
        summary->failed += points->done[n] && isinf(points->excess[n]);
        summary->over += points->done[n] && points->excess[n] > 0 && !isinf(points->excess[n]);
        if (points->done[n] && points->generation[n] >= summary->generations)
            summary->generations = points->generation[n] + 1;
    }
    summary->front = search->front_count;
    summary->seconds = search->before + ws_seconds_now() - search->began;
    summary->choosing += search->chosen;
}

/* ---- The search ---- */

/* Points of a generation. Methods learn between generations, so that small ones find more: by default there are 20 of them. */
static u64 generation_size(const struct ws_space *space)
{
    const u64 share = space->simulations / (WS_GENERATIONS * (u64)space->experiment->trace_count);
    if (space->generation > 0)
        return space->generation;
    if (space->simulations == 0)
        return WS_GENERATION;
    return share < WS_LEAST_GENERATION ? WS_LEAST_GENERATION : share > WS_MOST_GENERATION ? WS_MOST_GENERATION : share;
}

/* Points that the budget allows in the next generation. */
static u32 affordable(const struct ws_search_state *search)
{
    const struct ws_space *const space = search->space;
    const u64 traces = space->experiment->trace_count, used = search->points.count * traces;
    const double spent = search->before + ws_seconds_now() - search->began, left = 60 * space->minutes - spent;
    u64 wanted = generation_size(space);
    if (space->simulations > 0) {
        const u64 points = space->simulations > used ? (space->simulations - used) / traces : 0;
        wanted = points < wanted ? points : wanted;
    }
    if (space->minutes > 0 && left <= 0)
        return 0;
    if (space->minutes > 0 && search->points.answered == 0 && space->generation == 0 && wanted > WS_LEAST_GENERATION)
        wanted = WS_LEAST_GENERATION; /* how long a point takes is unknown */
    if (space->minutes > 0 && search->points.answered > 0) {
        const double points = (double)search->points.answered / spent * left;
        wanted = points < 1 ? 1 : points < (double)wanted ? (u64)points : wanted;
    }
    return (u32)wanted;
}

static enum ws_status run(struct ws_search_state *search, struct ws_error *error)
{
    bool exhausted = false;
    while (!search->summary->ended) {
        if (search->points.answered < search->points.count) {
            WS_TRY(ws_search_simulate_waiting(search, search->points.count, error));
            continue;
        }
        const u32 wanted = affordable(search), first = search->points.count;
        if (wanted == 0 || exhausted) {
            search->summary->ended = exhausted ? "exhausted" : "budget";
            break;
        }
        WS_TRY(ws_search_choose(search, wanted, &exhausted, error));
        WS_TRY(ws_search_put_proposals(search, first, WS_ORIGIN_METHOD, error));
    }
    return ws_search_put_end(search, search->summary->ended, error);
}

/* The next generation, not recorded, as a sweep's dry run. */
static enum ws_status estimate(struct ws_search_state *search, struct ws_error *error)
{
    bool exhausted;
    if (access(search->options->results, F_OK) == 0)
        WS_TRY(load(search, WS_RESULTS_READ, error));
    if (search->points.count == 0 && search->space->baseline)
        WS_TRY(add_baseline(search, error));
    const u32 wanted = affordable(search);
    if ((search->points.answered == search->points.count || search->points.answered == 0) && wanted > 0)
        WS_TRY(ws_search_choose(search, wanted, &exhausted, error));
    return ws_search_estimate(search, error);
}

static enum ws_status check_budget(const struct ws_space *space, struct ws_error *error)
{
    if (space->simulations > 0 || space->minutes > 0)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_usage,
                   "%s: no budget is given; give one (budget: {simulations: 10000} or {minutes: 5}; --budget)",
                   space->experiment->file ? space->experiment->file : space->experiment->name);
}

enum ws_status ws_search(struct ws_space *space, const struct ws_search_options *options, struct ws_search_summary *summary,
                         struct ws_error *error)
{
    struct ws_search_state search = {.space = space, .options = options, .summary = summary};
    enum ws_status status = ws_search_prepare(&search, error);
    WS_THEN(status, check_budget(space, error));
    if (status == WS_STATUS_ok && options->dry_run)
        status = estimate(&search, error);
    else if (status == WS_STATUS_ok) {
        status = ws_search_begin(&search, error);
        WS_THEN(status, run(&search, error));
    }
    status = ws_search_end(&search, status, error);
    ws_search_summarize(&search);
    ws_search_state_free(&search);
    return status;
}
