/* What single warps of a workload did at a point, for figures of warps (warps.def). */
#ifndef WS_REPORT_WARPS_H
#define WS_REPORT_WARPS_H

#include "report/measures.h"

/* Pointers are into the measures. Without times there are no warps. */
struct ws_warps {
    const char *workload;
    const struct ws_warp_life *all; /* block by block */
    const struct ws_warp_life *one; /* of the block that the figure shows, in their order */
    size_t all_count, one_count;
    u32 block, wanted; /* its number, and that of warps.def, which the input may lack */
    u32 bin;           /* of histograms, in warp instructions */
};

struct ws_warps ws_warps_of(const struct ws_measures *measures, const char *paper, const char *figure, size_t point);

/* The point that a figure is about: that of its row, else the baseline, else the first. */
size_t ws_warps_point(const struct ws_measures *measures, const struct ws_figure *figure);

/* Cycles from a warp's entry to its end, and of the block's longest. */
u64 ws_warp_cycles(const struct ws_warp_life *life);
double ws_warps_longest(const struct ws_warps *warps);

/* RTRU of the block in percent (Xiang et al. 3.2): of the cycles of its longest warp, times its warps, those after the others'
 * ends. */
double ws_warps_rtru(const struct ws_warps *warps);

/* Warps of the block that are there so many cycles after it has entered. */
double ws_warps_left(const struct ws_warps *warps, u64 cycle);

/* Share of all warps with more than `above` and at most `most` warp instructions, in percent. */
double ws_warps_share(const struct ws_warps *warps, u64 above, u64 most);

/* Lines that a warp's loads miss in the data and the texture cache, per 1000 of its instructions. */
double ws_warp_misses(const struct ws_warp_life *life);

#endif
