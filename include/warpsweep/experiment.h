/* Experiments: points of one machine over traces, read from YAML (docs/experiments.md). */
#ifndef WARPSWEEP_EXPERIMENT_H
#define WARPSWEEP_EXPERIMENT_H

#include <stddef.h>

#include "warpsweep/machine.h"
#include "warpsweep/status.h"

/* A machine plus overrides, checked. */
struct ws_point {
    char *label;     /* unique in its experiment */
    char *overrides; /* "key=value key=value", empty for none */
    struct ws_machine machine;
};

/* All strings and arrays belong to the experiment. Labels, names and traces keep the order of the file. */
struct ws_experiment {
    char *name, *about;
    char *machine;  /* name of the machine that the points override */
    char *baseline; /* label of the point that the others are compared with, or NULL */
    struct ws_point *points;
    size_t point_count;
    char **traces;  /* files, or NAME[:SIZE] of bundled workloads */
    size_t trace_count;
    u32 shards;     /* SMs that the blocks of a trace are dealt to; every shard of every trace is run. 1 for a trace as a whole */
};

/* Loads a YAML file, or by name a bundled experiment ("narasiman2011-fig10"), and expands it to points. Errors name file, line, key,
 * value and what is allowed. To be freed by ws_experiment_free. */
enum ws_status ws_experiment_load(const char *file_or_name, struct ws_experiment **experiment, struct ws_error *error);

/* NULL is allowed. */
void ws_experiment_free(struct ws_experiment *experiment);

/* A bundled experiment. */
struct ws_experiment_row {
    const char *name, *about;
};

/* All bundled experiments; *count receives their number. */
const struct ws_experiment_row *ws_experiments(size_t *count);

#endif
