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

/* Position of a point, shards, and of its machine what `take_dimensions` takes in this order. */
static const char dimensions_query[] = "SELECT position, shards, core_simd_width, dwf_lut, dwf_majority_table, vws_l0"
#define OCCUPANCY(column) ", " #column
#include "report/occupancy.def"
                                       " FROM point JOIN experiment USING (experiment_id) JOIN machine USING (machine_id) "
                                       "WHERE experiment = ?1";

static u32 number_of(const char *value)
{
    return value ? (u32)strtoul(value, NULL, 10) : 0;
}

static enum ws_status take_dimensions(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    const char *const *value = row->values;
    struct ws_dimensions dimensions;
    (void)error;
    const u32 point = number_of(*value++);
    if (point >= measures->points)
        return WS_STATUS_ok;
    ws_machine_defaults(&dimensions.machine);
    dimensions.sms = number_of(*value++);
    dimensions.simd_width = number_of(*value++);
    dimensions.lut = number_of(*value++);
    dimensions.majority_table = number_of(*value++);
    dimensions.l0 = number_of(*value++);
#define OCCUPANCY(column) dimensions.machine.column = number_of(*value++);
#include "report/occupancy.def"
    dimensions.warp_size = dimensions.machine.core_warp_size;
    dimensions.warps = dimensions.machine.core_warps;
    dimensions.lanes = dimensions.warp_size < WS_MOST_LANES ? dimensions.warp_size : WS_MOST_LANES;
    measures->dimensions[point] = dimensions;
    return WS_STATUS_ok;
}

/* Columns: position of a trace, threads and registers and shared bytes. */
static enum ws_status take_demand(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    const size_t trace = strtoull(row->values[0], NULL, 10);
    (void)error;
    if (trace < measures->traces)
        measures->demand[trace] = (struct ws_demand){.threads = (u32)strtoul(row->values[1], NULL, 10),
                                                     .registers = (u32)strtoul(row->values[2], NULL, 10),
                                                     .shared_bytes = (u32)strtoul(row->values[3], NULL, 10)};
    return WS_STATUS_ok;
}

static double number_or_nan(const char *value)
{
    return value ? strtod(value, NULL) : (double)NAN;
}

/* Columns from `first` on: the slots that issue, the stalls, then the slots that issue with 0, 1, 2, ... active lanes. */
static void take_slots(struct ws_measures *measures, size_t cell, u32 lanes, const struct ws_results_row *row, size_t first)
{
    const char **const values = row->values + first;
    double *const stalls = measures->stalls[cell], *const lost = measures->lost[cell], *const use = measures->use[cell];
    stalls[WS_STALL_total] = 0;
    for (size_t n = 0; n < WS_STALL_total; n++)
        stalls[WS_STALL_total] += stalls[n] = number_or_nan(values[1 + n]);
    const double slots = number_or_nan(values[0]) + stalls[WS_STALL_total];
    for (size_t n = 0; n < WS_STALLS; n++)
        lost[n] = stalls[n] / slots;
    for (size_t n = 0; n < WS_USES; n++)
        use[n] = n == WS_USE_none ? lost[WS_STALL_total] : 0;
    for (u32 n = 0; n <= WS_MOST_LANES; n++) {
        measures->lanes[cell][n] = number_or_nan(values[1 + WS_STALL_total + n]) / slots;
        use[ws_use_of(n, lanes)] += measures->lanes[cell][n];
    }
}

/* Columns: point_position, trace_position, ipc, row_hit_rate, cycles, dram_use, the misses, the sums, of each profile the energy
 * and its static part, and those of take_slots. */
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
    measures->dram_use[cell] = number_or_nan(row->values[5]);
    measures->misses[cell] = number_or_nan(row->values[6]);
    for (size_t n = 0; n < WS_SUMS; n++)
        measures->sums[cell][n] = number_or_nan(row->values[7 + n]);
    for (size_t n = 0; n < WS_ENERGY_PROFILES; n++) {
        measures->energy[cell][n] = number_or_nan(row->values[7 + WS_SUMS + 2 * n]);
        measures->leaked[cell][n] = number_or_nan(row->values[8 + WS_SUMS + 2 * n]);
    }
    take_slots(measures, cell, measures->dimensions[point].lanes, row, 7 + WS_SUMS + 2 * WS_ENERGY_PROFILES);
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

/* Columns: point, trace, block, warp, entered, ended, packets, l1_misses, texture_misses. */
static enum ws_status take_life(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_measures *const measures = context;
    WS_TRY(make_room((void **)&measures->life, measures->lives, sizeof *measures->life, error));
    measures->life[measures->lives++] = (struct ws_warp_life){.point = strtoull(row->values[0], NULL, 10),
                                                              .trace = strtoull(row->values[1], NULL, 10),
                                                              .block = (u32)strtoul(row->values[2], NULL, 10),
                                                              .warp = (u32)strtoul(row->values[3], NULL, 10),
                                                              .entered = strtoull(row->values[4], NULL, 10),
                                                              .ended = strtoull(row->values[5], NULL, 10),
                                                              .packets = strtoull(row->values[6], NULL, 10),
                                                              .l1_misses = strtoull(row->values[7], NULL, 10),
                                                              .texture_misses = strtoull(row->values[8], NULL, 10)};
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

/* NaN in each of count elements. */
static double *make_gaps(size_t count)
{
    double *const values = malloc((count + 1) * sizeof *values);
    for (size_t n = 0; values && n < count; n++)
        values[n] = (double)NAN;
    return values;
}

static enum ws_status allocate(struct ws_measures *measures, struct ws_error *error)
{
    const size_t points = measures->points, cells = points * measures->traces;
    measures->ipc = make_gaps(cells);
    measures->cycles = make_gaps(cells);
    measures->stalls = (double(*)[WS_STALLS])make_gaps(cells * WS_STALLS);
    measures->row_hits = make_gaps(cells);
    measures->dram_use = make_gaps(cells);
    measures->misses = make_gaps(cells);
    measures->energy = (double(*)[WS_ENERGY_PROFILES])make_gaps(cells * WS_ENERGY_PROFILES);
    measures->leaked = (double(*)[WS_ENERGY_PROFILES])make_gaps(cells * WS_ENERGY_PROFILES);
    measures->lanes = (double(*)[WS_MOST_LANES + 1]) make_gaps(cells * (WS_MOST_LANES + 1));
    measures->lost = (double(*)[WS_STALLS])make_gaps(cells * WS_STALLS);
    measures->use = (double(*)[WS_USES])make_gaps(cells * WS_USES);
    measures->ratio = calloc(cells + 1, sizeof *measures->ratio);
    measures->sums = (double(*)[WS_SUMS])make_gaps(cells * WS_SUMS);
    measures->demand = calloc(measures->traces + 1, sizeof *measures->demand);
    measures->dimensions = calloc(points + 1, sizeof *measures->dimensions);
    measures->base = calloc(points + 1, sizeof *measures->base);
    measures->geometric = calloc(points + 1, sizeof *measures->geometric);
    measures->arithmetic = calloc(points + 1, sizeof *measures->arithmetic);
    if (!measures->ipc || !measures->cycles || !measures->stalls || !measures->row_hits || !measures->dram_use ||
        !measures->misses || !measures->energy || !measures->leaked || !measures->lanes || !measures->lost || !measures->use ||
        !measures->ratio || !measures->sums || !measures->demand || !measures->dimensions || !measures->base ||
        !measures->geometric || !measures->arithmetic)
        return no_memory(error);
    for (size_t n = 0; n < points; n++)
        measures->base[n] = points;
    return WS_STATUS_ok;
}

unsigned ws_use_of(u32 active, u32 lanes)
{
    if (active == 0)
        return WS_USE_none;
    return active >= lanes ? WS_USE_all : WS_USE_quarter + (active - 1) * 4 / lanes;
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

static enum ws_status read_kernels(struct ws_results *results, const char *const *name, struct ws_measures *measures,
                                   struct ws_error *error)
{
    struct ws_text sql = {0};
    ws_text_add(&sql, "SELECT point_position, trace_position, ipc, row_hit_rate, cycles, dram_use, "
                      "1.0 * (l1_misses + l1_store_misses) / (l1_hits + l1_misses + l1_store_hits + l1_store_misses)");
#define SUM(name, expression) ws_text_add(&sql, ", " expression);
#include "report/sums.def"
#undef SUM
    ws_text_add(&sql,
                ", energy, energy * static_share, energy_balanced, energy_balanced * static_share_balanced, warp_instructions");
#define STALL(name, words, colour) ws_text_add(&sql, ", stall_" #name);
#include "report/stalls.def"
#undef STALL
    for (u32 lanes = 0; lanes <= WS_MOST_LANES; lanes++)
        ws_text_add(&sql, ", active_lanes_%u", lanes);
    ws_text_add(&sql, " FROM kernel WHERE experiment = ?1");
    const enum ws_status status =
        sql.failed ? no_memory(error) : ws_results_query(results, sql.data, name, take_kernel, measures, error);
    ws_text_free(&sql);
    return status;
}

/* The first SM's blocks, numbered as they come, and all warps. */
static enum ws_status read_blocks(struct ws_results *results, const char *const *name, struct ws_measures *measures,
                                  struct ws_error *error)
{
    WS_TRY(ws_results_query(results,
                            "SELECT point_position, trace_position, block / shards, entered, ended FROM block "
                            "WHERE experiment = ?1 AND shard = 0 ORDER BY point_position, trace_position, block",
                            name, take_span, measures, error));
    WS_TRY(
        ws_results_query(results,
                         "SELECT point_position, trace_position, block, warp, entered, ended, packets, l1_misses, texture_misses "
                         "FROM warp WHERE experiment = ?1 ORDER BY point_position, trace_position, block, warp",
                         name, take_life, measures, error));
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
    WS_TRY(ws_results_query(results, dimensions_query, name, take_dimensions, measures, error));
    WS_TRY(ws_results_query(results,
                            "SELECT position, threads / blocks, registers, shared_bytes FROM experiment_trace JOIN experiment "
                            "USING (experiment_id) JOIN trace USING (trace_id) WHERE experiment = ?1 AND blocks > 0",
                            name, take_demand, measures, error));
    WS_TRY(read_kernels(results, name, measures, error));
    WS_TRY(read_blocks(results, name, measures, error));
    WS_TRY(ws_results_query(results,
                            "SELECT run_engine, run_device FROM result WHERE experiment = ?1 ORDER BY run_finished DESC LIMIT 1",
                            name, take_device, measures, error));
    derive(measures);
    return WS_STATUS_ok;
}

/* matmul:small -> matmul: how much of a name is before its size. */
static size_t length_without_size(const char *name)
{
    const char *const colon = strrchr(name, ':');
    for (unsigned size = 0; colon && size < WS_SIZES; size++)
        if (strcmp(colon + 1, ws_size_name((enum ws_size)size)) == 0)
            return (size_t)(colon - name);
    return strlen(name);
}

/* Whether two traces have one name but for their sizes. */
static bool has_several_sizes(const struct ws_measures *measures)
{
    for (size_t n = 0; n < measures->traces; n++)
        for (size_t other = 0; other < n; other++) {
            const size_t length = length_without_size(measures->trace[n]);
            if (length == length_without_size(measures->trace[other]) &&
                strncmp(measures->trace[n], measures->trace[other], length) == 0)
                return true;
        }
    return false;
}

static void cut_sizes(struct ws_measures *measures)
{
    measures->several_sizes = has_several_sizes(measures);
    for (size_t n = 0; n < measures->traces && !measures->several_sizes; n++)
        measures->trace[n][length_without_size(measures->trace[n])] = 0;
}

enum ws_status ws_measures_read(struct ws_results *results, const char *experiment, struct ws_measures *measures,
                                struct ws_error *error)
{
    *measures = (struct ws_measures){0};
    const enum ws_status status = read_all(results, experiment, measures, error);
    if (status == WS_STATUS_ok)
        cut_sizes(measures);
    else
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
    free(measures->dimensions);
    free(measures->dram_use);
    free(measures->misses);
    free(measures->energy);
    free(measures->leaked);
    free(measures->lanes);
    free(measures->lost);
    free(measures->use);
    free(measures->base);
    free(measures->ratio);
    free(measures->sums);
    free(measures->demand);
    free(measures->geometric);
    free(measures->arithmetic);
    free(measures->span);
    free(measures->life);
    free(measures->rank);
    *measures = (struct ws_measures){0};
}

double ws_measures_peak(const struct ws_measures *measures, size_t point)
{
    const struct ws_dimensions *const dimensions = &measures->dimensions[point];
    return (double)dimensions->simd_width * dimensions->sms;
}

double ws_measures_harmonic(const struct ws_measures *measures, size_t point)
{
    double inverses = 0;
    for (size_t trace = 0; trace < measures->traces; trace++)
        if (ws_measures_whole(measures, trace))
            inverses += 1 / measures->ipc[point * measures->traces + trace];
    return measures->whole_traces > 0 ? (double)measures->whole_traces / inverses : (double)NAN;
}

static bool is_reported_alone(const char *paper, const char *trace)
{
    size_t count;
    const struct ws_target *const target = ws_targets(&count);
    for (size_t n = 0; n < count; n++)
        if (target[n].kind == WS_TARGET_oracle && strcmp(target[n].paper, paper) == 0 && strcmp(target[n].key, trace) == 0)
            return true;
    return false;
}

double ws_measures_limit(const struct ws_measures *measures, const char *paper)
{
    double pdom = 0, oracle = 0; /* cycles of an instruction */
    for (size_t n = 0; measures->limits && n < measures->limits->count; n++) {
        const struct ws_limit *const limit = &measures->limits->limit[n];
        if (limit->total.thread_instructions == 0 || is_reported_alone(paper, measures->trace[n]))
            continue;
        pdom += (double)limit->pdom_cycles / (double)limit->total.thread_instructions;
        oracle += (double)limit->oracle_cycles / (double)limit->total.thread_instructions;
    }
    return pdom / oracle;
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
