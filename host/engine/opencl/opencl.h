/* The OpenCL engine's state. */
#pragma once

#include <pthread.h>

#include "engine/fixed.h"
#include "engine/jobs/lowered.h"
#include "engine/opencl/program.h"
#include "engine/opencl/wave.h"
#include "engine/variant.h"

/* A program compiled for what the machines of a variant's jobs have in common. */
struct ws_special_program {
    struct ws_fixed fixed;
    struct ws_device_program program;
    bool known;     /* to the cache */
    bool refused;   /* it cannot be built, or does not pass its self-test */
    double seconds; /* that the device has spent with the variant's own program */
};

/* Part of a struct ws_opencl. While the thread runs, what is below `end` is touched with the lock only. */
struct ws_maker {
    bool running; /* a thread has begun and was not waited for to its end */
    u32 variant;  /* that it makes */
    bool special; /* for what machines have in common, tested on this one */
    struct ws_machine machine;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
    bool ended, abandoned;
    enum ws_status status;
    struct ws_error error;
};

struct ws_opencl {
    struct ws_cl_device device;
    const struct ws_lane_form *forms[WS_LANE_FORMS]; /* to try, best first */
    u32 form_count;
    const struct ws_lane_form *form; /* as about has it */
    struct ws_cl *cl;
    struct ws_device_program programs[WS_VARIANTS]; /* made when first used */
    struct ws_special_program specials[WS_VARIANTS];
    enum ws_specialize_use specialize;
    struct ws_cl_program *align; /* in lane form `form`, likewise */
    struct ws_limits limits;
    u32 slice;
    bool slice_adapts; /* to the time it takes */
    bool times, trust;
    const char *trial_program; /* of the options; NULL: none */
    char about[1024];
    struct ws_maker maker; /* of programs, while jobs run */
};

/* Makes the program of a variant unless it is there, in the first lane form that the compiler takes and that passes its self-test;
 * a trusted device is not tested. WS_STATUS_mismatch when no form passes, WS_STATUS_compiler when none is even built; the message
 * has what was wrong with each. */
enum ws_status ws_opencl_program(struct ws_opencl *opencl, u32 variant, struct ws_error *error);

/* Whether the cache has the program of a variant for what machines, of which this is one, have in common. */
bool ws_opencl_special_known(struct ws_opencl *opencl, u32 variant, const struct ws_machine *machine);

/* Makes that program, in the lane form of the variant's own one, which is there; it is tested on the machine. */
enum ws_status ws_opencl_special(struct ws_opencl *opencl, u32 variant, const struct ws_machine *machine, struct ws_error *error);

/* How much of a program may be on the device at once. */
struct ws_limits ws_opencl_limits(const struct ws_opencl *opencl, const struct ws_device_program *program);

/* Says beside the device that a variant takes another lane form than the others. */
void ws_opencl_mention(struct ws_opencl *opencl, u32 variant);

/* Says that a program for what machines have in common is used. */
void ws_opencl_mention_special(struct ws_opencl *opencl);

/* Opens the device of that place in the list and does there what a trial (trial.h) is for; the cache keeps what comes of it. */
void ws_opencl_try(u32 device, const struct ws_lane_form *form, u32 what, u32 registers);

void ws_opencl_free(struct ws_opencl *opencl);

/* The engine's run; state is a struct ws_opencl. */
enum ws_status ws_opencl_run(void *state, const struct ws_job_spec *jobs, size_t count, struct ws_lowered *lowered,
                             struct ws_job_result *results, const struct ws_engine_watch *watch, struct ws_error *error);

/* ---- maker.c: makes programs in a thread of its own, so that a run can be interrupted while the driver compiles: no call of
 * OpenCL can be ---- */

void ws_maker_open(struct ws_maker *maker);

/* ws_opencl_program, with the run's watch asked meanwhile. WS_STATUS_interrupted when it said so: the thread goes on by itself, and
 * the next call waits for it first. */
enum ws_status ws_maker_program(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, struct ws_error *error);

/* The same of ws_opencl_special. */
enum ws_status ws_maker_special(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, const struct ws_machine *machine,
                                struct ws_error *error);

/* False when a thread still makes a program: it calls ws_opencl_free when it is done, and nobody else may. */
bool ws_maker_close(struct ws_maker *maker);
