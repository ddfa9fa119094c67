#include <inttypes.h>
#include <math.h>

#include "base/documents/json.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/options/frontend_options.h"
#include "cli/options/input_options.h"
#include "cli/table.h"
#include "cli/trace/against.h"
#include "cli/trace/disassembly.h"
#include "cli/trace/replay.h"
#include "warpsweep/trace.h"

enum { KEY_FORMAT = 0x1000, KEY_CHECK, KEY_SOURCE, KEY_AGAINST, LONGEST_NUMBER = 32 };

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, CLI_TEXT_OR_JSON, 0, "default text", 0},
    {"check", KEY_CHECK, NULL, 0, "of an imported trace: also form warps of 32 and compare them with the recorded warps", 0},
    {"source", KEY_SOURCE, "FILE", 0, "recorded file for --check; default: the file named in the trace", 0},
    {"against", KEY_AGAINST, "TRACE", 0,
     "compare with another trace of the same launch, such as PTX and machine code of one kernel", 0},
    {0}};

struct arguments {
    const char *trace, *source, *against;
    bool json, check;
    u32 lockstep;
};

/* Output settings; replay is NULL without --check. */
struct shown {
    const struct ws_launch *launch;
    u64 digest;
    const struct ws_trace_info *info;
    const struct ws_nvbit_report *replay;
    const struct shown *against; /* NULL without --against */
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
    case KEY_CHECK:
        arguments->check = true;
        return 0;
    case KEY_SOURCE:
        arguments->source = argument;
        return 0;
    case KEY_AGAINST:
        arguments->against = argument;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (arguments->source && !arguments->check)
            argp_error(state, "--source is for --check");
        if (arguments->against && arguments->check)
            argp_error(state, "--against and --check exclude each other");
        return 0;
    default:
        return cli_take_argument(key, argument, state, "trace", &arguments->trace);
    }
}

static double share(u64 part, u64 whole)
{
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static void add_members(const struct shown *shown, struct ws_json *json)
{
    const struct ws_launch *const launch = shown->launch;
    const struct ws_trace_info *const info = shown->info;
    char digits[LONGEST_NUMBER];
    snprintf(digits, sizeof digits, "%016" PRIx64, shown->digest);
    ws_json_text(json, "kernel", launch->kernel);
    ws_json_text(json, "source", launch->source);
    ws_json_text(json, "digest", digits);
    ws_json_unsigned(json, "threads", info->threads);
    ws_json_unsigned(json, "blocks", info->blocks);
    ws_json_unsigned(json, "thread_instructions", info->thread_instructions);
    ws_json_unsigned(json, "static_instructions", launch->instructions);
    ws_json_unsigned(json, "registers", launch->registers);
    ws_json_unsigned(json, "given_registers", launch->given_registers);
    ws_json_unsigned(json, "shared_bytes", launch->shared_bytes);
    ws_json_unsigned(json, "lockstep", launch->lockstep);
    ws_json_unsigned(json, "accesses", info->accesses);
    ws_json_unsigned(json, "decisions", info->decisions);
    ws_json_unsigned(json, "file_bytes", info->file_bytes);
    ws_json_unsigned(json, "footprint_bytes", info->footprint_bytes);
    ws_json_real(json, "bytes_per_instruction", info->bytes_per_instruction);
    ws_json_real(json, "mean_active_lanes", info->mean_active_lanes);
    ws_json_real(json, "lines_per_access", info->lines_per_access);
    ws_json_real(json, "guarded_share", share(info->guarded, info->thread_instructions));
    ws_json_real(json, "guarded_off_share", share(info->guarded_off, info->thread_instructions));
    ws_json_object(json, "class_instructions");
    for (size_t n = 0; n < WS_CLASSES; n++)
        ws_json_unsigned(json, cli_class_names[n], info->class_instructions[n]);
    ws_json_end_object(json);
    if (shown->replay)
        cli_replay_json(shown->replay, json);
}

static void print_json(const struct shown *shown, struct ws_text *out)
{
    struct ws_json json = {.text = out};
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "schema", 1);
    add_members(shown, &json);
    if (shown->against) {
        ws_json_object(&json, "against");
        add_members(shown->against, &json);
        ws_json_end_object(&json);
    }
    ws_json_end_object(&json);
}

static void add_count(struct cli_table *table, const char *name, u64 value, const char *unit)
{
    cli_table_text(table, name);
    cli_table_number(table, value);
    cli_table_text(table, unit);
}

static void add_real(struct cli_table *table, const char *name, double value, const char *unit)
{
    cli_table_text(table, name);
    cli_table_real(table, value, 3);
    cli_table_text(table, unit);
}

static void print_text(const struct shown *shown, struct ws_text *out)
{
    const struct ws_launch *const launch = shown->launch;
    const struct ws_trace_info *const info = shown->info;
    struct cli_table table = {.columns = {"of the trace", "value", "unit"}};
    ws_text_add(out, "kernel %s from %s, digest %016" PRIx64 "\n", launch->kernel, launch->source, shown->digest);
    ws_text_add(out, "grid %u x %u x %u blocks of %u x %u x %u threads, ", launch->grid[0], launch->grid[1], launch->grid[2],
                launch->block[0], launch->block[1], launch->block[2]);
    if (launch->lockstep > 1)
        ws_text_add(out, "%u threads in lockstep\n\n", launch->lockstep);
    else
        ws_text_add(out, "%s\n\n", launch->lockstep ? "one after another" : "lockstep not recorded");
    add_count(&table, "threads", info->threads, "threads");
    add_count(&table, "blocks", info->blocks, "blocks");
    add_count(&table, "thread instructions", info->thread_instructions, "instructions");
    for (size_t n = 0; n < WS_CLASSES; n++) {
        if (info->class_instructions[n] > 0)
            add_real(&table, cli_class_names[n], 100 * share(info->class_instructions[n], info->thread_instructions),
                     "% of instructions");
    }
    add_real(&table, "guarded", 100 * share(info->guarded, info->thread_instructions), "% of instructions");
    add_real(&table, "guard false", 100 * share(info->guarded_off, info->thread_instructions), "% of instructions");
    add_real(&table, "mean active lanes", info->mean_active_lanes, "lanes, warps of 32 with a reconvergence stack");
    add_real(&table, "lines per access", info->lines_per_access, "128-byte lines, warps of 32, global memory");
    add_count(&table, "static instructions", launch->instructions, "instructions");
    add_count(&table, "registers", launch->registers, "32-bit registers a thread");
    if (launch->given_registers)
        add_count(&table, "registers given", launch->given_registers, "32-bit registers a thread takes of the SM");
    add_count(&table, "shared memory", launch->shared_bytes, "bytes a block");
    add_count(&table, "footprint", info->footprint_bytes, "bytes of global memory, in granules of 32");
    add_count(&table, "file", info->file_bytes, "bytes");
    add_real(&table, "bytes per instruction", info->bytes_per_instruction, "bytes");
    cli_table_print(&table, out);
    cli_table_free(&table);
    if (shown->replay)
        cli_replay_text(shown->replay, out);
}

static const struct argp_child children[] = {{&cli_lockstep_argp, 0, NULL, 0}, {0}};

const struct argp cli_trace_info_argp = {.options = options,
                                         .parser = parse,
                                         .args_doc = "TRACE",
                                         .doc = "Show statistics of a trace: instruction mix, divergence, coalescing, footprint. "
                                                "TRACE is a file, or NAME[:SIZE] of a bundled workload.",
                                         .children = children};

/* A trace to print. */
struct read {
    struct ws_trace *trace;
    struct ws_trace_info info;
    struct shown shown;
};

static enum ws_status read_trace(const char *name, const struct arguments *arguments, struct read *read, struct ws_error *error)
{
    WS_TRY(cli_trace_open(name, &CLI_INPUTS_STANDARD, arguments->lockstep, &read->trace, error));
    read->shown = (struct shown){ws_trace_launch(read->trace), ws_trace_digest(read->trace), &read->info, NULL, NULL};
    return ws_trace_info(read->trace, &read->info, NULL, error);
}

static enum ws_status read_other(const struct arguments *arguments, struct read *one, struct read *other, struct ws_error *error)
{
    if (!arguments->against)
        return WS_STATUS_ok;
    WS_TRY(read_trace(arguments->against, arguments, other, error));
    one->shown.against = &other->shown;
    return cli_against_check(&(struct cli_against){one->shown.launch, &one->info},
                             &(struct cli_against){other->shown.launch, &other->info}, error);
}

static void show(const struct arguments *arguments, const struct shown *shown, struct ws_text *out)
{
    if (arguments->json)
        print_json(shown, out);
    else if (shown->against)
        cli_against_text(&(struct cli_against){shown->launch, shown->info},
                         &(struct cli_against){shown->against->launch, shown->against->info}, out);
    else
        print_text(shown, out);
}

int cli_trace_info(int argc, char **argv)
{
    struct arguments arguments = {.lockstep = cli_lockstep_standard()};
    struct ws_error error;
    struct read one = {0}, other = {0};
    struct ws_nvbit_report replay;
    struct ws_text out = {0};
    argp_parse(&cli_trace_info_argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    enum ws_status status = read_trace(arguments.trace, &arguments, &one, &error);
    if (status == WS_STATUS_ok && arguments.check)
        status = cli_replay(arguments.source, one.trace, &replay, &error);
    one.shown.replay = arguments.check ? &replay : NULL;
    WS_THEN(status, read_other(&arguments, &one, &other, &error));
    if (status == WS_STATUS_ok)
        show(&arguments, &one.shown, &out);
    ws_trace_close(one.trace);
    ws_trace_close(other.trace);
    return status == WS_STATUS_ok ? cli_print(&out) : cli_fail(&error);
}
