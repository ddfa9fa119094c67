/* Latin hypercube sampling: each generation spreads evenly over the choices of every axis. */
#include "base/error.h"
#include "base/random.h"
#include "search/methods/methods.h"
#include "search/methods/shared.h"

/* Attempts to make a point legal and new by exchanging one of its choices with another point's. */
enum { EXCHANGES = 50 };

/* Deals the choices of an axis to the points: each choice as often as any other, give or take one, in random order. */
static void deal(struct ws_sampler *sampler, u32 *choice, u32 points, u32 axis)
{
    const struct ws_search_space *space = sampler->request->space;
    const u32 values = space->axis[axis].values;
    const u32 first = ws_random_range(&sampler->random, 0, values - 1); /* which of the choices are dealt once more is random */
    for (u32 p = 0; p < points; p++)
        choice[(size_t)p * space->axes + axis] =
            points >= values ? (first + p) % values : (u32)(((u64)p * values + first) / points);
    for (u32 p = points - 1; p > 0; p--) {
        u32 *const one = &choice[(size_t)p * space->axes + axis];
        u32 *const other = &choice[(size_t)ws_random_range(&sampler->random, 0, p) * space->axes + axis];
        const u32 moved = *one;
        *one = *other;
        *other = moved;
    }
}

/* Exchanges choices of a point that cannot be proposed with later points, which are not proposed yet, until it can. */
static void add(struct ws_sampler *sampler, u32 *choice, u32 points, u32 point, u32 fidelity)
{
    const u32 axes = sampler->request->space->axes;
    for (u32 n = 0; !ws_sampler_add(sampler, choice + (size_t)point * axes, fidelity) && n < EXCHANGES && point + 1 < points; n++) {
        const u32 axis = ws_random_range(&sampler->random, 0, axes - 1);
        u32 *const one = &choice[(size_t)point * axes + axis];
        u32 *const other = &choice[(size_t)ws_random_range(&sampler->random, point + 1, points - 1) * axes + axis];
        const u32 moved = *one;
        *one = *other;
        *other = moved;
    }
}

enum ws_status ws_sampler_spread(struct ws_sampler *sampler, u32 count, u32 fidelity, struct ws_error *error)
{
    const u32 axes = sampler->request->space->axes, before = sampler->proposals->count;
    const u32 points = ws_min(count, sampler->request->wanted - before);
    u32 *const choice = ws_arena_array(&sampler->arena, (size_t)points * axes, sizeof *choice);
    if (!choice)
        return ws_no_memory(error);
    for (u32 a = 0; a < axes && points; a++)
        deal(sampler, choice, points, a);
    for (u32 p = 0; p < points; p++)
        add(sampler, choice, points, p, fidelity);
    sampler->proposals->drawn += points;
    return ws_sampler_random(sampler, before + points - sampler->proposals->count, fidelity, error);
}

enum ws_status ws_search_latin_hypercube(const struct ws_search_request *request, struct ws_search_proposals *proposals,
                                         struct ws_error *error)
{
    struct ws_sampler sampler;
    enum ws_status status = ws_sampler_open(&sampler, request, proposals, error);
    WS_THEN(status, ws_sampler_spread(&sampler, request->wanted, request->space->fidelities - 1, error));
    ws_sampler_close(&sampler);
    return status;
}
