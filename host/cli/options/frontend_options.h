/* Options that choose how the front end makes a trace. */
#pragma once

#include <argp.h>

#include "warpsweep/frontend.h"

/* A child parser; its input is a struct ws_frontend_options with the defaults. */
extern const struct argp cli_frontend_argp;

/* A child parser of every command that builds traces, --lockstep; its input is a u32, the default. */
extern const struct argp cli_lockstep_argp;
u32 cli_lockstep_standard(void);
