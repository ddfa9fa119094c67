/* Sweeps: every point of an experiment on every shard of every trace, into a results file. Several threads or processes may sweep
 * at once, into one file too; an experiment that is swept must not change. */
#ifndef WARPSWEEP_SWEEP_H
#define WARPSWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/engine.h"
#include "warpsweep/experiment.h"
#include "warpsweep/frontend.h"

/* Of the jobs that this call runs; all zero while traces are built and read. */
struct ws_sweep_progress {
    size_t jobs, done, failed;
    u64 warp_instructions; /* simulated so far */
    double seconds;        /* since the first job began */
    double share;          /* of the work that is done, 0 to 1: thread instructions of the jobs' traces */
};

/* Both are called from the thread that called ws_sweep or one of its engine's, one call at a time; texts and progress are theirs
 * only until they return. */
struct ws_sweep_watch {
    void *context;
    void (*note)(void *context, const char *text);                             /* what begins now, in words; may be NULL */
    bool (*progress)(void *context, const struct ws_sweep_progress *progress); /* false interrupts; may be NULL */
};

/* Everything that it points to stays the caller's, and valid until ws_sweep returns. */
struct ws_sweep_options {
    size_t struct_size;              /* WS_STRUCT(sweep_options) */
    const char *results;             /* path of the results file */
    struct ws_engine_options engine; /* its times are those that the experiment asks for; its struct_size may be 0 */
    u32 part, parts;                 /* jobs n with n % parts == part; parts = 0 is all */
    enum ws_size size;               /* of bundled workloads that the experiment names without a size */
    u64 seed;                        /* of their inputs */
    u32 lockstep;                    /* threads in lockstep where the experiment does not say; 0 for the front end's default */
    u64 image_bytes;                 /* traces held in memory at once; 0 for 4 GiB. One is always held */
    bool force;                      /* run jobs again that are done, replacing their results */
    bool no_reuse;                   /* run also what follows from results of other jobs (docs/performance.md) */
    bool dry_run;                    /* only count and estimate; nothing is built or written */
    struct ws_sweep_watch watch;
};

/* What a dry run tells beside the jobs. Of traces that are not built yet nothing is known. */
struct ws_sweep_estimate {
    size_t unbuilt;       /* traces that the sweep would build */
    u64 trace_bytes;      /* all traces as simulations read them */
    u64 simulation_bytes; /* the largest simulation in flight */
    double core_seconds;  /* of one core on the native engine: the mean of recorded jobs of the same trace and variant, else as fast
                             as the beginning of the trace, which the dry run simulates (at most 3 s in all) */
    size_t recorded;      /* jobs of which the former is known */
    size_t variants[128]; /* jobs that are left of each row of ws_variants */
};

struct ws_sweep_summary {
    size_t jobs;      /* of this part */
    size_t before;    /* of these, finished already when the sweep began */
    size_t ran;       /* finished by this call */
    size_t reused;    /* recorded by this call with the result of another job, and not run */
    size_t elsewhere; /* run and recorded by other sweeps into the file while this one lasted */
    size_t failed;    /* of this part, whenever they ran: recorded with their reason */
    u64 warp_instructions;
    double seconds;  /* from the first job's begin to the last one's end */
    u32 run;         /* of the experiment in the results file, from 1; 0 of a dry run */
    char engine[32]; /* empty when nothing was left to run */
    char device[512];
    struct ws_sweep_estimate estimate; /* of a dry run */
};

/* Runs what the results file does not hold yet, so that an interrupted sweep goes on where it stopped. A job's identity is the
 * digest of its parameters, trace, shard and the model's version; deterministic failures (deadlock, ...) are results, others are
 * run again. Where the engine was not chosen (NULL or "auto"), what a GPU fails (a program that cannot be built, memory, a lost
 * device) is run on the native engine instead. Jobs are recorded in groups, one transaction each.
 * Where another sweep into the file runs some of the jobs, this one waits for their results and runs only what that leaves; `note`
 * says so. What fails before the first job
 * makes no results file. A dry run tells jobs that are there already by the digests of traces that are built, else by their names.
 * The jobs of a damaged trace fail; a trace that is not there is an error before the first job, in a dry run also a damaged one,
 * and a point that cannot hold the blocks of a trace. WS_STATUS_failed when any job of this part failed, naming the first that the
 * file has of the experiment; WS_STATUS_interrupted when progress said so. summary is filled in in every case. */
enum ws_status ws_sweep(const struct ws_experiment *experiment, const struct ws_sweep_options *options,
                        struct ws_sweep_summary *summary, struct ws_error *error);

#endif
