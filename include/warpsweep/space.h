/* Search spaces: parameters with their values, workloads, objectives, limits and a budget, read from YAML or built from a command
 * line (docs/search.md). ws_search (warpsweep/search.h) searches them. */
#ifndef WARPSWEEP_SPACE_H
#define WARPSWEEP_SPACE_H

#include "warpsweep/experiment.h"

/* A parameter of the space. */
struct ws_space_axis {
    const char *key;  /* "l1.size"; static */
    size_t parameter; /* of ws_parameters */
    const u32 *values;
    u32 count;
    bool ordered; /* numbers, in ascending order; else choices */
};

/* A text of the definition, and where it stands: "FILE:LINE: limits[0]: " or "--limit: ". */
struct ws_space_text {
    char *text, *place;
};

struct ws_space_objective {
    char *name;
    bool maximize;
    struct ws_space_text expression;
};

/* What has no value in the definition is 0 or NULL. */
struct ws_space_method {
    char *name, *proposer;
    char *place; /* for messages */
    u32 population, reduction;
};

/* How closely, and at what cost, a search simulates: a workload size, and how many of the shards. */
struct ws_fidelity {
    enum ws_size size;
    u32 shards; /* sampled: the first so many; 0: all */
};
enum { WS_FIDELITIES = 8, WS_FIDELITY_NAME = 40 };

struct ws_space_rules;

/* Everything belongs to the space, and only what it says below may be changed. */
struct ws_space {
    struct ws_experiment *experiment; /* name, machine, traces, shards; points only as ws_space_add_point adds them */
    struct ws_machine machine;        /* of all points, before their values on the axes */
    char *frontend;                   /* options of tracing as "key=value", empty for none */
    struct ws_space_axis *axes;
    u32 axis_count;
    u32 *baseline; /* choice on each axis; NULL without a baseline */
    struct ws_space_objective *objectives;
    u32 objective_count;
    struct ws_space_text *limits;
    u32 limit_count;
    double *weights;                            /* of each trace */
    struct ws_fidelity fidelity[WS_FIDELITIES]; /* ascending; the last is the real one */
    u32 fidelity_count;                         /* 0: the caller's size with all shards only */
    struct ws_space_method method;              /* may be changed, as may be the rest (texts by malloc) */
    u64 simulations;                            /* budget; 0 for none */
    double minutes;                             /* budget; 0 for none */
    u64 seed;
    u32 generation;               /* points of a generation; 0 for the default */
    struct ws_space_rules *rules; /* private */
};

/* Loads a YAML file, or by name a bundled search. Errors name file, line, key, value and what is allowed. To be freed by
 * ws_space_free. */
enum ws_status ws_space_load(const char *file_or_name, struct ws_space **space, struct ws_error *error);

/* A space as on a command line: an experiment's line whose axes are searched instead of crossed; ranges need no step. */
struct ws_space_line {
    struct ws_experiment_line experiment;
    const char *const *objectives; /* "maximize EXPRESSION" or "minimize EXPRESSION" each */
    const char *const *limits, *const *constraints;
    size_t objective_count, limit_count, constraint_count;
};
enum ws_status ws_space_read_line(const struct ws_space_line *line, struct ws_space **space, struct ws_error *error);

/* NULL is allowed. */
void ws_space_free(struct ws_space *space);

/* Number of points before constraints; infinite above the range of a double. */
double ws_space_size(const struct ws_space *space);

/* Whether a choice (of each axis, an index of its values) meets the constraints and makes a legal machine. A constraint that cannot
 * be evaluated (a division by zero) allows nothing, and is reported by ws_space_failure. */
bool ws_space_allows(struct ws_space *space, const u32 *choice);
enum ws_status ws_space_failure(const struct ws_space *space, struct ws_error *error);

/* The same, with the reason why not as an error. */
enum ws_status ws_space_check(struct ws_space *space, const u32 *choice, struct ws_error *error);

/* The n-th constraint as text; NULL past the last. */
const char *ws_space_constraint(const struct ws_space *space, size_t n);

/* Adds an allowed choice as a point to space->experiment; ws_space_clear removes all points. */
enum ws_status ws_space_add_point(struct ws_space *space, const u32 *choice, struct ws_error *error);
void ws_space_clear(struct ws_space *space);

/* Finds the choice of an axis by the text of its value ("16K", "rr"); fails with what the axis has. */
enum ws_status ws_space_choose(const struct ws_space *space, u32 axis, const char *value, u32 *choice, struct ws_error *error);

/* Writes the name of a fidelity, "small" or "small with 2 shards", which messages, results and JSON lines have. */
void ws_fidelity_name(const struct ws_fidelity *fidelity, char text[WS_FIDELITY_NAME]);

/* A bundled search. */
struct ws_space_row {
    const char *name, *about;
};
const struct ws_space_row *ws_spaces(size_t *count);

#endif
