/* Sweeps: every point of an experiment on every shard of every trace, into a results file. Several threads or processes may sweep
 * at once, also into one file; an experiment must not change during its sweep. */
#ifndef WARPSWEEP_SWEEP_H
#define WARPSWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/engine.h"
#include "warpsweep/experiment.h"
#include "warpsweep/frontend.h"

/* Progress over the jobs that this call runs; all zero while traces are built and read. */
struct ws_sweep_progress {
    size_t jobs, done, failed;
    u64 warp_instructions; /* simulated so far */
    double seconds;        /* since the first job began */
    double share;          /* fraction of the work that is done, 0 to 1, in thread instructions of the jobs' traces */
};

/* Callbacks, called from the thread of ws_sweep or a thread of its engine, one call at a time; arguments are valid during the
 * call. */
struct ws_sweep_watch {
    void *context;
    void (*note)(void *context, const char *text);                             /* announces the next step; may be NULL */
    bool (*progress)(void *context, const struct ws_sweep_progress *progress); /* false interrupts the sweep; may be NULL */
};

/* Makes the experiment grow: its points and traces are added to those of an experiment in the results file, which the search began
 * for this fidelity (docs/results.md, table search_experiment), instead of a new run. */
struct ws_results;
struct ws_sweep_growth {
    struct ws_results *results; /* the open file, instead of the options'; stays open */
    long long search;           /* search_id */
    u32 fidelity;
    const char *size;     /* name of the fidelity (ws_fidelity_name) */
    const u32 *positions; /* of each point of the experiment: ordinal of its search_point; those of a recorded label stay */
};

/* All pointers belong to the caller and must be valid until ws_sweep returns. */
struct ws_sweep_options {
    size_t struct_size;                   /* WS_STRUCT(sweep_options) */
    const char *results;                  /* path of the results file */
    struct ws_engine_options engine;      /* its times are replaced by those of the experiment; its struct_size may be 0 */
    u32 part, parts;                      /* jobs n with n % parts == part; parts = 0 is all */
    enum ws_size size;                    /* of bundled workloads that the experiment names without a size */
    u64 seed;                             /* of their inputs */
    u32 lockstep;                         /* threads in lockstep if the experiment does not say; 0 for the front end's default */
    u64 image_bytes;                      /* limit of the bytes of traces held in memory; 0 for 4 GiB. One trace is always held */
    bool force;                           /* run finished jobs again and replace their results */
    bool no_reuse;                        /* run also jobs whose results follow from those of others (docs/performance.md) */
    bool dry_run;                         /* only count and estimate; nothing is built or written */
    const struct ws_sweep_growth *growth; /* NULL: the experiment is complete */
    struct ws_sweep_watch watch;
};

/* Estimate of a dry run. Traces that are not built yet are not included. */
struct ws_sweep_estimate {
    size_t unbuilt;       /* traces that the sweep would build */
    u64 trace_bytes;      /* all traces in the form that simulations read */
    u64 simulation_bytes; /* the largest simulation in flight */
    double core_seconds; /* of one core on the native engine: mean of recorded jobs of the same trace and variant, else the speed of
                            the beginning of the trace, which the dry run simulates (at most 3 s in total) */
    size_t recorded;     /* jobs with recorded times */
    size_t variants[128]; /* remaining jobs of each row of ws_variants */
};

struct ws_sweep_summary {
    size_t jobs;      /* of this part */
    size_t before;    /* of these, finished when the sweep started */
    size_t ran;       /* finished by this call */
    size_t reused;    /* recorded by this call with the result of another job, without a run */
    size_t elsewhere; /* run and recorded by concurrent sweeps into the file */
    size_t failed;    /* of this part, in any run: recorded with their reason */
    u64 warp_instructions;
    double seconds;  /* from the start of the first job to the end of the last */
    u32 run;         /* number of the experiment's run in the results file, from 1; 0 for a dry run */
    char engine[32]; /* empty if nothing was left to run */
    char device[512];
    struct ws_sweep_estimate estimate; /* of a dry run */
};

/* Runs the jobs that the results file does not hold yet, so that an interrupted sweep resumes. A job's identity is the digest of
 * its parameters, trace, shard and model version; deterministic failures (deadlock, ...) are results, other failures are run again.
 * If the engine is NULL or "auto", jobs that a GPU fails on (a program that cannot be built, lack of memory, a lost device) run on
 * the native engine instead. Jobs are recorded in groups, one transaction each. Jobs that a concurrent sweep into the file runs are
 * not run here; this call waits for their results, reports that by `note`, and runs only what is left. An error before the first
 * job creates no results file. A dry run finds finished jobs by the digests of built traces, else by trace names. Jobs of a damaged
 * trace fail; a missing trace is an error before the first job, in a dry run also a damaged one, and a point that cannot hold the
 * blocks of a trace. WS_STATUS_failed if any job of this part failed, naming the first one of the experiment in the file;
 * WS_STATUS_interrupted if progress returned false. summary is filled in in every case. */
enum ws_status ws_sweep(const struct ws_experiment *experiment, const struct ws_sweep_options *options,
                        struct ws_sweep_summary *summary, struct ws_error *error);

#endif
