/* Threads that execute in lockstep. A warp keeps a stack of paths as hardware does: where a branch diverges, the lanes that take it
 * go first, then the others, and both meet again at the branch's reconvergence point (docs/frontend.md, "Lockstep"). */
#ifndef WS_EXEC_WARP_H
#define WS_EXEC_WARP_H

#include "frontend/exec/step.h"

/* Lanes that go together from at to until, where those below them on the stack go on; NULL: to their ends. */
struct ws_path {
    struct ws_basic_block *at, *until;
    u64 lanes;                   /* some of them may have stopped */
    const struct ws_step *waits; /* the warp-wide operation at which they are; NULL: at none. at is then until */
    u32 barrier, phase;          /* where it waits at a barrier for part of the block: its number, and phase on arrival */
    u64 arrived;                 /* whether it waits so */
};

struct ws_warp {
    u32 first, threads; /* of the block */
    u32 depth;
    bool spins;  /* its last turn ended where it began, with nothing changed: it waits for others */
    u32 vain;    /* turns, one after another, that it gave up with memory as it was */
    u64 changes; /* of memory, when it gave up the last one */
    struct ws_path *paths;
    u64 running; /* lanes that neither ended nor wait at a barrier */
    u64 waiting; /* lanes at a barrier */
};

/* Paths that a warp may have at once: a divergence leaves two groups of fewer lanes, and one entry where they meet. */
static inline u32 ws_most_paths(u32 lanes)
{
    return 2 * lanes;
}

/* The lanes go to at, all together; none waits any more. */
static inline void ws_warp_start(struct ws_warp *warp, struct ws_basic_block *at, u64 lanes)
{
    warp->depth = 1;
    warp->paths[0] = (struct ws_path){.at = at, .lanes = lanes};
    warp->running = lanes;
    warp->waiting = 0;
}

struct ws_run;

/* Runs the warp for a turn: until none of its lanes runs, one has a fault, or others should have theirs (turn.c). recorders is an
 * array with one per thread of the block, or NULL. False after a fault, which run->thread says. */
bool ws_warp_run(struct ws_run *run, struct ws_warp *warp, struct ws_recorder *recorders);

#endif
