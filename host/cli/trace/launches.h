/* The launches of a launch file: a trace of each, and buffer contents after the last one. */
#pragma once

#include "cli/program/program.h"

/* The last loaded program, for launch files with the same one. Starts as {0}; freed by cli_kept_forget. */
struct cli_kept {
    char *key; /* file and options; NULL: none */
    struct ws_program *program;
};
void cli_kept_forget(struct cli_kept *kept);

/* `trace build` for a program and a launch file. */
struct cli_launches {
    const struct cli_program *program;
    struct ws_frontend_options *frontend;
    const char *launch, *output; /* output: a trace or, for a list of launches, a folder of traces */
    u64 seed;
    const char *const *dumps; /* "BUFFER=OUT", count of them */
    size_t dump_count;
    const char *dump_all; /* folder for every named buffer, or NULL */
    /* Called, unless NULL, when all is built and dumped: buffers are in their final state. launch is NULL for a list of launches.
     */
    enum ws_status (*after)(void *context, const struct ws_launch_file *file, const struct ws_ndrange *launch,
                            struct ws_error *error);
    void *context;
    struct cli_kept *kept; /* NULL: load the program each time */
};

/* What has been built. */
struct cli_launches_built {
    u64 thread_instructions;
    u32 traces;
    bool folder;
};

/* Builds the traces, then writes the dumps; an error in a launch leaves neither. A folder of traces has NUMBER-KERNEL.wst for each
 * launch, NUMBER from 00000. It must not exist, or be empty. */
enum ws_status cli_launches_build(const struct cli_launches *launches, struct cli_launches_built *built, struct ws_error *error);
