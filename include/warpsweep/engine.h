/* Engines run jobs: a machine on an image each. */
#ifndef WARPSWEEP_ENGINE_H
#define WARPSWEEP_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/align.h"
#include "shared/results/counters.h"
#include "shared/results/events.h"
#include "shared/results/times.h"
#include "warpsweep/machine.h"
#include "warpsweep/trace.h"

/* Version of docs/model/: raised whenever the same machine and trace may give other counters than before. */
#define WS_MODEL_VERSION 3

/* What the leaders of an SM dueling (docs/model/dispatch.md) tell the shards that follow them. Each leader has executed so many
 * thread instructions in each window that it has reached, which jobs of shards 0 and 1 note down and jobs of other shards read. */
struct ws_dueling;

/* A dueling of which nothing is known yet, NULL without memory; to be freed by ws_dueling_free. */
struct ws_dueling *ws_dueling_new(void);
void ws_dueling_free(struct ws_dueling *dueling);

/* Whether shards of that machine lead and follow. */
bool ws_machine_has_dueling(const struct ws_machine *machine);

/* The first shard that follows; those before it lead. */
enum { WS_DUELING_LEADERS = 2 };

/* Whether the leader of that shard, 0 or 1, has ended. */
bool ws_dueling_led(const struct ws_dueling *dueling, u32 shard);

/* One job. All pointers stay valid until ws_engine_run returns; jobs may share images, and those of one machine on the shards of
 * one trace share their dueling. */
struct ws_job_spec {
    const struct ws_machine *machine;
    const struct ws_image *image;
    u32 shard;                  /* matters where dispatch.spatial is dueling */
    struct ws_dueling *dueling; /* NULL: shards 0 and 1 note nothing down, others are refused. Those need both leaders to have ended
                             in an earlier call of ws_engine_run. */
};

/* A thread block's place when a scheduler sorted the blocks of its SM. */
struct ws_block_place {
    u64 cycle; /* of the sort */
    u32 place; /* 0 is first */
    u32 block; /* of the job, from 0 */
};

/* What came of a job. */
struct ws_job_result {
    enum ws_status status; /* ok, deadlock, stack_overflow, bad_trace, or why it could not run */
    u64 counters[WS_COUNTERS];
    double seconds;              /* engine time: of the job, or its share of its batch */
    struct ws_block_time *times; /* of each block; NULL unless asked for */
    struct ws_warp_time *warps;  /* of each warp, block by block, behind them in the same memory */
    u32 warps_per_block;
    struct ws_block_place *order; /* places in the order of cycles; NULL where nobody sorts, or unless asked for */
    size_t order_count;
    char *reason; /* in words when status is not ok and memory suffices, else NULL; read by ws_job_reason */
};

/* Why a job did not end well: its reason, else the text of its status. The text belongs to the result, or is static. */
const char *ws_job_reason(const struct ws_job_result *result);

/* Frees what a result points to, not the result itself. A freed result may be freed again. */
void ws_job_result_free(struct ws_job_result *result);

/* An event of the timeline. Its kind says which of the other fields mean anything (shared/results/events.def). */
struct ws_timeline_event {
    u64 cycle;
    u32 cycles;             /* 1 for an issue, how many lost slots of a kind follow each other; 0 for all else */
    u32 kind;               /* WS_EVENT_issue ... */
    u32 warp, pc, lanes;    /* slot, program counter, mask of active lanes */
    u32 port, block, place; /* block: of the job, from 0 */
};

/* When packets of warps are made before the simulation (docs/performance.md); results are the same. */
enum ws_predecode_use {
    WS_PREDECODE_SHARED, /* at least two jobs of a call of ws_engine_run share them */
    WS_PREDECODE_ALWAYS, /* for one job, too */
    WS_PREDECODE_NEVER
};

/* When engines compile kernels for what the machines of their jobs have in common (docs/performance.md); results are the same. */
enum ws_specialize_use {
    WS_SPECIALIZE_AUTO,   /* where jobs take long enough, natively beside them; and where the cache has them */
    WS_SPECIALIZE_ALWAYS, /* before the first job that they are for, which fails where that is not possible */
    WS_SPECIALIZE_NEVER
};

struct ws_engine_options {
    size_t struct_size;    /* WS_STRUCT(engine_options) */
    const char *engine;    /* "auto", "native", "opencl" */
    const char *device;    /* part of an OpenCL device's or platform's name, "gpu", "cpu", or NULL */
    const char *lane_form; /* "loop", "ptx", "subgroup", "group", or NULL for the first that suits the device and
                              passes its self-test */
    u32 threads;           /* threads of the native engine, 0 for all cores */
    u32 quantum;           /* cycles of a quantum, 0 for the engine's choice */
    u32 registers;         /* the most that a work-item may use, 0 for the engine's choice; for measuring, and without effect
                              where the driver takes no limit */
    enum ws_predecode_use predecoding;
    enum ws_specialize_use specialize;
    bool times;                    /* fill in ws_job_result.times, and order where the scheduler sorts blocks */
    bool trust_device;             /* believe the device without the self-test of each variant */
    const char *self_test_program; /* a program whose main calls ws_engine_self_test ("/proc/self/exe" in one that does): self-tests
                                  that a device has not passed before run in it, so that a driver that crashes takes only that;
                                  NULL: in this process */
};

/* Called between quanta, and while a driver compiles, from one thread at a time. Returning false stops the run: unfinished jobs get
 * WS_STATUS_interrupted. A driver that compiles goes on in a thread; the engine may be closed, or run again once that is done. */
struct ws_engine_watch {
    size_t struct_size; /* WS_STRUCT(engine_watch) */
    void *context;
    bool (*progress)(void *context, size_t done, size_t jobs, u64 warp_instructions);
    /* Once for each job that ended or cannot run. */
    void (*finished)(void *context, size_t job, const struct ws_job_result *result);
    /* Asked when a job is to begin; one that is not wanted is left out as WS_STATUS_interrupted and not reported. May be NULL. */
    bool (*wanted)(void *context, size_t job);
    /* Timeline, in order of cycles; asking for it is slow. */
    void (*event)(void *context, size_t job, const struct ws_timeline_event *event);
    /* After each quantum of a job, which began in the cycle from of the job and has these WS_COUNTERS counters of its own; it lasts
     * ws_engine_options.quantum cycles or less, where that is not 0. A job that is begun again after a device failed reports its
     * quanta again. May be NULL. */
    void (*quantum)(void *context, size_t job, u64 from, const u64 *counters);
    /* A job waits for its kernels, which the native engine compiles in some seconds (docs/performance.md);
     * kernels is NULL when that is done. May be NULL. */
    void (*compiles)(void *context, const char *kernels);
};

/* What engine, lane_form and specialize may be, with a bar between two names; as a lane form "auto" stands for NULL. */
extern const char ws_engine_choices[], ws_lane_form_choices[], ws_specialize_choices[];

/* Whether the arguments of main are those of a self_test_program: it has done what they say then, and is to end with 0. To be
 * called first, before anything else reads them. */
bool ws_engine_self_test(int argc, char **argv);

struct ws_engine;

/* Opens an engine; "auto" takes a GPU, else native. WS_STATUS_no_device names the devices there are. */
enum ws_status ws_engine_open(const struct ws_engine_options *options, struct ws_engine **engine, struct ws_error *error);
void ws_engine_close(struct ws_engine *engine);

/* "native" or "opencl", and the device in words; they belong to the engine. */
const char *ws_engine_name(const struct ws_engine *engine);
const char *ws_engine_device(const struct ws_engine *engine);

/* Simulations that the engine runs at the same time. */
u32 ws_engine_at_once(const struct ws_engine *engine);

/* Runs all jobs, batched by variant; results[n] belongs to jobs[n]. A job's failure is in its result, not in the return value:
 * there too WS_STATUS_compiler or WS_STATUS_mismatch where the device cannot build or miscounts the job's variant. The return value
 * is not ok only when the engine as a whole could not go on, or was interrupted: WS_STATUS_lost_device when nothing works on the
 * device any more. Jobs that had ended keep their results and have been reported; the others have that status, and another engine
 * may run them. Pointers in results are overwritten, not freed; afterwards each result is to be freed by ws_job_result_free,
 * whatever is returned. watch may be NULL. */
enum ws_status ws_engine_run(struct ws_engine *engine, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_engine_watch *watch, struct ws_error *error);

/* Whether it is the engine that failed rather than the job, so that another engine may run it. */
bool ws_engine_failed(const struct ws_job_result *result);

/* An engine, and the one that goes on with what it fails: native, unless it is that or the options name one. */
struct ws_runner;

enum ws_status ws_runner_open(const struct ws_engine_options *options, struct ws_runner **runner, struct ws_error *error);
void ws_runner_close(struct ws_runner *runner);

/* The engine that runs now; between calls the one that the next begins with. It lasts as long as the runner, or the engine that
 * takes its place. */
const struct ws_engine *ws_runner_engine(const struct ws_runner *runner);

/* What a runner tells and asks. */
struct ws_runner_watch {
    struct ws_engine_watch engine; /* finished: once for each job, of one that is run again after that */
    /* The image of a leader of jobs[job] that has not ended; it outlives the call. Asked where jobs have duels. */
    enum ws_status (*leader)(void *context, size_t job, u32 shard, const struct ws_image **image, struct ws_error *error);
    /* These jobs begin again on the next engine, since the one of that name has failed; reason: that of the first. May be NULL. */
    void (*retries)(void *context, const size_t *jobs, size_t count, const char *failed, const char *reason);
};

/* Like ws_engine_run: runs leaders that the jobs follow and that have not ended, without reporting them, then the jobs, then what
 * the engine failed on the next one. */
enum ws_status ws_runner_run(struct ws_runner *runner, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_runner_watch *watch, struct ws_error *error);

/* Bytes that a simulation in flight needs beside its trace; 0 for a job that ws_job_check refuses. */
u64 ws_job_bytes(const struct ws_job_spec *job);

/* Whether the machine is a possible one and the block of the image fits into its empty SM; the error says what is wrong. */
enum ws_status ws_job_check(const struct ws_job_spec *job, struct ws_error *error);

/* Whether `to`, another machine on the same image, ends as `from` has ended: well, with these counters (docs/performance.md). False
 * of a machine that duels, and where `to` would be refused. */
bool ws_job_follows(const struct ws_job_spec *from, const u64 *counters, const struct ws_job_spec *to);

/* Lines of text about engines and devices for `list devices`: calls line for each. */
void ws_engine_list(void (*line)(void *context, const char *name, const char *about), void *context);

/* Alignments to do at once (docs/limit.md); all belongs to the caller. */
struct ws_align_batch {
    const struct ws_align_task *tasks;
    size_t count;
    const u32 *tokens; /* all sequences, with WS_ALIGN_PADDING words before and after them */
    u64 token_words;
    const u32 *weights; /* by token, at least 1 each; the sum over a sequence fits into 32 bits */
    u64 weight_words;
    u32 *rows; /* filled as the tasks say; the rows of two tasks do not overlap */
    u64 row_words;
    u32 *scores; /* filled: the last word of each task's row */
};

/* Does the alignments of a batch; every engine gives the same. Errors are those of the device, or want of memory. */
enum ws_status ws_engine_align(struct ws_engine *engine, const struct ws_align_batch *batch, struct ws_error *error);

/* Number and names of counters: histograms as one name with several bins. */
struct ws_counter {
    const char *name, *unit, *doc;
    u32 index, bins; /* bins is 1 for a plain counter */
    bool most;       /* folds by maximum instead of sum */
};
const struct ws_counter *ws_counter_list(size_t *count);

/* Folds the counters of another job, or of more cycles of one, into the first WS_COUNTERS: sums are added, maxima kept. */
void ws_counters_add(u64 *counters, const u64 *more);

/* Writes what a bin of a histogram counts into name: "load" of warp_class, "fp32 mul" of lane_operations, "31" of active_lanes. */
void ws_counter_bin(const struct ws_counter *counter, u32 bin, char *name, size_t room);

#endif
