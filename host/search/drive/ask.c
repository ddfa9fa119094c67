/* Points of a search for programs that choose some themselves (docs/search.md, ask and tell). */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "search/drive/state.h"

static enum ws_status give(const struct ws_search_state *search, u32 n, ws_search_point_fn *use, void *context,
                           struct ws_error *error)
{
    const struct ws_search_points *const points = &search->points;
    const size_t axes = search->space->axis_count, objectives = search->space->objective_count;
    struct ws_search_failure failure;
    struct ws_search_point point = {.id = n,
                                    .generation = points->generation[n],
                                    .fidelity = points->fidelity[n],
                                    .size = search->fidelity_name[points->fidelity[n]],
                                    .choice = &points->choice[n * axes],
                                    .excess = points->excess[n]};
    if (points->done[n]) {
        point.status = ws_search_status(points->excess[n]);
        point.objectives = &points->objective[n * objectives];
    }
    if (points->done[n] && isinf(points->excess[n])) {
        WS_TRY(ws_search_find_failure(search, n, &failure, error));
        point.reason = failure.reason;
    }
    for (u32 member = 0; member < search->front_count; member++)
        point.front = point.front || search->front[member] == n;
    return use(context, &point, error);
}

static enum ws_status ask(struct ws_search_state *search, u32 count, ws_search_point_fn *use, void *context, struct ws_error *error)
{
    struct ws_search_points *const points = &search->points;
    const struct ws_sweep_watch *const watch = &search->options->watch;
    bool exhausted;
    WS_TRY(ws_search_begin(search, error));
    if (points->answered == points->count) {
        const u32 first = points->count;
        WS_TRY(ws_search_choose(search, count, &exhausted, error));
        WS_TRY(ws_search_put_proposals(search, first, WS_ORIGIN_METHOD, error));
    }
    if (points->answered == points->count && watch->note)
        watch->note(watch->context, "no new point of the space is left");
    for (u32 n = 0, given = 0; n < points->count && given < count; n++) {
        if (points->done[n])
            continue;
        given++;
        WS_TRY(give(search, n, use, context, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_search_ask(struct ws_space *space, const struct ws_search_options *options, u32 count, ws_search_point_fn *use,
                             void *context, struct ws_error *error)
{
    struct ws_search_summary summary;
    struct ws_search_state search = {.space = space, .options = options, .summary = &summary};
    enum ws_status status = ws_search_prepare(&search, error);
    WS_THEN(status, ask(&search, count, use, context, error));
    status = ws_search_end(&search, status, error);
    ws_search_state_free(&search);
    return status;
}

/* ---- Tell ---- */

/* What is told beside an id agrees with the point. */
static enum ws_status check_agreement(const struct ws_search_state *search, const struct ws_search_told *told,
                                      struct ws_error *error)
{
    const struct ws_space *const space = search->space;
    const u32 *const choice = &search->points.choice[(size_t)told->id * space->axis_count],
                     fidelity = search->points.fidelity[told->id];
    struct ws_machine machine = space->machine;
    char own[64], other[64];
    if (told->same_fidelity && told->fidelity != fidelity)
        return ws_fail(error, WS_STATUS_usage, "id %u has the fidelity %s, found another one beside it; give the id alone, or none",
                       told->id, search->fidelity_name[fidelity]);
    for (u32 n = 0; told->choice && n < space->axis_count; n++) {
        const struct ws_space_axis *const axis = &space->axes[n];
        if (told->choice[n] == choice[n])
            continue;
        ((u32 *)&machine)[axis->parameter] = axis->values[choice[n]];
        ws_machine_get(&machine, axis->parameter, own, sizeof own);
        ((u32 *)&machine)[axis->parameter] = axis->values[told->choice[n]];
        ws_machine_get(&machine, axis->parameter, other, sizeof other);
        return ws_fail(error, WS_STATUS_usage, "id %u has %s %s, found %s beside it; give the id alone, or the parameters alone",
                       told->id, axis->key, own, other);
    }
    return WS_STATUS_ok;
}

/* The ordinal of a told point; a new one is added. */
static enum ws_status find(struct ws_search_state *search, const struct ws_search_told *told, u32 generation, u32 *ordinal,
                           struct ws_error *error)
{
    if (told->by_id && told->id >= search->points.count)
        return ws_fail(error, WS_STATUS_usage, "found id %u, which the search %s does not have; it has %u points", told->id,
                       search->name, search->points.count);
    if (told->by_id)
        WS_TRY(check_agreement(search, told, error));
    *ordinal = told->by_id ? told->id : ws_search_find(search, told->choice, told->fidelity);
    if (*ordinal < search->points.count)
        return WS_STATUS_ok;
    if (told->fidelity >= search->fidelities)
        return ws_fail(error, WS_STATUS_usage, "found fidelity %u, the search has %u", told->fidelity, search->fidelities);
    WS_TRY(ws_space_check(search->space, told->choice, error));
    return ws_search_add(search, told->choice, told->fidelity, generation, error);
}

static int ascending(const void *one, const void *other)
{
    const u32 a = *(const u32 *)one, b = *(const u32 *)other;
    return (a > b) - (a < b);
}

/* Those of ordinals that are not simulated, ascending, each once. */
static u32 waiting(const struct ws_search_state *search, const u32 *ordinals, u32 count, u32 *wait)
{
    u32 found = 0, kept = 0;
    for (u32 n = 0; n < count; n++)
        if (!search->points.done[ordinals[n]])
            wait[found++] = ordinals[n];
    qsort(wait, found, sizeof *wait, ascending);
    for (u32 n = 0; n < found; n++)
        if (n == 0 || wait[n] != wait[n - 1])
            wait[kept++] = wait[n];
    return kept;
}

static enum ws_status tell(struct ws_search_state *search, const struct ws_search_told *told, u32 count, u32 *ordinals, u32 *wait,
                           ws_search_point_fn *use, void *context, struct ws_error *error)
{
    WS_TRY(ws_search_begin(search, error));
    const u32 first = search->points.count, generation = ws_search_next_generation(search);
    for (u32 n = 0; n < count; n++)
        WS_TRY(find(search, &told[n], generation, &ordinals[n], error));
    if (search->points.count > first)
        WS_TRY(ws_search_put_proposals(search, first, WS_ORIGIN_TELL, error));
    const u32 waits = waiting(search, ordinals, count, wait);
    if (waits > 0)
        WS_TRY(ws_search_simulate(search, wait, waits, error));
    for (u32 n = 0; n < count; n++)
        WS_TRY(give(search, ordinals[n], use, context, error));
    return WS_STATUS_ok;
}

enum ws_status ws_search_tell(struct ws_space *space, const struct ws_search_options *options, const struct ws_search_told *told,
                              u32 count, struct ws_search_summary *summary, ws_search_point_fn *use, void *context,
                              struct ws_error *error)
{
    struct ws_search_state search = {.space = space, .options = options, .summary = summary};
    u32 *const ordinals = calloc(count + 1, sizeof *ordinals), *const wait = calloc(count + 1, sizeof *wait);
    enum ws_status status = ws_search_prepare(&search, error);
    if (!ordinals || !wait)
        status = ws_no_memory(error);
    WS_THEN(status, tell(&search, told, count, ordinals, wait, use, context, error));
    status = ws_search_end(&search, status, error);
    ws_search_summarize(&search);
    ws_search_state_free(&search);
    free(ordinals);
    free(wait);
    return status;
}
