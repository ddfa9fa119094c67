/* The hypervolume of a front (search/front.h). */
#include <stdlib.h>

#include "base/error.h"
#include "search/front.h"
#include "search/staircase.h"

enum { SWEPT = 3 };

struct volume {
    struct ws_arena arena;
    const double *reference;
};

/* A point and the objective to sort it by. */
struct box {
    const double *objective;
    u32 sorted_by;
};

static int by_objective(const void *left, const void *right)
{
    const struct box *a = left, *b = right;
    const double x = a->objective[a->sorted_by], y = b->objective[b->sorted_by];
    return (x > y) - (x < y);
}

static void sort_boxes(struct box *box, u32 count, u32 objective)
{
    for (u32 b = 0; b < count; b++)
        box[b].sorted_by = objective;
    qsort(box, count, sizeof *box, by_objective);
}

/* Along the first objective the area of the other two grows; objectives that are not there are 1 wide. */
static bool sweep(struct volume *volume, struct box *box, u32 count, u32 objectives, double *sum)
{
    struct ws_staircase stairs = {0};
    const double *reference = volume->reference;
    const struct ws_stair end = {objectives > 1 ? reference[1] : 1, objectives > 2 ? reference[2] : 1};
    double area = 0;
    sort_boxes(box, count, 0);
    *sum = 0;
    for (u32 b = 0; b < count; b++) {
        const double *o = box[b].objective;
        const struct ws_stair stair = {objectives > 1 ? o[1] : 0, objectives > 2 ? o[2] : 0};
        double gain = 0;
        if (!ws_stairs_cover(&stairs, stair.y, stair.z) && !ws_stairs_add(&stairs, &volume->arena, stair, end, &gain))
            return false;
        area += gain;
        *sum += area * ((b + 1 < count ? box[b + 1].objective[0] : reference[0]) - o[0]);
    }
    return true;
}

/* Slices along the last objective, in each of which the points before it dominate a volume of one dimension less. */
static bool slices(struct volume *volume, struct box *box, u32 count, u32 objectives, double *sum)
{
    if (objectives <= SWEPT)
        return sweep(volume, box, count, objectives, sum);
    struct box *const before = ws_arena_array(&volume->arena, count, sizeof *before);
    if (!before)
        return false;
    const u32 last = objectives - 1;
    sort_boxes(box, count, last);
    *sum = 0;
    for (u32 b = 0; b < count; b++) {
        const double thickness = (b + 1 < count ? box[b + 1].objective[last] : volume->reference[last]) - box[b].objective[last];
        if (thickness <= 0)
            continue;
        struct volume slice = {.reference = volume->reference};
        double part;
        for (u32 n = 0; n <= b; n++)
            before[n] = box[n];
        const bool done = slices(&slice, before, b + 1, objectives - 1, &part);
        ws_arena_free(&slice.arena);
        if (!done)
            return false;
        *sum += part * thickness;
    }
    return true;
}

enum ws_status ws_front_hypervolume(const struct ws_front_points *points, const double *reference, double *result,
                                    struct ws_error *error)
{
    struct volume volume = {.reference = reference};
    struct box *const box = ws_arena_array(&volume.arena, points->count, sizeof *box);
    u32 *const member = ws_arena_array(&volume.arena, points->count, sizeof *member);
    u32 members = 0, count = 0;
    enum ws_status status = box && member ? ws_front_pareto(points, member, &members, error) : ws_no_memory(error);
    for (u32 m = 0; m < members; m++) {
        const double *objective = points->objective + (size_t)member[m] * points->objectives;
        u32 o = 0;
        while (o < points->objectives && objective[o] < reference[o])
            o++;
        if (o == points->objectives)
            box[count++].objective = objective;
    }
    *result = 0;
    if (status == WS_STATUS_ok && !slices(&volume, box, count, points->objectives, result))
        status = ws_no_memory(error);
    ws_arena_free(&volume.arena);
    return status;
}
