/* Limit study of reconvergence (docs/limit.md; Fung et al., MICRO 2007, 3.3): the fewest issue slots of a trace's warps with ideal
 * reconvergence points, compared with immediate post-dominators. */
#ifndef WARPSWEEP_LIMIT_H
#define WARPSWEEP_LIMIT_H

#include "warpsweep/engine.h"

struct ws_limit_options {
    u32 threads;    /* number of threads, from the first, at least 1 */
    u64 most_cells; /* limit of the cells of all alignment tables together */
    /* Polled between alignments: false ends them with WS_STATUS_interrupted. May be NULL. */
    bool (*go_on)(void *context);
    void *context;
};

/* 128 threads, as in the paper; a most_cells that takes minutes on one core. */
void ws_limit_defaults(struct ws_limit_options *options);

/* One warp. */
struct ws_limit_warp {
    u32 block, threads;
    u64 thread_instructions;
    u64 pdom;   /* issue slots with immediate post-dominators */
    u64 oracle; /* issue slots of the alignment */
    u64 least;  /* lower bound of issue slots of every schedule */
};

struct ws_limit {
    u32 warp_count;
    struct ws_limit_warp *warps;    /* in the order of their threads */
    struct ws_limit_warp total;     /* of all warps; block is their number */
    u64 pdom_cycles, oracle_cycles; /* with ideal memory and instruction cache */
    u64 alignments, cells;          /* pairs of sequences aligned, cells of their tables */
};

/* Studies the first threads of a trace: whole blocks or, if a block has more threads, the first threads of block 0. memory.ideal is
 * taken as on and icache.size as 0. The machine must have core.pipeline barrel, divergence.unit pdom, schedule.policy rr, and room
 * for all these threads at once; else WS_STATUS_bad_input names the key. More than most_cells is WS_STATUS_failed. The engine
 * computes the alignments and runs the machine. *limit is to be freed by ws_limit_free unless the call fails. */
enum ws_status ws_limit_run(struct ws_engine *engine, const struct ws_machine *machine, struct ws_trace *trace,
                            const struct ws_limit_options *options, struct ws_limit *limit, struct ws_error *error);

void ws_limit_free(struct ws_limit *limit);

#endif
