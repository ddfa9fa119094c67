/* What the kernels of an application come to together: they run one after another. Applications are counted by their first traces
 * (applications.h). */
#ifndef WS_REPORT_TOTALS_H
#define WS_REPORT_TOTALS_H

#include "report/measures.h"

/* Applications of a paper among the traces, and the n-th of them. */
size_t ws_applications(const char *paper, const struct ws_measures *measures);
size_t ws_application_at(const char *paper, const struct ws_measures *measures, size_t n);

/* Whether names, which blanks part, has the application's; "" has all. */
bool ws_application_among(const char *paper, const struct ws_measures *measures, size_t application, const char *names);

/* The application of this name, or measures->traces; and that whose name is an application's with a suffix. */
size_t ws_application_named(const char *paper, const struct ws_measures *measures, const char *name);
size_t ws_application_paired(const char *paper, const struct ws_measures *measures, size_t application, const char *suffix);

/* Cycles at a point, each kernel up to the end of its slowest SM, and a sum of sums.def. NaN unless all its traces are whole. */
double ws_application_cycles(const char *paper, const struct ws_measures *measures, size_t application, size_t point);
double ws_application_sum(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t sum);

/* Energy of all SMs in uJ, and its static part (docs/energy.md). */
double ws_application_energy(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                             enum ws_energy_profile profile);
double ws_application_leaked(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                             enum ws_energy_profile profile);

/* Cycles of the other point over those of the point. Either may be measures->points: then NaN. */
double ws_application_speedup(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                              size_t other);

/* The same over the point's baseline; NaN without one. */
double ws_application_performance(const char *paper, const struct ws_measures *measures, size_t application, size_t point);

/* Geometric mean of the speedup over the applications among names, as a gain in percent. */
double ws_improvement(const char *paper, const struct ws_measures *measures, const char *names, size_t point, size_t other);

/* The speedup, the paired one's cycles at the point: the application's work in other blocks. */
double ws_application_rewritten(const char *paper, const struct ws_measures *measures, size_t application, const char *suffix,
                                size_t point, size_t other);

/* Thread instructions a cycle of all SMs. */
double ws_application_ipc(const char *paper, const struct ws_measures *measures, size_t application, size_t point);

/* Fetches a cycle of all SMs, those that an L0 instruction cache serves included. */
double ws_application_fetches(const char *paper, const struct ws_measures *measures, size_t application, size_t point);

/* RTRU of its blocks (docs/model.md 14) in percent: geometric mean of those that are above 0, arithmetic mean of all, and how many
 * of them are 0. */
double ws_application_rtru(const char *paper, const struct ws_measures *measures, size_t application, size_t point);
double ws_application_rtru_arithmetic(const char *paper, const struct ws_measures *measures, size_t application, size_t point);
double ws_application_rtru_zeros(const char *paper, const struct ws_measures *measures, size_t application, size_t point);

/* Requests to DRAM for each activation of a row, and lines that miss the data cache in percent of those loaded and stored. */
double ws_application_row_accesses(const char *paper, const struct ws_measures *measures, size_t application, size_t point);
double ws_application_misses(const char *paper, const struct ws_measures *measures, size_t application, size_t point);

/* Warps on an SM in its mean cycle, by a sum of sums.def. */
double ws_application_warps(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t sum);

/* What dispatch by blocks gives a launch on a point's machine (docs/model.md 8). */
struct ws_allocation {
    u32 warps, registers; /* of a block; its registers are those of whole warps */
    u32 blocks;           /* on an SM at once */
    u32 places;           /* warps that fit when they are given places one by one */
    double share;         /* of the registers that blocks hold */
};

/* False unless the application's kernels are given the same. */
bool ws_application_allocation(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                               struct ws_allocation *allocation);

/* The most thread blocks of a trace that are on the first SM at once; NaN where no times are recorded. */
double ws_blocks_at_once(const struct ws_measures *measures, size_t trace, size_t point);

#endif
