#include "search/model/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

enum { LEAST_POINTS = 4 }; /* of a node that is split */

/* Points of a node with one choice of an axis. */
struct level {
    double sum;
    u32 count, choice;
    bool ordered;
};

struct growth {
    struct ws_forest *forest;
    struct ws_tree *tree;
    u32 *point;          /* those of the tree; a node has a range of them */
    u8 **reached;        /* [axis][choice]: whether the choice leads to the node */
    struct level *level; /* [values of an axis] */
    u64 *random;
};

struct split {
    double gain;
    u32 axis;
    u8 *side;
};

static u32 choice_of(const struct ws_effects_points *points, u32 point, u32 axis)
{
    return points->choice[(size_t)point * points->axes + axis];
}

/* Ordered: by choice. Categories: by mean response, those without points last. */
static int by_mean(const void *left, const void *right)
{
    const struct level *a = left, *b = right;
    if (!a->ordered && a->count && b->count) {
        const double x = a->sum / a->count, y = b->sum / b->count;
        if (x != y)
            return x < y ? -1 : 1;
    }
    if (!a->ordered && !a->count != !b->count)
        return a->count ? -1 : 1;
    return (a->choice > b->choice) - (a->choice < b->choice);
}

/* The best split of points[count] along an axis, if it is better than *best. */
static void try_axis(const struct growth *growth, const u32 *point, u32 count, u32 axis, struct split *best)
{
    const struct ws_effects_points *points = growth->forest->points;
    const u32 values = points->axis[axis].values;
    struct level *const level = growth->level;
    double sum = 0;
    for (u32 v = 0; v < values; v++)
        level[v] = (struct level){0, 0, v, points->axis[axis].ordered};
    for (u32 p = 0; p < count; p++) {
        struct level *at = &level[choice_of(points, point[p], axis)];
        at->sum += points->response[point[p]];
        at->count++;
        sum += points->response[point[p]];
    }
    qsort(level, values, sizeof *level, by_mean);
    double left = 0, gain = best->gain;
    u32 before = 0, first = 0,
        end = 0; /* of the best split the last level with points on the left and the first one on the right */
    for (u32 v = 0, last = 0; v < values; v++) {
        if (level[v].count && before) {
            const double right = sum - left, part = left * left / before + right * right / (count - before) - sum * sum / count;
            if (part > gain) {
                gain = part;
                first = last;
                end = v;
            }
        }
        left += level[v].sum;
        before += level[v].count;
        last = level[v].count ? v : last;
    }
    if (!end)
        return;
    *best = (struct split){gain, axis, best->side};
    /* Choices without points between the two go half to each side; categories without any are last and go right. */
    const u32 cut = level[0].ordered ? (first + end + 1) / 2 : end;
    for (u32 v = 0; v < values; v++)
        best->side[level[v].choice] = !growth->reached[axis][level[v].choice] ? 0 : v < cut ? 1 : 2;
}

/* Moves the points that go left to the front: their number. */
static u32 part_points(const struct growth *growth, u32 *point, u32 count, const struct split *split)
{
    u32 left = 0;
    for (u32 p = 0; p < count; p++) {
        const u32 moved = point[p];
        if (split->side[choice_of(growth->forest->points, moved, split->axis)] == 1) {
            point[p] = point[left];
            point[left++] = moved;
        }
    }
    return left;
}

/* The best split of the node; gain 0 if there is none. False when out of memory. */
static bool find_split(const struct growth *growth, const u32 *point, u32 count, struct split *best)
{
    const struct ws_effects_points *points = growth->forest->points;
    u32 most = 0, tried = 0;
    for (u32 a = 0; a < points->axes; a++)
        most = ws_max(most, points->axis[a].values);
    *best = (struct split){1e-12, 0, ws_arena_array(&growth->forest->arena, most, 1)};
    if (!best->side)
        return false;
    /* Each axis with probability 2/3, and all if these part nothing. */
    for (u32 a = 0; a < points->axes; a++) {
        if (ws_random_range(growth->random, 0, 2)) {
            try_axis(growth, point, count, a, best);
            tried++;
        }
    }
    for (u32 a = 0; a < points->axes && best->gain <= 1e-12 && tried < points->axes; a++)
        try_axis(growth, point, count, a, best);
    return true;
}

static void reach(const struct growth *growth, const struct split *split, u8 side)
{
    const u32 values = growth->forest->points->axis[split->axis].values;
    for (u32 v = 0; v < values; v++)
        growth->reached[split->axis][v] = side ? split->side[v] == side : split->side[v] != 0;
}

static u32 add_node(struct growth *growth, const u32 *point, u32 count)
{
    struct ws_tree *tree = growth->tree;
    tree->node = ws_arena_grow(&growth->forest->arena, tree->node, tree->nodes, &tree->room, sizeof *tree->node);
    if (!tree->node)
        return UINT32_MAX;
    double sum = 0;
    for (u32 p = 0; p < count; p++)
        sum += growth->forest->points->response[point[p]];
    tree->node[tree->nodes].value = sum / count;
    return tree->nodes++;
}

/* Grows a node and all below it: its index, UINT32_MAX when out of memory. */
static u32 grow(struct growth *growth, u32 *point, u32 count)
{
    const u32 index = add_node(growth, point, count);
    if (index == UINT32_MAX || count < LEAST_POINTS)
        return index;
    struct split split;
    if (!find_split(growth, point, count, &split))
        return UINT32_MAX;
    if (split.gain <= 1e-12)
        return index;
    const u32 values = growth->forest->points->axis[split.axis].values;
    u32 left = 0, right = 0;
    for (u32 v = 0; v < values; v++) {
        left += split.side[v] == 1;
        right += split.side[v] == 2;
    }
    const u32 before = part_points(growth, point, count, &split);
    reach(growth, &split, 1);
    const u32 child = grow(growth, point, before);
    reach(growth, &split, 2);
    const u32 other = child == UINT32_MAX ? child : grow(growth, point + before, count - before);
    reach(growth, &split, 0);
    if (other == UINT32_MAX)
        return other;
    struct ws_tree_node *node = &growth->tree->node[index];
    node->left = (double)left / (left + right);
    node->side = split.side;
    node->axis = split.axis;
    node->child = child;
    node->right = other;
    return index;
}

static enum ws_status begin(struct growth *growth, u32 most_points, struct ws_error *error)
{
    struct ws_arena *arena = &growth->forest->arena;
    const struct ws_effects_points *points = growth->forest->points;
    u32 most = 0;
    growth->point = ws_arena_array(arena, most_points, sizeof *growth->point);
    growth->reached = ws_arena_array(arena, points->axes, sizeof *growth->reached);
    if (!growth->point || !growth->reached)
        return ws_no_memory(error);
    for (u32 a = 0; a < points->axes; a++) {
        most = ws_max(most, points->axis[a].values);
        growth->reached[a] = ws_arena_array(arena, points->axis[a].values, 1);
        if (!growth->reached[a])
            return ws_no_memory(error);
        memset(growth->reached[a], 1, points->axis[a].values);
    }
    growth->level = ws_arena_array(arena, most, sizeof *growth->level);
    return growth->level ? WS_STATUS_ok : ws_no_memory(error);
}

enum ws_status ws_forest_fit(struct ws_forest *forest, const struct ws_effects_points *points, const u32 *sample, u32 count,
                             u32 trees, bool bag, u64 *random, struct ws_error *error)
{
    struct growth growth = {.forest = forest, .random = random};
    const u32 drawn = ws_min(count, WS_TREE_POINTS);
    forest->points = points;
    forest->trees = trees;
    forest->tree = ws_arena_array(&forest->arena, trees, sizeof *forest->tree);
    if (!forest->tree)
        return ws_no_memory(error);
    WS_TRY(begin(&growth, drawn, error));
    for (u32 t = 0; t < trees; t++) {
        for (u32 p = 0; p < drawn; p++)
            growth.point[p] = sample[bag || drawn < count ? ws_random_range(random, 0, count - 1) : p];
        growth.tree = &forest->tree[t];
        if (grow(&growth, growth.point, drawn) == UINT32_MAX)
            return ws_no_memory(error);
    }
    return WS_STATUS_ok;
}

double ws_forest_predict(const struct ws_forest *forest, const u32 *choice, double *deviation)
{
    double mean = 0, squares = 0; /* of the trees so far, by Welford's recurrence */
    for (u32 t = 0; t < forest->trees; t++) {
        const struct ws_tree_node *nodes = forest->tree[t].node, *node = nodes;
        while (node->side)
            node = &nodes[node->side[choice[node->axis]] == 1 ? node->child : node->right];
        const double before = node->value - mean;
        mean += before / (t + 1);
        squares += before * (node->value - mean);
    }
    if (deviation)
        *deviation = sqrt(squares / forest->trees);
    return mean;
}

static double mean_below(const struct ws_tree_node *nodes, const struct ws_tree_node *node, u32 a, u32 x, u32 b, u32 y)
{
    if (!node->side)
        return node->value;
    if (node->axis == a || node->axis == b)
        return mean_below(nodes, &nodes[node->side[node->axis == a ? x : y] == 1 ? node->child : node->right], a, x, b, y);
    return node->left * mean_below(nodes, &nodes[node->child], a, x, b, y) +
           (1 - node->left) * mean_below(nodes, &nodes[node->right], a, x, b, y);
}

double ws_forest_mean(const struct ws_forest *forest, u32 a, u32 x, u32 b, u32 y)
{
    double sum = 0;
    for (u32 t = 0; t < forest->trees; t++)
        sum += mean_below(forest->tree[t].node, forest->tree[t].node, a, x, b, y);
    return sum / forest->trees;
}
