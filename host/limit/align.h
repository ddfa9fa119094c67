/* The alignment of the threads of a warp. */
#pragma once

#include "limit/batch.h"

/* A warp whose threads are gathered in groups, each known by its lowest lane; at the end there is one. */
struct limit_warp {
    u32 block, first_thread, threads;
    u32 groups;                                /* a mask */
    struct limit_sequence sequences[WS_LANES]; /* of each group: its columns */
    u32 unknown[WS_LANES];                     /* of each group: those above it whose score with it is not known, a mask */
    u64 scores[WS_LANES][WS_LANES];            /* of the lower and the higher group */
};

/* Makes threads with equal paths one group ([limit.equal]); sequences comes with the threads' paths. */
void limit_warp_gather(struct limit_warp *warp);

/* Joins the groups of each warp until there is one ([limit.pairs]). */
enum ws_status limit_align(struct limit_aligner *aligner, struct limit_warp *warps, u32 count, struct ws_error *error);
