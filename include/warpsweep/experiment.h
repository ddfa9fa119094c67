/* Experiments: points of machines over traces, read from YAML or built by a program (docs/experiments.md). One thread at a time may
 * modify an experiment; texts are copied. */
#ifndef WARPSWEEP_EXPERIMENT_H
#define WARPSWEEP_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/frontend.h"
#include "warpsweep/machine.h"
#include "warpsweep/status.h"

/* Front end options of a point's bundled workloads, where they differ from the defaults; size and seed: from those of the sweep. */
struct ws_frontend_overrides {
    bool sets_if_convert, sets_guarded_moves, sets_lockstep, sets_size, sets_seed;
    bool guarded_moves;
    u32 if_convert, lockstep;
    enum ws_size size; /* of workloads named without a size */
    u64 seed;          /* of the inputs */
};

/* A checked machine with overrides. */
struct ws_point {
    char *label;     /* unique in its experiment; "VARIATION: LABEL" in a variation */
    char *variation; /* "" for none */
    char *overrides; /* "key=value key=value", empty for none */
    char *baseline;  /* label of the point for comparison, or NULL */
    char *frontend;  /* the overrides below as "key=value key=value", empty for none */
    struct ws_frontend_overrides frontend_overrides;
    struct ws_machine machine;
    u32 line, baseline_line; /* in the experiment's file; 0 if unknown */
};

/* All strings and arrays belong to the experiment. Points and traces keep the order of the file. */
struct ws_experiment {
    char *name, *about;
    char *file;    /* source file, for messages; NULL for none */
    char *machine; /* names of the machines whose parameters points override, "a, b" */
    struct ws_point *points;
    size_t point_count;
    size_t skipped;      /* combinations excluded by constraints */
    char **traces;       /* files, or NAME[:SIZE] of bundled workloads */
    char **trace_places; /* of each trace "FILE:LINE: traces[N]: " or "--trace: ", where it is named; "" if a program added it; may
                            be NULL */
    size_t trace_count;
    u32 shards;  /* SMs to which the blocks of a trace are dealt. 1: the whole trace on one SM */
    u32 sampled; /* shards of every trace that are run, the first ones; 0: all */
    bool times;  /* whether entry and end of thread blocks are recorded */
    u32 *set; /* for each parameter: 0 if no point sets it; WS_SET_READ if a point that sets it reads it; else the number, from 1,
                 of the first point that sets it; NULL without points */
};
enum { WS_SET_READ = -1 };

/* Whether points set parameter n but none of them reads it; then text says so for the first of them, as ws_machine_unread_text. */
bool ws_experiment_unread(const struct ws_experiment *experiment, size_t n, char *text, size_t room);

/* Loads a YAML file, or by name a bundled experiment ("narasiman2011-fig10"), and expands it to points. Errors name file, line,
 * key, value and what is allowed. To be freed by ws_experiment_free. */
enum ws_status ws_experiment_load(const char *file_or_name, struct ws_experiment **experiment, struct ws_error *error);

/* A small experiment, as on a command line. Texts belong to the caller. */
struct ws_experiment_line {
    const char *name;            /* no slashes */
    const char *machine;         /* a file or a bundled name */
    const char *const *traces;   /* "TRACE,TRACE" each, as in YAML; files are relative to the working folder */
    const char *const *settings; /* "KEY=VALUE" each, of all points */
    const char *const *axes;     /* "KEY=VALUE,VALUE" or "KEY=FROM..TO", the latter with +STEP or xFACTOR, each */
    size_t trace_count, setting_count, axis_count;
};

/* Expands it to the points that YAML of the same content gives (docs/experiments.md); without axes to the point "base", the machine
 * itself. At least one trace is required. Errors name the option (--machine, --trace, --set, --axis), the value and what is
 * allowed. To be freed by ws_experiment_free. */
enum ws_status ws_experiment_read_line(const struct ws_experiment_line *line, struct ws_experiment **experiment,
                                       struct ws_error *error);

/* Makes an empty experiment of one shard, to be freed by ws_experiment_free. name must contain no slash. machine is recorded as the
 * base of the points. */
enum ws_status ws_experiment_new(const char *name, const char *machine, struct ws_experiment **experiment, struct ws_error *error);

/* Adds a point with a unique label; the machine is checked and copied; overrides are its differences from the defaults. baseline,
 * the label of a point of the experiment, may be NULL. */
enum ws_status ws_experiment_add_point(struct ws_experiment *experiment, const char *label, const struct ws_machine *machine,
                                       const char *baseline, struct ws_error *error);

/* Adds a trace: a file, or NAME[:SIZE] of a bundled workload. */
enum ws_status ws_experiment_add_trace(struct ws_experiment *experiment, const char *trace, struct ws_error *error);

/* Refuses an experiment without points, traces or shards, with a duplicate label, or with an unknown baseline. Results of
 * ws_experiment_load pass; ws_sweep checks every experiment. */
enum ws_status ws_experiment_check(const struct ws_experiment *experiment, struct ws_error *error);

/* NULL is allowed. */
void ws_experiment_free(struct ws_experiment *experiment);

/* A bundled experiment. */
struct ws_experiment_row {
    const char *name, *about;
};

/* All bundled experiments; *count receives their number. */
const struct ws_experiment_row *ws_experiments(size_t *count);

#endif
