#include "cli/options/engine_options.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"

enum { KEY_DEVICE = 0x1000, KEY_LANE_FORM, KEY_QUANTUM, KEY_TRUST, KEY_NO_PREDECODE, KEY_SPECIALIZE };

static const struct argp_option options[] = {
    {"engine", 'e', ws_engine_choices, 0, "simulation engine; auto: GPU if there is one, else native; default auto", 10},
    {"device", KEY_DEVICE, "NAME|gpu|cpu", 0, "OpenCL device, by part of its name or by kind; default first suitable one", 10},
    {"threads", 'j', "N", 0, "worker threads of the native engine, at most one per core; default 0, one per core", 10},
    {"lane-form", KEY_LANE_FORM, ws_lane_form_choices, 0,
     "mapping of lanes to an OpenCL device; default auto, first form that passes the self-test (performance.md)", 10},
    {"quantum", KEY_QUANTUM, "CYCLES", 0, "cycles simulated per kernel launch; default 0, chosen by the engine", 10},
    {"no-predecode", KEY_NO_PREDECODE, NULL, 0,
     "decode threads in every simulation; by default points with equal warp and line size share one pre-decoded trace "
     "(performance.md)",
     10},
    {"specialize", KEY_SPECIALIZE, ws_specialize_choices, 0,
     "specialize kernels to fixed parameters; default auto, in background of long sweeps (performance.md)", 10},
    {"trust-device", KEY_TRUST, NULL, 0, "skip self-test of each variant on an OpenCL device", 10},
    {0},
};

/* More threads than cores only cost memory. */
static u32 parse_threads(struct argp_state *state, const char *argument)
{
    const u64 threads = cli_parse_or_zero(state, "threads", argument, UINT32_MAX, "one per core");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1 || threads <= (u64)cores)
        return (u32)threads;
    fprintf(stderr, "warpsweep: --threads %s: there are %ld cores; %ld threads run\n", argument, cores, cores);
    return (u32)cores;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ws_engine_options *const engine = state->input;
    switch (key) {
    case 'e':
        cli_parse_choice(state, "engine", ws_engine_choices, argument);
        engine->engine = argument;
        return 0;
    case KEY_DEVICE:
        engine->device = argument;
        return 0;
    case 'j':
        engine->threads = parse_threads(state, argument);
        return 0;
    case KEY_LANE_FORM:
        engine->lane_form = cli_parse_choice(state, "lane-form", ws_lane_form_choices, argument) == 0 ? NULL : argument;
        return 0;
    case KEY_QUANTUM:
        engine->quantum = (u32)cli_parse_or_zero(state, "quantum", argument, UINT32_MAX, "chosen by the engine");
        return 0;
    case KEY_NO_PREDECODE:
        engine->predecoding = WS_PREDECODE_NEVER;
        return 0;
    case KEY_SPECIALIZE:
        engine->specialize = (enum ws_specialize_use)cli_parse_choice(state, "specialize", ws_specialize_choices, argument);
        return 0;
    case KEY_TRUST:
        engine->trust_device = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_engine_argp = {.options = options, .parser = parse};
