/* A run for people: metrics first, then the counters behind them. */
#include <math.h>
#include <string.h>

#include "cli/run/lines.h"
#include "cli/run/run_report.h"
#include "cli/run/series.h"
#include "cli/table.h"
#include "warpsweep/results.h"

enum { LONGEST_NAME = 64, DIGITS = 3, PERCENT_DIGITS = 1 };

static void add_head(const struct cli_run *run, struct ws_text *out)
{
    const struct ws_job_result *const result = run->result;
    ws_text_add(out, "machine    %s\noverrides  ", run->machine->name);
    const size_t length = out->length;
    cli_add_overrides(run->machine, out);
    if (out->length == length)
        ws_text_add(out, "none");
    ws_text_add(out, "\ntrace      %s\nshard      %u/%u", run->trace, run->shard, run->shards);
    if (run->shards == 1 && run->machine->sms > 1 && run->image->blocks > 1)
        ws_text_add(out, " (all %u blocks on one of %u SMs; --sm-share simulates the share of one)", run->image->blocks,
                    run->machine->sms);
    ws_text_add(out, "\nengine     %s\ndevice     %s\n", run->engine, run->device);
    ws_text_add(out, "status     %s (%s)\nseconds    %.3f\n", ws_status_name(result->status), ws_status_text(result->status),
                result->seconds);
}

static void add_table(struct cli_table *table, struct ws_text *out)
{
    if (table->count > 0) {
        ws_text_add(out, "\n");
        cli_table_print(table, out);
    }
    cli_table_free(table);
}

/* Shares are given in percent. A metric without a denominator is omitted. */
static void add_metrics(const struct cli_run *run, struct ws_text *out)
{
    size_t count;
    const struct ws_metric *const metrics = ws_metrics(&count);
    struct cli_table table = {.columns = {"metric", "value", "unit"}};
    for (size_t n = 0; n < count; n++) {
        const bool share = strcmp(metrics[n].unit, "share") == 0;
        if (!isfinite(run->metrics[n]) && !run->all)
            continue;
        cli_table_text(&table, metrics[n].name);
        cli_table_real(&table, (share ? 100 : 1) * run->metrics[n], share ? PERCENT_DIGITS : DIGITS);
        cli_table_text(&table, share ? "%" : metrics[n].unit);
    }
    add_table(&table, out);
    ws_text_add(out, "energy and static_share: coefficients of GPUWattch for a GTX 480; *_balanced: smaller per-access energies "
                     "(warpsweep list energy)\n");
}

/* Sums from which metrics are computed: "65536ths". */
static bool is_fixed_point(const struct ws_counter *counter)
{
    const size_t digits = strspn(counter->unit, "0123456789");
    return digits > 0 && strcmp(counter->unit + digits, "ths") == 0;
}

static void add_counters(const struct cli_run *run, struct ws_text *out)
{
    size_t count;
    const struct ws_counter *const counters = ws_counter_list(&count);
    struct cli_table table = {.columns = {"counter", "value", "unit"}};
    for (size_t n = 0; n < count; n++) {
        const u64 value = run->result->counters[counters[n].index];
        if (counters[n].bins > 1 || (!run->all && (value == 0 || is_fixed_point(&counters[n]))))
            continue;
        cli_table_text(&table, counters[n].name);
        cli_table_number(&table, value);
        cli_table_text(&table, counters[n].unit);
    }
    add_table(&table, out);
}

/* A separate table, headed by its name and unit. */
static void add_histogram(const struct cli_run *run, const struct ws_counter *histogram, struct ws_text *out)
{
    const u64 *const bins = &run->result->counters[histogram->index];
    struct cli_table table = {.columns = {histogram->name, histogram->unit, "%"}};
    char name[LONGEST_NAME];
    double sum = 0;
    for (u32 bin = 0; bin < histogram->bins; bin++)
        sum += (double)bins[bin];
    for (u32 bin = 0; bin < histogram->bins; bin++) {
        if (bins[bin] == 0 && !run->all)
            continue;
        ws_counter_bin(histogram, bin, name, sizeof name);
        cli_table_text(&table, name);
        cli_table_number(&table, bins[bin]);
        cli_table_real(&table, sum > 0 ? 100 * (double)bins[bin] / sum : 0, PERCENT_DIGITS);
    }
    add_table(&table, out);
}

void cli_run_print_text(const struct cli_run *run, struct ws_text *out)
{
    size_t count;
    const struct ws_counter *const counters = ws_counter_list(&count);
    add_head(run, out);
    add_metrics(run, out);
    add_counters(run, out);
    for (size_t n = 0; n < count; n++)
        if (counters[n].bins > 1)
            add_histogram(run, &counters[n], out);
    cli_energy_text(run, out);
    if (run->series && !run->series_elsewhere)
        cli_series_text(run->series, out);
    if (run->lines)
        cli_lines_text(run->lines, out);
}
