/* A sweep as a Slurm job array: one part per task, each with its own results file, and a job that merges them. */
#pragma once

#include "warpsweep/sweep.h"

/* Settings of `sweep --slurm`. */
struct cli_slurm {
    bool asked;
    u32 parts;          /* 0 for one per job, at most 16 */
    bool threads;       /* whether the words contain --threads */
    const char **words; /* arguments passed on to each task's sweep, NULL-terminated; allocated */
    char **sbatch;      /* what follows --, NULL-terminated; NULL without */
};

/* For a command line with --slurm: notes its words, and removes "-- SBATCH OPTIONS". Returns the number of remaining arguments, 0
 * when out of memory. Leaves a command line without --slurm unchanged. */
int cli_slurm_split(struct cli_slurm *slurm, int argc, char **argv);

/* Submits the parts with remaining jobs, and the merge into options->results. A dry run only lists them. The script, and results
 * and logs of the parts, are in the folder RESULTS.parts. Returns the exit code. */
int cli_slurm_submit(const struct cli_slurm *slurm, const struct ws_experiment *experiment, const struct ws_sweep_options *options);
