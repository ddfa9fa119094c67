#include "cli/options/input_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"

#define NAME(size, name) name
#define SIZES            WS_SIZE_TABLE(NAME, "|")

enum { KEY_SIZE = 0x4000, KEY_SEED };

static const struct argp_option options[] = {
    {"size", KEY_SIZE, SIZES, 0, "input size of workloads named without one; default small", 6},
    {"seed", KEY_SEED, "N", 0, "seed of random inputs of workloads; default 0", 6},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_inputs *const inputs = state->input;
    switch (key) {
    case KEY_SIZE:
        inputs->size = (enum ws_size)cli_parse_choice(state, "size", SIZES, argument);
        inputs->sized = true;
        return 0;
    case KEY_SEED:
        inputs->seed = cli_parse_number(state, "seed", argument, UINT64_MAX);
        inputs->seeded = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_input_argp = {.options = options, .parser = parse};

void cli_trace_name(const char *text, const struct cli_inputs *inputs, struct ws_text *out)
{
    ws_text_add(out, "%s", text);
    if (inputs->sized && !strchr(text, ':'))
        ws_text_add(out, " size=%s", ws_size_name(inputs->size));
    if (inputs->seeded)
        ws_text_add(out, " seed=%" PRIu64, inputs->seed);
}

enum ws_status cli_inputs_workload(const char *text, const struct cli_inputs *inputs, const struct ws_workload **workload,
                                   enum ws_size *size, struct ws_error *error)
{
    *size = inputs->size;
    WS_TRY(ws_workload_parse(text, workload, size, error));
    if (*workload && inputs->sized && strchr(text, ':'))
        return ws_fail(error, WS_STATUS_usage, "found '%s' and --size %s, allowed is one size", text, ws_size_name(inputs->size));
    return WS_STATUS_ok;
}

enum ws_status cli_trace_open(const char *text, const struct cli_inputs *inputs, u32 lockstep, struct ws_trace **trace,
                              struct ws_error *error)
{
    struct ws_frontend_options frontend = cli_frontend_standard();
    const struct ws_workload *workload;
    enum ws_size size;
    char *path;
    frontend.lockstep = lockstep;
    *trace = NULL;
    WS_TRY(cli_inputs_workload(text, inputs, &workload, &size, error));
    WS_TRY(ws_trace_locate(text, size, inputs->seed, &frontend, &path, error));
    const bool file = strcmp(path, text) == 0;
    const enum ws_status status =
        file && (inputs->sized || inputs->seeded)
            ? ws_fail(error, WS_STATUS_usage, "%s: is a trace file; --size and --seed are for bundled workloads", text)
            : ws_trace_open(path, trace, error);
    free(path);
    return status;
}
