#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "search/drive/state.h"

static bool grow(void *array, size_t room, size_t size)
{
    void **const place = array;
    void *const more = realloc(*place, room * size);
    if (more)
        *place = more;
    return more != NULL;
}

enum ws_status ws_search_add(struct ws_search_state *search, const u32 *choice, u32 fidelity, u32 generation,
                             struct ws_error *error)
{
    struct ws_search_points *const points = &search->points;
    const u32 axes = search->space->axis_count, objectives = search->space->objective_count;
    if (points->count == points->room) {
        const u32 room = points->room ? 2 * points->room : 1024;
        if (!grow(&points->choice, room, axes * sizeof *points->choice) ||
            !grow(&points->objective, room, objectives * sizeof *points->objective) ||
            !grow(&points->excess, room, sizeof *points->excess) || !grow(&points->fidelity, room, sizeof *points->fidelity) ||
            !grow(&points->generation, room, sizeof *points->generation) || !grow(&points->done, room, sizeof *points->done))
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory for %u points", search->name, room);
        points->room = room;
    }
    const u32 n = points->count++;
    memcpy(&points->choice[(size_t)n * axes], choice, axes * sizeof *choice);
    for (u32 objective = 0; objective < objectives; objective++)
        points->objective[(size_t)n * objectives + objective] = (double)NAN;
    points->excess[n] = (double)INFINITY;
    points->done[n] = false;
    points->fidelity[n] = fidelity;
    points->generation[n] = generation;
    return WS_STATUS_ok;
}

void ws_search_points_free(struct ws_search_points *points)
{
    free(points->choice);
    free(points->objective);
    free(points->excess);
    free(points->fidelity);
    free(points->generation);
    free(points->done);
}

u32 ws_search_find(const struct ws_search_state *search, const u32 *choice, u32 fidelity)
{
    const struct ws_search_points *const points = &search->points;
    const size_t axes = search->space->axis_count;
    u32 n = 0;
    while (n < points->count &&
           (points->fidelity[n] != fidelity || memcmp(&points->choice[n * axes], choice, axes * sizeof *choice)))
        n++;
    return n;
}

u32 ws_search_next_generation(const struct ws_search_state *search)
{
    return search->points.count > 0 ? search->points.generation[search->points.count - 1] + 1 : 0;
}

const char *ws_search_status(double excess)
{
    return isinf(excess) ? "failed" : excess > 0 ? "over" : "ok";
}
