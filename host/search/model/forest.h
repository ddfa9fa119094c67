/* Regression trees on points of a search space, and forests of them. */
#pragma once

#include "base/arena.h"
#include "search/model/response.h"

struct ws_tree_node {
    double value;    /* mean response of its points */
    double left;     /* share of the choices of its axis, as far as they lead here, that lead to the left child */
    const u8 *side;  /* [values of axis]: 0 does not lead here, 1 left, 2 right; NULL for a leaf */
    u32 axis, child; /* the left child; the right one is next_child */
    u32 right;
};

/* CART (Breiman, Friedman, Olshen, Stone 1984), whose splits are drawn from two thirds of the axes, as in random forests (Breiman,
 * Machine Learning 2001). Ordered axes are split at a threshold, categories where their mean responses, in ascending order, part
 * best. */
struct ws_tree {
    struct ws_tree_node *node;
    size_t room;
    u32 nodes;
};

struct ws_forest {
    struct ws_arena arena;
    const struct ws_effects_points *points;
    struct ws_tree *tree;
    u32 trees;
};

/* Fits a forest to the points sample[count], indices that may be repeated. bag: each tree draws as many of them with replacement,
 * else all trees have the same. A tree is fitted to at most WS_TREE_POINTS points. *random is a state of ws_random. The forest
 * is begun as {0} and ended by ws_arena_free of its arena, in every case. */
enum { WS_TREE_POINTS = 2000 };
enum ws_status ws_forest_fit(struct ws_forest *forest, const struct ws_effects_points *points, const u32 *sample, u32 count,
                             u32 trees, bool bag, u64 *random, struct ws_error *error);

/* The mean prediction of the trees, and, unless NULL, their standard deviation. */
double ws_forest_predict(const struct ws_forest *forest, const u32 *choice, double *deviation);

/* The mean prediction over all combinations with choice x of axis a and choice y of axis b; a = b for one axis. */
double ws_forest_mean(const struct ws_forest *forest, u32 a, u32 x, u32 b, u32 y);
