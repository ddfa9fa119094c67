#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/compile.h"
#include "cli/frontend_options.h"
#include "cli/input_options.h"
#include "cli/quote.h"

enum { KEY_LAUNCH = 0x1000, KEY_RACES, MOST_PTX_BYTES = 64 << 20 };

struct arguments {
    const char *what, *output, *launch;
    struct cli_inputs inputs;
    struct ws_frontend_options frontend;
    u32 races[WS_RACES]; /* pairs of instructions by kind, where they are looked for */
};

static const struct argp_option options[] = {
    {"output", 'o', "OUT.wst", 0, "the trace to write", 1},
    {"launch", KEY_LAUNCH, "LAUNCH.yaml", 0, "buffers, scalars and sizes for a PTX or OpenCL C file", 2},
    {"races", KEY_RACES, NULL, 0, "tell which accesses of different threads the values depend on; takes several times as long", 2},
    {0},
};

static void count_race(void *context, enum ws_race_kind kind, const char *text)
{
    u32 *const races = context;
    races[kind]++;
    fprintf(stderr, "warpsweep: %s\n", text);
}

static void add_races(const struct arguments *arguments, struct ws_text *out)
{
    u32 sum = 0;
    if (!arguments->frontend.race)
        return;
    for (enum ws_race_kind kind = 0; kind < WS_RACES; kind++) {
        sum += arguments->races[kind];
        if (arguments->races[kind] > 0)
            ws_text_add(out, "races by pairs of instructions: %" PRIu32 " of %s\n", arguments->races[kind], ws_race_text(kind));
    }
    if (sum == 0)
        ws_text_add(out, "races: none\n");
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_opencl(const char *what)
{
    return ends_in(what, ".cl");
}

static bool is_kernel_file(const char *what)
{
    return is_opencl(what) || ends_in(what, ".ptx");
}

static void check(const struct arguments *arguments, struct argp_state *state)
{
    if (!arguments->output)
        argp_error(state, "--output is needed");
    if (is_kernel_file(arguments->what) && !arguments->launch)
        argp_error(state, "%s needs --launch: sizes, buffers and scalars", arguments->what);
    if (is_kernel_file(arguments->what) && arguments->inputs.sized)
        argp_error(state, "--size is for bundled workloads; sizes of %s are in the launch file", arguments->what);
    if (!is_kernel_file(arguments->what) && arguments->launch)
        argp_error(state, "--launch is for PTX and OpenCL C files; %s has a launch of its own", arguments->what);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->inputs;
        state->child_inputs[1] = &arguments->frontend;
        state->child_inputs[2] = &arguments->frontend.lockstep;
        return 0;
    case 'o':
        arguments->output = argument;
        return 0;
    case KEY_LAUNCH:
        arguments->launch = argument;
        return 0;
    case KEY_RACES:
        arguments->frontend.race = count_race;
        arguments->frontend.context = arguments->races;
        return 0;
    case ARGP_KEY_END:
        check(arguments, state);
        arguments->frontend.compiled = is_opencl(arguments->what);
        return 0;
    default:
        return cli_take_argument(key, argument, state, "kernel", &arguments->what);
    }
}

static enum ws_status unknown_workload(const char *name, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}};
    for (const struct ws_workload *row = ws_workloads(); row->name; row++)
        ws_names_offer(&names, row->name);
    const enum ws_status status = ws_fail(
        error, WS_STATUS_bad_input, "found '%s', allowed are FILE.ptx, FILE.cl and the workloads %s", name, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

static enum ws_status build_workload(const struct arguments *arguments, u64 *count, struct ws_error *error)
{
    const struct ws_workload *const workload = ws_workload_find(arguments->what);
    if (!workload)
        return unknown_workload(arguments->what, error);
    return ws_workload_trace(workload, arguments->inputs.size, arguments->inputs.seed, &arguments->frontend, arguments->output,
                             count, error);
}

static enum ws_status load_program(const struct arguments *arguments, struct ws_program **program, struct ws_error *error)
{
    char *ptx;
    size_t length;
    if (is_opencl(arguments->what))
        WS_TRY(cli_compile(arguments->what, &ptx, &length, error));
    else
        WS_TRY(ws_file_read(arguments->what, MOST_PTX_BYTES, &ptx, &length, error));
    const enum ws_status status = ws_program_load(arguments->what, ptx, length, &arguments->frontend, program, error);
    free(ptx);
    return status;
}

/* Where the PTX is not to be seen, messages name lines of the source, and quote them. */
static enum ws_status quoted(const struct arguments *arguments, enum ws_status status, struct ws_error *error)
{
    if (status == WS_STATUS_bad_input && is_opencl(arguments->what))
        cli_quote(arguments->what, error);
    return status;
}

static enum ws_status build_file(const struct arguments *arguments, u64 *count, struct ws_error *error)
{
    struct ws_program *program;
    struct ws_ndrange *launch;
    WS_TRY(quoted(arguments, load_program(arguments, &program, error), error));
    enum ws_status status = ws_launch_file_load(arguments->launch, arguments->inputs.seed, &launch, error);
    if (status == WS_STATUS_ok) {
        launch->source = arguments->what;
        status = quoted(arguments, ws_trace_build(program, &arguments->frontend, launch, arguments->output, count, error), error);
        ws_launch_file_free(launch);
    }
    ws_program_free(program);
    return status;
}

static enum ws_status build(const struct arguments *arguments, u64 *count, struct ws_error *error)
{
    return is_kernel_file(arguments->what) ? build_file(arguments, count, error) : build_workload(arguments, count, error);
}

static const struct argp_child children[] = {
    {&cli_input_argp, 0, NULL, 0}, {&cli_frontend_argp, 0, NULL, 0}, {&cli_lockstep_argp, 0, NULL, 0}, {0}};

const struct argp cli_trace_build_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "WORKLOAD|FILE.ptx|FILE.cl -o OUT.wst",
    .doc = "Executes a kernel, warp after warp, and writes what every thread did. The results of bundled workloads are "
           "checked against plain C. OpenCL C needs clang, 14 or newer, and a libclc that it reads.",
    .children = children};

int cli_trace_build(int argc, char **argv)
{
    struct arguments arguments = {.inputs = CLI_INPUTS_STANDARD, .frontend = cli_frontend_standard()};
    struct ws_error error;
    u64 count = 0;
    argp_parse(&cli_trace_build_argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    if (build(&arguments, &count, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    struct ws_text out = {0};
    ws_text_add(&out, "%s: %" PRIu64 " thread instructions\n", arguments.output, count);
    add_races(&arguments, &out);
    return cli_print(&out);
}
