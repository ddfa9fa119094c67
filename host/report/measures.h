/* What a results file says about an experiment, as matrices of points and traces. */
#ifndef WS_REPORT_MEASURES_H
#define WS_REPORT_MEASURES_H

#include "report/figures.h"
#include "report/gangs.h"
#include "report/limits.h"
#include "warpsweep/energy.h"
#include "warpsweep/results.h"

/* Classes of active lanes. */
enum {
#define USE(name, colour) WS_USE_##name,
#include "report/uses.def"
#undef USE
    WS_USES
};

/* Kinds of lost issue slots, and their sum. */
enum {
#define STALL(name, words, colour) WS_STALL_##name,
#include "report/stalls.def"
#undef STALL
    WS_STALL_total,
    WS_STALLS
};

/* What applications add up over their kernels. */
enum {
#define SUM(name, expression) WS_SUM_##name,
#include "report/sums.def"
#undef SUM
    WS_SUMS
};

enum { WS_MOST_LANES = 32 }; /* of a packet */

/* What a point's machine is made of. */
struct ws_dimensions {
    u32 simd_width, warp_size, warps, lut, majority_table; /* as the parameters */
    u32 lanes;                                             /* most that a packet has */
    struct ws_machine machine;                             /* what its parameters say of occupancy */
    u32 sms;                                               /* shards of the experiment */
    u32 l0;                                                /* bytes of a slice's instruction cache */
};

/* A thread block on the first SM. */
struct ws_block_span {
    size_t point, trace;
    u32 block; /* by its arrival on the SM, from 0 */
    u64 entered, ended;
};

/* A place that a thread block of the first SM had when they were sorted. */
struct ws_block_rank {
    size_t point, trace;
    u64 cycle;
    u32 place, block; /* from 0; block as above */
};

/* A warp, on whichever SM. */
struct ws_warp_life {
    size_t point, trace;
    u32 block, warp; /* number of the block in the grid, of the warp in the block */
    u64 entered, ended, packets, l1_misses, texture_misses;
};

/* Everything belongs to the measures. What is missing is NaN. */
struct ws_measures {
    size_t points, variations, traces;    /* variations: as many as points */
    char **point, **trace;                /* labels and names; traces without their size, unless
                                           * they would have one name */
    char **variation;                     /* of each point, "" for none */
    size_t *base;                         /* of each point the one that it is compared with, `points` for none */
    size_t baseline;                      /* the first point that is its own base, `points` for none */
    double *ipc;                          /* of point p on trace t at [p * traces + t] */
    bool mixed_sizes;                     /* a trace has several sizes, by variation */
    bool several_sizes;                   /* a workload is there in several sizes, which are in the names */
    size_t whole_traces;                  /* traces with an IPC at every point: those that means are over */
    double *cycles;                       /* of the slowest SM, likewise */
    double (*stalls)[WS_STALLS];          /* issue slots lost by all SMs, likewise */
    double *row_hits;                     /* row-buffer hit rate, likewise */
    struct ws_dimensions *dimensions;     /* of each point */
    double *dram_use;                     /* share of the cycles in which the memory bus is in use, likewise as ipc */
    double *misses;                       /* share of the data cache's lines, loaded and stored, that were not there */
    double (*energy)[WS_ENERGY_PROFILES]; /* in uJ, of all SMs */
    double (*leaked)[WS_ENERGY_PROFILES]; /* the static part of that */
    double (*lanes)[WS_MOST_LANES + 1];   /* shares of the issue slots that issue with so many active lanes */
    double (*lost)[WS_STALLS];            /* shares of the issue slots that are lost */
    double (*use)[WS_USES];               /* shares of the issue slots by class of active lanes, lost ones among none */
    double *ratio;                        /* of that IPC to the baseline's on the same trace; NaN unless the trace is whole */
    double *geometric, *arithmetic;       /* mean gain of a point in percent */
    double (*sums)[WS_SUMS];              /* of all SMs, by point and trace */
    struct ws_demand *demand;             /* of each trace */
    struct ws_block_span *span;           /* by point, trace, block; none unless the experiment asks for times */
    struct ws_block_rank *rank;           /* by point, trace, cycle, place; likewise */
    struct ws_warp_life *life;            /* by point, trace, block, warp; likewise */
    size_t spans, ranks, lives;
    const struct ws_limits *limits; /* of each trace, not the measures' own; NULL unless the figure shows them */
    const struct ws_gangs *gangs;   /* likewise */
    char engine[32], device[512];   /* of one of the jobs */
};

/* Reads an experiment; one that the file does not hold has no points. To be freed by ws_measures_free. */
enum ws_status ws_measures_read(struct ws_results *results, const char *experiment, struct ws_measures *measures,
                                struct ws_error *error);
void ws_measures_free(struct ws_measures *measures);

/* Ours for a target of the experiment: NaN when it cannot be told. */
enum ws_status ws_measures_target(struct ws_results *results, const char *experiment, const struct ws_measures *measures,
                                  const struct ws_target *target, double *ours, struct ws_error *error);

/* Whether every point has run the trace: only such traces enter means, so that all means are over the same ones. */
bool ws_measures_whole(const struct ws_measures *measures, size_t trace);

/* The class of so many active lanes out of those of a packet: a quarter of them is the end of a class. */
unsigned ws_use_of(u32 active, u32 lanes);

/* The most thread instructions that all SMs of a point issue in a cycle. */
double ws_measures_peak(const struct ws_measures *measures, size_t point);

/* Harmonic mean of a point's IPC over the whole traces; NaN of none. */
double ws_measures_harmonic(const struct ws_measures *measures, size_t point);

/* Speedup of the best reconvergence points over immediate post-dominators in the harmonic mean of IPC, over the studied workloads
 * that the paper does not report by themselves (targets of kind oracle); NaN of none. */
double ws_measures_limit(const struct ws_measures *measures, const char *paper);

/* The label of a point without its variation. */
const char *ws_measures_name(const struct ws_measures *measures, size_t point);

/* The point labelled so, or measures->points. */
size_t ws_measures_point(const struct ws_measures *measures, const char *label);

/* The point of that name in the variation of another point, or measures->points. */
size_t ws_measures_peer(const struct ws_measures *measures, const char *name, size_t point);

/* The point other than the baseline whose geometric mean gain is largest, or measures->points. */
size_t ws_measures_best(const struct ws_measures *measures);

#endif
