/* A running block: its warps and threads, and reports of their faults. */
#pragma once

#include "frontend/exec/code.h"
#include "frontend/exec/launch/plan.h"
#include "frontend/exec/memory/beyond.h"
#include "frontend/exec/memory/races.h"

/* Lanes that execute together from `at` to `until`, where the lanes below them on the stack continue; NULL: to their ends. */
struct ws_path {
    struct ws_basic_block *at, *until;
    u64 lanes;                   /* some of them may have stopped */
    const struct ws_step *waits; /* warp-wide operation at which they wait; NULL: at none. at is then until */
    u32 barrier, phase;          /* barrier of part of the block at which it waits: number, and phase on arrival */
    u64 arrived;                 /* whether it waits so */
};

struct ws_warp {
    u32 first, threads; /* of the block */
    u32 depth;
    bool spins; /* its last turn ended where it started, without a change: it waits for others */
    /* Since a barrier: a turn ends before the first store to memory (WS_OF_*) from which the warp has loaded. Warps of a GPU are
     * near each other then, and wait for what they load, so all load before the first one stores. Programs that lack a barrier
     * between the two have the values that they were written for. */
    bool watches;
    u32 loaded;
    u32 vain;    /* consecutive turns given up without a change of memory */
    u64 changes; /* version of memory when it last gave up its turn */
    u32 brought; /* paths brought forward since any lane last executed */
    struct ws_path *paths;
    u64 running; /* lanes that neither ended nor wait at a barrier */
    u64 waiting; /* lanes at a barrier */
};

/* Paths that a warp may have at once: a divergence leaves two groups of fewer lanes, and one entry for the reconvergence point. */
static inline u32 ws_most_paths(u32 lanes)
{
    return 2 * lanes;
}

/* All lanes continue together at `at`; none waits. */
static inline void ws_warp_start(struct ws_warp *warp, struct ws_basic_block *at, u64 lanes)
{
    warp->depth = 1;
    warp->paths[0] = (struct ws_path){.at = at, .lanes = lanes};
    warp->running = lanes;
    warp->waiting = 0;
}

/* State of a warp when a check for waiting started (turn.c). */
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
    u32 barrier, first;       /* its number; the first thread that arrived */
};

/* A barrier for part of the block. */
struct ws_named {
    u32 threads, arrived; /* threads expected; threads that have arrived */
    u32 phase;            /* counts how often it has been passed, modulo 2^32 */
};

/* Warps of 32 threads, in the order of their numbers; most of a block. */
enum { WS_WARP_THREADS = 32, WS_MOST_WARPS = 32 };

/* State shared by the blocks of a launch. */
struct ws_totals {
    u64 left;                /* thread instructions that may still be executed */
    u64 since;               /* thread instructions since the last call of options->go_on */
    u64 changes;             /* accesses that changed memory */
    u64 instructions;        /* thread instructions of blocks that ended */
    bool has_outsider;       /* a lane shuffled that is not in its member mask */
    bool has_absent;         /* a lane read from one that has ended, or is not in its member mask */
    struct ws_beyond beyond; /* accesses outside of memory, where options->lenient */
};

/* Another block of the cluster: running; not begun; or, without either, ended. */
struct ws_peer {
    const struct ws_run *run;
    bool absent;
};

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
    u32 rank;           /* in its cluster */
    u64 cluster_passed; /* barriers of its cluster */
    struct ws_peer peers[WS_MOST_CLUSTER];
    u32 epoch;                /* barriers that the block has passed */
    u32 met[WS_MOST_WARPS];   /* steps at the last barrier of all threads of a warp of 32, or at the block's start */
    u32 steps;                /* counts what warps have executed as one, modulo 2^32 */
    struct ws_races *races;   /* NULL: not reported */
    struct ws_shadow *shadow; /* races of shared memory */
    struct ws_totals *totals;
    u64 budget, slice;       /* operations per lane until turn.c checks again; the first value */
    u64 spent;               /* thread instructions since then */
    u64 executed_in_turn;    /* operations of the warp in this turn, before the current quantum */
    u64 next_look, look_end; /* operations at which to check for endless waiting, and to give up */
    bool looks;
    struct ws_look look;
    u64 *used;   /* thread instructions of each thread of the block */
    u64 *inputs; /* initial values of read-only slots */
    u64 *slots;  /* of all threads, code.slots each */
    u8 *shared, *local;
    const struct ws_op *loop[2];    /* first and last operation of a thread's endless loop */
    u32 partner;                    /* thread that a warp-wide operation waits for without end */
    const struct ws_op *partner_at; /* where that one waits */
    bool lockstep_waits;            /* other lanes of its warp wait for it */
    u64 *executed;                  /* by operation, of one block */
};

/* Reports a deadlock: the block's threads wait for something that no other thread does (fault.c). */
enum ws_status ws_run_stuck(struct ws_run *run, struct ws_error *error);

/* A number of a thread or block as (x,y,z). */
void ws_numbers_text(char *text, size_t room, const u32 size[3], u64 number);

enum { WS_PLACE_ROOM = 1500 };

/* The kernel, block and thread, and where an operation is, in up to WS_PLACE_ROOM characters (fault.c). */
void ws_run_place(const struct ws_run *run, const struct ws_op *op, u64 block, u32 index, char *text, size_t room);

/* Reports the fault that stopped the running thread (fault.c). */
enum ws_status ws_run_fault(const struct ws_run *run, struct ws_error *error);

/* Reports that the running thread waits at another barrier than earlier threads (fault.c). */
enum ws_status ws_run_barrier_fault(const struct ws_run *run, struct ws_error *error);

/* The kernel, block, running thread and place of an access, its address and what is nearest (fault.c). */
void ws_run_access_text(const struct ws_run *run, const struct ws_op *op, u64 address, enum ws_stop stop, char *text, size_t room);
