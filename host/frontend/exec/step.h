/* Executed code: a kernel's operations as threaded code. A step holds the function that executes it. That function ends by calling
 * the next step's; compilers turn the call into a jump. The last step of a basic block returns the next block, or NULL when the
 * thread stops. Instructions are counted and limited per block. */
#pragma once

#include "frontend/exec/memory/memory.h"
#include "frontend/ptx/ir.h"
#include "model/recorder.h"

struct ws_races;
struct ws_step;
struct ws_thread;
struct ws_beyond;

struct ws_basic_block {
    struct ws_step *first;
    u64 executed;      /* by threads of the block being run */
    u32 op;            /* index of its first operation */
    u32 length;        /* operations */
    u32 reads, writes; /* memory that threads share: WS_OF_* of memory/effects.h */
    /* Target of a branch at its end, and its reconvergence point. NULL: there is no branch; no reconvergence. */
    struct ws_basic_block *taken, *reconverge;
};

/* Executes a step and those after it, to the end of the basic block. */
typedef struct ws_basic_block *ws_handler(struct ws_step *step, u64 *slot, struct ws_thread *thread);

struct ws_step {
    ws_handler *run;
    u16 dst, a, b, c; /* slots; operands that the operation lacks are the unused slot */
    union {
        u64 offset;                   /* memory: added to the address, modulo 2^64 */
        u64 mask;                     /* cvt, narrow loads: the bits of the destination register */
        struct ws_basic_block *taken; /* branch */
    };
    union {
        const struct ws_range *range; /* memory: the range accessed last */
        struct ws_basic_block *next;  /* end of a block: the next one, for a branch when not taken */
    };
    const struct ws_op *op;
};

/* Why a thread stopped. */
enum ws_stop {
    WS_STOP_exit,
    WS_STOP_barrier,
    WS_STOP_warp_wide,
    WS_STOP_dependence, /* of another block that runs at the same time (parallel.c) */
#define FAULT(name, text) WS_STOP_##name,
#include "warpsweep/faults.def"
#undef FAULT
};

/* The running thread. */
struct ws_thread {
    struct ws_recorder *recorder; /* NULL when no trace is written */
    struct ws_races *races;       /* NULL: races are not reported */
    struct ws_memory *memory;
    struct ws_beyond *beyond;                       /* of a lenient launch, else NULL */
    void (*print)(void *context, const char *text); /* what printf prints; NULL: nobody reads it */
    void *context;
    u64 changes;  /* accesses that changed memory, of all threads so far */
    u64 arrivals; /* at the cluster's barrier, of all threads of the block */
    bool yields;  /* it polls a value not yet written by another thread, or sleeps */
    u32 block_threads;
    bool parallel; /* blocks run on several cores (parallel.c) */
    u32 barrier;   /* number of the barrier at which it stopped */
    enum ws_stop stop;
    const struct ws_step *at; /* the step that stopped it */
    u64 address;              /* of a faulting access */
    char assertion[512];      /* that failed: file, line, function, condition */
};

/* Executes an operation of machine code (host/sass/exec), which may append its own data. */
struct ws_machine_op {
    ws_handler *run;
};

/* A row of a table of handlers: modified is for operations with directed rounding, .ftz or .sat. */
struct ws_handler_row {
    unsigned code; /* WS_CODE */
    ws_handler *run, *modified;
};

/* Whether the guard of an operation holds. */
static inline bool ws_takes_part(const struct ws_op *op, const u64 *slot)
{
    return op->guard == WS_SLOT_NONE || (slot[op->guard] != 0) != ((op->flags & WS_OP_NOT_GUARD) != 0);
}

#define WS_HANDLER(name) static struct ws_basic_block *name(struct ws_step *step, u64 *slot, struct ws_thread *thread)

static inline struct ws_basic_block *ws_next(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return step[1].run(step + 1, slot, thread);
}

static inline struct ws_basic_block *ws_stop(const struct ws_step *step, struct ws_thread *thread, enum ws_stop stop)
{
    thread->stop = stop;
    thread->at = step;
    return NULL;
}
