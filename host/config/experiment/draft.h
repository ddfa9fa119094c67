/* Points being built. */
#pragma once

#include "base/documents/yaml.h"
#include "config/parameters.h"
#include "warpsweep/experiment.h"

/* Limits of an experiment, and of a grid or sample before constraints. */
enum { MOST_POINTS = 1 << 20 };

/* A machine, the parameters that the experiment set, and front-end options. */
struct draft {
    struct ws_machine machine;
    bool set[PARAMETERS];
    struct ws_frontend_overrides frontend;
};

/* Destination of points, and state shared by a variation. All members but experiment may be NULL. */
struct expansion {
    struct ws_experiment *experiment;
    const struct ws_yaml *constraints;
    const char *variation;
    const struct ws_yaml *baseline; /* for points without one: a template with {KEY} for values */
    const struct ws_yaml *label;    /* the same, for points of axes, tables and samples */
    bool alone;                     /* all points come from one of points, table, axes, sample */
};

/* Sets a parameter from the text of a node. */
enum ws_status draft_set_parameter(struct draft *draft, size_t parameter, const struct ws_yaml *value, struct ws_error *error);

/* Applies a mapping of keys to values; NULL counts as empty. */
enum ws_status draft_set_all(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error);

/* Applies a mapping of front-end options; NULL counts as empty. */
enum ws_status draft_set_frontend(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error);

/* The options as "key=value key=value", owned by the caller; NULL when out of memory. */
char *draft_frontend_text(const struct ws_frontend_overrides *frontend);

/* Sets a parameter by its number. */
void draft_put(struct draft *draft, size_t parameter, u32 value);

/* Refuses a parameter that every point at place sets itself, if the experiment or variation sets it, too: without effect, since
 * there are no other points. */
enum ws_status draft_refuse_set(const struct draft *base, size_t parameter, const struct ws_yaml *place,
                                const struct expansion *expansion, struct ws_error *error);

/* Checks the draft and appends it as a point, unless a constraint excludes it. baseline NULL: the expansion's. Errors name place.
 */
enum ws_status draft_append(const struct draft *draft, const char *label, const char *baseline, const struct ws_yaml *place,
                            const struct expansion *expansion, struct ws_error *error);

/* The same for a point labelled by the expansion's template, else by prefix and "KEY=VALUE ..." of the count given parameters. */
enum ws_status draft_append_named(const struct draft *draft, const char *prefix, const size_t *parameters, size_t count,
                                  const struct ws_yaml *place, const struct expansion *expansion, struct ws_error *error);

/* Whether a condition over parameters ("core.warps * core.warp_size == 1024") holds for a machine. */
enum ws_status constraint_holds(const struct ws_yaml *constraint, const struct ws_machine *machine, bool *holds,
                                struct ws_error *error);

/* Append the points of a list, a grid, a table, a sample (docs/experiments.md); NULL is empty. */
enum ws_status list_append(const struct draft *base, const struct ws_yaml *points, const struct expansion *expansion,
                           struct ws_error *error);
enum ws_status grid_append(const struct draft *base, const struct ws_yaml *axes, const struct expansion *expansion,
                           struct ws_error *error);
enum ws_status table_append(const struct draft *base, const struct ws_yaml *table, const struct expansion *expansion,
                            struct ws_error *error);
enum ws_status sample_append(const struct draft *base, const struct ws_yaml *sample, const struct expansion *expansion,
                             struct ws_error *error);

/* Reads name, about, shards and traces into an empty experiment. */
enum ws_status config_read_head(const struct ws_yaml *root, struct ws_experiment *experiment, struct ws_error *error);

/* Loads the machine named by a node, and adds its name to those of the experiment. */
enum ws_status config_load_machine(const struct ws_yaml *node, struct ws_machine_file *file, struct ws_experiment *experiment,
                                   struct ws_error *error);

/* Expands an experiment's tree; *experiment is unchanged after an error. */
enum ws_status config_read_experiment(const struct ws_yaml *root, struct ws_experiment **experiment, struct ws_error *error);
