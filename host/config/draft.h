/* Points in the making. */
#ifndef WS_CONFIG_DRAFT_H
#define WS_CONFIG_DRAFT_H

#include "base/yaml.h"
#include "config/parameters.h"
#include "warpsweep/experiment.h"

/* Of an experiment, and of a grid or sample before constraints. */
enum { MOST_POINTS = 1 << 20 };

/* A machine, which of its parameters an experiment has set, and what it asks of the front end. */
struct draft {
    struct ws_machine machine;
    bool set[PARAMETERS];
    struct ws_frontend_overrides frontend;
};

/* Where points go, and what those of one variation have in common. Texts may be NULL. */
struct expansion {
    struct ws_experiment *experiment;
    const struct ws_yaml *constraints;
    const char *variation;
    const char *baseline; /* of points that name none */
    const char *label;    /* what points of axes, tables and samples are called: a text with {KEY} for values */
};

/* Sets a parameter from the text of a node. */
enum ws_status draft_set_parameter(struct draft *draft, size_t parameter, const struct ws_yaml *value, struct ws_error *error);

/* Applies a mapping of keys to values; NULL is an empty one. */
enum ws_status draft_set_all(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error);

/* Applies a mapping of options of the front end; NULL is an empty one. */
enum ws_status draft_set_frontend(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error);

/* Sets a parameter by its number. */
void draft_put(struct draft *draft, size_t parameter, u32 value);

/* Checks the draft and appends it to the experiment as a point, unless a constraint skips it. baseline NULL is the expansion's.
 * place is named in errors. */
enum ws_status draft_append(const struct draft *draft, const char *label, const char *baseline, const struct ws_yaml *place,
                            const struct expansion *expansion, struct ws_error *error);

/* The same for a point that is called as the expansion says, or else "KEY=VALUE ..." by the count given parameters, after prefix.
 */
enum ws_status draft_append_named(const struct draft *draft, const char *prefix, const size_t *parameters, size_t count,
                                  const struct ws_yaml *place, const struct expansion *expansion, struct ws_error *error);

/* Whether a condition over parameters ("core.warps * core.warp_size == 1024") holds for a machine. */
enum ws_status constraint_holds(const struct ws_yaml *constraint, const struct ws_machine *machine, bool *holds,
                                struct ws_error *error);

/* Append the points of a list, a grid, a table, a sample (docs/experiments.md); NULL has none. */
enum ws_status list_append(const struct draft *base, const struct ws_yaml *points, const struct expansion *expansion,
                           struct ws_error *error);
enum ws_status grid_append(const struct draft *base, const struct ws_yaml *axes, const struct expansion *expansion,
                           struct ws_error *error);
enum ws_status table_append(const struct draft *base, const struct ws_yaml *table, const struct expansion *expansion,
                            struct ws_error *error);
enum ws_status sample_append(const struct draft *base, const struct ws_yaml *sample, const struct expansion *expansion,
                             struct ws_error *error);

#endif
