/* Recording experiments, with points and traces, and jobs. */
#pragma once

#include "results/sql.h"
#include "shared/dialect.h"
#include "warpsweep/engine.h"
#include "warpsweep/experiment.h"
#include "warpsweep/sweep.h"

/* A recorded point or trace of an experiment. */
struct ws_recorded {
    u64 digest;
    sqlite3_int64 id; /* machine_id or trace_id, filled in by ws_record_experiment */
};

/* A trace of an experiment. */
struct ws_recorded_trace {
    struct ws_recorded key;
    const char *name;     /* in the experiment */
    const char *frontend; /* of its points, as text */
    const struct ws_launch *launch;
};

/* Recorded number of blocks of a launch; 0 if unknown. */
u64 ws_recorded_blocks(const struct ws_launch *launch);

/* Records an experiment in one transaction as the newest run of its name; returns the run's number, from 1. If it has all points
 * and traces of the previous run, it continues that one; otherwise the previous run stays as "NAME (run N)". points has
 * experiment->point_count elements with their digests, traces one for each trace and front end. */
enum ws_status ws_record_experiment(struct ws_results *results, const struct ws_experiment *experiment, struct ws_recorded *points,
                                    struct ws_recorded_trace *traces, size_t trace_count, u32 *run, struct ws_error *error);

/* The same for an experiment that grows: the first call begins a run, later ones add to it. A trace whose content has changed since
 * is WS_STATUS_bad_input. */
enum ws_status ws_record_growth(struct ws_results *results, const struct ws_experiment *experiment, struct ws_recorded *points,
                                struct ws_recorded_trace *traces, size_t trace_count, const struct ws_sweep_growth *growth,
                                struct ws_error *error);

/* After merging another file's runs: renumbers the newest run of each experiment above its earlier ones. */
enum ws_status ws_record_renumber(struct ws_results *results, struct ws_error *error);

/* Facts of a job other than the engine's result. */
struct ws_job_record {
    u64 digest;
    sqlite3_int64 machine, trace;
    u32 shard, shards;
    u32 blocks; /* job of the recorded times, if any */
    const char *engine, *device;
    const struct ws_job_result *result;
    const struct ws_machine *from, *own; /* job whose result this one uses without having run, else NULL; its own */
};

/* Records finished jobs in one transaction, with recorded block times and orders. A recorded job with a final status is not
 * changed, unless replace is set; missing times and orders are added. */
enum ws_status ws_record_jobs(struct ws_results *results, const struct ws_job_record *records, size_t count, bool replace,
                              struct ws_error *error);

/* Recorded state of a job. */
enum ws_job_state { WS_JOB_MISSING, WS_JOB_DONE, WS_JOB_FAILED };

/* Looks up jobs: states[n] of digests[n]. A status that is not final counts as missing; so does a job without times, if times are
 * requested. */
enum ws_status ws_record_states(struct ws_results *results, const u64 *digests, bool times, enum ws_job_state *states, size_t count,
                                struct ws_error *error);
