/* Makes programs in a thread of its own, so that a run can be interrupted while the driver compiles: no call of OpenCL can be. */
#ifndef WS_ENGINE_OPENCL_MAKER_H
#define WS_ENGINE_OPENCL_MAKER_H

#include <pthread.h>

#include "engine/opencl/wave.h"

struct ws_opencl;

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

void ws_maker_open(struct ws_maker *maker);

/* ws_opencl_program, with the run's watch asked meanwhile. WS_STATUS_interrupted when it said so: the thread goes on by itself, and
 * the next call waits for it first. */
enum ws_status ws_maker_program(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, struct ws_error *error);

/* The same of ws_opencl_special. */
enum ws_status ws_maker_special(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, const struct ws_machine *machine,
                                struct ws_error *error);

/* False when a thread still makes a program: it calls ws_opencl_free when it is done, and nobody else may. */
bool ws_maker_close(struct ws_maker *maker);

#endif
