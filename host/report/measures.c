#include "report/measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/statistics.h"

static enum ws_status no_memory(struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "out of memory");
}

/* ---- Names ---- */

struct names {
    char ***list;
    size_t *count;
};

static enum ws_status add_name(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    const struct names *const names = context;
    char **const list = realloc(*names->list, (*names->count + 1) * sizeof *list);
    if (!list)
        return no_memory(error);
    *names->list = list;
    list[*names->count] = strdup(row->values[0]);
    if (!list[*names->count])
        return no_memory(error);
    ++*names->count;
    return WS_STATUS_ok;
}

static enum ws_status read_names(struct ws_results *results, const char *sql, const char *experiment, struct names names,
                                 struct ws_error *error)
{
    const char *const parameters[] = {experiment, NULL};
    return ws_results_query(results, sql, parameters, add_name, &names, error);
}

/* ---- Numbers ---- */

/* Columns: position of a point, position of its baseline. */
static enum ws_status take_baseline(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    const size_t point = strtoull(row->values[0], NULL, 10), base = strtoull(row->values[1], NULL, 10);
    (void)error;
    if (point < measures->points && base < measures->points)
        measures->base[point] = base;
    if (point == base && point < measures->baseline)
        measures->baseline = point;
    return WS_STATUS_ok;
}

static double number_or_nan(const char *value)
{
    return value ? strtod(value, NULL) : (double)NAN;
}

/* Columns: point_position, trace_position, ipc, row_hit_rate, cycles, the stalls, the shares of use. */
static enum ws_status take_kernel(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    const size_t point = strtoull(row->values[0], NULL, 10), trace = strtoull(row->values[1], NULL, 10);
    if (point >= measures->points || trace >= measures->traces)
        return ws_fail(error, WS_STATUS_bad_input, "a kernel at point %zu, trace %zu of %zu x %zu", point, trace, measures->points,
                       measures->traces);
    const size_t cell = point * measures->traces + trace;
    measures->ipc[cell] = number_or_nan(row->values[2]);
    measures->row_hits[cell] = number_or_nan(row->values[3]);
    measures->cycles[cell] = number_or_nan(row->values[4]);
    measures->stalls[cell][WS_STALL_total] = 0;
    for (size_t n = 0; n < WS_STALL_total; n++)
        measures->stalls[cell][WS_STALL_total] += measures->stalls[cell][n] = number_or_nan(row->values[5 + n]);
    for (size_t n = 0; n < WS_USES; n++)
        measures->use[cell][n] = number_or_nan(row->values[5 + WS_STALL_total + n]);
    return WS_STATUS_ok;
}

/* Makes room for one more of count elements; the room is always a power of two. */
static enum ws_status make_room(void **elements, size_t count, size_t size, struct ws_error *error)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return WS_STATUS_ok;
    void *const grown = realloc(*elements, (count == 0 ? 1 : 2 * count) * size);
    if (!grown)
        return no_memory(error);
    *elements = grown;
    return WS_STATUS_ok;
}

/* Columns: point, trace, block, entered, ended. */
static enum ws_status take_span(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    WS_TRY(make_room((void **)&measures->span, measures->spans, sizeof *measures->span, error));
    measures->span[measures->spans++] = (struct ws_block_span){.point = strtoull(row->values[0], NULL, 10),
                                                               .trace = strtoull(row->values[1], NULL, 10),
                                                               .block = (u32)strtoul(row->values[2], NULL, 10),
                                                               .entered = strtoull(row->values[3], NULL, 10),
                                                               .ended = strtoull(row->values[4], NULL, 10)};
    return WS_STATUS_ok;
}

/* Columns: point, trace, cycle, place, block. */
static enum ws_status take_rank(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    WS_TRY(make_room((void **)&measures->rank, measures->ranks, sizeof *measures->rank, error));
    measures->rank[measures->ranks++] = (struct ws_block_rank){.point = strtoull(row->values[0], NULL, 10),
                                                               .trace = strtoull(row->values[1], NULL, 10),
                                                               .cycle = strtoull(row->values[2], NULL, 10),
                                                               .place = (u32)strtoul(row->values[3], NULL, 10),
                                                               .block = (u32)strtoul(row->values[4], NULL, 10)};
    return WS_STATUS_ok;
}

static enum ws_status take_device(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    (void)error;
    snprintf(measures->engine, sizeof measures->engine, "%s", row->values[0]);
    ws_utf8_copy(measures->device, sizeof measures->device, row->values[1]);
    return WS_STATUS_ok;
}

static enum ws_status take_mixed(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    (void)error;
    measures->mixed_sizes = *row->values[0] == '1';
    return WS_STATUS_ok;
}

static enum ws_status allocate(struct ws_measures *measures, struct ws_error *error)
{
    const size_t cells = measures->points * measures->traces;
    measures->ipc = calloc(cells + 1, sizeof *measures->ipc);
    measures->row_hits = calloc(cells + 1, sizeof *measures->row_hits);
    measures->use = calloc(cells + 1, sizeof *measures->use);
    measures->base = calloc(measures->points + 1, sizeof *measures->base);
    measures->cycles = calloc(cells + 1, sizeof *measures->cycles);
    measures->stalls = calloc(cells + 1, sizeof *measures->stalls);
    measures->ratio = calloc(cells + 1, sizeof *measures->ratio);
    measures->geometric = calloc(measures->points + 1, sizeof *measures->geometric);
    measures->arithmetic = calloc(measures->points + 1, sizeof *measures->arithmetic);
    if (!measures->ipc || !measures->row_hits || !measures->use || !measures->base || !measures->ratio || !measures->geometric ||
        !measures->arithmetic || !measures->cycles || !measures->stalls)
        return no_memory(error);
    for (size_t n = 0; n < measures->points; n++)
        measures->base[n] = measures->points;
    for (size_t n = 0; n < cells; n++) {
        measures->ipc[n] = measures->cycles[n] = (double)NAN;
        for (size_t stall = 0; stall < WS_STALLS; stall++)
            measures->stalls[n][stall] = (double)NAN;
    }
    return WS_STATUS_ok;
}

bool ws_measures_whole(const struct ws_measures *measures, size_t trace)
{
    for (size_t point = 0; point < measures->points; point++)
        if (!isfinite(measures->ipc[point * measures->traces + trace]))
            return false;
    return measures->baseline < measures->points;
}

static void derive(struct ws_measures *measures)
{
    const size_t traces = measures->traces;
    for (size_t trace = 0; trace < traces; trace++) {
        const bool counts = ws_measures_whole(measures, trace);
        measures->whole_traces += counts;
        for (size_t point = 0; point < measures->points; point++)
            measures->ratio[point * traces + trace] =
                counts && measures->base[point] < measures->points
                    ? measures->ipc[point * traces + trace] / measures->ipc[measures->base[point] * traces + trace]
                    : (double)NAN;
    }
    for (size_t point = 0; point < measures->points; point++) {
        const double *const ratio = &measures->ratio[point * traces];
        measures->geometric[point] = ws_gain_percent(ws_geometric_mean(ratio, traces));
        measures->arithmetic[point] = ws_gain_percent(ws_arithmetic_mean(ratio, traces));
    }
}

/* Adds the share of the cycles with first to last active lanes; lost slots have none. */
static void add_share(struct ws_text *sql, u32 first, u32 last)
{
    ws_text_add(sql, ", 1.0 * (%s", first == 0 ? "stall_idle + stall_scoreboard + stall_pipeline" : "0");
    for (u32 lanes = first; lanes <= last; lanes++)
        ws_text_add(sql, " + active_lanes_%u", lanes);
    ws_text_add(sql, ") / (warp_instructions + stall_idle + stall_scoreboard + stall_pipeline)");
}

static enum ws_status read_kernels(struct ws_results *results, const char *const *name, struct ws_measures *measures,
                                   struct ws_error *error)
{
    struct ws_text sql = {0};
    ws_text_add(&sql, "SELECT point_position, trace_position, ipc, row_hit_rate, cycles");
#define STALL(name, words, colour) ws_text_add(&sql, ", stall_" #name);
#include "report/stalls.def"
#undef STALL
#define USE(name, first, last, words, colour) add_share(&sql, first, last);
#include "report/uses.def"
#undef USE
    ws_text_add(&sql, " FROM kernel WHERE experiment = ?1");
    const enum ws_status status =
        sql.failed ? no_memory(error) : ws_results_query(results, sql.data, name, take_kernel, measures, error);
    ws_text_free(&sql);
    return status;
}

/* The first SM's blocks, numbered as they come. */
static enum ws_status read_blocks(struct ws_results *results, const char *const *name, struct ws_measures *measures,
                                  struct ws_error *error)
{
    WS_TRY(ws_results_query(results,
                            "SELECT point_position, trace_position, block / shards, entered, ended FROM block "
                            "WHERE experiment = ?1 AND shard = 0 ORDER BY point_position, trace_position, block",
                            name, take_span, measures, error));
    return ws_results_query(results,
                            "SELECT point_position, trace_position, cycle, place, block / shards FROM sort "
                            "WHERE experiment = ?1 AND shard = 0 ORDER BY point_position, trace_position, cycle, place",
                            name, take_rank, measures, error);
}

static enum ws_status read_all(struct ws_results *results, const char *experiment, struct ws_measures *measures,
                               struct ws_error *error)
{
    const char *const name[] = {experiment, NULL};
    WS_TRY(read_names(results,
                      "SELECT point FROM point JOIN experiment USING (experiment_id) WHERE experiment = ?1 ORDER BY position",
                      experiment, (struct names){&measures->point, &measures->points}, error));
    WS_TRY(read_names(
        results,
        "SELECT min(trace) FROM experiment_trace JOIN experiment USING (experiment_id) WHERE experiment = ?1 GROUP BY position "
        "ORDER BY position",
        experiment, (struct names){&measures->trace, &measures->traces}, error));
    WS_TRY(ws_results_query(results,
                            "SELECT count(DISTINCT trace) > count(DISTINCT position) FROM experiment_trace "
                            "JOIN experiment USING (experiment_id) WHERE experiment = ?1",
                            name, take_mixed, measures, error));
    WS_TRY(read_names(results,
                      "SELECT variation FROM point JOIN experiment USING (experiment_id) WHERE experiment = ?1 ORDER BY position",
                      experiment, (struct names){&measures->variation, &measures->variations}, error));
    WS_TRY(allocate(measures, error));
    measures->baseline = measures->points;
    WS_TRY(
        ws_results_query(results,
                         "SELECT point.position, base.position FROM experiment JOIN point USING (experiment_id) JOIN point AS base "
                         "ON base.experiment_id = point.experiment_id AND base.point = point.baseline WHERE experiment = ?1",
                         name, take_baseline, measures, error));
    WS_TRY(read_kernels(results, name, measures, error));
    WS_TRY(read_blocks(results, name, measures, error));
    WS_TRY(ws_results_query(results,
                            "SELECT run_engine, run_device FROM result WHERE experiment = ?1 ORDER BY run_finished DESC LIMIT 1",
                            name, take_device, measures, error));
    derive(measures);
    return WS_STATUS_ok;
}

/* matmul:small -> matmul */
static void cut_size(char *name)
{
    char *const colon = strrchr(name, ':');
    for (unsigned size = 0; colon && size < WS_SIZES; size++) {
        if (strcmp(colon + 1, ws_size_name((enum ws_size)size)) == 0) {
            *colon = 0;
            return;
        }
    }
}

enum ws_status ws_measures_read(struct ws_results *results, const char *experiment, struct ws_measures *measures,
                                struct ws_error *error)
{
    *measures = (struct ws_measures){0};
    const enum ws_status status = read_all(results, experiment, measures, error);
    for (size_t n = 0; status == WS_STATUS_ok && n < measures->traces; n++)
        cut_size(measures->trace[n]);
    if (status != WS_STATUS_ok)
        ws_measures_free(measures);
    return status;
}

void ws_measures_free(struct ws_measures *measures)
{
    for (size_t n = 0; n < measures->points; n++)
        free(measures->point[n]);
    for (size_t n = 0; n < measures->variations; n++)
        free(measures->variation[n]);
    for (size_t n = 0; n < measures->traces; n++)
        free(measures->trace[n]);
    free(measures->point);
    free(measures->variation);
    free(measures->trace);
    free(measures->ipc);
    free(measures->cycles);
    free(measures->stalls);
    free(measures->row_hits);
    free(measures->use);
    free(measures->base);
    free(measures->ratio);
    free(measures->geometric);
    free(measures->arithmetic);
    free(measures->span);
    free(measures->rank);
    *measures = (struct ws_measures){0};
}

const char *ws_measures_name(const struct ws_measures *measures, size_t point)
{
    const size_t variation = strlen(measures->variation[point]);
    return measures->point[point] + (variation > 0 ? variation + strlen(": ") : 0);
}

size_t ws_measures_point(const struct ws_measures *measures, const char *label)
{
    size_t point = 0;
    while (point < measures->points && strcmp(measures->point[point], label) != 0)
        point++;
    return point;
}

size_t ws_measures_peer(const struct ws_measures *measures, const char *name, size_t point)
{
    size_t peer = 0;
    while (peer < measures->points && (strcmp(measures->variation[peer], measures->variation[point]) != 0 ||
                                       strcmp(ws_measures_name(measures, peer), name) != 0))
        peer++;
    return peer;
}

size_t ws_measures_best(const struct ws_measures *measures)
{
    size_t best = measures->points;
    for (size_t point = 0; point < measures->points; point++)
        if (point != measures->baseline && isfinite(measures->geometric[point]) &&
            (best == measures->points || measures->geometric[point] > measures->geometric[best]))
            best = point;
    return best;
}
