/* Address prediction. Each thread has a predictor for each access of the program; a thread's first execution of an access uses the
 * predictor that the block's threads share for it. Addresses are in units of the bytes accessed. */
#pragma once

#include "trace/graph.h"

/* Expects last + stride; stride is updated when the same difference occurs twice. */
struct wst_predictor {
    u64 last, difference, stride;
    u64 block; /* last block that used it; empty for any other block */
};

struct wst_predictors {
    struct wst_predictor *threads; /* slots each, thread after thread */
    struct wst_predictor *shared;  /* by slot */
    u32 slots;
    u64 block; /* the current block, counted from 1 */
};

/* Allocates what a block's threads need; to be freed by wst_predictors_free. */
enum ws_status wst_predictors_make(const struct wst_graph *graph, u32 threads, struct wst_predictors *predictors,
                                   struct ws_error *error);
void wst_predictors_free(struct wst_predictors *predictors);

/* Empties all predictors: a block is coded independently of earlier ones. */
static inline void wst_predictors_next_block(struct wst_predictors *predictors)
{
    predictors->block++;
}

/* The predictor for an access: the thread's own, or the shared one while that is empty. */
static inline struct wst_predictor *wst_predictor(const struct wst_predictors *predictors, struct wst_predictor *own, u32 slot)
{
    if (own->block == predictors->block)
        return own;
    struct wst_predictor *const shared = predictors->shared + slot;
    if (shared->block != predictors->block)
        *shared = (struct wst_predictor){.block = predictors->block};
    return shared;
}

static inline u64 wst_expected(const struct wst_predictor *predictor)
{
    return predictor->last + predictor->stride;
}

/* Updates the predictor used, and the thread's own, with the actual address. */
static inline void wst_learn(struct wst_predictor *asked, struct wst_predictor *own, u64 value)
{
    const u64 difference = value - asked->last;
    asked->stride = difference == asked->difference ? difference : asked->stride;
    asked->difference = difference;
    asked->last = value;
    if (own != asked)
        *own = (struct wst_predictor){.last = value, .block = asked->block};
}

/* Zigzag coding of signed differences: 0, -1, 1, -2 become 0, 1, 2, 3. */
static inline u64 wst_zigzag(u64 difference)
{
    return (difference << 1) ^ (0 - (difference >> 63));
}

static inline u64 wst_unzigzag(u64 zigzag)
{
    return (zigzag >> 1) ^ (0 - (zigzag & 1));
}
