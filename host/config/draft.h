/* A point in the making. */
#ifndef WS_CONFIG_DRAFT_H
#define WS_CONFIG_DRAFT_H

#include "base/yaml.h"
#include "config/parameters.h"
#include "warpsweep/experiment.h"

/* A machine and which of its parameters an experiment has set. */
struct draft {
    struct ws_machine machine;
    bool set[PARAMETERS];
};

/* Sets the parameter named by a node's key from the text of value; both know their place for errors. */
enum ws_status draft_set(struct draft *draft, const struct ws_yaml *key, const struct ws_yaml *value, struct ws_error *error);

/* Applies a mapping of keys to values; NULL is an empty one. */
enum ws_status draft_set_all(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error);

/* Checks the draft and appends it to the experiment as a point. place is named in errors. */
enum ws_status draft_append(const struct draft *draft, const char *label, const struct ws_yaml *place,
                            struct ws_experiment *experiment, struct ws_error *error);

/* Appends the points of a grid: every combination of the values of its axes, the last axis changing fastest. */
enum ws_status grid_append(const struct draft *base, const struct ws_yaml *axes, struct ws_experiment *experiment,
                           struct ws_error *error);

#endif
