/* SQL functions of every results file (docs/sql.md): means, number formats, workload names, and occupancy. */
#include "results/derived/functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "warpsweep/frontend.h"
#include "warpsweep/machine.h"

/* ---- Means: aggregates over the numbers of a column, without NULL ---- */

struct numbers {
    size_t count, room;
    double *value;
};

static void add_number(sqlite3_context *context, double value)
{
    struct numbers *const numbers = sqlite3_aggregate_context(context, sizeof *numbers);
    if (!numbers) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (numbers->count == numbers->room) {
        const size_t room = numbers->room ? 2 * numbers->room : 64;
        double *const more = realloc(numbers->value, room * sizeof *more);
        if (!more) {
            sqlite3_result_error_nomem(context);
            return;
        }
        numbers->value = more;
        numbers->room = room;
    }
    numbers->value[numbers->count++] = value;
}

static bool is_number(sqlite3_value *value)
{
    return sqlite3_value_type(value) != SQLITE_NULL && isfinite(sqlite3_value_double(value));
}

static void add_any(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    if (is_number(values[0]))
        add_number(context, sqlite3_value_double(values[0]));
}

static void add_positive(sqlite3_context *context, int count, sqlite3_value **values)
{
    if (sqlite3_value_double(values[0]) > 0)
        add_any(context, count, values);
}

static double geometric(struct numbers *numbers)
{
    double sum = 0;
    for (size_t n = 0; n < numbers->count; n++)
        sum += log(numbers->value[n]);
    return exp(sum / (double)numbers->count);
}

static double harmonic(struct numbers *numbers)
{
    double sum = 0;
    for (size_t n = 0; n < numbers->count; n++)
        sum += 1 / numbers->value[n];
    return (double)numbers->count / sum;
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(struct numbers *numbers)
{
    const size_t middle = numbers->count / 2;
    qsort(numbers->value, numbers->count, sizeof *numbers->value, compare);
    return numbers->count % 2 ? numbers->value[middle] : (numbers->value[middle - 1] + numbers->value[middle]) / 2;
}

typedef double mean_function(struct numbers *numbers);

static void finish(sqlite3_context *context, mean_function *mean)
{
    struct numbers *const numbers = sqlite3_aggregate_context(context, 0);
    if (!numbers) {
        sqlite3_result_null(context);
        return;
    }
    sqlite3_result_double(context, mean(numbers));
    free(numbers->value);
}

static void finish_geometric(sqlite3_context *context)
{
    finish(context, geometric);
}

static void finish_harmonic(sqlite3_context *context)
{
    finish(context, harmonic);
}

static void finish_median(sqlite3_context *context)
{
    finish(context, median);
}

/* ---- Number formats ---- */

/* fixed(x, digits); signed(x, digits) with a plus sign. "-" for NULL. With a third value, the paper's: "x (paper's)" if both exist.
 */
static void write_number(sqlite3_context *context, int count, sqlite3_value **values, const char *format)
{
    char own[400], both[900];
    const int digits = sqlite3_value_int(values[1]) & 15;
    if (!is_number(values[0])) {
        sqlite3_result_text(context, "-", 1, SQLITE_STATIC);
        return;
    }
    snprintf(own, sizeof own, format, digits, sqlite3_value_double(values[0]));
    if (count < 3 || !is_number(values[2])) {
        sqlite3_result_text(context, own, -1, SQLITE_TRANSIENT);
        return;
    }
    char papers[400];
    snprintf(papers, sizeof papers, format, digits, sqlite3_value_double(values[2]));
    snprintf(both, sizeof both, "%s (%s)", own, papers);
    sqlite3_result_text(context, both, -1, SQLITE_TRANSIENT);
}

static void write_fixed(sqlite3_context *context, int count, sqlite3_value **values)
{
    write_number(context, count, values, "%.*f");
}

static void write_signed(sqlite3_context *context, int count, sqlite3_value **values)
{
    write_number(context, count, values, "%+.*f");
}

/* ---- Words ---- */

/* matmul:small -> matmul */
static void without_size(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *const name = (const char *)sqlite3_value_text(values[0]);
    const char *const colon = name ? strrchr(name, ':') : NULL;
    (void)count;
    for (unsigned size = 0; colon && size < WS_SIZES; size++)
        if (strcmp(colon + 1, ws_size_name((enum ws_size)size)) == 0) {
            sqlite3_result_text(context, name, (int)(colon - name), SQLITE_TRANSIENT);
            return;
        }
    sqlite3_result_value(context, values[0]);
}

/* has_word('CT RS SN', 'RS'): whether a blank-separated list contains the word. */
static void has_word(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *const words = (const char *)sqlite3_value_text(values[0]), *const word =
                                                                               (const char *)sqlite3_value_text(values[1]);
    const size_t length = word ? strlen(word) : 0;
    bool has = false;
    (void)count;
    for (const char *at = words; at && length > 0 && !has && (at = strstr(at, word)); at += length)
        has = (at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]);
    sqlite3_result_int(context, has);
}

/* ---- Occupancy: occupancy(what, threads, registers, shared bytes, then the inputs of ws_machine_occupancy) ---- */

static void occupancy(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    int next = 4;
    (void)count;
#define OCCUPANCY(column) machine.column = (u32)sqlite3_value_int64(values[next++]);
#include "results/derived/occupancy.def"
    const char *const what = (const char *)sqlite3_value_text(values[0]);
    if (machine.core_warp_size == 0 || !what) {
        sqlite3_result_null(context);
        return;
    }
    const struct ws_demand demand = {.threads = (u32)sqlite3_value_int64(values[1]),
                                     .registers = (u32)sqlite3_value_int64(values[2]),
                                     .shared_bytes = (u32)sqlite3_value_int64(values[3])};
    const struct ws_occupancy fits = ws_machine_occupancy(&machine, &demand);
    const struct {
        const char *name;
        u64 value;
    } answers[] = {
        {"warps", fits.warps}, {"warp_registers", fits.warp_registers}, {"places", fits.places}, {"blocks", fits.blocks}};
    for (size_t n = 0; n < sizeof answers / sizeof *answers; n++)
        if (strcmp(answers[n].name, what) == 0) {
            sqlite3_result_int64(context, (sqlite3_int64)answers[n].value);
            return;
        }
    sqlite3_result_error(context, "occupancy is of warps, warp_registers, places or blocks", -1);
}

/* ---- All of them ---- */

enum {
#define OCCUPANCY(column) PARAMETER_##column,
#include "results/derived/occupancy.def"
    PARAMETERS
};

static const struct {
    const char *name;
    int count;
    void (*scalar)(sqlite3_context *context, int count, sqlite3_value **values);
    void (*step)(sqlite3_context *context, int count, sqlite3_value **values);
    void (*finish)(sqlite3_context *context);
} functions[] = {
    {"geometric_mean", 1, NULL, add_positive, finish_geometric},
    {"harmonic_mean", 1, NULL, add_positive, finish_harmonic},
    {"median", 1, NULL, add_any, finish_median},
    {"fixed", 2, write_fixed, NULL, NULL},
    {"fixed", 3, write_fixed, NULL, NULL},
    {"signed", 2, write_signed, NULL, NULL},
    {"signed", 3, write_signed, NULL, NULL},
    {"without_size", 1, without_size, NULL, NULL},
    {"has_word", 2, has_word, NULL, NULL},
    {"occupancy", 4 + PARAMETERS, occupancy, NULL, NULL},
};

enum ws_status ws_functions_add(struct ws_results *results, struct ws_error *error)
{
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++)
        if (sqlite3_create_function(results->database, functions[n].name, functions[n].count, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                    NULL, functions[n].scalar, functions[n].step, functions[n].finish) != SQLITE_OK)
            return ws_sql_fail(results, "add SQL functions", error);
    return WS_STATUS_ok;
}
