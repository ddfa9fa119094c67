/* Invented traces and an invented engine for tests of sweeps: a job's counters are a function of its machine and its trace's name.
 */
#pragma once

#include "warpsweep/sweep.h"

enum { FAKE_BLOCKS = 2 }; /* of every trace */

/* Behaviour of the fake engine; zero is an engine that works. */
struct fake_engine {
    unsigned microseconds; /* a job takes */
    unsigned opened, ran;  /* counts of requests */
    unsigned images;       /* that were loaded */
    unsigned studied; /* limit studies; 1000 + 10 x the trace's first letter cycles with post-dominators, 1000 with the oracle */
    bool times;       /* the engine opened last was asked for them */
    enum ws_status ending; /* of jobs of the trace `ending_trace` */
    const char *ending_trace;
    /* Changes a job's result; NULL leaves it. */
    void (*alter)(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result);
    /* Changes a trace's launch; NULL leaves it. */
    void (*launch)(const char *trace, struct ws_launch *launch);
    /* Whether the result of a machine also holds for another one; NULL: of none. */
    bool (*follows)(const struct ws_machine *from, const struct ws_machine *to);
    /* Calls the watch's event, for jobs with requested events; NULL: there are none. */
    void (*events)(const struct ws_engine_watch *watch, size_t job);
    const char *no_image;  /* trace whose images cannot be loaded */
    const char *no_header; /* trace that cannot be opened */
    bool cannot_open;
    /* The engine that "auto" opens: */
    enum ws_status large_warps; /* their result; 0 for the expected one */
    const char *reason;         /* of that; NULL for a short one */
    unsigned lost_after;        /* jobs after which the device is lost; 0 for never */
};
extern struct fake_engine fake_engine;

/* An experiment of points "p0", "p1", ... (warp depth 7, 8, ...) over traces "a", "b", ..., baseline p0. It is static: one at a
 * time. */
struct ws_experiment *fake_experiment(size_t points, size_t traces, u32 shards);

/* Renames a point, also as the baseline of others. */
void fake_label(struct ws_experiment *experiment, size_t point, char *label);

/* Invented cycles and thread instructions of a job. */
u64 fake_cycles(const struct ws_machine *machine, const char *trace, u32 shard);
u64 fake_instructions(const char *trace);

/* Set-up and tear-down of a test: an engine that works and a new folder, below the working directory; the folder is removed with
 * all files in it. */
int fake_set_up(void **state);
int fake_tear_down(void **state);

/* The folder, and a results file's path in it. */
extern char fake_folder[64], fake_results[80];
