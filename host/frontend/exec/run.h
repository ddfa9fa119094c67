/* Running the blocks of a launch. */
#ifndef WS_EXEC_RUN_H
#define WS_EXEC_RUN_H

#include "frontend/exec/code.h"
#include "frontend/exec/plan.h"

/* The running block and its threads. */
struct ws_run {
    struct ws_plan *plan;
    struct ws_code code;
    struct ws_thread thread;        /* the running one */
    u64 block;                      /* its number, x fastest */
    u32 index;                      /* the running thread's number in its block */
    const struct ws_frontend_options *options;
    u64 left;  /* thread instructions that the launch may still execute */
    u64 turn;  /* what of them thread.budget began with */
    u64 since; /* thread instructions since options->go_on was asked */
    u64 *used; /* thread instructions of each thread of the block */
    u64 *inputs;                    /* initial values of read-only slots */
    u64 *slots;                     /* of all threads, code.slots each */
    struct ws_basic_block **resume; /* by thread: where it resumes, NULL when it has ended */
    u8 *shared, *local;
    const struct ws_op *loop[2]; /* of a thread that goes on for ever: first and last operation of where it is */
    u64 *executed; /* by operation, of one block */
};

/* Prepares; plan and options must outlive run. To be freed by ws_run_free, also after an error. */
enum ws_status ws_run_make(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_run *run,
                           struct ws_error *error);
void ws_run_free(struct ws_run *run);

/* Runs a block to its end. recorders is an array with one per thread, or NULL. Adds to *instructions and fills run->executed. */
enum ws_status ws_run_block(struct ws_run *run, u64 block, struct ws_recorder *recorders, u64 *instructions,
                            struct ws_error *error);

/* Reports the fault that stopped the running thread (fault.c). */
enum ws_status ws_run_fault(const struct ws_run *run, struct ws_error *error);

/* Reports that thread waits at a different barrier than the thread before it (fault.c). */
enum ws_status ws_run_barrier_fault(const struct ws_run *run, u32 other, const struct ws_op *at, u32 barrier,
                                    struct ws_error *error);

#endif
