/* The stages of a sweep: traces, list of jobs, running them. */
#pragma once

#include "results/record.h"
#include "warpsweep/sweep.h"

struct ws_sweep_job {
    u64 digest;
    u32 trace, spaces, shard, point; /* trace: as built by a front end of the experiment; spaces: that the point's machine reads */
    u32 rank;                        /* of the point in its family */
    enum { WS_JOB_WAITS, WS_JOB_BEGUN, WS_JOB_FOLLOWED } progress; /* followed: recorded with the result of another job */
};

/* Families of points, concatenated; in each the tightest bounds first. */
#define WS_NO_POINT 0xFFFFFFFFu

struct ws_family {
    u32 point;       /* point at the n-th place of that order */
    u32 place, rank; /* of the n-th point: its place, and its rank in its family */
};

/* State of a sweep. Arrays have one element for each point, front end, trace as built by each front end, or job. */
struct ws_sweep_state {
    const struct ws_experiment *experiment;
    const struct ws_sweep_options *options;
    struct ws_sweep_summary *summary;
    struct ws_results *results; /* NULL while there is no results file */
    struct ws_runner *runner;   /* NULL if nothing is left to run */
    struct ws_recorded *points;
    struct ws_family *families;
    u32 *point_frontend;               /* of each point */
    const struct ws_point **frontends; /* the first point of each front end */
    u32 frontend_count;
    struct ws_recorded_trace *traces; /* by front end */
    size_t trace_count;
    char **trace_names;        /* with their size */
    u64 *trace_blocks;         /* of each trace; 0 if unknown */
    u64 *trace_instructions;   /* thread instructions of each open trace, for the estimate of remaining time */
    struct ws_trace **files;   /* open traces; NULL for damaged ones, and in a dry run for those not built yet */
    struct ws_error *damage;   /* of traces that are damaged */
    struct ws_sweep_job *jobs; /* remaining jobs, in order of trace, spaces, shard, rank, point */
    size_t job_count;
    struct ws_sweep_job *later; /* jobs that another sweep runs, in this order too */
    size_t later_count;
    sqlite3_int64 claim, other; /* of this sweep's jobs, and of another sweep's; 0 for none */
    struct ws_dueling **duels;  /* of each trace and, within it, point; NULL if none yet */
};

/* Announces the next step to the watch, if there is one. */
void ws_sweep_note(const struct ws_sweep_state *sweep, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Polls the watch before any job runs: false interrupts. */
bool ws_sweep_goes_on(const struct ws_sweep_state *sweep);

/* Finds the front ends that points use. */
enum ws_status ws_sweep_find_frontends(struct ws_sweep_state *sweep, struct ws_error *error);

/* Names the traces and refuses duplicates. */
enum ws_status ws_sweep_name_traces(struct ws_sweep_state *sweep, struct ws_error *error);

/* Opens the traces, building those of workloads that are not cached. A damaged trace stays closed, with a digest made from its
 * name. */
enum ws_status ws_sweep_open_traces(struct ws_sweep_state *sweep, struct ws_error *error);

/* Opens the traces that need not be built. */
enum ws_status ws_sweep_find_traces(struct ws_sweep_state *sweep, struct ws_error *error);

/* Fills in the summary's estimate of the listed jobs. */
enum ws_status ws_sweep_estimate(struct ws_sweep_state *sweep, struct ws_error *error);

/* Takes the digests of traces that are not open from the results file, if it exists and has their names. */
enum ws_status ws_sweep_recall_traces(struct ws_sweep_state *sweep, struct ws_error *error);

void ws_sweep_free_traces(struct ws_sweep_state *sweep);

/* Shards of a trace: those of the experiment without empty ones. */
u32 ws_sweep_shards(const struct ws_sweep_state *sweep, size_t trace);

/* Finds the families of points; without reuse each point is a family. */
enum ws_status ws_sweep_find_families(struct ws_sweep_state *sweep, struct ws_error *error);

/* The n-th point of a point's family, WS_NO_POINT past the last. */
u32 ws_sweep_relative(const struct ws_sweep_state *sweep, u32 point, u32 n);

/* The listed job of another point on this job's trace and shard; NULL for none. */
struct ws_sweep_job *ws_sweep_job_beside(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job, u32 point);

/* Lists the jobs of this part, each identity once. */
enum ws_status ws_sweep_list_jobs(struct ws_sweep_state *sweep, struct ws_error *error);

/* Drops the jobs that the results file has from the list, and counts them in the summary. */
enum ws_status ws_sweep_drop_done(struct ws_sweep_state *sweep, struct ws_error *error);

/* Loads the image of a shard for the job's machine; to be freed by ws_image_free. */
enum ws_status ws_sweep_load_image(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job, u32 shard,
                                   struct ws_image **image, struct ws_error *error);

/* The SM dueling state of a job (docs/model/dispatch.md); NULL if its machine has none or memory is short. Belongs to the sweep. */
struct ws_dueling *ws_sweep_dueling(struct ws_sweep_state *sweep, const struct ws_sweep_job *job);

void ws_sweep_free_dueling(struct ws_sweep_state *sweep);

/* Opens the engine of the options, and names it in the summary. */
enum ws_status ws_sweep_open_engine(struct ws_sweep_state *sweep, struct ws_error *error);

/* Runs the listed jobs, except those that other sweeps run now: waits for them, and runs what they leave. */
enum ws_status ws_sweep_run_all(struct ws_sweep_state *sweep, struct ws_error *error);

/* Runs the listed jobs on the engine and records them. */
enum ws_status ws_sweep_run_jobs(struct ws_sweep_state *sweep, struct ws_error *error);
