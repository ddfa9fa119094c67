#include "report/totals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/applications.h"
#include "report/statistics.h"

/* ---- Names ---- */

size_t ws_applications(const char *paper, const struct ws_measures *measures)
{
    size_t count = 0;
    for (size_t trace = 0; trace < measures->traces; trace++)
        count += ws_application(paper, measures, trace) == trace;
    return count;
}

size_t ws_application_at(const char *paper, const struct ws_measures *measures, size_t n)
{
    size_t trace = 0;
    for (; trace < measures->traces; trace++)
        if (ws_application(paper, measures, trace) == trace && n-- == 0)
            break;
    return trace;
}

bool ws_application_among(const char *paper, const struct ws_measures *measures, size_t application, const char *names)
{
    return !*names || ws_has_word(names, ws_application_name(paper, measures, application));
}

size_t ws_application_named(const char *paper, const struct ws_measures *measures, const char *name)
{
    size_t trace = 0;
    while (trace < measures->traces && strcmp(ws_application_name(paper, measures, trace), name) != 0)
        trace++;
    return trace;
}

size_t ws_application_paired(const char *paper, const struct ws_measures *measures, size_t application, const char *suffix)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", ws_application_name(paper, measures, application), suffix);
    return ws_application_named(paper, measures, name);
}

/* ---- Sums ---- */

/* Sum over the kernels of what a matrix of points and traces has every so many numbers. */
static double add_up(const char *paper, const struct ws_measures *measures, size_t application, size_t point, const double *matrix,
                     size_t stride)
{
    double sum = point < measures->points && application < measures->traces ? 0 : (double)NAN;
    for (size_t trace = application; point < measures->points && trace < measures->traces; trace++)
        if (ws_application(paper, measures, trace) == application)
            sum += ws_measures_whole(measures, trace) ? matrix[(point * measures->traces + trace) * stride] : (double)NAN;
    return sum;
}

double ws_application_cycles(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return add_up(paper, measures, application, point, measures->cycles, 1);
}

double ws_application_sum(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t sum)
{
    return add_up(paper, measures, application, point, (const double *)measures->sums + sum, WS_SUMS);
}

double ws_application_energy(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                             enum ws_energy_profile profile)
{
    return add_up(paper, measures, application, point, (const double *)measures->energy + profile, WS_ENERGY_PROFILES);
}

double ws_application_leaked(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                             enum ws_energy_profile profile)
{
    return add_up(paper, measures, application, point, (const double *)measures->leaked + profile, WS_ENERGY_PROFILES);
}

double ws_application_speedup(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t other)
{
    return ws_application_cycles(paper, measures, application, other) / ws_application_cycles(paper, measures, application, point);
}

double ws_application_performance(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return ws_application_speedup(paper, measures, application, point, measures->base[point]);
}

double ws_improvement(const char *paper, const struct ws_measures *measures, const char *names, size_t point, size_t other)
{
    struct ws_mean mean = {0};
    for (size_t trace = 0; trace < measures->traces; trace++)
        if (ws_application(paper, measures, trace) == trace && ws_application_among(paper, measures, trace, names))
            ws_mean_add(&mean, ws_application_speedup(paper, measures, trace, point, other));
    return ws_gain_percent(ws_mean_geometric(&mean));
}

double ws_application_rewritten(const char *paper, const struct ws_measures *measures, size_t application, const char *suffix,
                                size_t point, size_t other)
{
    const size_t pair = ws_application_paired(paper, measures, application, suffix);
    return ws_application_cycles(paper, measures, application, other) / ws_application_cycles(paper, measures, pair, point);
}

double ws_application_ipc(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return ws_application_sum(paper, measures, application, point, WS_SUM_thread_instructions) /
           ws_application_cycles(paper, measures, application, point);
}

double ws_application_fetches(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return ws_application_sum(paper, measures, application, point, WS_SUM_fetches) /
           ws_application_cycles(paper, measures, application, point);
}

/* ---- RTRU: the units of docs/model.md 14 ---- */

#define RATIO_UNITS     65536.0 /* of rtru_sum */
#define LOGARITHM_UNITS 4096.0  /* of rtru_log, for a factor of 2 */

double ws_application_rtru(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    const double zeros = ws_application_sum(paper, measures, application, point, WS_SUM_rtru_zeros);
    const double others = ws_application_sum(paper, measures, application, point, WS_SUM_blocks) - zeros;
    const double logarithms = ws_application_sum(paper, measures, application, point, WS_SUM_rtru_log);
    return others > 0 ? 100 * exp2(-logarithms / (LOGARITHM_UNITS * others)) : (double)NAN;
}

double ws_application_rtru_arithmetic(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return 100 * ws_application_sum(paper, measures, application, point, WS_SUM_rtru) /
           (RATIO_UNITS * ws_application_sum(paper, measures, application, point, WS_SUM_blocks));
}

double ws_application_rtru_zeros(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return 100 * ws_application_sum(paper, measures, application, point, WS_SUM_rtru_zeros) /
           ws_application_sum(paper, measures, application, point, WS_SUM_blocks);
}

/* ---- Memory, warps ---- */

double ws_application_row_accesses(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    const double activations = ws_application_sum(paper, measures, application, point, WS_SUM_row_conflicts);
    return (ws_application_sum(paper, measures, application, point, WS_SUM_row_hits) + activations) / activations;
}

double ws_application_misses(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    const double misses = ws_application_sum(paper, measures, application, point, WS_SUM_l1_misses);
    return 100 * misses / (ws_application_sum(paper, measures, application, point, WS_SUM_l1_hits) + misses);
}

double ws_application_warps(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t sum)
{
    return ws_application_sum(paper, measures, application, point, sum) /
           ws_application_sum(paper, measures, application, point, WS_SUM_sm_cycles);
}

/* ---- Allocation ---- */

static struct ws_allocation allocate(const struct ws_machine *machine, const struct ws_demand *demand)
{
    const struct ws_occupancy fits = ws_machine_occupancy(machine, demand);
    const u32 registers = (u32)(fits.warps * fits.warp_registers);
    return (struct ws_allocation){.warps = fits.warps,
                                  .registers = registers,
                                  .blocks = fits.blocks,
                                  .places = fits.places,
                                  .share = (double)fits.blocks * registers / machine->core_registers};
}

bool ws_application_allocation(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                               struct ws_allocation *allocation)
{
    if (application >= measures->traces || point >= measures->points || measures->dimensions[point].warp_size == 0)
        return false;
    *allocation = allocate(&measures->dimensions[point].machine, &measures->demand[application]);
    for (size_t trace = application + 1; trace < measures->traces; trace++) {
        const struct ws_allocation other = allocate(&measures->dimensions[point].machine, &measures->demand[trace]);
        if (ws_application(paper, measures, trace) == application &&
            (other.warps != allocation->warps || other.registers != allocation->registers || other.blocks != allocation->blocks))
            return false;
    }
    return allocation->warps > 0;
}

/* ---- Blocks on the first SM ---- */

double ws_blocks_at_once(const struct ws_measures *measures, size_t trace, size_t point)
{
    double most = (double)NAN;
    for (size_t n = 0; n < measures->spans; n++) {
        const struct ws_block_span *const entering = &measures->span[n];
        double present = 0;
        if (entering->point != point || entering->trace != trace)
            continue;
        for (size_t m = 0; m < measures->spans; m++) {
            const struct ws_block_span *const other = &measures->span[m];
            present += other->point == point && other->trace == trace && other->entered <= entering->entered &&
                       other->ended > entering->entered;
        }
        most = fmax(most, present); /* leaves NaN out */
    }
    return most;
}
