#include "cli/run/intervals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/run/run_report.h"
#include "warpsweep/results.h"

static enum ws_status put(struct cli_intervals *intervals, struct ws_text *row, struct ws_error *error)
{
    const bool failed = row->failed;
    if (!failed)
        fwrite(row->data, 1, row->length, intervals->output.stream);
    ws_text_free(row);
    return failed ? ws_no_memory(error) : WS_STATUS_ok;
}

static enum ws_status put_names(struct cli_intervals *intervals, struct ws_error *error)
{
    size_t count;
    struct ws_text row = {0};
    const struct ws_metric *const metrics = ws_metrics(&count);
    ws_text_add(&row, "from,to");
    for (size_t n = 0; n < count; n++)
        ws_text_add(&row, ",%s", metrics[n].name);
    cli_csv_counter_names(&row);
    ws_text_add(&row, "\n");
    return put(intervals, &row, error);
}

/* Writes the accumulated row and starts the next one. */
static enum ws_status put_row(struct cli_intervals *intervals, struct ws_error *error)
{
    struct ws_text row = {0};
    WS_TRY(ws_metric_query_values(intervals->query, intervals->counters, intervals->metrics, error));
    ws_text_add(&row, "%" PRIu64 ",%" PRIu64, intervals->from, intervals->end);
    cli_csv_metrics(intervals->metrics, &row);
    cli_csv_counters(intervals->counters, &row);
    ws_text_add(&row, "\n");
    memset(intervals->counters, 0, sizeof intervals->counters);
    intervals->from = intervals->end;
    return put(intervals, &row, error);
}

/* Frees everything except the output. */
static void forget(struct cli_intervals *intervals)
{
    ws_metric_query_close(intervals->query);
    free(intervals->metrics);
}

enum ws_status cli_intervals_open(struct cli_intervals *intervals, const char *path, const struct ws_machine *machine, u32 cycles,
                                  struct ws_error *error)
{
    size_t count;
    ws_metrics(&count);
    *intervals = (struct cli_intervals){.cycles = cycles, .metrics = calloc(count, sizeof *intervals->metrics)};
    enum ws_status status = intervals->metrics ? ws_metric_query_open(machine, &intervals->query, error) : ws_no_memory(error);
    WS_THEN(status, ws_output_open(&intervals->output, path, WS_OUTPUT_intervals, error));
    if (status == WS_STATUS_ok)
        put_names(intervals, &intervals->error);
    else
        forget(intervals);
    return status;
}

void cli_intervals_add(struct cli_intervals *intervals, u64 from, const u64 *counters)
{
    if (from < intervals->end || counters[WS_COUNT_cycles] == 0 || intervals->error.status != WS_STATUS_ok)
        return;
    ws_counters_add(intervals->counters, counters);
    intervals->end = from + counters[WS_COUNT_cycles];
    if (intervals->end / intervals->cycles > intervals->from / intervals->cycles)
        put_row(intervals, &intervals->error);
}

enum ws_status cli_intervals_close(struct cli_intervals *intervals, bool keep, struct ws_error *error)
{
    if (keep && intervals->error.status == WS_STATUS_ok && intervals->end > intervals->from)
        put_row(intervals, &intervals->error);
    keep = keep && intervals->error.status == WS_STATUS_ok;
    const enum ws_status status = ws_output_close(&intervals->output, keep, error);
    forget(intervals);
    if (intervals->error.status == WS_STATUS_ok)
        return status;
    return ws_fail(error, intervals->error.status, "%s", intervals->error.message);
}
