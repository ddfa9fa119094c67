#include "cli/run_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"

enum { LONGEST_VALUE = 32, LONGEST_NAME = 64 };

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

/* ---- text ---- */

static void add_counters(const struct cli_run *run, struct cli_table *table)
{
    size_t count;
    const struct ws_counter *const counters = ws_counter_list(&count);
    char name[LONGEST_NAME];
    for (size_t n = 0; n < count; n++) {
        for (u32 bin = 0; bin < counters[n].bins; bin++) {
            const u64 value = run->result->counters[counters[n].index + bin];
            if (counters[n].bins > 1 && value == 0)
                continue;
            snprintf(name, sizeof name, counters[n].bins > 1 ? "%s[%u]" : "%s", counters[n].name, bin);
            cli_table_text(table, name);
            cli_table_number(table, value);
            cli_table_text(table, counters[n].unit);
        }
    }
}

static void print_text(const struct cli_run *run, struct ws_text *out)
{
    const struct ws_job_result *const result = run->result;
    const u64 cycles = result->counters[WS_COUNT_cycles];
    ws_text_add(out, "machine    %s\noverrides  ", run->machine->name);
    const size_t length = out->length;
    cli_add_overrides(run->machine, out);
    if (out->length == length)
        ws_text_add(out, "none");
    ws_text_add(out, "\ntrace      %s\nshard      %u/%u\nengine     %s\ndevice     %s\n", run->trace, run->shard, run->shards,
                run->engine, run->device);
    ws_text_add(out, "status     %s (%s)\nseconds    %.3f\n", ws_status_name(result->status), ws_status_text(result->status),
                result->seconds);
    if (cycles > 0)
        ws_text_add(out, "IPC        %.3f thread instructions a cycle\n",
                    (double)result->counters[WS_COUNT_thread_instructions] / (double)cycles);
    ws_text_add(out, "\n");
    struct cli_table table = {.columns = {"counter", "value", "unit"}};
    add_counters(run, &table);
    cli_table_print(&table, out);
    cli_table_free(&table);
}

/* ---- JSON ---- */

void cli_json_overrides(const struct ws_machine_file *machine, struct ws_json *json)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    char value[LONGEST_VALUE];
    ws_json_object(json, "overrides");
    for (size_t n = 0; n < count; n++) {
        if (!overridden(machine, n))
            continue;
        ws_machine_get(&machine->machine, n, value, sizeof value);
        if (parameters[n].set)
            ws_json_text(json, parameters[n].key, value);
        else
            ws_json_unsigned(json, parameters[n].key, strtoull(value, NULL, 10));
    }
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

/* Blocks by their number in the grid; times are there once the run has got that far. */
static void json_blocks(const struct cli_run *run, struct ws_json *json)
{
    const size_t stride = 2u + run->result->warps_per_block;
    ws_json_array(json, "blocks");
    for (size_t n = 0; run->result->times && n < run->image->blocks; n++) {
        const u64 *const times = run->result->times + n * stride;
        ws_json_object(json, NULL);
        ws_json_unsigned(json, "block", run->shard + n * run->shards);
        ws_json_unsigned(json, "entry", times[0]);
        ws_json_unsigned(json, "end", times[1]);
        ws_json_numbers(json, "warp_ends", times + 2, run->result->warps_per_block);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
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

static void print_json(const struct cli_run *run, struct ws_text *out)
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
    json_counters(run, &json);
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

static void csv_names(struct ws_text *out)
{
    size_t count;
    const struct ws_counter *const counters = ws_counter_list(&count);
    ws_text_add(out, "machine,overrides,trace,shard,engine,device,status,seconds");
    for (size_t n = 0; n < count; n++) {
        for (u32 bin = 0; bin < counters[n].bins; bin++)
            ws_text_add(out, counters[n].bins > 1 ? ",%s_%u" : ",%s", counters[n].name, bin);
    }
    ws_text_add(out, "\n");
}

static void print_csv(const struct cli_run *run, struct ws_text *out)
{
    struct ws_text overrides = {0};
    char shard[LONGEST_VALUE];
    add_shard(run, shard, sizeof shard);
    cli_add_overrides(run->machine, &overrides);
    const char *const fields[] = {run->machine->name, overrides.data ? overrides.data : "", run->trace, shard, run->engine,
                                  run->device,        ws_status_name(run->result->status)};
    csv_names(out);
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        cli_add_csv(out, fields[n]);
    ws_text_add(out, "%.6f", run->result->seconds);
    for (size_t n = 0; n < WS_COUNTERS; n++)
        ws_text_add(out, ",%" PRIu64, run->result->counters[n]);
    ws_text_add(out, "\n");
    out->failed = out->failed || overrides.failed;
    ws_text_free(&overrides);
}

#define PRINT(name) print_##name,
void (*const cli_run_formats[])(const struct cli_run *run, struct ws_text *out) = {CLI_RUN_FORMATS(PRINT, )};
