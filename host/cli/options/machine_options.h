/* A machine as given to commands: MACHINE and overrides. */
#pragma once

#include <argp.h>

#include "warpsweep/machine.h"

struct cli_machine {
    const char *name;       /* file or bundled name */
    const char **overrides; /* "key=value" each; room for all arguments */
    size_t override_count;
};

/* A child parser for --set, whose input is a struct cli_machine. */
extern const struct argp cli_set_argp;

/* Loads the machine, applies the overrides in order and checks the result. */
enum ws_status cli_machine_load(const struct cli_machine *arguments, struct ws_machine_file *file, struct ws_error *error);

/* Warns about overrides that the machine does not read. */
void cli_warn_unread(const struct ws_machine_file *file);

/* Starts empty, with room for one option per argument; NULL when out of memory. */
const char **cli_override_room(int argc);
