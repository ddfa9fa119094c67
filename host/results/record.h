/* Writing into a results file: experiments with their points and traces, and jobs. */
#pragma once

#include "results/sql.h"
#include "shared/dialect.h"
#include "warpsweep/engine.h"
#include "warpsweep/experiment.h"

/* A point or trace of an experiment as the file knows it. */
struct ws_recorded {
    u64 digest;
    sqlite3_int64 id; /* machine_id or trace_id, filled in by ws_record_experiment */
};

/* A trace of an experiment. */
struct ws_recorded_trace {
    struct ws_recorded key;
    const char *name;     /* in the experiment */
    const char *frontend; /* of the points that it is for, as text */
    const struct ws_launch *launch;
};

/* Blocks of a launch as the file has them; 0 for one that is not known. */
u64 ws_recorded_blocks(const struct ws_launch *launch);

/* Records an experiment in one transaction as the newest run of its name, and gives that run's number, from 1. It continues the run
 * before where it has all points and traces of that; else that one stays, called "NAME (run N)". points has experiment->point_count
 * elements with their digests, traces one for each trace and front end. */
enum ws_status ws_record_experiment(struct ws_results *results, const struct ws_experiment *experiment, struct ws_recorded *points,
                                    struct ws_recorded_trace *traces, size_t trace_count, u32 *run, struct ws_error *error);

/* After runs of another file have come in: the newest run of each experiment gets a number above those of its earlier ones. */
enum ws_status ws_record_renumber(struct ws_results *results, struct ws_error *error);

/* What of a job is not its engine's result. */
struct ws_job_record {
    u64 digest;
    sqlite3_int64 machine, trace;
    u32 shard, shards;
    u32 blocks; /* whose times the result has, if any */
    const char *engine, *device;
    const struct ws_job_result *result;
    const struct ws_machine *from, *own; /* whose job gave the result where this one has not run, else NULL; its own */
};

/* Records finished jobs in one transaction, with the times and orders of blocks that their results have. A job that is recorded
 * with a final status stays as it is, unless all are to be replaced; what it lacks of times and orders is added. */
enum ws_status ws_record_jobs(struct ws_results *results, const struct ws_job_record *records, size_t count, bool replace,
                              struct ws_error *error);

/* What the file knows of a job. */
enum ws_job_state { WS_JOB_MISSING, WS_JOB_DONE, WS_JOB_FAILED };

/* Looks up jobs: states[n] of digests[n]; a status that is not final counts as missing, and where times are asked for a job without
 * them too. */
enum ws_status ws_record_states(struct ws_results *results, const u64 *digests, bool times, enum ws_job_state *states, size_t count,
                                struct ws_error *error);
