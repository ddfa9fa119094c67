#include "cli/run/run_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/lines.h"
#include "cli/run/series.h"
#include "warpsweep/results.h"

enum { LONGEST_VALUE = 32 };

/* Whether parameter n was overridden. */
static bool overridden(const struct ws_machine_file *machine, size_t n)
{
    return strcmp(machine->source[n], "override") == 0;
}

void cli_add_overrides(const struct ws_machine_file *machine, struct ws_text *out)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    const char *separator = "";
    char value[LONGEST_VALUE];
    for (size_t n = 0; n < count; n++) {
        if (!overridden(machine, n))
            continue;
        ws_machine_get(&machine->machine, n, value, sizeof value);
        ws_text_add(out, "%s%s=%s", separator, parameters[n].key, value);
        separator = " ";
    }
}

/* ---- JSON ---- */

static void json_parameter(const struct ws_machine_file *machine, size_t n, struct ws_json *json)
{
    size_t count;
    const struct ws_parameter *const parameter = &ws_parameters(&count)[n];
    char value[LONGEST_VALUE];
    ws_machine_get(&machine->machine, n, value, sizeof value);
    if (parameter->set)
        ws_json_text(json, parameter->key, value);
    else
        ws_json_unsigned(json, parameter->key, strtoull(value, NULL, 10));
}

void cli_json_overrides(const struct ws_machine_file *machine, struct ws_json *json)
{
    size_t count;
    ws_parameters(&count);
    ws_json_object(json, "overrides");
    for (size_t n = 0; n < count; n++) {
        if (!overridden(machine, n))
            continue;
        json_parameter(machine, n, json);
    }
    ws_json_end_object(json);
}

static void json_parameters(const struct ws_machine_file *machine, struct ws_json *json)
{
    size_t count;
    ws_parameters(&count);
    ws_json_object(json, "parameters");
    for (size_t n = 0; n < count; n++)
        json_parameter(machine, n, json);
    ws_json_end_object(json);
}

static void json_metrics(const struct cli_run *run, struct ws_json *json)
{
    size_t count;
    const struct ws_metric *const metrics = ws_metrics(&count);
    ws_json_object(json, "metrics");
    for (size_t n = 0; n < count; n++)
        ws_json_real(json, metrics[n].name, run->metrics[n]);
    ws_json_end_object(json);
}

static void json_counters(const struct cli_run *run, struct ws_json *json)
{
    size_t count;
    const struct ws_counter *const counters = ws_counter_list(&count);
    ws_json_object(json, "counters");
    for (size_t n = 0; n < count; n++) {
        const u64 *const values = &run->result->counters[counters[n].index];
        if (counters[n].bins > 1)
            ws_json_numbers(json, counters[n].name, values, counters[n].bins);
        else
            ws_json_unsigned(json, counters[n].name, *values);
    }
    ws_json_end_object(json);
}

static void json_warp(const struct ws_warp_time *warp, struct ws_json *json)
{
    ws_json_object(json, NULL);
    ws_json_unsigned(json, "entry", warp->entered);
    ws_json_unsigned(json, "end", warp->ended);
    ws_json_unsigned(json, "packets", warp->packets);
    ws_json_unsigned(json, "l1_misses", warp->l1_misses);
    ws_json_unsigned(json, "constant_misses", warp->constant_misses);
    ws_json_unsigned(json, "texture_misses", warp->texture_misses);
    ws_json_end_object(json);
}

/* Blocks by number in the grid; times exist for blocks that the run reached. */
static void json_blocks(const struct cli_run *run, struct ws_json *json)
{
    const size_t warps = run->result->warps_per_block;
    ws_json_array(json, "blocks");
    for (size_t n = 0; run->result->times && n < run->image->blocks; n++) {
        ws_json_object(json, NULL);
        ws_json_unsigned(json, "block", run->shard + n * run->shards);
        ws_json_unsigned(json, "entry", run->result->times[n].entered);
        ws_json_unsigned(json, "end", run->result->times[n].ended);
        ws_json_array(json, "warps");
        for (size_t warp = 0; warp < warps; warp++)
            json_warp(&run->result->warps[n * warps + warp], json);
        ws_json_end_array(json);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
}

struct cli_run_digest cli_run_digest(const struct cli_run *run)
{
    struct cli_run_digest digest;
    snprintf(digest.text, sizeof digest.text, "%016" PRIx64, run->trace_digest);
    return digest;
}

static void add_shard(const struct cli_run *run, char *text, size_t room)
{
    snprintf(text, room, "%u/%u", run->shard, run->shards);
}

static void json_input(const struct cli_run *run, struct ws_json *json)
{
    char shard[LONGEST_VALUE];
    add_shard(run, shard, sizeof shard);
    ws_json_text(json, "machine", run->machine->name);
    cli_json_overrides(run->machine, json);
    ws_json_text(json, "trace", run->trace);
    ws_json_text(json, "shard", shard);
}

void cli_run_json(const struct cli_run *run, struct ws_json *json)
{
    json_input(run, json);
    json_counters(run, json);
}

void cli_run_print_json(const struct cli_run *run, struct ws_text *out)
{
    struct ws_json json = {.text = out};
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "schema", 1);
    json_input(run, &json);
    ws_json_text(&json, "engine", run->engine);
    ws_json_text(&json, "device", run->device);
    ws_json_text(&json, "status", ws_status_name(run->result->status));
    if (run->result->status != WS_STATUS_ok)
        ws_json_text(&json, "reason", ws_job_reason(run->result));
    ws_json_real(&json, "seconds", run->result->seconds);
    ws_json_text(&json, "version", WS_VERSION);
    ws_json_unsigned(&json, "model_version", WS_MODEL_VERSION);
    ws_json_text(&json, "trace_digest", cli_run_digest(run).text);
    json_metrics(run, &json);
    json_counters(run, &json);
    cli_energy_json(run, &json);
    if (run->series)
        cli_series_json(run->series, &json);
    if (run->lines)
        cli_lines_json(run->lines, &json);
    json_parameters(run->machine, &json);
    json_blocks(run, &json);
    ws_json_end_object(&json);
}

/* ---- CSV: a line of names, a line of values; bins are NAME_0, NAME_1 ... ---- */

void cli_add_csv(struct ws_text *out, const char *value)
{
    if (!strpbrk(value, ",\"\r\n")) {
        ws_text_add(out, "%s,", value);
        return;
    }
    ws_text_add(out, "\"");
    for (; *value; value++)
        ws_text_add(out, *value == '"' ? "\"\"" : "%c", *value);
    ws_text_add(out, "\",");
}

void cli_csv_counter_names(struct ws_text *out)
{
    size_t count;
    const struct ws_counter *const counters = ws_counter_list(&count);
    for (size_t n = 0; n < count; n++) {
        for (u32 bin = 0; bin < counters[n].bins; bin++)
            ws_text_add(out, counters[n].bins > 1 ? ",%s_%u" : ",%s", counters[n].name, bin);
    }
}

void cli_csv_counters(const u64 *counters, struct ws_text *out)
{
    for (size_t n = 0; n < WS_COUNTERS; n++)
        ws_text_add(out, ",%" PRIu64, counters[n]);
}

void cli_csv_metrics(const double *metrics, struct ws_text *out)
{
    size_t count;
    ws_metrics(&count);
    for (size_t n = 0; n < count; n++)
        ws_text_add(out, isfinite(metrics[n]) ? ",%.15g" : ",", metrics[n]);
}

/* Parameter names as in results files: core.depth is core_depth. */
static void csv_names(const struct cli_run *run, struct ws_text *out)
{
    size_t metric_count, parameter_count;
    const struct ws_metric *const metrics = ws_metrics(&metric_count);
    const struct ws_parameter *const parameters = ws_parameters(&parameter_count);
    ws_text_add(out, "machine,overrides,trace,shard,engine,device,status,seconds");
    cli_csv_counter_names(out);
    cli_energy_csv_names(run, out);
    ws_text_add(out, ",version,model_version,trace_digest");
    for (size_t n = 0; n < metric_count; n++)
        ws_text_add(out, ",%s", metrics[n].name);
    for (size_t n = 0; n < parameter_count; n++) {
        const int group = (int)strcspn(parameters[n].key, ".");
        ws_text_add(out, ",%.*s_%s", group, parameters[n].key, parameters[n].key + group + 1);
    }
    ws_text_add(out, "\n");
}

/* Columns after the counters, each value after a comma. */
static void csv_context(const struct cli_run *run, struct ws_text *out)
{
    size_t parameters;
    char value[LONGEST_VALUE];
    ws_parameters(&parameters);
    ws_text_add(out, "," WS_VERSION ",%d,%s", WS_MODEL_VERSION, cli_run_digest(run).text);
    cli_csv_metrics(run->metrics, out);
    for (size_t n = 0; n < parameters; n++) {
        ws_machine_get(&run->machine->machine, n, value, sizeof value);
        ws_text_add(out, ",%s", value);
    }
}

void cli_run_print_csv(const struct cli_run *run, struct ws_text *out)
{
    struct ws_text overrides = {0};
    char shard[LONGEST_VALUE];
    add_shard(run, shard, sizeof shard);
    cli_add_overrides(run->machine, &overrides);
    const char *const fields[] = {run->machine->name, overrides.data ? overrides.data : "", run->trace, shard, run->engine,
                                  run->device,        ws_status_name(run->result->status)};
    if (!run->follows)
        csv_names(run, out);
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        cli_add_csv(out, fields[n]);
    ws_text_add(out, "%.6f", run->result->seconds);
    cli_csv_counters(run->result->counters, out);
    cli_energy_csv(run, out);
    csv_context(run, out);
    ws_text_add(out, "\n");
    out->failed = out->failed || overrides.failed;
    ws_text_free(&overrides);
}

#define PRINT(name) cli_run_print_##name,
void (*const cli_run_formats[])(const struct cli_run *run, struct ws_text *out) = {CLI_RUN_FORMATS(PRINT, )};
