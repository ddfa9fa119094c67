/* The limit study of reconvergence (docs/limit.md; Fung et al., MICRO 2007, 3.3): how few issue slots the warps of a trace need
 * when the best reconvergence points are known, beside those of immediate post-dominators. */
#ifndef WARPSWEEP_LIMIT_H
#define WARPSWEEP_LIMIT_H

#include "warpsweep/engine.h"

struct ws_limit_options {
    u32 threads;    /* the first so many, at least 1 */
    u64 most_cells; /* of the tables of all alignments together, before giving up */
    /* Asked between alignments: false ends them with WS_STATUS_interrupted. NULL is never asked. */
    bool (*go_on)(void *context);
    void *context;
};

/* 128 threads, as in the paper; a most_cells that takes minutes on a core. */
void ws_limit_defaults(struct ws_limit_options *options);

/* One warp. */
struct ws_limit_warp {
    u32 block, threads;
    u64 thread_instructions;
    u64 pdom;   /* issue slots with immediate post-dominators */
    u64 oracle; /* issue slots of the alignment */
    u64 least;  /* issue slots that every schedule needs */
};

struct ws_limit {
    u32 warp_count;
    struct ws_limit_warp *warps;    /* in the order of their threads */
    struct ws_limit_warp total;     /* of all warps; block is how many there are */
    u64 pdom_cycles, oracle_cycles; /* memory and instruction cache ideal */
    u64 alignments, cells;          /* pairs of sequences aligned, cells of their tables */
};

/* Studies the first threads of a trace: whole blocks or, where a block has more threads than that, the first threads of block 0.
 * The machine's memory.ideal is taken as on and its icache.size as 0. It has core.pipeline barrel, divergence.unit pdom,
 * schedule.policy rr, and room for all these threads at once; else WS_STATUS_bad_input names the key. More than most_cells is
 * WS_STATUS_failed. The engine does the alignments and runs the machine. *limit is to be freed by ws_limit_free unless that fails.
 */
enum ws_status ws_limit_run(struct ws_engine *engine, const struct ws_machine *machine, struct ws_trace *trace,
                            const struct ws_limit_options *options, struct ws_limit *limit, struct ws_error *error);

void ws_limit_free(struct ws_limit *limit);

#endif
