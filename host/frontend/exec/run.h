/* Running a block. */
#ifndef WS_EXEC_RUN_H
#define WS_EXEC_RUN_H

#include "frontend/exec/beyond.h"
#include "frontend/exec/code.h"
#include "frontend/exec/plan.h"
#include "frontend/exec/races.h"
#include "frontend/exec/warp.h"

/* What a warp was like when it began to be looked at (turn.c). */
struct ws_look {
    u64 changes, running;
    u32 depth;
    const struct ws_basic_block *at;
    struct ws_path *paths;
    u64 *slots; /* of all its lanes */
};

/* Where the block's threads wait for each other. */
struct ws_meeting {
    const struct ws_step *at; /* the barrier; NULL while none waits */
    u32 barrier, first;       /* its number; the thread that came first */
};

/* A barrier for part of the block. */
struct ws_named {
    u32 threads, arrived; /* for which it is; that have come */
    u32 phase;            /* counts how often it has been passed, modulo 2^32 */
};

/* Warps of 32 threads, in the order of their numbers; most of a block. */
enum { WS_WARP_THREADS = 32, WS_MOST_WARPS = 32 };

/* What blocks of a launch have in common. */
struct ws_totals {
    u64 left;                /* thread instructions that may still be executed */
    u64 since;               /* thread instructions since options->go_on was asked */
    u64 changes;             /* accesses that changed memory */
    u64 instructions;        /* thread instructions of blocks that ended */
    struct ws_beyond beyond; /* accesses outside of memory, where options->lenient */
};

/* waits: for what no thread of the block does. runs: it may wait, or go on for long without changing anything. */
enum ws_block_state { WS_BLOCK_runs, WS_BLOCK_waits, WS_BLOCK_ended };

/* A block that runs, and its threads. */
struct ws_run {
    struct ws_plan *plan;
    struct ws_code code;
    struct ws_thread thread; /* the running one */
    u64 block;               /* its number, x fastest */
    u32 index;               /* the running thread's number in its block */
    const struct ws_frontend_options *options;
    u32 warp_count, width; /* threads of a warp; the last one may have fewer */
    struct ws_warp *warps;
    struct ws_path *paths; /* of all warps */
    struct ws_meeting meeting;
    struct ws_named named[WS_NAMED_BARRIERS];
    u32 epoch;                /* barriers that the block has passed */
    u32 met[WS_MOST_WARPS];   /* steps when all threads of a warp of 32 last met at a barrier of it, or when the block began */
    u32 steps;                /* counts what warps have executed as one, modulo 2^32 */
    struct ws_races *races;   /* NULL: nobody is told */
    struct ws_shadow *shadow; /* what they remember of shared memory */
    struct ws_totals *totals;
    u64 budget, slice;       /* operations that each lane of the running warp may execute until turn.c looks again; at first */
    u64 spent;               /* thread instructions since then */
    u64 executed_in_turn;    /* operations of the warp in this turn, before this slice */
    u64 next_look, look_end; /* at which of them to begin looking whether it waits, and to give up */
    bool looks;
    struct ws_look look;
    u64 *used;   /* thread instructions of each thread of the block */
    u64 *inputs; /* initial values of read-only slots */
    u64 *slots;  /* of all threads, code.slots each */
    u8 *shared, *local;
    const struct ws_op *loop[2];    /* of a thread that goes on for ever: first and last operation of where it is */
    u32 partner;                    /* the thread for which a warp-wide operation waits in vain */
    const struct ws_op *partner_at; /* where that one waits */
    bool lockstep_waits;            /* other lanes of its warp wait for it */
    u64 *executed;                  /* by operation, of one block */
};

/* Prepares; plan and options must outlive run. To be freed by ws_run_free, also after an error. */
enum ws_status ws_run_make(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_run *run,
                           struct ws_error *error);
void ws_run_free(struct ws_run *run);

/* Begins a block; races is NULL when nobody is told of them. False when out of memory. */
bool ws_run_begin(struct ws_run *run, u64 block, struct ws_races *races);

/* Runs the block on, to its end or until others should have their turn; *state says which. recorders is an array with one per
 * thread, or NULL. At the end of the block fills run->executed. */
enum ws_status ws_run_block(struct ws_run *run, struct ws_totals *totals, struct ws_recorder *recorders, enum ws_block_state *state,
                            struct ws_error *error);

/* Reports that the block's threads wait for what no other thread does (fault.c). */
enum ws_status ws_run_stuck(struct ws_run *run, struct ws_error *error);

/* A number of a thread or block as (x,y,z). */
void ws_numbers_text(char *text, size_t room, const u32 size[3], u64 number);

enum { WS_PLACE_ROOM = 1500 };

/* The kernel, block and thread, and where an operation is, in up to WS_PLACE_ROOM characters (fault.c). */
void ws_run_place(const struct ws_run *run, const struct ws_op *op, u64 block, u32 index, char *text, size_t room);

/* Reports the fault that stopped the running thread (fault.c). */
enum ws_status ws_run_fault(const struct ws_run *run, struct ws_error *error);

/* Notes that the running thread waits at a barrier; false if others wait at another one. */
bool ws_run_meet(struct ws_run *run);

/* Reports that the running thread waits at a different barrier than others before it (fault.c). */
enum ws_status ws_run_barrier_fault(const struct ws_run *run, struct ws_error *error);

/* The kernel, block, running thread and place of an access, its address and what is nearest (fault.c). */
void ws_run_access_text(const struct ws_run *run, const struct ws_op *op, u64 address, enum ws_stop stop, char *text, size_t room);

#endif
