/* Objectives and limits as SQL, and their values. */
#pragma once

#include "results/sql.h"
#include "search/drive/expression.h"

struct ws_goal_limit {
    struct ws_text left, right;
    bool least; /* left >= right, else left <= right */
};

struct ws_goals {
    struct ws_expressions all;
    struct ws_text *objectives;
    struct ws_goal_limit *limits;
    u32 objective_count, limit_count;
};

/* Compiles those of a space; to be freed by ws_goals_free, also after an error. Refuses an axis that makes counted storage
 * unlimited for some of its values. */
enum ws_status ws_goals_compile(const struct ws_space *space, struct ws_goals *goals, struct ws_error *error);
void ws_goals_free(struct ws_goals *goals);

/* Points of a search at one fidelity: ordinals from first to last. */
struct ws_goal_points {
    long long search;
    u32 fidelity, first, last;
};

/* The values at the baseline that limits and objectives refer to, one of each all.baseline; NAN for none. */
enum ws_status ws_goals_baseline(const struct ws_goals *goals, const struct ws_space *space, struct ws_results *results,
                                 const struct ws_goal_points *point, double *values, struct ws_error *error);

/* Calls use for every point all of whose kernels have ended well: objectives in the user's direction (NAN for none), excess. */
typedef void ws_goal_fn(void *context, u32 ordinal, const double *objectives, double excess);
enum ws_status ws_goals_evaluate(const struct ws_goals *goals, const struct ws_space *space, struct ws_results *results,
                                 const struct ws_goal_points *points, const double *baseline, ws_goal_fn *use, void *context,
                                 struct ws_error *error);
