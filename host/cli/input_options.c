#include "cli/input_options.h"

#include <stdlib.h>

#include "base/error.h"
#include "cli/cli.h"

#define NAME(size, name) name
#define SIZES            WS_SIZE_TABLE(NAME, "|")

enum { KEY_SIZE = 0x4000, KEY_SEED };

static const struct argp_option options[] = {
    {"size", KEY_SIZE, SIZES, 0, "size of workloads that are named without one; default small", 6},
    {"seed", KEY_SEED, "N", 0, "seed of random inputs; default 0", 6},
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
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_input_argp = {.options = options, .parser = parse};

enum ws_status cli_trace_open(const char *text, u32 lockstep, struct ws_trace **trace, struct ws_error *error)
{
    const struct cli_inputs standard = CLI_INPUTS_STANDARD;
    struct ws_frontend_options frontend = cli_frontend_standard();
    char *path;
    frontend.lockstep = lockstep;
    *trace = NULL;
    WS_TRY(ws_trace_locate(text, standard.size, standard.seed, &frontend, &path, error));
    const enum ws_status status = ws_trace_open(path, trace, error);
    free(path);
    return status;
}
