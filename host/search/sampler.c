#include "search/sampler.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"

/* A space of up to ENUMERABLE combinations is enumerated after PATIENCE draws in a row without a legal new point. In a larger one
 * ENUMERABLE such draws end the search for one. */
enum { ENUMERABLE = 1 << 20, PATIENCE = 1000 };

static u64 hash(const u32 *choice, u32 axes, u32 fidelity)
{
    u64 state = fidelity;
    for (u32 a = 0; a < axes; a++) {
        state += choice[a];
        state = ws_random(&state);
    }
    return state;
}

static void point_at(const struct ws_sampler *sampler, u32 index, const u32 **choice, u32 *fidelity)
{
    const struct ws_search_history *history = &sampler->request->history;
    if (index < history->count) {
        *choice = history->candidate[index].choice;
        *fidelity = history->candidate[index].fidelity;
        return;
    }
    index -= history->count;
    *choice = sampler->proposals->choice + (size_t)index * sampler->request->space->axes;
    *fidelity = sampler->proposals->fidelity[index];
}

/* The entry of the point, or the empty one where it belongs. */
static u32 *entry(const struct ws_sampler *sampler, const u32 *wanted, u32 wanted_fidelity)
{
    const u32 axes = sampler->request->space->axes;
    u32 at = (u32)hash(wanted, axes, wanted_fidelity) & sampler->taken_mask;
    for (;; at = (at + 1) & sampler->taken_mask) {
        u32 *const found = &sampler->taken[at];
        if (!*found)
            return found;
        const u32 *choice;
        u32 fidelity;
        point_at(sampler, *found - 1, &choice, &fidelity);
        if (fidelity == wanted_fidelity && memcmp(choice, wanted, axes * sizeof *choice) == 0)
            return found;
    }
}

enum ws_status ws_sampler_open(struct ws_sampler *sampler, const struct ws_search_request *request,
                               struct ws_search_proposals *proposals, struct ws_error *error)
{
    *sampler = (struct ws_sampler){.request = request, .proposals = proposals, .random = request->generation};
    sampler->random = request->seed ^ ws_random(&sampler->random);
    proposals->count = 0;
    proposals->drawn = 0;
    proposals->exhausted = false;
    u32 entries = 64;
    while (entries < 2 * ((u64)request->history.count + request->wanted))
        entries *= 2;
    sampler->taken_mask = entries - 1;
    sampler->taken = ws_arena_array(&sampler->arena, entries, sizeof *sampler->taken);
    sampler->scratch = ws_arena_array(&sampler->arena, request->space->axes, sizeof *sampler->scratch);
    if (!sampler->taken || !sampler->scratch)
        return ws_no_memory(error);
    for (u32 c = 0; c < request->history.count; c++) {
        const struct ws_search_candidate *candidate = &request->history.candidate[c];
        *entry(sampler, candidate->choice, candidate->fidelity) = c + 1;
    }
    return WS_STATUS_ok;
}

void ws_sampler_close(struct ws_sampler *sampler)
{
    struct ws_search_proposals *proposals = sampler->proposals;
    proposals->exhausted = proposals->count < sampler->request->wanted && sampler->left && !sampler->left_count;
    ws_arena_free(&sampler->arena);
}

bool ws_sampler_legal(const struct ws_sampler *sampler, const u32 *choice)
{
    const struct ws_search_space *space = sampler->request->space;
    return !space->legal || space->legal(space->context, choice);
}

u32 ws_sampler_find(const struct ws_sampler *sampler, const u32 *choice, u32 fidelity)
{
    return *entry(sampler, choice, fidelity) - 1;
}

bool ws_sampler_add(struct ws_sampler *sampler, const u32 *choice, u32 fidelity)
{
    struct ws_search_proposals *proposals = sampler->proposals;
    if (proposals->count >= sampler->request->wanted)
        return false;
    u32 *const place = entry(sampler, choice, fidelity);
    if (*place || !ws_sampler_legal(sampler, choice))
        return false;
    const u32 axes = sampler->request->space->axes;
    memcpy(proposals->choice + (size_t)proposals->count * axes, choice, axes * sizeof *choice);
    proposals->fidelity[proposals->count] = fidelity;
    *place = sampler->request->history.count + ++proposals->count;
    return true;
}

void ws_sampler_draw(struct ws_sampler *sampler, u32 *choice)
{
    const struct ws_search_space *space = sampler->request->space;
    for (u32 a = 0; a < space->axes; a++)
        choice[a] = ws_random_range(&sampler->random, 0, space->axis[a].values - 1);
    sampler->proposals->drawn++;
}

/* Combinations of the space, at most ENUMERABLE + 1. */
static u64 combinations(const struct ws_search_space *space)
{
    u64 count = 1;
    for (u32 a = 0; a < space->axes && count <= ENUMERABLE; a++)
        count *= space->axis[a].values;
    return count;
}

static void decode(const struct ws_search_space *space, u32 number, u32 *choice)
{
    for (u32 a = 0; a < space->axes; a++) {
        choice[a] = number % space->axis[a].values;
        number /= space->axis[a].values;
    }
}

static enum ws_status enumerate(struct ws_sampler *sampler, u32 count, u32 fidelity, struct ws_error *error)
{
    sampler->left = ws_arena_array(&sampler->arena, count, sizeof *sampler->left);
    if (!sampler->left)
        return ws_no_memory(error);
    sampler->left_count = 0;
    sampler->left_fidelity = fidelity;
    for (u32 n = 0; n < count; n++) {
        decode(sampler->request->space, n, sampler->scratch);
        if (ws_sampler_find(sampler, sampler->scratch, fidelity) == UINT32_MAX && ws_sampler_legal(sampler, sampler->scratch))
            sampler->left[sampler->left_count++] = n;
    }
    return WS_STATUS_ok;
}

/* Takes a point from those left; false when none is. */
static bool add_left(struct ws_sampler *sampler)
{
    while (sampler->left_count) {
        const u32 at = ws_random_range(&sampler->random, 0, sampler->left_count - 1);
        decode(sampler->request->space, sampler->left[at], sampler->scratch);
        sampler->left[at] = sampler->left[--sampler->left_count];
        if (ws_sampler_add(sampler, sampler->scratch, sampler->left_fidelity))
            return true;
    }
    return false;
}

enum ws_status ws_sampler_random(struct ws_sampler *sampler, u32 count, u32 fidelity, struct ws_error *error)
{
    const u64 points = combinations(sampler->request->space);
    const u32 room = sampler->request->wanted - sampler->proposals->count;
    u32 added = 0, failed = 0;
    count = ws_min(count, room);
    while (added < count) {
        if (sampler->left && sampler->left_fidelity == fidelity) {
            if (!add_left(sampler))
                break;
            added++;
            continue;
        }
        ws_sampler_draw(sampler, sampler->scratch);
        if (ws_sampler_add(sampler, sampler->scratch, fidelity)) {
            added++;
            failed = 0;
        } else if (++failed >= PATIENCE && points <= ENUMERABLE) {
            WS_TRY(enumerate(sampler, (u32)points, fidelity, error));
        } else if (failed >= ENUMERABLE) {
            break;
        }
    }
    return WS_STATUS_ok;
}
