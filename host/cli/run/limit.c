#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/documents/json.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/options/engine_options.h"
#include "cli/options/frontend_options.h"
#include "cli/options/input_options.h"
#include "cli/options/machine_options.h"
#include "cli/run/run_report.h"
#include "cli/table.h"
#include "warpsweep/limit.h"

#define FORMATS          "text|json|csv"
#define STANDARD_MACHINE "narasiman2011"

enum { KEY_FIRST = 0x2000, KEY_MOST_CELLS, KEY_FORMAT };

struct arguments {
    struct cli_machine machine;
    const char *trace;
    struct ws_limit_options limit;
    size_t format;
    struct ws_engine_options engine;
    u32 lockstep;
    struct cli_inputs inputs;
};

static const struct argp_option options[] = {
    {"machine", 'm', "MACHINE", 0, "machine: YAML file or bundled name; default " STANDARD_MACHINE, 1},
    {"first", KEY_FIRST, "N", 0, "study the first N threads of the trace, block by block", 6},
    {"most-cells", KEY_MOST_CELLS, "N", 0, "stop when alignment tables need more cells", 6},
    {"format", KEY_FORMAT, FORMATS, 0, "default text", 20},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->machine;
        state->child_inputs[1] = &arguments->engine;
        state->child_inputs[2] = &arguments->lockstep;
        state->child_inputs[3] = &arguments->inputs;
        return 0;
    case 'm':
        arguments->machine.name = argument;
        return 0;
    case KEY_FIRST:
        arguments->limit.threads = (u32)cli_parse_number(state, "first", argument, UINT32_MAX);
        return 0;
    case KEY_MOST_CELLS:
        arguments->limit.most_cells = cli_parse_number(state, "most-cells", argument, UINT64_MAX);
        return 0;
    case KEY_FORMAT:
        arguments->format = cli_parse_choice(state, "format", FORMATS, argument);
        return 0;
    default:
        return cli_take_argument(key, argument, state, "trace", &arguments->trace);
    }
}

/* Defaults in --help come from the library. */
static char *add_default(int key, const char *text, void *input)
{
    struct ws_limit_options standard;
    struct ws_text help = {0};
    (void)input;
    ws_limit_defaults(&standard);
    if (key == KEY_FIRST)
        ws_text_add(&help, "%s; default %" PRIu32, text, standard.threads);
    else if (key == KEY_MOST_CELLS)
        ws_text_add(&help, "%s; default %" PRIu64, text, standard.most_cells);
    return help.data ? help.data : (char *)(uintptr_t)text;
}

/* ---- Output ---- */

/* One finished study; everything belongs to the caller. */
struct finished {
    const struct arguments *arguments;
    const struct ws_machine_file *machine;
    const struct ws_engine *engine;
    const struct ws_limit *limit;
    const char *trace; /* what reports call it */
};

static double ratio(u64 dividend, u64 divisor)
{
    return divisor > 0 ? (double)dividend / (double)divisor : (double)NAN;
}

static void add_warp(struct cli_table *table, const char *name, const struct ws_limit_warp *warp)
{
    cli_table_text(table, name);
    cli_table_number(table, warp->threads);
    cli_table_number(table, warp->thread_instructions);
    cli_table_number(table, warp->pdom);
    cli_table_number(table, warp->oracle);
    cli_table_number(table, warp->least);
    cli_table_real(table, ratio(warp->pdom, warp->oracle), 3);
}

static struct cli_table warp_table(const struct ws_limit *limit)
{
    struct cli_table table = {.columns = {"warp", "threads", "instructions", "pdom", "oracle", "least", "pdom/oracle"}};
    struct ws_text name = {0};
    for (u32 n = 0; n < limit->warp_count; n++) {
        name.length = 0;
        ws_text_add(&name, "%u of block %u", n, limit->warps[n].block);
        add_warp(&table, name.failed ? "" : name.data, &limit->warps[n]);
    }
    ws_text_free(&name);
    return table;
}

static void print_text(const struct finished *finished, struct ws_text *out)
{
    const struct ws_limit *const limit = finished->limit;
    struct cli_table table = warp_table(limit);
    ws_text_add(out, "machine     %s, %u threads a warp, ideal memory and instruction cache\noverrides   ", finished->machine->name,
                finished->machine->machine.core_warp_size);
    const size_t length = out->length;
    cli_add_overrides(finished->machine, out);
    ws_text_add(out, out->length == length ? "none\n" : "\n");
    ws_text_add(out, "trace       %s, the first %u threads, of %u block%s\n", finished->trace, limit->total.threads,
                limit->total.block, limit->total.block == 1 ? "" : "s");
    ws_text_add(out, "engine      %s, %s\n", ws_engine_name(finished->engine), ws_engine_device(finished->engine));
    ws_text_add(out, "alignments  %" PRIu64 ", of %" PRIu64 " cells\n\nissue slots\n", limit->alignments, limit->cells);
    add_warp(&table, "all", &limit->total);
    cli_table_print(&table, out);
    cli_table_free(&table);
    ws_text_add(out, "\ncycles      %" PRIu64 " with pdom, %" PRIu64 " with the oracle: a speedup of %.3f\n", limit->pdom_cycles,
                limit->oracle_cycles, ratio(limit->pdom_cycles, limit->oracle_cycles));
}

static void add_head(const struct finished *finished, struct ws_json *json)
{
    ws_json_unsigned(json, "schema", 1);
    ws_json_text(json, "machine", finished->machine->name);
    cli_json_overrides(finished->machine, json);
    ws_json_text(json, "trace", finished->trace);
    ws_json_text(json, "engine", ws_engine_name(finished->engine));
    ws_json_text(json, "device", ws_engine_device(finished->engine));
    ws_json_unsigned(json, "warp_size", finished->machine->machine.core_warp_size);
}

static void print_json(const struct finished *finished, struct ws_text *out)
{
    const struct ws_limit *const limit = finished->limit;
    struct ws_json json = {.text = out};
    struct cli_table table = warp_table(limit);
    ws_json_object(&json, NULL);
    add_head(finished, &json);
    ws_json_unsigned(&json, "threads", limit->total.threads);
    ws_json_unsigned(&json, "blocks", limit->total.block);
    ws_json_unsigned(&json, "thread_instructions", limit->total.thread_instructions);
    ws_json_unsigned(&json, "alignments", limit->alignments);
    ws_json_unsigned(&json, "cells", limit->cells);
    ws_json_unsigned(&json, "pdom_slots", limit->total.pdom);
    ws_json_unsigned(&json, "oracle_slots", limit->total.oracle);
    ws_json_unsigned(&json, "least_slots", limit->total.least);
    ws_json_unsigned(&json, "pdom_cycles", limit->pdom_cycles);
    ws_json_unsigned(&json, "oracle_cycles", limit->oracle_cycles);
    ws_json_real(&json, "speedup", ratio(limit->pdom_cycles, limit->oracle_cycles));
    cli_table_json(&table, "warps", &json);
    ws_json_end_object(&json);
    cli_table_free(&table);
}

static void print_csv(const struct finished *finished, struct ws_text *out)
{
    const struct ws_limit *const limit = finished->limit;
    const struct ws_limit_warp *const total = &limit->total;
    struct ws_text overrides = {0};
    cli_add_overrides(finished->machine, &overrides);
    ws_text_add(out,
                "machine,overrides,trace,engine,device,warp_size,threads,blocks,thread_instructions,alignments,cells,pdom_slots,"
                "oracle_slots,least_slots,pdom_cycles,oracle_cycles,speedup\n");
    cli_add_csv(out, finished->machine->name);
    cli_add_csv(out, overrides.data ? overrides.data : "");
    cli_add_csv(out, finished->trace);
    cli_add_csv(out, ws_engine_name(finished->engine));
    cli_add_csv(out, ws_engine_device(finished->engine));
    ws_text_add(out, "%u,%u,%u", finished->machine->machine.core_warp_size, total->threads, total->block);
    const u64 numbers[] = {total->thread_instructions, limit->alignments,   limit->cells, total->pdom, total->oracle, total->least,
                           limit->pdom_cycles,         limit->oracle_cycles};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        ws_text_add(out, ",%" PRIu64, numbers[n]);
    ws_text_add(out, ",%.6f\n", ratio(limit->pdom_cycles, limit->oracle_cycles));
    out->failed = out->failed || overrides.failed;
    ws_text_free(&overrides);
}

static void (*const formats[])(const struct finished *finished, struct ws_text *out) = {print_text, print_json, print_csv};

/* ---- The command ---- */

static enum ws_status study(struct arguments *arguments, struct ws_text *out, struct ws_error *error)
{
    struct ws_machine_file machine;
    struct ws_trace *trace;
    struct ws_engine *engine;
    struct ws_limit limit;
    WS_TRY(cli_machine_load(&arguments->machine, &machine, error));
    WS_TRY(ws_engine_open(&arguments->engine, &engine, error));
    enum ws_status status = cli_trace_open(arguments->trace, &arguments->inputs, arguments->lockstep, &trace, error);
    WS_THEN(status, ws_limit_run(engine, &machine.machine, trace, &arguments->limit, &limit, error));
    ws_trace_close(trace);
    if (status == WS_STATUS_ok) {
        struct ws_text name = {0};
        cli_trace_name(arguments->trace, &arguments->inputs, &name);
        const struct finished finished = {arguments, &machine, engine, &limit, name.data ? name.data : arguments->trace};
        formats[arguments->format](&finished, out);
        ws_text_free(&name);
        ws_limit_free(&limit);
    }
    ws_engine_close(engine);
    return status;
}

static const struct argp_child children[] = {{&cli_set_argp, 0, NULL, 0},
                                             {&cli_engine_argp, 0, NULL, 0},
                                             {&cli_lockstep_argp, 0, NULL, 0},
                                             {&cli_input_argp, 0, NULL, 0},
                                             {0}};

const struct argp cli_limit_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "TRACE",
    .doc = "Limit study of reconvergence points: issue slots and cycles of a trace's first threads with the best reconvergence "
           "points, and with immediate post-dominators (limit.md). TRACE is a file, or NAME[:SIZE] of a bundled workload, which is "
           "traced once and cached.",
    .children = children,
    .help_filter = add_default};

int cli_limit(int argc, char **argv)
{
    struct ws_error error = {.status = WS_STATUS_no_memory, .message = "out of memory"};
    struct arguments arguments = {.machine = {.name = STANDARD_MACHINE, .overrides = cli_override_room(argc)},
                                  .engine = CLI_ENGINE_STANDARD,
                                  .lockstep = cli_lockstep_standard(),
                                  .inputs = CLI_INPUTS_STANDARD};
    struct ws_text out = {0};
    if (!arguments.machine.overrides)
        return cli_fail(&error);
    ws_limit_defaults(&arguments.limit);
    argp_parse(&cli_limit_argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    arguments.limit.go_on = cli_should_continue;
    const enum ws_status status = study(&arguments, &out, &error);
    free(arguments.machine.overrides);
    return status == WS_STATUS_ok ? cli_print(&out) : cli_fail(&error);
}
