#include "cli/input_options.h"

#include "cli/cli.h"

enum { KEY_SIZE = 0x4000, KEY_SEED };

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "SIZE", 0, "size of workloads that are named without one: tiny, small or paper; default small", 6},
    {"seed", KEY_SEED, "N", 0, "seed of random inputs; default 0", 6},
    {0},
};

static enum ws_size parse_size(struct argp_state *state, const char *text)
{
    const char *names[WS_SIZES + 1] = {NULL};
    for (unsigned n = 0; n < WS_SIZES; n++)
        names[n] = ws_size_name((enum ws_size)n);
    return (enum ws_size)cli_parse_name(state, "--size", text, names);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_inputs *const inputs = state->input;
    switch (key) {
    case KEY_SIZE:
        inputs->size = parse_size(state, argument);
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
