#include "cli/run/series.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/table.h"

enum { DIGITS = 3 };

/* Words of a row: its end, and its columns. */
static size_t row_words(const struct cli_series *series)
{
    return 1 + series->columns->count;
}

static double value_of(const struct cli_series *series, const struct cli_series_column *column)
{
    switch (column->kind) {
    case CLI_SERIES_METRIC:
        return series->metrics[column->index];
    case CLI_SERIES_COUNTER:
        return (double)series->counters[column->index];
    default:
        return series->gauges[column->index];
    }
}

/* ---- The file ---- */

static enum ws_status put(struct cli_series *series, struct ws_text *row, struct ws_error *error)
{
    const bool failed = row->failed;
    if (!failed)
        fwrite(row->data, 1, row->length, series->output.stream);
    ws_text_free(row);
    return failed ? ws_no_memory(error) : WS_STATUS_ok;
}

static enum ws_status put_names(struct cli_series *series, struct ws_error *error)
{
    struct ws_text row = {0};
    ws_text_add(&row, "from,to");
    for (size_t n = 0; n < series->columns->count; n++)
        ws_text_add(&row, ",%s", series->columns->column[n].name);
    ws_text_add(&row, "\n");
    return put(series, &row, error);
}

static enum ws_status put_row(struct cli_series *series, const double *values, struct ws_error *error)
{
    struct ws_text row = {0};
    ws_text_add(&row, "%" PRIu64 ",%" PRIu64, series->from, series->end);
    for (size_t n = 0; n < series->columns->count; n++)
        ws_text_add(&row,
                    !isfinite(values[n])                                   ? ","
                    : series->columns->column[n].kind == CLI_SERIES_METRIC ? ",%.15g"
                                                                           : ",%.0f",
                    values[n]);
    ws_text_add(&row, "\n");
    return put(series, &row, error);
}

/* ---- Rows ---- */

/* Room for one more row; it doubles at each power of two. */
static double *new_row(struct cli_series *series, struct ws_error *error)
{
    const size_t count = series->row_count, words = row_words(series);
    if ((count & (count - 1)) == 0) {
        double *const larger = realloc(series->rows, (count ? 2 * count : 1) * words * sizeof *larger);
        if (!larger) {
            ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu intervals", count);
            return NULL;
        }
        series->rows = larger;
    }
    series->row_count++;
    return series->rows + count * words;
}

/* Keeps and writes the accumulated row, and starts the next one. */
static enum ws_status end_row(struct cli_series *series, struct ws_error *error)
{
    WS_TRY(ws_metric_query_values(series->query, series->counters, series->metrics, error));
    double *const row = new_row(series, error);
    if (!row)
        return WS_STATUS_no_memory;
    row[0] = (double)series->end;
    for (size_t n = 0; n < series->columns->count; n++) {
        const struct cli_series_column *const column = &series->columns->column[n];
        row[1 + n] = value_of(series, column);
        if (series->count)
            series->count(series->context, column->name, column->kind == CLI_SERIES_GAUGE ? series->end : series->from, row[1 + n]);
    }
    if (series->written)
        WS_TRY(put_row(series, row + 1, error));
    memset(series->counters, 0, sizeof series->counters);
    series->from = series->end;
    return WS_STATUS_ok;
}

enum ws_status cli_series_open(struct cli_series *series, const struct cli_series_columns *columns, u32 cycles, const char *path,
                               const struct ws_machine *machine, struct ws_error *error)
{
    size_t count;
    ws_metrics(&count);
    *series = (struct cli_series){
        .columns = columns, .written = path != NULL, .cycles = cycles, .metrics = calloc(count, sizeof *series->metrics)};
    enum ws_status status = series->metrics ? ws_metric_query_open(machine, &series->query, error) : ws_no_memory(error);
    if (path)
        WS_THEN(status, ws_output_open(&series->output, path, WS_OUTPUT_intervals, error));
    if (status != WS_STATUS_ok)
        cli_series_free(series);
    else if (path)
        put_names(series, &series->error);
    return status;
}

void cli_series_note(struct cli_series *series, const u32 *gauges)
{
    memcpy(series->noted, gauges, sizeof series->noted);
}

void cli_series_add(struct cli_series *series, u64 from, const u64 *counters)
{
    if (from < series->end || series->error.status != WS_STATUS_ok)
        return;
    const bool full = series->end > series->from && series->end % series->cycles == 0;
    if (full && counters[WS_COUNT_cycles] > 0)
        end_row(series, &series->error);
    ws_counters_add(series->counters, counters);
    memcpy(series->gauges, series->noted, sizeof series->gauges);
    series->end = from + counters[WS_COUNT_cycles];
}

enum ws_status cli_series_close(struct cli_series *series, bool keep, struct ws_error *error)
{
    if (keep && series->error.status == WS_STATUS_ok && series->end > series->from)
        end_row(series, &series->error);
    keep = keep && series->error.status == WS_STATUS_ok;
    const enum ws_status status = series->written ? ws_output_close(&series->output, keep, error) : WS_STATUS_ok;
    series->written = false;
    if (series->error.status == WS_STATUS_ok)
        return status;
    return ws_fail(error, series->error.status, "%s", series->error.message);
}

void cli_series_free(struct cli_series *series)
{
    ws_metric_query_close(series->query);
    free(series->metrics);
    free(series->rows);
    series->query = NULL;
    series->metrics = series->rows = NULL;
    series->row_count = 0;
}

/* ---- Reports ---- */

void cli_series_text(const struct cli_series *series, struct ws_text *out)
{
    struct cli_table table = {.columns = {"cycle"}};
    const size_t columns = series->columns->count, shown = columns < CLI_COLUMNS ? columns : CLI_COLUMNS - 1;
    for (size_t n = 0; n < shown; n++)
        table.columns[1 + n] = series->columns->column[n].name;
    for (size_t n = 0; n < series->row_count; n++) {
        const double *const row = series->rows + n * row_words(series);
        cli_table_number(&table, (uint64_t)row[0]);
        for (size_t column = 0; column < shown; column++)
            cli_table_real(&table, row[1 + column], series->columns->column[column].kind == CLI_SERIES_METRIC ? DIGITS : 0);
    }
    ws_text_add(out, "\nby intervals of %" PRIu32 " cycles, each up to its cycle\n", series->cycles);
    cli_table_print(&table, out);
    if (shown < columns)
        ws_text_add(out, "%zu more columns: --intervals OUT.csv or --format json\n", columns - shown);
    out->failed = out->failed || table.failed;
    cli_table_free(&table);
}

static void json_columns(const struct cli_series *series, struct ws_json *json)
{
    ws_json_array(json, "columns");
    for (size_t n = 0; n < series->columns->count; n++) {
        ws_json_object(json, NULL);
        ws_json_text(json, "name", series->columns->column[n].name);
        ws_json_text(json, "unit", series->columns->column[n].unit);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
}

void cli_series_json(const struct cli_series *series, struct ws_json *json)
{
    ws_json_object(json, "series");
    ws_json_unsigned(json, "every", series->cycles);
    json_columns(series, json);
    ws_json_array(json, "rows");
    for (size_t n = 0; n < series->row_count; n++) {
        struct ws_text row = {0};
        struct ws_json flat = {.text = &row, .flat = true};
        ws_json_array(&flat, NULL);
        for (size_t column = 0; column < row_words(series); column++)
            ws_json_real(&flat, NULL, series->rows[n * row_words(series) + column]);
        ws_json_end_array(&flat);
        ws_json_raw(json, NULL, row.data ? row.data : "[]");
        json->text->failed = json->text->failed || row.failed;
        ws_text_free(&row);
    }
    ws_json_end_array(json);
    ws_json_end_object(json);
}
