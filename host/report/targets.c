/* Ours beside what a paper reports: a function for each row of target_kinds.def. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "report/applications.h"
#include "report/order.h"
#include "report/question.h"
#include "report/saved.h"
#include "report/speedup.h"
#include "report/statistics.h"
#include "report/storage.h"
#include "report/totals.h"
#include "report/warps.h"

/* Means of ratios to one baseline divide. */
enum ws_status ws_answer_gain(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    const size_t other = ws_measures_point(measures, question->target->versus);
    (void)error;
    if (question->point < measures->points && other < measures->points)
        *ours = ws_gain_percent((100 + measures->geometric[question->point]) / (100 + measures->geometric[other]));
    return WS_STATUS_ok;
}

static enum ws_status take_number(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    *(double *)context = strtod(row->values[0], NULL);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_machine(const struct ws_question *question, double *ours, struct ws_error *error)
{
    if (question->point == question->measures->points)
        return WS_STATUS_ok;
    const char *const names[] = {question->experiment, question->measures->point[question->point], NULL};
    struct ws_text sql = {0};
    ws_text_add(&sql,
                "SELECT %s FROM machine JOIN point USING (machine_id) JOIN experiment USING (experiment_id) "
                "WHERE experiment = ?1 AND point = ?2",
                question->target->key);
    const enum ws_status status = sql.failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory")
                                             : ws_results_query(question->results, sql.data, names, take_number, ours, error);
    ws_text_free(&sql);
    return status;
}

enum ws_status ws_answer_best(const struct ws_question *question, double *ours, struct ws_error *error)
{
    struct ws_question best = *question;
    best.point = ws_measures_best(question->measures);
    return ws_answer_machine(&best, ours, error);
}

enum ws_status ws_answer_rows(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    const size_t point = question->point;
    double sum = 0;
    size_t used = 0;
    (void)error;
    for (size_t trace = 0; point < measures->points && measures->baseline < measures->points && trace < measures->traces; trace++) {
        const double change = measures->row_hits[point * measures->traces + trace] -
                              measures->row_hits[measures->baseline * measures->traces + trace];
        if (!isfinite(change))
            continue;
        sum += 100 * change;
        used++;
    }
    if (used > 0)
        *ours = sum / (double)used;
    return WS_STATUS_ok;
}

enum ws_status ws_answer_idle(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    (void)error;
    for (size_t trace = 0; question->point < measures->points && trace < measures->traces; trace++)
        if (strcmp(measures->trace[trace], question->target->key) == 0)
            *ours = 100 * measures->use[question->point * measures->traces + trace][WS_USE_none];
    return WS_STATUS_ok;
}

/* ---- Speedups ---- */

static size_t versus(const struct ws_question *question)
{
    return ws_measures_point(question->measures, question->target->versus);
}

enum ws_status ws_answer_speedup(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = ws_speedup_mean(question->measures, question->point, versus(question));
    return WS_STATUS_ok;
}

enum ws_status ws_answer_fastest(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    const size_t other = versus(question);
    (void)error;
    *ours = ws_speedup(measures, question->point, other, ws_speedup_largest(measures, question->point, other));
    return WS_STATUS_ok;
}

enum ws_status ws_answer_slowest(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    const size_t other = versus(question), rank = strtoul(question->target->key, NULL, 10) - 1;
    (void)error;
    *ours =
        -ws_gain_percent(ws_speedup(measures, question->point, other, ws_speedup_smallest(measures, question->point, other, rank)));
    return WS_STATUS_ok;
}

enum ws_status ws_answer_kernels(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const char *const key = question->target->key;
    const size_t other = versus(question);
    const double bound = strtod(key + 1, NULL);
    (void)error;
    if (question->point < question->measures->points && other < question->measures->points && question->measures->whole_traces > 0)
        *ours = (double)(*key == '>' ? ws_speedups_above(question->measures, question->point, other, bound)
                                     : ws_speedups_below(question->measures, question->point, other, bound));
    return WS_STATUS_ok;
}

static size_t trace_of(const struct ws_question *question)
{
    size_t trace = 0;
    while (trace < question->measures->traces && strcmp(question->measures->trace[trace], question->target->key) != 0)
        trace++;
    return trace;
}

enum ws_status ws_answer_workload(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = ws_gain_percent(ws_speedup(question->measures, question->point, versus(question), trace_of(question)));
    return WS_STATUS_ok;
}

/* The slowest of all points but the target's over the fastest of them, on a trace. */
static double spread(const struct ws_question *question, size_t trace)
{
    const struct ws_measures *const measures = question->measures;
    double least = (double)INFINITY, most = 0;
    for (size_t point = 0; point < measures->points; point++) {
        const double cycles = measures->cycles[point * measures->traces + trace];
        if (point == question->point)
            continue;
        least = fmin(least, cycles);
        most = fmax(most, cycles);
    }
    return ws_measures_whole(measures, trace) ? ws_gain_percent(most / least) : (double)NAN;
}

enum ws_status ws_answer_spread(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    for (size_t trace = 0; trace < question->measures->traces; trace++)
        *ours = fmin(*ours, spread(question, trace)); /* leaves NaN out */
    return WS_STATUS_ok;
}

/* ---- Harmonic means, rates, area ---- */

enum ws_status ws_answer_harmonic(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    const size_t other = versus(question);
    (void)error;
    if (question->point < measures->points && other < measures->points)
        *ours = ws_gain_percent(ws_measures_harmonic(measures, question->point) / ws_measures_harmonic(measures, other));
    return WS_STATUS_ok;
}

enum ws_status ws_answer_loss(const struct ws_question *question, double *ours, struct ws_error *error)
{
    WS_TRY(ws_answer_harmonic(question, ours, error));
    *ours = -*ours;
    return WS_STATUS_ok;
}

enum ws_status ws_answer_utilisation(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    (void)error;
    if (question->point < measures->points)
        *ours = 100 * ws_measures_harmonic(measures, question->point) / ws_measures_peak(measures, question->point);
    return WS_STATUS_ok;
}

/* What a matrix of points and traces has at the target's point and workload. */
static double at(const struct ws_question *question, const double *matrix)
{
    const size_t trace = trace_of(question), traces = question->measures->traces;
    return question->point < question->measures->points && trace < traces ? matrix[question->point * traces + trace] : (double)NAN;
}

enum ws_status ws_answer_ipc(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = at(question, question->measures->ipc);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_bandwidth(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = 100 * at(question, question->measures->dram_use);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_misses(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = 100 * at(question, question->measures->misses);
    return WS_STATUS_ok;
}

static enum ws_status answer_saved_by(const struct ws_question *question, enum ws_energy_profile profile, double *ours)
{
    const struct ws_measures *const measures = question->measures;
    const char *const paper = question->target->paper, *const key = question->target->key;
    *ours = *key ? ws_saved(paper, measures, ws_application_named(paper, measures, key), question->point, profile, false)
                 : ws_saved_mean(paper, measures, question->point, profile, false);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_saved(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    return answer_saved_by(question, WS_ENERGY_PROFILE_gpuwattch322, ours);
}

enum ws_status ws_answer_saved_balanced(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    return answer_saved_by(question, WS_ENERGY_PROFILE_balanced, ours);
}

enum ws_status ws_answer_oracle(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    if (question->measures->limits)
        *ours = ws_gain_percent(ws_limits_speedup(question->measures->limits, trace_of(question)));
    return WS_STATUS_ok;
}

enum ws_status ws_answer_oracle_mean(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = ws_gain_percent(ws_measures_limit(question->measures, question->target->paper));
    return WS_STATUS_ok;
}

typedef double area_function(const char *paper, const struct ws_dimensions *dimensions);

static enum ws_status answer_area(const struct ws_question *question, area_function *area, double *ours)
{
    if (question->point < question->measures->points)
        *ours = area(question->target->paper, &question->measures->dimensions[question->point]);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_area(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    return answer_area(question, ws_storage_percent, ours);
}

enum ws_status ws_answer_core_area(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    return answer_area(question, ws_storage_core_percent, ours);
}

enum ws_status ws_answer_added_area(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    return answer_area(question, ws_storage_chip, ours);
}

/* ---- Stalls and blocks ---- */

enum ws_status ws_answer_stalls(const struct ws_question *question, double *ours, struct ws_error *error)
{
    static const char *const names[WS_STALLS] = {
#define STALL(name, words, colour) [WS_STALL_##name] = #name,
#include "report/stalls.def"
#undef STALL
        [WS_STALL_total] = "total",
    };
    const size_t other = versus(question);
    (void)error;
    for (size_t stall = 0; stall < WS_STALLS; stall++)
        if (strcmp(names[stall], question->target->key) == 0 && question->point < question->measures->points &&
            other < question->measures->points)
            *ours = ws_application_mean(question->target->paper, question->measures, other, question->point, stall);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_changes(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const size_t changes = ws_order_changes(question->measures, question->point, strtoul(question->target->key, NULL, 10));
    (void)error;
    if (changes < SIZE_MAX)
        *ours = (double)changes;
    return WS_STATUS_ok;
}

enum ws_status ws_answer_block(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_measures *const measures = question->measures;
    (void)error;
    for (size_t n = 0; n < measures->spans; n++) {
        const struct ws_block_span *const span = &measures->span[n];
        if (span->point == question->point && span->trace == 0 && span->block == strtoul(question->target->key, NULL, 10))
            *ours = (double)(span->ended - span->entered);
    }
    return WS_STATUS_ok;
}

/* ---- Warps ---- */

static struct ws_warps warps_of(const struct ws_question *question)
{
    return ws_warps_of(question->measures, question->target->paper, question->target->figure, question->point);
}

enum ws_status ws_answer_warp_rtru(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_warps warps = warps_of(question);
    (void)error;
    *ours = ws_warps_rtru(&warps);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_warp_longest(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_warps warps = warps_of(question);
    (void)error;
    *ours = ws_warps_longest(&warps);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_warp_left(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_warps warps = warps_of(question);
    (void)error;
    *ours = ws_warps_left(&warps, strtoull(question->target->key, NULL, 10));
    return WS_STATUS_ok;
}

enum ws_status ws_answer_warp_share(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_warps warps = warps_of(question);
    char *comma;
    const u64 above = strtoull(question->target->key + 1, &comma, 10);
    (void)error;
    *ours = ws_warps_share(&warps, above, strtoull(comma + 1, NULL, 10));
    return WS_STATUS_ok;
}

enum ws_status ws_answer_warp_misses(const struct ws_question *question, double *ours, struct ws_error *error)
{
    const struct ws_warps warps = warps_of(question);
    const size_t warp = strtoul(question->target->key, NULL, 10);
    (void)error;
    if (warp < warps.one_count)
        *ours = ws_warp_misses(&warps.one[warp]);
    return WS_STATUS_ok;
}

enum ws_status ws_measures_target(struct ws_results *results, const char *experiment, const struct ws_measures *measures,
                                  const struct ws_target *target, double *ours, struct ws_error *error)
{
    static ws_answer_function *const answers[] = {
#define TARGET_KIND(name, format, difference, doc) [WS_TARGET_##name] = ws_answer_##name,
#include "report/target_kinds.def"
#undef TARGET_KIND
    };
    const struct ws_question question = {.results = results,
                                         .experiment = experiment,
                                         .measures = measures,
                                         .target = target,
                                         .point = ws_measures_point(measures, target->point)};
    *ours = (double)NAN;
    return answers[target->kind](&question, ours, error);
}
