/* Experiments: points of machines over traces, read from YAML or put together by a program (docs/experiments.md). One thread at a
 * time may add to an experiment; texts that are passed in are copied. */
#ifndef WARPSWEEP_EXPERIMENT_H
#define WARPSWEEP_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/frontend.h"
#include "warpsweep/machine.h"
#include "warpsweep/status.h"

/* What a point's bundled workloads are built with where that is not the default, and for inputs not what the sweep says. */
struct ws_frontend_overrides {
    bool sets_if_convert, sets_guarded_moves, sets_lockstep, sets_size, sets_seed;
    bool guarded_moves;
    u32 if_convert, lockstep;
    enum ws_size size; /* of workloads that the experiment names without one */
    u64 seed;          /* of the inputs */
};

/* A machine plus overrides, checked. */
struct ws_point {
    char *label;     /* unique in its experiment; "VARIATION: LABEL" in a variation */
    char *variation; /* "" for none */
    char *overrides; /* "key=value key=value", empty for none */
    char *baseline;  /* label of the point that it is compared with, or NULL */
    char *frontend;  /* the overrides below as "key=value key=value", empty for none */
    struct ws_frontend_overrides frontend_overrides;
    struct ws_machine machine;
    u32 line, baseline_line; /* of the experiment's file, where they are named; 0 where there is none */
};

/* All strings and arrays belong to the experiment. Points and traces keep the order of the file. */
struct ws_experiment {
    char *name, *about;
    char *file;    /* that it was read from, for messages; NULL for none */
    char *machine; /* names of the machines that points override, "a, b" */
    struct ws_point *points;
    size_t point_count;
    size_t skipped;      /* combinations that constraints left out */
    char **traces;       /* files, or NAME[:SIZE] of bundled workloads */
    char **trace_places; /* of each "FILE:LINE: traces[N]: " or "--trace: ", where it is named; "" where a program added it; may be
                            NULL */
    size_t trace_count;
    u32 shards; /* SMs that the blocks of a trace are dealt to; every shard of every trace is run. 1 for a trace as a whole */
    bool times; /* whether entry and end of every thread block are recorded */
    u32 *set; /* of each parameter: 0 where no point sets it; WS_SET_READ where one that does reads it; else the number of the first
                 point that sets it, from 1; NULL without points */
};
enum { WS_SET_READ = -1 };

/* Whether points set parameter n and none of these reads it; then text says so of the first of them, as ws_machine_unread_text. */
bool ws_experiment_unread(const struct ws_experiment *experiment, size_t n, char *text, size_t room);

/* Loads a YAML file, or by name a bundled experiment ("narasiman2011-fig10"), and expands it to points. Errors name file, line,
 * key, value and what is allowed. To be freed by ws_experiment_free. */
enum ws_status ws_experiment_load(const char *file_or_name, struct ws_experiment **experiment, struct ws_error *error);

/* An experiment of a few words, as a command line has it. Texts belong to the caller. */
struct ws_experiment_line {
    const char *name;            /* no slashes */
    const char *machine;         /* a file or a bundled name */
    const char *const *traces;   /* "TRACE,TRACE" each, as in YAML; files are relative to the working folder */
    const char *const *settings; /* "KEY=VALUE" each, of all points */
    const char *const *axes;     /* "KEY=VALUE,VALUE" or "KEY=FROM..TO", the latter with +STEP or xFACTOR, each */
    size_t trace_count, setting_count, axis_count;
};

/* Expands it to the points that YAML of the same content gives (docs/experiments.md); without axes to the point "base", the machine
 * itself. At least one trace is needed. Errors name the option (--machine, --trace, --set, --axis), the value and what is allowed.
 * To be freed by ws_experiment_free. */
enum ws_status ws_experiment_read_line(const struct ws_experiment_line *line, struct ws_experiment **experiment,
                                       struct ws_error *error);

/* Makes an empty experiment of one shard, to be freed by ws_experiment_free. name names no folder: no slashes. machine is recorded
 * as what points start from. */
enum ws_status ws_experiment_new(const char *name, const char *machine, struct ws_experiment **experiment, struct ws_error *error);

/* Adds a point with a label of its own; the machine is checked and copied, overrides are what differs from the parameters'
 * defaults. baseline, the label of a point of the experiment, may be NULL. */
enum ws_status ws_experiment_add_point(struct ws_experiment *experiment, const char *label, const struct ws_machine *machine,
                                       const char *baseline, struct ws_error *error);

/* Adds a trace: a file, or NAME[:SIZE] of a bundled workload. */
enum ws_status ws_experiment_add_trace(struct ws_experiment *experiment, const char *trace, struct ws_error *error);

/* Refuses an experiment without points, traces or shards, with a label twice, or a baseline that is none of its points. What
 * ws_experiment_load gives passes; ws_sweep asks it of every experiment. */
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
