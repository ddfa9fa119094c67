#include "bench/settings.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "warpsweep/frontend.h"

enum { MOST_BATCH = 1 << 20, MOST_REGISTERS = 255 /* of a thread on NVIDIA's GPUs */ };

enum { KEY_ROWS = 0x1000, KEY_LONGEST, KEY_BUDGET, KEY_MOST_BATCH, KEY_LANE_FORM, KEY_REGISTERS, KEY_COMPILED };

static const struct argp_option options[] = {
    {"json", 'j', "FILE", 0, "write the results as JSON too", 0},
    {"rows", KEY_ROWS, "FILE", 0, "add each result to FILE when it is there: objects of JSON with commas between them", 0},
    {"commit", 'c', "TEXT", 0, "what was built, for the record", 0},
    {"size", 's', "SIZE", 0, "size of the workloads: tiny (default), small, paper", 0},
    {"engine", 'e', "TEXT", 0, "only engines whose label contains it: \"native, 1\", \"native\", \"opencl\"", 0},
    {"variant", 'v', "TEXT", 0,
     "only variants whose names contain it; may be given several times; of the number of simulations at once all", 0},
    {"quantum", 'n', "CYCLES", 0, "cycles of a quantum (default: the engine's choice)", 0},
    {"device", 'd', "NAME", 0, "OpenCL device: gpu, cpu or part of its name", 0},
    {"lane-form", KEY_LANE_FORM, "FORM", 0,
     "lane form of the OpenCL device; may be given several times (default: the engine's choice)", 0},
    {"registers", KEY_REGISTERS, "N[,N...]", 0,
     "the most registers that a work-item may use, one after the other (default: the engine's choice)", 0},
    {"compiled", KEY_COMPILED, NULL, 0, "specialized kernels (warpsweep --specialize always; default: never)", 0},
    {"seconds", 't', "N", 0, "least time of a measurement (default 1)", 0},
    {"longest", KEY_LONGEST, "N", 0, "most seconds of a measurement (default 20)", 0},
    {"budget", KEY_BUDGET, "N", 0, "most seconds of all measurements: what does not fit is skipped (default: no limit)", 0},
    {"most-batch", KEY_MOST_BATCH, "N", 0, "most simulations at once when their number grows (default 16384); 0 to leave that out",
     0},
    {0},
};

static double positive(struct argp_state *state, const char *option, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end || !(number > 0 && number < 1e9))
        argp_error(state, "%s is '%s'; it is a number above 0", option, value);
    return number;
}

static u32 whole(struct argp_state *state, const char *option, const char *value, u32 least, u32 most)
{
    char *end;
    const unsigned long number = strtoul(value, &end, 10);
    if (end == value || *end || *value == '-' || number < least || number > most)
        argp_error(state, "%s is '%s'; it is a whole number from %u to %u", option, value, least, most);
    return (u32)number;
}

static void read_limits(struct settings *settings, char *list, struct argp_state *state)
{
    settings->limit_count = 0;
    for (char *part = list, *next; part; part = next) {
        next = strchr(part, ',');
        if (next)
            *next++ = '\0';
        if (settings->limit_count == MOST_LIMITS)
            argp_error(state, "--registers has more than %u numbers", (unsigned)MOST_LIMITS);
        settings->registers[settings->limit_count++] = whole(state, "--registers", part, 1, MOST_REGISTERS);
    }
}

static error_t parse_number(int key, char *value, struct argp_state *state)
{
    struct settings *const settings = state->input;
    switch (key) {
    case 't':
        settings->seconds = positive(state, "--seconds", value);
        return 0;
    case KEY_LONGEST:
        settings->longest = positive(state, "--longest", value);
        return 0;
    case KEY_BUDGET:
        settings->budget = positive(state, "--budget", value);
        return 0;
    case 'n':
        settings->quantum = whole(state, "--quantum", value, 1, UINT32_MAX);
        return 0;
    case KEY_MOST_BATCH:
        settings->most_batch = whole(state, "--most-batch", value, 0, MOST_BATCH);
        return 0;
    case KEY_REGISTERS:
        read_limits(settings, value, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct settings *const settings = state->input;
    const char **const text = key == 'j'        ? &settings->json
                              : key == KEY_ROWS ? &settings->rows
                              : key == 'c'      ? &settings->commit
                              : key == 's'      ? &settings->size
                              : key == 'e'      ? &settings->engine
                              : key == 'd'      ? &settings->device
                                                : NULL;
    if (text)
        *text = value;
    else if (key == KEY_COMPILED)
        settings->specialize = WS_SPECIALIZE_ALWAYS;
    else if (key == KEY_LANE_FORM && settings->lane_form_count < WS_LANE_FORMS)
        settings->lane_forms[settings->lane_form_count++] = value;
    else if (key == 'v' && settings->variant_count < MOST_VARIANTS)
        settings->variants[settings->variant_count++] = value;
    else if (key == ARGP_KEY_ARG && settings->workload_count < MOST_WORKLOADS)
        settings->workloads[settings->workload_count++] = value;
    else
        return parse_number(key, value, state);
    return 0;
}

static void choose_workloads(struct settings *settings)
{
    if (settings->workload_count > 0)
        return;
    for (const struct ws_workload *w = ws_workloads(); w->name && settings->workload_count < MOST_WORKLOADS; w++)
        settings->workloads[settings->workload_count++] = w->name;
}

void settings_read(struct settings *settings, int count, char **arguments)
{
    const struct argp argp = {
        options, parse, "[WORKLOAD]...", "Speed of the engines; a WORKLOAD is a bundled one or \"synthetic\".", NULL, NULL, NULL};
    argp_err_exit_status = 2;
    argp_parse(&argp, count, arguments, 0, NULL, settings);
    choose_workloads(settings);
}
