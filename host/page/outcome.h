/* The answers of an experiment, which the page and the text both give: its axes, its points with the values of the objectives, the
 * Pareto front, what matters, and what a search had found after so many simulations. A plain sweep has one objective, the
 * geometric mean of ipc. */
#pragma once

#include "base/arena.h"
#include "search/effects.h"
#include "warpsweep/results.h"

/* SQL: places of the points of the experiment ?1, from 0, by their position. Positions have gaps where fidelities of a search share
 * them. */
#define WS_PLACES                                                                                                                  \
    "(SELECT position AS point_position, row_number() OVER (ORDER BY position) - 1 AS place FROM selected JOIN point USING "       \
    "(experiment_id) WHERE experiment = ?1)"

struct ws_outcome_axis {
    const char *key;    /* "l1.size" */
    bool ordered;       /* its values are numbers */
    u32 values;         /* that points have */
    const char **value; /* JSON, in order */
};

struct ws_outcome_objective {
    const char *name, *expression;
    bool more; /* is better */
};

struct ws_outcome_point {
    u32 position; /* place in the experiment (WS_PLACES) */
    const char *label;
    const u32 *choice; /* [axes], indices of values */
    double *value;     /* [objectives], in the user's unit and direction */
    double excess;     /* over limits; 0 within all */
    u64 simulations;   /* of the search up to this point; of a sweep 0 */
};

struct ws_outcome {
    struct ws_arena arena;
    const char *experiment;
    const char *search; /* name; NULL for a sweep */
    const char *method, *ended;
    u64 seed, budget, spent; /* simulations; budget is 0 without one */
    struct ws_outcome_axis *axis;
    struct ws_outcome_objective *objective;
    struct ws_outcome_point *point; /* with a value of every objective: of a search in the order of its proposals */
    u32 axes, objectives, points, traces;
    u32 all;                /* points of the experiment, also those without values */
    const u32 *reference;   /* [axes], choices of the baseline; NULL without one */
    const char *baseline;   /* its label */
    u32 base;               /* its index among the points; UINT32_MAX for none */
    double *minimized;      /* [points][objectives], less is better */
    double *excess;         /* [points] */
    u32 *front, members;    /* indices of points on the Pareto front, by the first objective */
    u32 knee;               /* index of a point; UINT32_MAX for none */
    const char **limit;     /* as the search has them: "max(cycles) <= 1000" */
    const char **unlimited; /* parameters that count 0 bits of storage in an objective or limit, as they are unlimited */
    const char *answer;     /* of a cheaper size of a search: the experiment of the full one; else NULL */
    u32 limits, unlimited_count;
    u32 beyond; /* points with an excess */
};

/* After so many simulations: best value of each objective within the limits, and hypervolume as a share of that of all points. */
struct ws_outcome_step {
    u64 simulations;
    double share;
    const double *best; /* [objectives] */
};

/* Loads the answers of an experiment that the views show. *outcome is ended by ws_outcome_free, in every case. */
enum ws_status ws_outcome_load(struct ws_results *results, const char *experiment, struct ws_outcome *outcome,
                               struct ws_error *error);
void ws_outcome_free(struct ws_outcome *outcome);

/* Whether effects can be computed: enough points, and an axis. */
bool ws_outcome_has_effects(const struct ws_outcome *outcome);

/* Effects on one objective; of more than WS_OUTCOME_MOST_POINTS points, of so many, evenly chosen. */
enum { WS_OUTCOME_MOST_POINTS = 2000, WS_OUTCOME_RESAMPLES = 40, WS_OUTCOME_SEED = 1 };

/* R2 of the model below which its effects are not to be relied on. */
#define WS_OUTCOME_GOOD_R2 0.7
enum ws_status ws_outcome_effects(const struct ws_outcome *outcome, u32 objective, struct ws_effects *effects,
                                  struct ws_error *error);

/* The steps of a search at which what it has found changes, at most 200; in the arena of the outcome. */
enum ws_status ws_outcome_steps(struct ws_outcome *outcome, struct ws_outcome_step **steps, u32 *count, struct ws_error *error);
