#include "cli/capture/capture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/options/frontend_options.h"

enum { KEY_LAUNCHES = 0x4000, KEY_KERNEL, KEY_LIMIT, KEY_BINARIES, KEY_NO_TRACES, KEY_CHECK, KEY_TOLERANCE, KEY_DEVICE };

#define STANDARD_LIMIT     (4ull << 30)
#define STANDARD_TOLERANCE 1e-3

static const struct argp_option options[] = {
    {"output", 'o', "OUTDIR", 0,
     "folder for launch files, programs, data and traces; an earlier capture there becomes OUTDIR.1 and so on; required", 1},
    {"launches", KEY_LAUNCHES, "N..M", 0, "record launches N to M only, counted from 0; also N, N.. and ..M", 2},
    {"kernel", KEY_KERNEL, "NAME", 0, "record launches of this kernel only", 2},
    {"limit", KEY_LIMIT, "SIZE", 0, "bytes of buffers to record, such as 500M; further launches are skipped; default 4G", 2},
    {"keep-binaries", KEY_BINARIES, NULL, 0,
     "allow binaries of unknown source and skip their launches; by default the program must compile from source", 2},
    {"device-as", KEY_DEVICE, "MACHINE", 0, "GPU that CUDA programs find, by its machine file: a100 (default), h100, rtx3070 ...",
     2},
    {"no-traces", KEY_NO_TRACES, NULL, 0, "write launch files only", 3},
    {"check", KEY_CHECK, NULL, 0, "execute each launch and compare its buffers with the driver's", 3},
    {"tolerance", KEY_TOLERANCE, "X", 0, "relative difference of floats allowed by --check; default 1e-3", 3},
    {0},
};

static void parse_launches(struct cli_capture *capture, const char *text, struct argp_state *state)
{
    char *end = (char *)(uintptr_t)text;
    const bool digit = *text >= '0' && *text <= '9';
    capture->first = digit ? strtoull(text, &end, 10) : 0;
    capture->last = capture->first;
    if (strncmp(end, "..", 2) == 0) {
        const char *const rest = end + 2;
        capture->last = UINT64_MAX;
        if (*rest >= '0' && *rest <= '9')
            capture->last = strtoull(rest, &end, 10);
        else
            end += 2;
    } else if (!digit) {
        end = (char *)(uintptr_t) "?";
    }
    if (*end || capture->last < capture->first)
        argp_error(state, "--launches: found '%s', allowed are N, N.., ..M and N..M with N not above M", text);
}

static u64 parse_size(const char *text, struct argp_state *state)
{
    static const char units[] = "KMGT";
    char *end;
    u64 bytes = strtoull(text, &end, 10);
    const char *const unit = *end ? strchr(units, *end) : NULL;
    const u32 shift = unit ? 10 * (u32)(unit - units + 1) : 0;
    if (*text < '0' || *text > '9' || (unit ? end[1] : *end) || bytes > UINT64_MAX >> shift)
        argp_error(state, "--limit: found '%s', allowed is a whole number of bytes, also with K, M, G or T behind it", text);
    return bytes << shift;
}

static double parse_tolerance(const char *text, struct argp_state *state)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0)
        argp_error(state, "--tolerance: found '%s', allowed is a number from 0", text);
    return value;
}

static void check(const struct cli_capture *capture, struct argp_state *state)
{
    if (!capture->folder)
        argp_error(state, "--output is needed");
    if (!capture->program)
        argp_error(state, "a program to run is needed");
    if (capture->check && capture->no_traces)
        argp_error(state, "--check executes the launches, which --no-traces leaves out");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_capture *const capture = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &capture->frontend;
        state->child_inputs[1] = &capture->frontend.lockstep;
        return 0;
    case 'o':
        capture->folder = argument;
        return 0;
    case KEY_LAUNCHES:
        parse_launches(capture, argument, state);
        return 0;
    case KEY_KERNEL:
        capture->kernel = argument;
        return 0;
    case KEY_LIMIT:
        capture->limit = parse_size(argument, state);
        return 0;
    case KEY_BINARIES:
        capture->keep_binaries = true;
        return 0;
    case KEY_DEVICE:
        capture->device = argument;
        return 0;
    case KEY_NO_TRACES:
        capture->no_traces = true;
        return 0;
    case KEY_CHECK:
        capture->check = true;
        return 0;
    case KEY_TOLERANCE:
        capture->tolerance = parse_tolerance(argument, state);
        return 0;
    case ARGP_KEY_ARG: /* all that follows belongs to the program */
        capture->program = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        check(capture, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_frontend_argp, 0, NULL, 0}, {&cli_lockstep_argp, 0, NULL, 0}, {0}};

const struct argp cli_capture_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "-o DIR -- PROGRAM [ARGUMENT...]",
    .doc = "Run an OpenCL program on its own driver, or a CUDA program without a GPU, and record each launch: kernel, sizes, "
           "arguments, contents of buffers. Write a launch file and a trace per launch (capture.md). Report and skip launches that "
           "cannot be recorded.",
    .children = children};

static void add_sums(const struct cli_capture *capture, const struct cli_captured *captured, struct ws_text *out)
{
    ws_text_add(out, "%s: %" PRIu32 " captured, %" PRIu32 " skipped", capture->folder, captured->captured,
                captured->skipped + captured->lost);
    if (captured->refused > 0)
        ws_text_add(out, ", %" PRIu32 " refused", captured->refused);
    if (!capture->no_traces)
        ws_text_add(out, ", %" PRIu32 " traces", captured->traced);
    if (capture->check)
        ws_text_add(out, ", %" PRIu32 " checked, %" PRIu32 " of them differ", captured->checked, captured->differing);
    ws_text_add(out, "\n");
}

int cli_capture(int argc, char **argv)
{
    struct cli_capture capture = {
        .last = UINT64_MAX, .limit = STANDARD_LIMIT, .tolerance = STANDARD_TOLERANCE, .frontend = cli_frontend_standard()};
    struct cli_captured captured = {0};
    struct ws_text out = {0};
    struct ws_error error;
    int code = 0;
    capture.frontend.hint_races = true;
    argp_parse(&cli_capture_argp, argc, argv, ARGP_IN_ORDER, NULL, &capture);
    cli_catch_interrupt();
    struct cli_capture_work *work;
    enum ws_status status = cli_capture_run(&capture, &work, &code, &error);
    WS_THEN(status, cli_capture_build(&capture, work, &captured, &out, &error));
    cli_capture_work_free(work);
    if (status != WS_STATUS_ok) {
        ws_text_free(&out);
        return cli_fail(&error);
    }
    add_sums(&capture, &captured, &out);
    const int printed = cli_print(&out);
    return printed ? printed : code != 0 || captured.captured == 0 || captured.failed + captured.differing + captured.refused > 0;
}
