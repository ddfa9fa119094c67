/* Sizes of gangs over time: a run of each trace of a figure at its point, block by block as the first SM gets them. */
#ifndef WS_REPORT_GANGS_H
#define WS_REPORT_GANGS_H

#include "report/figures.h"

enum { WS_GANG_MEMBERS = 8, WS_GANG_BINS = 256 };

/* Warps by members of their gang (1: single) over a run, in bins of equal length. */
struct ws_gang_run {
    u64 cycles, bin_cycles;                             /* of the run, of a bin; 0: no run */
    u64 warp_cycles[WS_GANG_BINS][WS_GANG_MEMBERS + 1]; /* warps times cycles in the bin; [0] stays 0 */
};

/* One run for each trace of an experiment, in its order. */
struct ws_gangs {
    size_t count;
    struct ws_gang_run *run;
};

/* *gangs is to be freed by ws_gangs_free unless the call fails; *trouble is that of ws_studies_run. */
enum ws_status ws_gangs_run(const struct ws_figure *figure, const struct ws_reproduce_options *options, struct ws_gangs *gangs,
                            struct ws_error *trouble, struct ws_error *error);

/* {0} is allowed. */
void ws_gangs_free(struct ws_gangs *gangs);

/* Warps in gangs of so many members in the mean cycle from `from` up to `until`, in bins; NaN where the run has ended. */
double ws_gang_warps(const struct ws_gang_run *run, u32 from, u32 until, u32 members);

#endif
