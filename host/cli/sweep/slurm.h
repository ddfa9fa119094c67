/* A sweep as an array of Slurm's: one part a task, each with a results file of its own, and a job that merges them. */
#pragma once

#include "warpsweep/sweep.h"

/* What `sweep --slurm` is given. */
struct cli_slurm {
    bool asked;
    u32 parts;          /* 0 for one a job, at most 16 */
    bool threads;       /* whether the words have --threads */
    const char **words; /* arguments that a task's own sweep has too, NULL-terminated; allocated */
    char **sbatch;      /* what follows --, NULL-terminated; NULL without */
};

/* Of a command line with --slurm, notes its words, and takes off "-- SBATCH OPTIONS". Returns how many arguments are left, 0 when
 * out of memory. A command line without --slurm stays as it is. */
int cli_slurm_split(struct cli_slurm *slurm, int argc, char **argv);

/* Submits those parts of the sweep that have jobs left, and the merge into options->results; of a dry run, only says which they
 * are. The script that does it, the parts' results and logs are in the folder RESULTS.parts. Returns the exit code. */
int cli_slurm_submit(const struct cli_slurm *slurm, const struct ws_experiment *experiment, const struct ws_sweep_options *options);
