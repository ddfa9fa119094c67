/* Engines run jobs: one machine on one image each. */
#ifndef WARPSWEEP_ENGINE_H
#define WARPSWEEP_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/align.h"
#include "shared/results/counters.h"
#include "shared/results/events.h"
#include "shared/results/gauges.h"
#include "shared/results/times.h"
#include "warpsweep/machine.h"
#include "warpsweep/trace.h"

/* Version of docs/model/: raised whenever the same machine and trace may give other counters than before. */
#define WS_MODEL_VERSION 3

/* Progress of the leaders of SM dueling (docs/model/dispatch.md): thread instructions of each leader in each window so far. Jobs of
 * shards 0 and 1 record it; jobs of other shards read it. */
struct ws_dueling;

/* Empty state of an SM dueling, NULL without memory; to be freed by ws_dueling_free. */
struct ws_dueling *ws_dueling_new(void);
void ws_dueling_free(struct ws_dueling *dueling);

/* Whether the machine uses SM dueling. */
bool ws_machine_has_dueling(const struct ws_machine *machine);

/* Shards below this number lead; the others follow. */
enum { WS_DUELING_LEADERS = 2 };

/* Whether the leader of that shard, 0 or 1, has ended. */
bool ws_dueling_led(const struct ws_dueling *dueling, u32 shard);

/* One job. All pointers stay valid until ws_engine_run returns. Jobs may share images; jobs of one machine on the shards of one
 * trace share their dueling. */
struct ws_job_spec {
    const struct ws_machine *machine;
    const struct ws_image *image;
    u32 shard;                  /* used if dispatch.spatial is dueling */
    struct ws_dueling *dueling; /* NULL: shards 0 and 1 record nothing, other shards are refused. Other shards require that both
                                   leaders have ended in an earlier call of ws_engine_run. */
};

/* A thread block's position in a sort of the blocks by the scheduler. */
struct ws_block_place {
    u64 cycle; /* of the sort */
    u32 place; /* 0 is first */
    u32 block; /* of the job, from 0 */
};

/* Result of a job. */
struct ws_job_result {
    enum ws_status status; /* ok, deadlock, stack_overflow, bad_trace, or why it could not run */
    u64 counters[WS_COUNTERS];
    double seconds;              /* engine time of the job, or its share of its batch's */
    struct ws_block_time *times; /* of each block; NULL unless requested */
    struct ws_warp_time *warps;  /* of each warp, block by block, behind them in the same memory */
    u32 warps_per_block;
    struct ws_block_place *order; /* in the order of cycles; NULL if the scheduler does not sort, or unless requested */
    size_t order_count;
    char *reason; /* text if status is not ok and memory suffices, else NULL; read by ws_job_reason */
};

/* Why a job failed: its reason, else the text of its status. The text belongs to the result, or is static. */
const char *ws_job_reason(const struct ws_job_result *result);

/* Frees what a result points to, not the result itself. A freed result may be freed again. */
void ws_job_result_free(struct ws_job_result *result);

/* A timeline event. Its kind selects the fields in use (shared/results/events.def). */
struct ws_timeline_event {
    u64 cycle;
    u32 cycles;             /* 1 for an issue; for stall slots the length of a run of one kind; else 0 */
    u32 kind;               /* WS_EVENT_issue ... */
    u32 warp, pc, lanes;    /* slot, program counter, mask of active lanes */
    u32 port, block, place; /* block: of the job, from 0 */
};

/* When traces are pre-decoded (docs/performance.md). Results do not depend on it. */
enum ws_predecode_use {
    WS_PREDECODE_SHARED, /* if at least two jobs of a call of ws_engine_run can share one */
    WS_PREDECODE_ALWAYS, /* for single jobs, too */
    WS_PREDECODE_NEVER
};

/* When engines compile kernels specialized to parameters that their jobs share (docs/performance.md). Results do not depend on
 * it. */
enum ws_specialize_use {
    WS_SPECIALIZE_AUTO,   /* in the background of long runs (native); and if the cache has them */
    WS_SPECIALIZE_ALWAYS, /* before the first job that can use them; failure to compile is an error */
    WS_SPECIALIZE_NEVER
};

struct ws_engine_options {
    size_t struct_size; /* WS_STRUCT(engine_options) */
    const char *engine; /* "auto", "native", "opencl" */
    const char *device; /* part of an OpenCL device's or platform's name, "gpu", "cpu", or NULL */
    const char
        *lane_form; /* "loop", "ptx", "subgroup", "group", or NULL for the first that suits the device and passes its self-test */
    u32 threads;    /* worker threads of the native engine, 0 for all cores */
    u32 quantum;    /* cycles of a quantum, 0 for the engine's choice */
    u32 registers;  /* most registers of a work-item, 0 for the engine's choice; for measurements; ignored by drivers without such a
                       limit */
    enum ws_predecode_use predecoding;
    enum ws_specialize_use specialize;
    bool times;        /* fill in ws_job_result.times, and order if the scheduler sorts blocks */
    bool trust_device; /* skip the self-test of each variant */
    const char
        *self_test_program; /* a program whose main calls ws_engine_self_test ("/proc/self/exe" for such a program): new self-tests
                               run in it, so that a crash of the driver does not end this process; NULL: run them in this process */
};

/* Callbacks during a run, from one thread at a time. progress is called between quanta and while a driver compiles; returning false
 * stops the run, and unfinished jobs get WS_STATUS_interrupted. A driver that compiles continues in a thread; the engine may be
 * closed, or run again after that. */
struct ws_engine_watch {
    size_t struct_size; /* WS_STRUCT(engine_watch) */
    void *context;
    bool (*progress)(void *context, size_t done, size_t jobs, u64 warp_instructions);
    /* Once for each job that ended or cannot run. */
    void (*finished)(void *context, size_t job, const struct ws_job_result *result);
    /* Called before a job starts; false skips it, as WS_STATUS_interrupted without a report. May be NULL. */
    bool (*wanted)(void *context, size_t job);
    /* Timeline, in order of cycles; slows the run down. */
    void (*event)(void *context, size_t job, const struct ws_timeline_event *event);
    /* Called after each quantum of a job, which started in cycle from of the job and has these WS_COUNTERS counters. A quantum
     * lasts at most ws_engine_options.quantum cycles, if that is not 0, and does not cross a multiple of `interval`. A job
     * restarted after a device failure reports its quanta again. May be NULL. */
    void (*quantum)(void *context, size_t job, u64 from, const u64 *counters);
    /* A job waits for its kernels, which the native engine compiles in a few seconds (docs/performance.md); kernels is NULL when
     * they are ready. May be NULL. */
    void (*compiles)(void *context, const char *kernels);
    /* Called before quantum with the WS_GAUGES values of shared/results/gauges.def at the end of the quantum: of the state before
     * the cycle that follows it. May be NULL. */
    void (*gauges)(void *context, size_t job, const u32 *gauges);
    u32 interval; /* cycles of a job, counted from its start, at whose multiples a quantum ends; 0: anywhere */
};

/* Allowed values of engine, lane_form and specialize, separated by bars; lane form "auto" stands for NULL. */
extern const char ws_engine_choices[], ws_lane_form_choices[], ws_specialize_choices[];

/* True if the arguments of main are those of a self_test_program: the self-test is done, and main must return 0. Call it before
 * anything else reads the arguments. */
bool ws_engine_self_test(int argc, char **argv);

struct ws_engine;

/* Opens an engine; "auto" selects a GPU if there is one, else native. WS_STATUS_no_device names the available devices. */
enum ws_status ws_engine_open(const struct ws_engine_options *options, struct ws_engine **engine, struct ws_error *error);
void ws_engine_close(struct ws_engine *engine);

/* "native" or "opencl", and a description of the device; they belong to the engine. */
const char *ws_engine_name(const struct ws_engine *engine);
const char *ws_engine_device(const struct ws_engine *engine);

/* Number of simulations that the engine runs concurrently. */
u32 ws_engine_at_once(const struct ws_engine *engine);

/* Runs all jobs, batched by variant; results[n] belongs to jobs[n]. Failure of a job is in its result, not in the return value;
 * WS_STATUS_compiler or WS_STATUS_mismatch there mean that the device cannot build the job's variant or that its self-test failed.
 * The return value is not ok only if the engine as a whole failed or was interrupted: WS_STATUS_lost_device if nothing works on the
 * device any more. Jobs that had ended keep their results and have been reported; the others have that status, and another engine
 * may run them. Pointers in results are overwritten, not freed; free each result by ws_job_result_free, whatever is returned. watch
 * may be NULL. */
enum ws_status ws_engine_run(struct ws_engine *engine, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_engine_watch *watch, struct ws_error *error);

/* Whether the engine failed rather than the job, so that another engine may run the job. */
bool ws_engine_failed(const struct ws_job_result *result);

/* An engine with a fallback, the native engine, for jobs that it fails on; no fallback if it is native or the options name an
 * engine. */
struct ws_runner;

enum ws_status ws_runner_open(const struct ws_engine_options *options, struct ws_runner **runner, struct ws_error *error);
void ws_runner_close(struct ws_runner *runner);

/* The current engine; between calls, the one with which the next call starts. Valid until the runner is closed or changes its
 * engine. */
const struct ws_engine *ws_runner_engine(const struct ws_runner *runner);

/* Callbacks of a runner. */
struct ws_runner_watch {
    struct ws_engine_watch engine; /* finished: once for each job, after a retry if there is one */
    /* Provides the image of a leader, which has not ended, of jobs[job]; it must outlive the call. Used if jobs have SM dueling. */
    enum ws_status (*leader)(void *context, size_t job, u32 shard, const struct ws_image **image, struct ws_error *error);
    /* These jobs restart on the next engine, because the engine of that name has failed; reason: of the first job. May be NULL. */
    void (*retries)(void *context, const size_t *jobs, size_t count, const char *failed, const char *reason);
};

/* Like ws_engine_run. Runs leaders that the jobs follow and that have not ended, without reporting them; then the jobs; then, on
 * the next engine, jobs that failed because of the engine. */
enum ws_status ws_runner_run(struct ws_runner *runner, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_runner_watch *watch, struct ws_error *error);

/* Bytes of a simulation in flight, without its trace; 0 for a job that ws_job_check refuses. */
u64 ws_job_bytes(const struct ws_job_spec *job);

/* Checks that the machine is legal and that a block of the image fits into its empty SM; the error says what is wrong. */
enum ws_status ws_job_check(const struct ws_job_spec *job, struct ws_error *error);

/* Whether job `to`, another machine on the same image, must end like job `from`: successfully, with these counters
 * (docs/performance.md). False with SM dueling, and if `to` would be refused. */
bool ws_job_follows(const struct ws_job_spec *from, const u64 *counters, const struct ws_job_spec *to);

/* Text about engines and devices for `list devices`: calls line for each line. */
void ws_engine_list(void (*line)(void *context, const char *name, const char *about), void *context);

/* A batch of alignments (docs/limit.md); all memory belongs to the caller. */
struct ws_align_batch {
    const struct ws_align_task *tasks;
    size_t count;
    const u32 *tokens; /* all sequences, with WS_ALIGN_PADDING words before and after them */
    u64 token_words;
    const u32 *weights; /* by token, at least 1 each; the sum over a sequence must fit into 32 bits */
    u64 weight_words;
    u32 *rows; /* output; the rows of two tasks must not overlap */
    u64 row_words;
    u32 *scores; /* output: the last word of each task's row */
};

/* Computes the alignments of a batch; all engines give the same result. Errors are those of the device, or lack of memory. */
enum ws_status ws_engine_align(struct ws_engine *engine, const struct ws_align_batch *batch, struct ws_error *error);

/* Counters; a histogram is one counter with several bins. */
struct ws_counter {
    const char *name, *unit, *doc;
    u32 index, bins; /* bins is 1 for a plain counter */
    bool most;       /* accumulated by maximum instead of sum */
};
const struct ws_counter *ws_counter_list(size_t *count);

/* Values at the end of an interval, in the order of enum ws_gauge_index. */
struct ws_gauge {
    const char *name, *unit, *doc;
};
const struct ws_gauge *ws_gauge_list(size_t *count);

/* Accumulates the counters of another job, or of more cycles of one, into the first WS_COUNTERS: sums are added, maxima kept. */
void ws_counters_add(u64 *counters, const u64 *more);

/* Writes the name of a histogram's bin: "load" of warp_class, "fp32 mul" of lane_operations, "31" of active_lanes. */
void ws_counter_bin(const struct ws_counter *counter, u32 bin, char *name, size_t room);

#endif
