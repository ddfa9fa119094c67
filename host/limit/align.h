/* The alignment of the threads of a warp. */
#pragma once

#include "limit/batch.h"

/* A warp whose threads form groups, each named by its lowest lane; in the end one group. */
struct limit_warp {
    u32 block, first_thread, threads;
    u32 groups;                                /* a mask */
    struct limit_sequence sequences[WS_LANES]; /* of each group: its columns */
    u32 unknown[WS_LANES];                     /* of each group: mask of higher groups whose score with it is unknown */
    u64 scores[WS_LANES][WS_LANES];            /* of the lower and the higher group */
};

/* Groups threads with equal paths ([limit.equal]); sequences contains the threads' paths. */
void limit_warp_gather(struct limit_warp *warp);

/* Joins the groups of each warp until one remains ([limit.pairs]). */
enum ws_status limit_align(struct limit_aligner *aligner, struct limit_warp *warps, u32 count, struct ws_error *error);
