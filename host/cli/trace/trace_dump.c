#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const char *source_name;
    bool has_lines, has_ptx; /* machine code: some instruction has a line of its PTX */
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
    for (u32 pc = 0; dump->launch->code && pc < dump->launch->instructions; pc++) {
        dump->has_lines = dump->has_lines || dump->launch->program[pc].line;
        dump->has_ptx = dump->has_ptx || dump->launch->code->instructions[pc].ptx[0];
    }
    dump->source_name = arguments->source ? arguments->source : "";
    WS_TRY(cli_source_load(arguments->source, dump->launch, &dump->source, error));
    return ws_trace_info(dump->trace, &info, dump->by_pc, error);
}

/* ---- Lines of the source ---- */

static const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file of an instruction's line; NULL: unknown, or the only one. */
static const char *file_of(const struct dump *dump, u32 pc)
{
    const struct ws_machine_code *const code = dump->launch->code;
    return code && code->instructions[pc].file ? base_name(code->files[code->instructions[pc].file - 1]) : NULL;
}

/* Text of an instruction's line. For a trace with several files: the one with the text's name. */
static const char *source_line(const struct dump *dump, u32 pc)
{
    const char *const file = file_of(dump, pc);
    const bool other = file && dump->launch->code->file_count > 1 && strcmp(file, base_name(dump->source_name)) != 0;
    return other ? NULL : cli_source_line(&dump->source, dump->launch->program[pc].line);
}

/* "small.cu:21", as in messages; only the number without a file; "" without a line. */
static void add_place(const struct dump *dump, u32 pc, struct cli_table *table)
{
    const u32 line = dump->launch->program[pc].line;
    const char *const file = file_of(dump, pc);
    struct ws_text place = {0};
    ws_text_add(&place, "%s%s", line && file ? file : "", line && file ? ":" : "");
    if (line > 0)
        ws_text_add(&place, "%u", line);
    cli_table_text(table, place.data ? place.data : "");
    table->failed = table->failed || place.failed;
    ws_text_free(&place);
}

/* ---- Text ---- */

static void add_row(const struct dump *dump, u32 pc, struct cli_table *table)
{
    const struct ws_instruction *const instruction = &dump->launch->program[pc];
    const char *const line = source_line(dump, pc);
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

static void add_code_row(const struct dump *dump, u32 pc, struct cli_table *table)
{
    const struct ws_instruction *const instruction = &dump->launch->program[pc];
    const struct ws_machine_instruction *const code = &dump->launch->code->instructions[pc];
    const char *const line = source_line(dump, pc);
    struct ws_text text = {0}, control = {0}, offset = {0};
    cli_disassemble_code(instruction, code, &text);
    cli_control(code->control, &control);
    ws_text_add(&offset, code->offset == WS_CODE_NO_OFFSET ? "none" : "%04x", code->offset);
    cli_table_number(table, pc);
    cli_table_text(table, offset.data ? offset.data : "");
    cli_table_number(table, dump->by_pc[pc].thread_instructions);
    cli_table_text(table, control.data ? control.data : "");
    cli_table_text(table, text.data ? text.data : "");
    if (dump->has_lines)
        add_place(dump, pc, table);
    if (dump->has_ptx)
        cli_table_text(table, code->ptx);
    if (dump->source.count > 0)
        cli_table_text(table, line ? line : "");
    table->failed = table->failed || text.failed || control.failed || offset.failed;
    ws_text_free(&text);
    ws_text_free(&control);
    ws_text_free(&offset);
}

static void print_code(const struct dump *dump, struct ws_text *out)
{
    const struct ws_machine_code *const code = dump->launch->code;
    struct cli_table table = {.columns = {"pc", "offset", "executed", "control", "instruction"}};
    u32 columns = 5;
    if (dump->has_lines)
        table.columns[columns++] = "line";
    if (dump->has_ptx)
        table.columns[columns++] = "PTX";
    if (dump->source.count > 0)
        table.columns[columns++] = "source";
    ws_text_add(out, "machine code of sm_%u%s%s\n\n", code->architecture, code->compiler[0] ? ", " : "", code->compiler);
    for (u32 pc = 0; pc < dump->launch->instructions; pc++)
        add_code_row(dump, pc, &table);
    cli_table_print(&table, out);
    cli_table_free(&table);
}

static void print_text(const struct dump *dump, struct ws_text *out)
{
    struct cli_table table = {.columns = {"pc", "executed", "class", "kind", "instruction", "line"}};
    if (dump->source.count > 0)
        table.columns[6] = "source";
    ws_text_add(out, "kernel %s from %s, digest %016" PRIx64 "\n", dump->launch->kernel, dump->launch->source,
                ws_trace_digest(dump->trace));
    if (dump->launch->code) {
        print_code(dump, out);
        return;
    }
    ws_text_add(out, "\n");
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

/* File and line of an instruction as a sort key; instructions without a line come first. */
static u64 line_key(const struct dump *dump, u32 pc)
{
    const struct ws_machine_code *const code = dump->launch->code;
    const u32 line = dump->launch->program[pc].line;
    return line && code ? (u64)code->instructions[pc].file << 32 | line : line;
}

/* Adds the instructions of the line of `first`, its first instruction. */
static void add_line(const struct dump *dump, u32 first, u64 all, struct cli_table *table)
{
    struct ws_pc_count sum = {0};
    const char *const text = source_line(dump, first);
    for (u32 pc = first; pc < dump->launch->instructions; pc++)
        if (line_key(dump, pc) == line_key(dump, first))
            add_count(&sum, &dump->by_pc[pc]);
    if (dump->launch->code && dump->launch->program[first].line > 0)
        add_place(dump, first, table);
    else
        cli_table_number(table, dump->launch->program[first].line);
    cli_table_number(table, sum.warp_instructions);
    cli_table_real(table, 100 * ratio(sum.warp_instructions, all), 1);
    cli_table_real(table, ratio(sum.thread_instructions, sum.warp_instructions), 1);
    cli_table_number(table, sum.accesses);
    cli_table_real(table, ratio(sum.lines, sum.accesses), 1);
    if (dump->source.count > 0)
        cli_table_text(table, text ? text : "");
}

/* Groups instructions by source line, in the order of files and lines; those without a line form one row. */
static void print_lines(const struct dump *dump, struct ws_text *out)
{
    struct cli_table table = {.columns = {"line", "warp instructions", "%", "lanes", "global accesses", "lines per access"}};
    const u32 count = dump->launch->instructions;
    u64 all = 0, last = 0;
    if (dump->source.count > 0)
        table.columns[6] = "source";
    for (u32 pc = 0; pc < count; pc++)
        all += dump->by_pc[pc].warp_instructions;
    for (bool begun = false;; begun = true) {
        u32 first = count;
        for (u32 pc = 0; pc < count; pc++) {
            const u64 key = line_key(dump, pc);
            if ((!begun || key > last) && (first == count || key < line_key(dump, first)))
                first = pc;
        }
        if (first == count)
            break;
        add_line(dump, first, all, &table);
        last = line_key(dump, first);
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

static void add_operand(struct ws_json *json, const struct ws_machine_operand *operand)
{
    static const char *const roles[WS_CODE_ROLES] = {"destination", "source", "guard", "address"};
    static const char *const files[] = {"R", "UR", "P", "UP", "B", "constant", "SB"};
    ws_json_object(json, NULL);
    ws_json_text(json, "role", roles[operand->role]);
    ws_json_text(json, "file", files[operand->file]);
    ws_json_unsigned(json, "number", operand->number);
    ws_json_unsigned(json, "words", operand->words);
    add_number(json, "slot", operand->slot, operand->slot != WS_CODE_NO_SLOT);
    if (operand->file >= WS_SASS_BANK)
        ws_json_unsigned(json, "offset", operand->offset);
    ws_json_end_object(json);
}

static void add_control(struct ws_json *json, u32 bits)
{
    const struct ws_sass_control control = ws_sass_control_of(bits);
    ws_json_object(json, "control");
    ws_json_unsigned(json, "bits", bits);
    ws_json_unsigned(json, "stall", control.stall);
    ws_json_bool(json, "yield", control.yield);
    add_number(json, "write_barrier", control.writes, control.writes != WS_SASS_NO_BARRIER);
    add_number(json, "read_barrier", control.reads, control.reads != WS_SASS_NO_BARRIER);
    ws_json_unsigned(json, "wait_mask", control.waits);
    ws_json_unsigned(json, "reuse", control.reuse);
    ws_json_end_object(json);
}

static void add_code(struct ws_json *json, const struct ws_machine_code *machine, u32 pc)
{
    const struct ws_machine_instruction *const code = &machine->instructions[pc];
    ws_json_object(json, "code");
    add_number(json, "offset", code->offset, code->offset != WS_CODE_NO_OFFSET);
    ws_json_text(json, "text", code->text);
    add_control(json, code->control);
    ws_json_array(json, "operands");
    for (u32 n = 0; n < code->operand_count; n++)
        add_operand(json, &code->operands[n]);
    ws_json_end_array(json);
    if (code->file)
        ws_json_text(json, "file", machine->files[code->file - 1]);
    else
        ws_json_null(json, "file");
    add_number(json, "ptx_line", code->ptx_line, code->ptx_line > 0);
    ws_json_text(json, "ptx", code->ptx);
    ws_json_end_object(json);
}

static void add_object(const struct dump *dump, u32 pc, struct ws_json *json)
{
    const struct ws_instruction *const instruction = &dump->launch->program[pc];
    const char *const line = source_line(dump, pc);
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
    if (dump->launch->code)
        add_code(json, dump->launch->code, pc);
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
    if (dump->launch->code) {
        ws_json_unsigned(&json, "architecture", dump->launch->code->architecture);
        ws_json_text(&json, "compiler", dump->launch->code->compiler);
    }
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
           "front end; p0, p1, ... are predicates. A trace of PTX has no constants, no address offsets, and no negation of guards "
           "(@). A trace of machine code prints control bits (wait mask, read barrier, write barrier, yield, stall), SASS, source "
           "line and PTX."};

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
