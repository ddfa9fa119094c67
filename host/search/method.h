/* Search methods: which points to simulate next.
 *
 * A method is a pure function of the space, the history, the settings, the seed and the number of the generation. It has no hidden
 * state, so the same seed gives the same search on every engine, and a search resumes after a kill by a replay of its results. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* A parameter of the space: its choices are 0 .. values - 1, indices of a list that the owner of the space keeps. */
struct ws_search_axis {
    const char *key;
    u32 values;   /* at least 1 */
    bool ordered; /* neighbouring choices are alike: numbers in ascending order. Otherwise categorical (schedulers, ...) */
};

/* All pointers belong to the caller. */
struct ws_search_space {
    const struct ws_search_axis *axis;
    u32 axes;       /* at least 1 */
    u32 objectives; /* at least 1 */
    u32 fidelities; /* at least 1; the last one is the real one, earlier ones are cheaper approximations of it */
    /* Whether a point may be simulated: choice[axes]. Pure; NULL if every point may. */
    bool (*legal)(void *context, const u32 *choice);
    void *context;
};

/* A simulated point. */
struct ws_search_candidate {
    const u32 *choice;       /* [axes] */
    const double *objective; /* [objectives], all to be minimized, finite if excess is */
    double excess;           /* sum of the relative violations of limits: 0 within all; INFINITY if the simulation failed */
    u32 fidelity;            /* 0 .. fidelities - 1 */
    u32 generation;
};

/* Candidates in the order in which they were proposed. Pairs of choice and fidelity occur once. */
struct ws_search_history {
    const struct ws_search_candidate *candidate;
    u32 count;
};

/* Zero fields mean the default. */
struct ws_search_settings {
    u32 population;                          /* nsga2: parents, at least 4; as many as are wanted, up to 500 */
    u32 reduction;                           /* halving: one of this many points is promoted to the next fidelity, at least 2; 4 */
    const struct ws_search_method *proposer; /* halving: proposes the points of the first fidelity; nsga2. Not halving */
};

/* What is asked of a method. The history holds all candidates of earlier generations and none of this or a later one, and it may
 * hold points that no method proposed (a baseline, points of `tell`). */
struct ws_search_request {
    const struct ws_search_space *space;
    struct ws_search_history history;
    struct ws_search_settings settings;
    u64 seed;
    u32 generation; /* from 0 */
    u32 wanted;     /* candidates */
};

/* The generation that a method proposes: arrays of the caller for `wanted` candidates. */
struct ws_search_proposals {
    u32 *choice;   /* [wanted][axes] */
    u32 *fidelity; /* [wanted] */
    u32 count;     /* filled in */
    u64 drawn;     /* filled in: points drawn at random to find `count` legal new ones */
    /* Filled in where count < wanted: true if no legal point is left, false if many random draws found no legal new point. */
    bool exhausted;
};

/* Proposals are legal, differ from each other and from the history (as pairs of choice and fidelity), and do not depend on
 * anything but the request. Only lack of memory is an error. */
typedef enum ws_status ws_search_propose_fn(const struct ws_search_request *request, struct ws_search_proposals *proposals,
                                            struct ws_error *error);

struct ws_search_method {
    const char *name;
    ws_search_propose_fn *propose;
    const char *doc;    /* one line */
    const char *source; /* literature */
};

/* The methods of methods.def; *count of them, in its order. */
const struct ws_search_method *ws_search_methods(u32 *count);

/* The method of a name, or NULL. */
const struct ws_search_method *ws_search_method(const char *name);

/* Calls the method: settings are checked and defaults filled in. WS_STATUS_usage names a wrong setting. */
enum ws_status ws_search_propose(const struct ws_search_method *method, const struct ws_search_request *request,
                                 struct ws_search_proposals *proposals, struct ws_error *error);
