#include "cli/run/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/table.h"
#include "cli/trace/disassembly.h"

enum { KNOWN_all, KNOWN_barrel, KNOWN_branches };

static const struct {
    const char *name, *unit;
    u32 known, counter;
} columns[] = {
#define LINES(name, unit, each, counter, doc) {#name, unit, KNOWN_##each, WS_COUNT_##counter},
#include "cli/run/lines.def"
#undef LINES
};

/* ---- Collecting ---- */

/* In the barrel pipeline an access and a branch count in the cycle of their issue; with these path units branches count later. */
static bool is_known(const struct ws_machine *machine, u32 known)
{
    const bool barrel = machine->core_pipeline == WS_pipeline_barrel;
    const bool later = machine->divergence_unit == WS_divergence_lwm || machine->divergence_unit == WS_divergence_tbc;
    return known == KNOWN_all || (barrel && (known == KNOWN_barrel || !later));
}

enum ws_status cli_lines_open(struct cli_lines *lines, const struct ws_launch *launch, const struct ws_machine *machine,
                              const char *source, struct ws_error *error)
{
    *lines = (struct cli_lines){
        .launch = launch, .source_name = source, .by_pc = calloc(launch->instructions + 1u, sizeof *lines->by_pc)};
    for (u32 n = 0; n < CLI_LINES_COLUMNS; n++)
        lines->has[n] = is_known(machine, columns[n].known);
    if (!lines->by_pc)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u instructions", launch->instructions);
    return cli_source_load(source, launch, &lines->source, error);
}

u32 cli_lines_interval(const struct cli_lines *lines)
{
    return lines->has[CLI_LINES_l1_misses];
}

static void add_issue(struct cli_lines *lines, const struct ws_timeline_event *event)
{
    u64 *const of = lines->by_pc[event->pc], *const waits = lines->waits[event->port];
    of[CLI_LINES_issued] += 1;
    of[CLI_LINES_lanes] += ws_popcount(event->lanes);
    for (u32 kind = 0; kind < 3; kind++)
        of[CLI_LINES_idle + kind] += waits[kind];
    memset(waits, 0, sizeof lines->waits[0]);
    lines->pc = event->pc;
    lines->issues++;
}

void cli_lines_event(struct cli_lines *lines, const struct ws_timeline_event *event)
{
    if (event->kind == WS_EVENT_issue)
        add_issue(lines, event);
    else if (event->kind <= WS_EVENT_pipeline)
        lines->waits[event->port][event->kind - WS_EVENT_idle] += event->cycles;
}

/* Quanta of one cycle: what counts belongs to the only issue. */
void cli_lines_quantum(struct cli_lines *lines, u64 from, const u64 *counters)
{
    u64 *const of = lines->by_pc[lines->issues == 1 ? lines->pc : lines->launch->instructions];
    lines->issues = 0;
    if (from < lines->end)
        return;
    lines->end = from + counters[WS_COUNT_cycles];
    for (u32 n = CLI_LINES_l1_hits; n < CLI_LINES_COLUMNS; n++)
        of[n] += lines->has[n] ? counters[columns[n].counter] : 0;
}

void cli_lines_close(struct cli_lines *lines)
{
    u64 *const none = lines->by_pc[lines->launch->instructions];
    for (u32 port = 0; port < CLI_LINES_PORTS; port++)
        for (u32 kind = 0; kind < 3; kind++)
            none[CLI_LINES_idle + kind] += lines->waits[port][kind];
    memset(lines->waits, 0, sizeof lines->waits);
}

void cli_lines_restart(struct cli_lines *lines)
{
    memset(lines->by_pc, 0, (lines->launch->instructions + 1u) * sizeof *lines->by_pc);
    memset(lines->waits, 0, sizeof lines->waits);
    lines->issues = 0;
    lines->end = 0;
}

void cli_lines_free(struct cli_lines *lines)
{
    cli_source_free(&lines->source);
    free(lines->by_pc);
    lines->by_pc = NULL;
}

/* ---- Places ---- */

static const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Files of machine code count from 1; 0: unknown, or the only one. */
static u32 file_of(const struct cli_lines *lines, u32 pc)
{
    const struct ws_machine_code *const code = lines->launch->code;
    return code ? code->instructions[pc].file : 0;
}

static const char *file_name(const struct cli_lines *lines, u32 file)
{
    return base_name(file > 0             ? lines->launch->code->files[file - 1]
                     : lines->source_name ? lines->source_name
                                          : lines->launch->source);
}

/* Whether the source is the text of a file: of several the one of its name. */
static bool has_text(const struct cli_lines *lines, u32 file)
{
    const bool one = file == 0 || lines->launch->code->file_count == 1;
    return lines->source.count > 0 &&
           (one || (lines->source_name && strcmp(file_name(lines, file), base_name(lines->source_name)) == 0));
}

static const char *text_of(const struct cli_lines *lines, u32 pc)
{
    return has_text(lines, file_of(lines, pc)) ? cli_source_line(&lines->source, lines->launch->program[pc].line) : NULL;
}

/* ---- Text: a row per line ---- */

/* Instructions of a line. */
struct line {
    u32 first; /* pc; the number of instructions: of none */
    u64 of[CLI_LINES_COLUMNS];
};

static u64 slots_of(const struct line *line)
{
    return line->of[CLI_LINES_issued] + line->of[CLI_LINES_idle] + line->of[CLI_LINES_scoreboard] + line->of[CLI_LINES_pipeline];
}

/* Most slots first, then by place. */
static int compare(const void *a, const void *b)
{
    const struct line *const one = a, *const other = b;
    const u64 slots = slots_of(one), others = slots_of(other);
    if (slots != others)
        return slots < others ? 1 : -1;
    return one->first < other->first ? -1 : one->first > other->first;
}

static bool same_line(const struct cli_lines *lines, u32 pc, u32 other)
{
    const u32 none = lines->launch->instructions;
    if (pc == none || other == none)
        return pc == other;
    return lines->launch->program[pc].line == lines->launch->program[other].line && file_of(lines, pc) == file_of(lines, other);
}

/* Sums instructions by line; returns their number. */
static size_t sum_lines(const struct cli_lines *lines, struct line *sums)
{
    size_t count = 0;
    for (u32 pc = 0; pc <= lines->launch->instructions; pc++) {
        size_t n = 0;
        while (n < count && !same_line(lines, pc, sums[n].first))
            n++;
        if (n == count)
            sums[count++] = (struct line){.first = pc};
        for (u32 column = 0; column < CLI_LINES_COLUMNS; column++)
            sums[n].of[column] += lines->by_pc[pc][column];
    }
    qsort(sums, count, sizeof *sums, compare);
    return count;
}

static void add_place(const struct cli_lines *lines, u32 pc, struct cli_table *table)
{
    char place[256];
    if (pc == lines->launch->instructions)
        snprintf(place, sizeof place, "none");
    else if (lines->launch->program[pc].line == 0)
        snprintf(place, sizeof place, "unknown");
    else if (file_of(lines, pc) > 0)
        snprintf(place, sizeof place, "%s:%u", file_name(lines, file_of(lines, pc)), lines->launch->program[pc].line);
    else
        snprintf(place, sizeof place, "%u", lines->launch->program[pc].line);
    cli_table_text(table, place);
}

static void add_line(const struct cli_lines *lines, const struct line *line, u64 all, struct cli_table *table)
{
    const u64 issued = line->of[CLI_LINES_issued];
    add_place(lines, line->first, table);
    cli_table_number(table, issued);
    cli_table_real(table, all > 0 ? 100.0 * (double)slots_of(line) / (double)all : 0, 1);
    cli_table_real(table, issued > 0 ? (double)line->of[CLI_LINES_lanes] / (double)issued : 0, 1);
    for (u32 n = CLI_LINES_idle; n < CLI_LINES_COLUMNS; n++)
        if (lines->has[n])
            cli_table_number(table, line->of[n]);
    if (lines->source.count > 0) {
        const char *const text = line->first < lines->launch->instructions ? text_of(lines, line->first) : NULL;
        cli_table_text(table, text ? text : "");
    }
}

void cli_lines_text(const struct cli_lines *lines, struct ws_text *out)
{
    struct line *const sums = calloc(lines->launch->instructions + 1u, sizeof *sums);
    struct cli_table table = {.columns = {"line", "issued", "% of slots", "lanes"}};
    u64 all = 0;
    u32 shown = 4;
    out->failed = out->failed || !sums;
    if (!sums)
        return;
    for (u32 n = CLI_LINES_idle; n < CLI_LINES_COLUMNS; n++)
        if (lines->has[n])
            table.columns[shown++] = columns[n].name;
    if (lines->source.count > 0)
        table.columns[shown] = "source";
    const size_t count = sum_lines(lines, sums);
    for (size_t n = 0; n < count; n++)
        all += slots_of(&sums[n]);
    for (size_t n = 0; n < count; n++)
        if (slots_of(&sums[n]) > 0)
            add_line(lines, &sums[n], all, &table);
    ws_text_add(out, "\nby lines of %s; stall slots of a port belong to what it issues next\n", file_name(lines, 0));
    cli_table_print(&table, out);
    out->failed = out->failed || table.failed;
    cli_table_free(&table);
    free(sums);
}

/* ---- JSON: a row per pc ---- */

static void json_columns(const struct cli_lines *lines, struct ws_json *json)
{
    ws_json_array(json, "columns");
    for (u32 n = 0; n < CLI_LINES_COLUMNS; n++) {
        if (!lines->has[n])
            continue;
        ws_json_object(json, NULL);
        ws_json_text(json, "name", columns[n].name);
        ws_json_text(json, "unit", columns[n].unit);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
}

static void json_source(const struct cli_lines *lines, u32 file, struct ws_json *json)
{
    struct ws_text text = {0};
    ws_json_object(json, NULL);
    ws_json_text(json, "file", file_name(lines, file));
    for (size_t n = 0; has_text(lines, file) && n < lines->source.count; n++)
        ws_text_add(&text, "%s\n", lines->source.lines[n]);
    if (text.data)
        ws_json_text(json, "text", text.data);
    else
        ws_json_null(json, "text");
    json->text->failed = json->text->failed || text.failed;
    ws_text_free(&text);
    ws_json_end_object(json);
}

/* Sources by number: the files of machine code, else the only one. */
static void json_sources(const struct cli_lines *lines, struct ws_json *json)
{
    const u32 files = lines->launch->code ? lines->launch->code->file_count : 0;
    ws_json_array(json, "sources");
    if (files == 0)
        json_source(lines, 0, json);
    for (u32 file = 1; file <= files; file++)
        json_source(lines, file, json);
    ws_json_end_array(json);
}

static void json_number(struct ws_json *json, bool given, u64 number)
{
    if (given)
        ws_json_unsigned(json, NULL, number);
    else
        ws_json_null(json, NULL);
}

static void disassemble(const struct cli_lines *lines, u32 pc, struct ws_text *text)
{
    const struct ws_launch *const launch = lines->launch;
    if (pc == launch->instructions)
        ws_text_add(text, "none");
    else if (launch->code)
        cli_disassemble_code(&launch->program[pc], &launch->code->instructions[pc], text);
    else
        cli_disassemble(&launch->program[pc], text);
}

static void json_row(const struct cli_lines *lines, u32 pc, struct ws_json *json)
{
    const bool any = pc < lines->launch->instructions;
    const u32 line = any ? lines->launch->program[pc].line : 0, file = any ? file_of(lines, pc) : 0;
    struct ws_text row = {0}, text = {0};
    struct ws_json flat = {.text = &row, .flat = true};
    disassemble(lines, pc, &text);
    ws_json_array(&flat, NULL);
    json_number(&flat, line > 0 && (!lines->launch->code || file > 0), file > 0 ? file - 1 : 0);
    json_number(&flat, line > 0, line);
    json_number(&flat, any, pc);
    ws_json_text(&flat, NULL, text.data ? text.data : "");
    for (u32 n = 0; n < CLI_LINES_COLUMNS; n++)
        if (lines->has[n])
            ws_json_unsigned(&flat, NULL, lines->by_pc[pc][n]);
    ws_json_end_array(&flat);
    ws_json_raw(json, NULL, row.data ? row.data : "[]");
    json->text->failed = json->text->failed || row.failed || text.failed;
    ws_text_free(&row);
    ws_text_free(&text);
}

void cli_lines_json(const struct cli_lines *lines, struct ws_json *json)
{
    ws_json_object(json, "lines");
    json_columns(lines, json);
    json_sources(lines, json);
    ws_json_array(json, "rows");
    for (u32 pc = 0; pc <= lines->launch->instructions; pc++)
        json_row(lines, pc, json);
    ws_json_end_array(json);
    ws_json_end_object(json);
}
