#include "search/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "search/staircase.h"

enum { STAIRCASE_OBJECTIVES = 3 };

/* A point in a sort. */
struct item {
    const double *key; /* [keys] */
    u32 keys, index;
};

static int compare(const struct item *a, const struct item *b)
{
    for (u32 k = 0; k < a->keys; k++) {
        if (a->key[k] != b->key[k])
            return a->key[k] < b->key[k] ? -1 : 1;
    }
    return 0;
}

static int by_keys(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    const int order = compare(a, b);
    return order ? order : ws_order(a->index, b->index);
}

/* One front of the sort. */
struct front {
    struct ws_staircase stairs; /* of the objectives after the first, up to STAIRCASE_OBJECTIVES */
    const double **member;      /* the objectives of its points, beyond */
    size_t room;
    u32 members;
};

struct sort {
    struct ws_arena arena;
    const struct ws_front_points *points;
    struct item *item; /* first those within all limits */
    u32 within;
    struct front *front;
    size_t room;
    u32 fronts;
};

static double excess(const struct ws_front_points *points, u32 index)
{
    return points->excess ? points->excess[index] : 0;
}

static const double *objectives(const struct ws_front_points *points, u32 index)
{
    return points->objective + (size_t)index * points->objectives;
}

/* Sorts the points within all limits by their objectives and the others by excess. */
static enum ws_status sort_items(struct sort *sort, struct ws_error *error)
{
    const struct ws_front_points *points = sort->points;
    sort->item = ws_arena_array(&sort->arena, points->count, sizeof *sort->item);
    if (!sort->item)
        return ws_no_memory(error);
    u32 end = points->count;
    for (u32 p = 0; p < points->count; p++) {
        if (excess(points, p) == 0)
            sort->item[sort->within++] = (struct item){objectives(points, p), points->objectives, p};
        else
            sort->item[--end] = (struct item){&points->excess[p], 1, p};
    }
    qsort(sort->item, sort->within, sizeof *sort->item, by_keys);
    qsort(sort->item + end, points->count - end, sizeof *sort->item, by_keys);
    return WS_STATUS_ok;
}

static struct ws_stair stair_of(const double *objective, u32 count)
{
    return (struct ws_stair){count > 1 ? objective[1] : 0, count > 2 ? objective[2] : 0};
}

/* Whether a point of the front dominates this one, which comes later in lexicographic order and equals none of them. */
static bool dominated(const struct front *front, const double *objective, u32 count)
{
    if (count <= STAIRCASE_OBJECTIVES) {
        const struct ws_stair stair = stair_of(objective, count);
        return ws_stairs_cover(&front->stairs, stair.y, stair.z);
    }
    for (u32 m = front->members; m-- > 0;) {
        u32 o = 1;
        while (o < count && front->member[m][o] <= objective[o])
            o++;
        if (o == count)
            return true;
    }
    return false;
}

/* Adds a point to the first front without a dominating point: its number, or UINT32_MAX when out of memory. */
static u32 insert(struct sort *sort, const double *objective)
{
    const u32 count = sort->points->objectives;
    u32 low = 0, high = sort->fronts;
    while (low < high) {
        const u32 middle = (low + high) / 2;
        if (dominated(&sort->front[middle], objective, count))
            low = middle + 1;
        else
            high = middle;
    }
    struct front *const fronts = ws_arena_grow(&sort->arena, sort->front, sort->fronts, &sort->room, sizeof *fronts);
    if (!fronts)
        return UINT32_MAX;
    sort->front = fronts;
    sort->fronts += low == sort->fronts;
    struct front *const front = &fronts[low];
    if (count <= STAIRCASE_OBJECTIVES) {
        double gain;
        return ws_stairs_add(&front->stairs, &sort->arena, stair_of(objective, count), (struct ws_stair){0, 0}, &gain) ? low
                                                                                                                       : UINT32_MAX;
    }
    front->member = ws_arena_grow(&sort->arena, front->member, front->members, &front->room, sizeof(double *));
    if (!front->member)
        return UINT32_MAX;
    front->member[front->members++] = objective;
    return low;
}

static enum ws_status rank_items(struct sort *sort, u32 *rank, struct ws_error *error)
{
    const u32 count = sort->points->count;
    for (u32 i = 0; i < sort->within; i++) {
        const struct item *item = &sort->item[i], *before = i ? item - 1 : NULL;
        const bool equal = before && compare(before, item) == 0;
        rank[item->index] = equal ? rank[before->index] : insert(sort, item->key);
        if (rank[item->index] == UINT32_MAX)
            return ws_no_memory(error);
    }
    u32 last = sort->fronts;
    for (u32 i = sort->within; i < count; i++) {
        const struct item *item = &sort->item[i];
        last += i > sort->within && item[-1].key[0] != item->key[0];
        rank[item->index] = last;
    }
    return WS_STATUS_ok;
}

enum ws_status ws_front_ranks(const struct ws_front_points *points, u32 *rank, struct ws_error *error)
{
    struct sort sort = {.points = points};
    enum ws_status status = sort_items(&sort, error);
    WS_THEN(status, rank_items(&sort, rank, error));
    ws_arena_free(&sort.arena);
    return status;
}

/* Adds to the distances of the points of a rank those along one objective. */
static void add_distances(struct item *item, u32 count, double *distance)
{
    qsort(item, count, sizeof *item, by_keys);
    const double range = *item[count - 1].key - *item[0].key;
    distance[item[0].index] = distance[item[count - 1].index] = INFINITY;
    for (u32 i = 1; i + 1 < count && range > 0; i++)
        distance[item[i].index] += (*item[i + 1].key - *item[i - 1].key) / range;
}

static int by_index(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    return ws_order(a->index, b->index);
}

/* The items, which are sorted by rank, again by rank and falling distance: key 0 is the rank, key 1 the distance, negated. */
static enum ws_status crowd(struct sort *sort, struct item *item, const u32 *rank, struct ws_error *error)
{
    const struct ws_front_points *points = sort->points;
    double *const distance = ws_arena_array(&sort->arena, points->count, sizeof *distance);
    double *const key = ws_arena_array(&sort->arena, points->count, 2 * sizeof *key);
    if (!distance || !key)
        return ws_no_memory(error);
    for (u32 first = 0, end; first < points->count; first = end) {
        for (end = first; end < points->count && rank[item[end].index] == rank[item[first].index];)
            end++;
        qsort(item + first, end - first, sizeof *item, by_index); /* equal values lie in the order of their indices */
        for (u32 o = 0; o < points->objectives && excess(points, item[first].index) == 0; o++) {
            for (u32 i = first; i < end; i++)
                item[i] = (struct item){objectives(points, item[i].index) + o, 1, item[i].index};
            add_distances(item + first, end - first, distance);
        }
    }
    for (u32 i = 0; i < points->count; i++) {
        const u32 index = item[i].index;
        key[2 * (size_t)index] = rank[index];
        key[2 * (size_t)index + 1] = -distance[index];
        item[i] = (struct item){key + 2 * (size_t)index, 2, index};
    }
    qsort(item, points->count, sizeof *item, by_keys);
    return WS_STATUS_ok;
}

enum ws_status ws_front_order(const struct ws_front_points *points, u32 *order, u32 *rank, struct ws_error *error)
{
    struct sort sort = {.points = points};
    u32 *const ranks = rank ? rank : ws_arena_array(&sort.arena, points->count, sizeof *ranks);
    double *const key = ws_arena_array(&sort.arena, points->count, sizeof *key);
    enum ws_status status = ranks && key ? sort_items(&sort, error) : ws_no_memory(error);
    WS_THEN(status, rank_items(&sort, ranks, error));
    if (status == WS_STATUS_ok) {
        for (u32 i = 0; i < points->count; i++) {
            key[i] = ranks[i];
            sort.item[i] = (struct item){&key[i], 1, i};
        }
        qsort(sort.item, points->count, sizeof *sort.item, by_keys);
    }
    WS_THEN(status, crowd(&sort, sort.item, ranks, error));
    for (u32 i = 0; status == WS_STATUS_ok && i < points->count; i++)
        order[i] = sort.item[i].index;
    ws_arena_free(&sort.arena);
    return status;
}

enum ws_status ws_front_pareto(const struct ws_front_points *points, u32 *member, u32 *members, struct ws_error *error)
{
    struct sort sort = {.points = points};
    u32 *const rank = ws_arena_array(&sort.arena, points->count, sizeof *rank);
    enum ws_status status = rank ? sort_items(&sort, error) : ws_no_memory(error);
    WS_THEN(status, rank_items(&sort, rank, error));
    *members = 0;
    for (u32 i = 0; status == WS_STATUS_ok && i < sort.within; i++) {
        if (rank[sort.item[i].index] == 0)
            member[(*members)++] = sort.item[i].index;
    }
    ws_arena_free(&sort.arena);
    return status;
}

/* The least value of an objective on a front, and the range of its values. */
static double least_of(const struct ws_front_points *points, const u32 *member, u32 members, u32 objective, double *range)
{
    double low = INFINITY, high = -INFINITY;
    for (u32 m = 0; m < members; m++) {
        low = fmin(low, objectives(points, member[m])[objective]);
        high = fmax(high, objectives(points, member[m])[objective]);
    }
    *range = high - low;
    return low;
}

enum ws_status ws_front_knee(const struct ws_front_points *points, const u32 *member, u32 members, u32 *knee,
                             struct ws_error *error)
{
    struct ws_arena arena = {0};
    double *const sum = ws_arena_array(&arena, members, sizeof *sum);
    *knee = UINT32_MAX;
    for (u32 o = 0; sum && o < points->objectives; o++) {
        double range;
        const double low = least_of(points, member, members, o, &range);
        for (u32 m = 0; m < members && range > 0; m++)
            sum[m] += (objectives(points, member[m])[o] - low) / range;
    }
    u32 best = 0;
    for (u32 m = 1; sum && m < members; m++)
        best = sum[m] < sum[best] ? m : best;
    if (sum && members)
        *knee = member[best];
    ws_arena_free(&arena);
    return sum ? WS_STATUS_ok : ws_no_memory(error);
}
