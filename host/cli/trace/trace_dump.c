#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/documents/json.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/options/frontend_options.h"
#include "cli/options/input_options.h"
#include "cli/table.h"
#include "cli/trace/disassembly.h"
#include "cli/trace/source_lines.h"

enum { KEY_FORMAT = 0x1000, KEY_SOURCE, KEY_BY_LINE };

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, CLI_TEXT_OR_JSON, 0, "default text", 0},
    {"by-line", KEY_BY_LINE, NULL, 0,
     "print one row per source line: warp instructions, active lanes, global accesses, lines per access (text format)", 0},
    {"source", KEY_SOURCE, "FILE", 0, "text that line numbers refer to; default: PTX of the trace, if it exists", 0},
    {0}};

struct arguments {
    const char *trace, *source;
    bool json, by_line;
    u32 lockstep;
};

/* What is shown. */
struct dump {
    struct ws_trace *trace;
    const struct ws_launch *launch;
    struct ws_pc_count *by_pc;
    struct cli_source source;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->lockstep;
        return 0;
    case KEY_FORMAT:
        arguments->json = cli_parse_json(state, argument);
        return 0;
    case KEY_BY_LINE:
        arguments->by_line = true;
        return 0;
    case KEY_SOURCE:
        arguments->source = argument;
        return 0;
    default:
        return cli_take_argument(key, argument, state, "trace", &arguments->trace);
    }
}

static enum ws_status load(const struct arguments *arguments, struct dump *dump, struct ws_error *error)
{
    struct ws_trace_info info;
    WS_TRY(cli_trace_open(arguments->trace, &CLI_INPUTS_STANDARD, arguments->lockstep, &dump->trace, error));
    dump->launch = ws_trace_launch(dump->trace);
    dump->by_pc = calloc(dump->launch->instructions, sizeof *dump->by_pc);
    if (!dump->by_pc)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", arguments->trace);
    WS_TRY(cli_source_load(arguments->source, dump->launch, &dump->source, error));
    return ws_trace_info(dump->trace, &info, dump->by_pc, error);
}

/* ---- Text ---- */

static void add_row(const struct dump *dump, u32 pc, struct cli_table *table)
{
    const struct ws_instruction *const instruction = &dump->launch->program[pc];
    const char *const line = cli_source_line(&dump->source, instruction->line);
    struct ws_text text = {0};
    cli_disassemble(instruction, &text);
    cli_table_number(table, pc);
    cli_table_number(table, dump->by_pc[pc].thread_instructions);
    cli_table_text(table, cli_class_names[instruction->class_]);
    cli_table_text(table, cli_kind_names[instruction->kind]);
    cli_table_text(table, text.data ? text.data : "");
    cli_table_number(table, instruction->line);
    if (dump->source.count > 0)
        cli_table_text(table, line ? line : "");
    table->failed = table->failed || text.failed;
    ws_text_free(&text);
}

static void print_text(const struct dump *dump, struct ws_text *out)
{
    struct cli_table table = {.columns = {"pc", "executed", "class", "kind", "instruction", "line"}};
    if (dump->source.count > 0)
        table.columns[6] = "source";
    ws_text_add(out, "kernel %s from %s, digest %016" PRIx64 "\n\n", dump->launch->kernel, dump->launch->source,
                ws_trace_digest(dump->trace));
    for (u32 pc = 0; pc < dump->launch->instructions; pc++)
        add_row(dump, pc, &table);
    cli_table_print(&table, out);
    cli_table_free(&table);
}

/* ---- Lines ---- */

static void add_count(struct ws_pc_count *sum, const struct ws_pc_count *count)
{
    sum->thread_instructions += count->thread_instructions;
    sum->warp_instructions += count->warp_instructions;
    sum->accesses += count->accesses;
    sum->lines += count->lines;
}

static double ratio(u64 dividend, u64 divisor)
{
    return divisor > 0 ? (double)dividend / (double)divisor : (double)NAN;
}

static void add_line(const struct dump *dump, u32 line, u64 all, struct cli_table *table)
{
    struct ws_pc_count sum = {0};
    const char *const text = cli_source_line(&dump->source, line);
    for (u32 pc = 0; pc < dump->launch->instructions; pc++)
        if (dump->launch->program[pc].line == line)
            add_count(&sum, &dump->by_pc[pc]);
    cli_table_number(table, line);
    cli_table_number(table, sum.warp_instructions);
    cli_table_real(table, 100 * ratio(sum.warp_instructions, all), 1);
    cli_table_real(table, ratio(sum.thread_instructions, sum.warp_instructions), 1);
    cli_table_number(table, sum.accesses);
    cli_table_real(table, ratio(sum.lines, sum.accesses), 1);
    if (dump->source.count > 0)
        cli_table_text(table, text ? text : "");
}

/* The instructions of each line of the source together, in the order of lines; line 0 has those without one. */
static void print_lines(const struct dump *dump, struct ws_text *out)
{
    struct cli_table table = {.columns = {"line", "warp instructions", "%", "lanes", "global accesses", "lines per access"}};
    u64 all = 0;
    if (dump->source.count > 0)
        table.columns[6] = "source";
    for (u32 pc = 0; pc < dump->launch->instructions; pc++)
        all += dump->by_pc[pc].warp_instructions;
    for (u32 line = 0, next; line != UINT32_MAX; line = next) {
        bool has = false;
        next = UINT32_MAX;
        for (u32 pc = 0; pc < dump->launch->instructions; pc++) {
            const u32 other = dump->launch->program[pc].line;
            has = has || other == line;
            next = other > line && other < next ? other : next;
        }
        if (has)
            add_line(dump, line, all, &table);
    }
    cli_table_print(&table, out);
    cli_table_free(&table);
}

/* ---- JSON ---- */

static void add_registers(struct ws_json *json, const char *key, const u8 *registers, u32 count)
{
    uint64_t numbers[sizeof((struct ws_instruction *)0)->src];
    for (u32 n = 0; n < count; n++)
        numbers[n] = registers[n];
    ws_json_numbers(json, key, numbers, count);
}

static void add_number(struct ws_json *json, const char *key, u32 number, bool given)
{
    if (given)
        ws_json_unsigned(json, key, number);
    else
        ws_json_null(json, key);
}

static void add_flow(struct ws_json *json, const struct ws_instruction *instruction)
{
    const bool branch = instruction->class_ == WS_CLASS_branch, jump = instruction->class_ == WS_CLASS_jump;
    const u8 guard = cli_guard(instruction);
    ws_json_bool(json, "guarded", branch || (instruction->flags & WS_GUARDED));
    add_number(json, "guard", guard, guard != WS_NO_REGISTER);
    add_number(json, "target", instruction->target, branch || jump);
    add_number(json, "reconverge", instruction->reconverge, branch && instruction->reconverge != WS_PC_NONE);
}

static void add_object(const struct dump *dump, u32 pc, struct ws_json *json)
{
    const struct ws_instruction *const instruction = &dump->launch->program[pc];
    const char *const line = cli_source_line(&dump->source, instruction->line);
    struct ws_text text = {0};
    cli_disassemble(instruction, &text);
    ws_json_object(json, NULL);
    ws_json_unsigned(json, "pc", pc);
    ws_json_unsigned(json, "executed", dump->by_pc[pc].thread_instructions);
    ws_json_unsigned(json, "warp_instructions", dump->by_pc[pc].warp_instructions);
    ws_json_unsigned(json, "global_accesses", dump->by_pc[pc].accesses);
    ws_json_unsigned(json, "global_lines", dump->by_pc[pc].lines);
    ws_json_text(json, "class", cli_class_names[instruction->class_]);
    ws_json_text(json, "kind", cli_kind_names[instruction->kind]);
    ws_json_text(json, "space", cli_space_names[instruction->space]);
    ws_json_unsigned(json, "bytes", instruction->bytes);
    add_registers(json, "writes", instruction->dst, instruction->writes);
    add_registers(json, "reads", instruction->src, instruction->reads);
    add_flow(json, instruction);
    ws_json_text(json, "instruction", text.data ? text.data : "");
    add_number(json, "line", instruction->line, instruction->line > 0);
    if (line)
        ws_json_text(json, "source", line);
    else
        ws_json_null(json, "source");
    ws_json_end_object(json);
    json->text->failed = json->text->failed || text.failed;
    ws_text_free(&text);
}

static void print_json(const struct dump *dump, struct ws_text *out)
{
    struct ws_json json = {.text = out};
    char digits[32];
    snprintf(digits, sizeof digits, "%016" PRIx64, ws_trace_digest(dump->trace));
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "schema", 1);
    ws_json_text(&json, "kernel", dump->launch->kernel);
    ws_json_text(&json, "source", dump->launch->source);
    ws_json_text(&json, "digest", digits);
    ws_json_array(&json, "instructions");
    for (u32 pc = 0; pc < dump->launch->instructions; pc++)
        add_object(dump, pc, &json);
    ws_json_end_array(&json);
    ws_json_end_object(&json);
}

static const struct argp_child children[] = {{&cli_lockstep_argp, 0, NULL, 0}, {0}};

const struct argp cli_trace_dump_argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .args_doc = "TRACE",
    .doc = "Print the instructions of a trace: execution count, class and kind, registers written and, after <-, read, branch "
           "target and "
           "reconvergence point, source line. TRACE is a file, or NAME[:SIZE] of a bundled workload. Registers are as allocated by "
           "the "
           "front end; p0, p1, ... are predicates. A trace has no constants, no address offsets, and no negation of guards (@)."};

int cli_trace_dump(int argc, char **argv)
{
    struct arguments arguments = {.lockstep = cli_lockstep_standard()};
    struct dump dump = {0};
    struct ws_error error;
    struct ws_text out = {0};
    argp_parse(&cli_trace_dump_argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    const enum ws_status status = load(&arguments, &dump, &error);
    if (status == WS_STATUS_ok)
        (arguments.json ? print_json : arguments.by_line ? print_lines : print_text)(&dump, &out);
    cli_source_free(&dump.source);
    free(dump.by_pc);
    ws_trace_close(dump.trace);
    return status == WS_STATUS_ok ? cli_print(&out) : cli_fail(&error);
}
