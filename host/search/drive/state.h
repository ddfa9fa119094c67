/* A search: its points in memory and in the results file. */
#pragma once

#include "search/drive/goals.h"
#include "search/method.h"
#include "warpsweep/search.h"

/* Points in the order of their ordinals. */
struct ws_search_points {
    u32 count, answered, room; /* answered: number of simulated ones */
    bool *done;                /* whether each is simulated; the others are proposed */
    u32 *choice;               /* [axes] of each */
    double *objective;         /* [objectives] of each, in the user's direction; NAN for none */
    double *excess;            /* INFINITY for a failed point */
    u32 *fidelity, *generation;
};

struct ws_search_state {
    struct ws_space *space;
    const struct ws_search_options *options;
    struct ws_search_summary *summary;
    struct ws_results *results; /* NULL while none is open */
    struct ws_goals goals;
    const struct ws_search_method *method;
    struct ws_search_settings settings;
    struct ws_search_axis *axes;
    struct ws_fidelity fidelity[WS_FIDELITIES];
    char fidelity_name[WS_FIDELITIES][WS_FIDELITY_NAME];
    u32 fidelities;
    char *name; /* of the search, which space->experiment->name is too, except while a cheaper fidelity runs */
    struct ws_text definition;
    char identity[17];
    sqlite3_int64 id; /* 0: not in the file yet */
    struct ws_search_points points;
    double *baseline[WS_FIDELITIES]; /* values of goals.all.baseline; NULL while unknown */
    u32 *front, front_count;         /* ordinals */
    u32 knee;
    bool noted;           /* a sweep at the full size has begun: its traces are known to the user */
    double before, began; /* seconds: of earlier calls, start of this one */
    double chosen;        /* seconds that choosing took in earlier calls */
};

/* Default points of a generation: the budget's share of so many generations, within these; the first one without a budget in
 * simulations. */
enum { WS_GENERATION = 256, WS_GENERATIONS = 20, WS_LEAST_GENERATION = 8, WS_MOST_GENERATION = 10000 };

/* Origins of points. */
#define WS_ORIGIN_BASELINE "baseline"
#define WS_ORIGIN_METHOD   "method"
#define WS_ORIGIN_TELL     "tell"

/* The definition as JSON, and its identity: a digest of all but the budget. */
enum ws_status ws_search_define(struct ws_search_state *search, struct ws_error *error);

/* ---- Points ---- */

/* Adds a proposed point. */
enum ws_status ws_search_add(struct ws_search_state *search, const u32 *choice, u32 fidelity, u32 generation,
                             struct ws_error *error);
void ws_search_points_free(struct ws_search_points *points);

/* The ordinal of a point; the number of points if there is none. */
u32 ws_search_find(const struct ws_search_state *search, const u32 *choice, u32 fidelity);

/* The generation behind the last one. */
u32 ws_search_next_generation(const struct ws_search_state *search);

/* ---- In the results file ---- */

/* Finds the newest search of this name and identity with its points, or begins it (unless reading only). All of these work on the
 * open file search->results. */
enum ws_status ws_search_load(struct ws_search_state *search, bool begin, struct ws_error *error);

/* Records points from first on as proposed. */
enum ws_status ws_search_put_proposals(struct ws_search_state *search, u32 first, const char *origin, struct ws_error *error);

/* Records objectives of points, the front, and times. */
enum ws_status ws_search_put_answers(struct ws_search_state *search, const u32 *ordinals, u32 count, struct ws_error *error);

/* Records how the search ended (NULL: it has not) and times. */
enum ws_status ws_search_put_end(struct ws_search_state *search, const char *ended, struct ws_error *error);

/* ---- Simulating ---- */

/* Simulates proposed points, ascending, at least one; evaluates and records them. */
enum ws_status ws_search_simulate(struct ws_search_state *search, const u32 *ordinals, u32 count, struct ws_error *error);

/* The same of all proposed points below end. */
enum ws_status ws_search_simulate_waiting(struct ws_search_state *search, u32 end, struct ws_error *error);

/* Why a point failed: "TRACE: STATUS: REASON" of its first failed job. */
struct ws_search_failure {
    bool found; /* a failed job; else the values of its jobs make no objective */
    char point[500], reason[1000];
};
enum ws_status ws_search_find_failure(const struct ws_search_state *search, u32 ordinal, struct ws_search_failure *failure,
                                      struct ws_error *error);

/* Estimates that for a dry run, at their largest size. */
enum ws_status ws_search_estimate(struct ws_search_state *search, struct ws_error *error);

/* Prepares a search, without its points; to be freed by ws_search_state_free, also after an error. */
enum ws_status ws_search_prepare(struct ws_search_state *search, struct ws_error *error);
void ws_search_state_free(struct ws_search_state *search);

/* Opens the results file, begins or loads the search in it, and simulates its baseline. */
enum ws_status ws_search_begin(struct ws_search_state *search, struct ws_error *error);

/* Closes the file after a call that ended with status, and returns that or the failure to close. A file that the call made and that
 * has no simulated point is removed. */
enum ws_status ws_search_end(struct ws_search_state *search, enum ws_status status, struct ws_error *error);

/* Proposes at most wanted points, recorded; *exhausted: there are no more. */
enum ws_status ws_search_choose(struct ws_search_state *search, u32 wanted, bool *exhausted, struct ws_error *error);

/* Name of the status of a simulated point. */
const char *ws_search_status(double excess);

/* Fills in the summary. */
void ws_search_summarize(struct ws_search_state *search);
