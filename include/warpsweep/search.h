/* Searches: a method proposes points of a space in generations, which run as sweeps do, into a results file (docs/search.md). */
#ifndef WARPSWEEP_SEARCH_H
#define WARPSWEEP_SEARCH_H

#include "warpsweep/space.h"
#include "warpsweep/sweep.h"

/* All pointers belong to the caller and must be valid until the call returns. Members are those of struct ws_sweep_options. */
struct ws_search_options {
    size_t struct_size; /* WS_STRUCT(search_options) */
    const char *results;
    struct ws_engine_options engine;
    enum ws_size size; /* of workloads, where the space has no fidelities */
    u64 seed;          /* of workload inputs; the search's own is that of the space */
    u32 lockstep;
    bool dry_run;
    struct ws_sweep_watch watch; /* its progress is that of the generation's jobs */
};

struct ws_search_summary {
    double size;              /* points of the space, before constraints */
    u64 points, failed;       /* simulated at any fidelity, with earlier calls; of these, without a result */
    u64 over;                 /* of the points, beyond a limit */
    u64 simulations;          /* of the points: a workload at a point is one */
    u64 jobs, ran, reused;    /* of this call, as of a sweep */
    u32 generations, front;   /* generations; points on the front */
    double seconds, choosing; /* of the search; of these, for proposing points and evaluating objectives */
    const char *ended;        /* "budget" or "exhausted"; NULL if the search can continue */
    char engine[32], device[512];
    u32 next;                          /* dry run: points of the next generation */
    struct ws_sweep_estimate estimate; /* dry run: of it */
};

/* Continues the search of this definition in the results file, or begins it: simulates generations until the budget is used up or
 * no point is left. Killed at any time, the same call ends with the same points (a budget in minutes aside). A changed definition
 * (other than its budget) begins a new run of the search. Jobs that fail for what may not recur (memory, device) end the call by
 * WS_STATUS_failed; points whose simulation deadlocks, or that cannot hold a block, are failed points. WS_STATUS_bad_input names a
 * wrong expression, or a baseline without a value. */
enum ws_status ws_search(struct ws_space *space, const struct ws_search_options *options, struct ws_search_summary *summary,
                         struct ws_error *error);

/* A point of a search, for ask and tell. */
struct ws_search_point {
    u32 id; /* ordinal in the search */
    u32 generation, fidelity;
    const char *size;         /* name of the fidelity (ws_fidelity_name) */
    const u32 *choice;        /* of each axis */
    const char *status;       /* "ok", "over", "failed"; NULL before it is simulated */
    const double *objectives; /* in the user's direction, NAN for none; NULL before it is simulated */
    double excess;            /* sum of the relative excesses over limits; INFINITY if failed */
    const char *reason;       /* why it failed; else NULL */
    bool front;
};

typedef enum ws_status ws_search_point_fn(void *context, const struct ws_search_point *point, struct ws_error *error);

/* Gives the points that are proposed and not simulated, at most count, after proposing count if there are none; gives none if the
 * space is exhausted. The next ask gives the same points, until tell or ws_search has simulated them. */
enum ws_status ws_search_ask(struct ws_space *space, const struct ws_search_options *options, u32 count, ws_search_point_fn *use,
                             void *context, struct ws_error *error);

/* A point to be told: one that was asked, or a choice. */
struct ws_search_told {
    bool by_id;
    u32 id, fidelity;
    const u32 *choice;  /* of each axis; with an id NULL, or those that the point must have */
    bool same_fidelity; /* with an id: the point must have the fidelity */
};

/* Simulates points as one generation, those not known yet become points of the search, and gives each with its objectives, in the
 * order of told. Asked points that are not told stay. The budget is not touched. */
enum ws_status ws_search_tell(struct ws_space *space, const struct ws_search_options *options, const struct ws_search_told *told,
                              u32 count, struct ws_search_summary *summary, ws_search_point_fn *use, void *context,
                              struct ws_error *error);

#endif
