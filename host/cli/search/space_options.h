/* Options of search, ask and tell: the space, its results file and how it is searched. */
#pragma once

#include <argp.h>

#include "cli/options/input_options.h"
#include "cli/options/machine_options.h"
#include "warpsweep/search.h"

struct cli_space {
    const char *file; /* SPACE, or NULL for a line */
    struct cli_machine machine;
    const char **traces, **axes, **objectives, **limits, **constraints;
    size_t trace_count, axis_count, objective_count, limit_count, constraint_count;
    u64 simulations, seed, generation;
    double minutes;
    const char *method;
    bool seeded;
    struct cli_inputs inputs;
    struct ws_search_options options;
};

/* A child parser; its input is a struct cli_space. Takes the argument SPACE. */
extern const struct argp cli_space_argp;
extern const struct argp_child cli_space_children[]; /* that parser alone */
#define CLI_SPACE_ARGUMENTS "SPACE\n-m MACHINE -t TRACE,... -x KEY=VALUE,... --maximize EXPRESSION"

/* The options when none is given, with room for argc of each; false when out of memory. */
bool cli_space_begin(struct cli_space *arguments, int argc);

/* Reads the space, with what options replace, and completes arguments->options; *standard is the name of the results file where
 * none was given, freed by cli_space_end. */
enum ws_status cli_space_load(struct cli_space *arguments, struct ws_space **space, struct ws_error *error);
void cli_space_end(struct cli_space *arguments, struct ws_space *space);
