/* Options of every command that simulates: -e, --device, -j and related ones. */
#pragma once

#include <argp.h>

#include "warpsweep/engine.h"

/* A child parser whose input is a struct ws_engine_options; texts belong to argv. */
extern const struct argp cli_engine_argp;

/* The options when none is given. */
#define CLI_ENGINE_STANDARD                                                                                                        \
    ((struct ws_engine_options){WS_STRUCT(engine_options), .engine = "auto", .self_test_program = "/proc/self/exe"})
