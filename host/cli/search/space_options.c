#include "cli/search/space_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/options/engine_options.h"
#include "cli/options/frontend_options.h"

enum {
    KEY_MAXIMIZE = 0x2100,
    KEY_MINIMIZE,
    KEY_LIMIT,
    KEY_CONSTRAINT,
    KEY_BUDGET,
    KEY_MINUTES,
    KEY_METHOD,
    KEY_SEARCH_SEED,
    KEY_GENERATION
};

static const struct argp_option options[] = {
    {"output", 'o', "OUT.db", 0, "results file, created if missing; default SPACE's name with .db", 1},
    {"machine", 'm', "MACHINE", 0, "machine to change, instead of SPACE", 2},
    {"trace", 't', "TRACE,...", 0,
     "trace files, FOLDER/ for all traces in one, or NAME[:SIZE] of bundled workloads; may be repeated", 2},
    {"axis", 'x', "KEY=VALUE,...", 0,
     "parameter to search: a list (l1.size=16K,64K), or all legal values of a range (l1.size=16K..256K), with step "
     "(dram.row_hit=50..200+50) or factor (core.warps=8..64x2); may be repeated",
     2},
    {"maximize", KEY_MAXIMIZE, "EXPRESSION", 0, "objective, such as 'geometric_mean(ipc)' (search.md); may be repeated", 3},
    {"minimize", KEY_MINIMIZE, "EXPRESSION", 0, "the same, such as storage_bits; may be repeated", 3},
    {"limit", KEY_LIMIT, "COMPARISON", 0, "what a good point meets: 'max(cycles) <= 1.1 * baseline(max(cycles))'; may be repeated",
     3},
    {"constraint", KEY_CONSTRAINT, "CONDITION", 0,
     "what a point must meet to be simulated: 'core.warps * core.warp_size <= 1536'; may be repeated", 3},
    {"budget", KEY_BUDGET, "N", 0, "simulations (a workload at a point is one), instead of SPACE's budget", 4},
    {"minutes", KEY_MINUTES, "MINUTES", 0, "time, instead of SPACE's budget", 4},
    {"method", KEY_METHOD, "METHOD", 0, "search method (search.md)", 4},
    {"search-seed", KEY_SEARCH_SEED, "N", 0, "seed of the method's random numbers; default 0", 4},
    {"generation", KEY_GENERATION, "N", 0, "points of a generation; default a twentieth of the budget", 4},
    {0},
};

static bool has_line(const struct cli_space *arguments)
{
    return arguments->machine.name || arguments->machine.override_count > 0 || arguments->trace_count > 0 ||
           arguments->axis_count > 0 || arguments->objective_count > 0 || arguments->limit_count > 0 ||
           arguments->constraint_count > 0;
}

static void check(const struct cli_space *arguments, struct argp_state *state)
{
    if (arguments->file && has_line(arguments))
        argp_error(
            state,
            "found '%s', allowed is either a search or --machine, --trace, --axis, --set, --maximize, --minimize, --limit and "
            "--constraint",
            arguments->file);
    if (!arguments->file && !has_line(arguments))
        argp_usage(state);
    if (!arguments->file &&
        (!arguments->machine.name || arguments->trace_count == 0 || arguments->axis_count == 0 || arguments->objective_count == 0))
        argp_error(state, "--machine, --trace, --axis and --maximize or --minimize are needed, or a search");
}

static void add_objective(struct cli_space *arguments, const char *goal, const char *expression)
{
    struct ws_text text = {0};
    ws_text_add(&text, "%s %s", goal, expression);
    arguments->objectives[arguments->objective_count++] = text.data;
}

static double parse_minutes(struct argp_state *state, const char *text)
{
    char *end;
    const double minutes = strtod(text, &end);
    if (*end || !(minutes > 0 && minutes < 1e9))
        argp_error(state, "--minutes: found '%s', allowed is a number above 0", text);
    return minutes;
}

static void begin_children(struct cli_space *arguments, struct argp_state *state)
{
    state->child_inputs[0] = &arguments->inputs;
    state->child_inputs[1] = &arguments->options.engine;
    state->child_inputs[2] = &arguments->options.lockstep;
    state->child_inputs[3] = &arguments->machine;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_space *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        begin_children(arguments, state);
        return 0;
    case 'm':
        arguments->machine.name = argument;
        return 0;
    case 't':
        arguments->traces[arguments->trace_count++] = argument;
        return 0;
    case 'x':
        arguments->axes[arguments->axis_count++] = argument;
        return 0;
    case 'o':
        arguments->options.results = argument;
        return 0;
    case KEY_MAXIMIZE:
    case KEY_MINIMIZE:
        add_objective(arguments, key == KEY_MAXIMIZE ? "maximize" : "minimize", argument);
        return 0;
    case KEY_LIMIT:
        arguments->limits[arguments->limit_count++] = argument;
        return 0;
    case KEY_CONSTRAINT:
        arguments->constraints[arguments->constraint_count++] = argument;
        return 0;
    case KEY_BUDGET:
        arguments->simulations = cli_parse_range(state, "budget", argument, 1, (u64)1 << 40);
        return 0;
    case KEY_MINUTES:
        arguments->minutes = parse_minutes(state, argument);
        return 0;
    case KEY_METHOD:
        arguments->method = argument;
        return 0;
    case KEY_SEARCH_SEED:
        arguments->seed = cli_parse_number(state, "search-seed", argument, INT64_MAX);
        arguments->seeded = true;
        return 0;
    case KEY_GENERATION:
        arguments->generation = cli_parse_range(state, "generation", argument, 1, 1 << 20);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->file)
            argp_error(state, "found '%s', allowed is one search", argument);
        arguments->file = argument;
        return 0;
    case ARGP_KEY_END:
        check(arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_input_argp, 0, NULL, 0},
                                             {&cli_engine_argp, 0, NULL, 0},
                                             {&cli_lockstep_argp, 0, NULL, 0},
                                             {&cli_set_argp, 0, NULL, 0},
                                             {0}};

const struct argp cli_space_argp = {.options = options, .parser = parse, .children = children};
const struct argp_child cli_space_children[] = {{&cli_space_argp, 0, NULL, 0}, {0}};

bool cli_space_begin(struct cli_space *arguments, int argc)
{
    *arguments = (struct cli_space){
        .inputs = CLI_INPUTS_STANDARD,
        .machine.overrides = cli_override_room(argc),
        .traces = cli_override_room(argc),
        .axes = cli_override_room(argc),
        .objectives = cli_override_room(argc),
        .limits = cli_override_room(argc),
        .constraints = cli_override_room(argc),
        .options = {WS_STRUCT(search_options), .engine = CLI_ENGINE_STANDARD, .lockstep = cli_lockstep_standard()}};
    return arguments->machine.overrides && arguments->traces && arguments->axes && arguments->objectives && arguments->limits &&
           arguments->constraints;
}

/* The space of the options, named after the results file: "search" without one. */
static enum ws_status read_line(const struct cli_space *arguments, struct ws_space **space, struct ws_error *error)
{
    const char *const results = arguments->options.results ? arguments->options.results : "search.db";
    const char *const slash = strrchr(results, '/'), *const file = slash ? slash + 1 : results;
    const size_t stem = ws_stem(file, ".db");
    char *const name = strndup(file, stem > 0 ? stem : strlen(file));
    if (!name)
        return ws_no_memory(error);
    const struct ws_space_line line = {.experiment = {.name = name,
                                                      .machine = arguments->machine.name,
                                                      .traces = arguments->traces,
                                                      .trace_count = arguments->trace_count,
                                                      .settings = arguments->machine.overrides,
                                                      .setting_count = arguments->machine.override_count,
                                                      .axes = arguments->axes,
                                                      .axis_count = arguments->axis_count},
                                       .objectives = arguments->objectives,
                                       .objective_count = arguments->objective_count,
                                       .limits = arguments->limits,
                                       .limit_count = arguments->limit_count,
                                       .constraints = arguments->constraints,
                                       .constraint_count = arguments->constraint_count};
    const enum ws_status status = ws_space_read_line(&line, space, error);
    free(name);
    return status;
}

/* What options replace. A budget of one kind replaces that of the other; another method has no options. */
static enum ws_status replace(const struct cli_space *arguments, struct ws_space *space, struct ws_error *error)
{
    if (arguments->simulations > 0 || arguments->minutes > 0) {
        space->simulations = arguments->simulations;
        space->minutes = arguments->minutes;
    }
    if (arguments->generation > 0)
        space->generation = (u32)arguments->generation;
    if (arguments->seeded)
        space->seed = arguments->seed;
    if (!arguments->method)
        return WS_STATUS_ok;
    if (space->method.name && strcmp(space->method.name, arguments->method) != 0) {
        free(space->method.proposer);
        space->method.proposer = NULL;
        space->method.population = space->method.reduction = 0;
    }
    free(space->method.name);
    free(space->method.place);
    space->method.name = strdup(arguments->method);
    space->method.place = strdup("--method: ");
    return space->method.name && space->method.place ? WS_STATUS_ok : ws_no_memory(error);
}

enum ws_status cli_space_load(struct cli_space *arguments, struct ws_space **space, struct ws_error *error)
{
    struct ws_text standard = {0};
    WS_TRY(arguments->file ? ws_space_load(arguments->file, space, error) : read_line(arguments, space, error));
    if (arguments->inputs.sized && (*space)->fidelity_count > 0)
        return ws_fail(error, WS_STATUS_usage,
                       "--size: %s has fidelities, which are its sizes; leave --size out, or remove the key fidelities",
                       (*space)->experiment->name);
    WS_TRY(replace(arguments, *space, error));
    ws_text_add(&standard, "%s.db", (*space)->experiment->name);
    if (!arguments->options.results)
        arguments->options.results = standard.data;
    else
        ws_text_free(&standard);
    arguments->options.size = arguments->inputs.size;
    arguments->options.seed = arguments->inputs.seed;
    return arguments->options.results ? WS_STATUS_ok : ws_no_memory(error);
}

void cli_space_end(struct cli_space *arguments, struct ws_space *space)
{
    for (size_t n = 0; n < arguments->objective_count; n++)
        free((void *)(uintptr_t)arguments->objectives[n]);
    free(arguments->machine.overrides);
    free(arguments->traces);
    free(arguments->axes);
    free(arguments->objectives);
    free(arguments->limits);
    free(arguments->constraints);
    ws_space_free(space);
}
