/* The launches of a launch file: traces of each, and contents of buffers after the last one. */
#ifndef WS_CLI_LAUNCHES_H
#define WS_CLI_LAUNCHES_H

#include "cli/program.h"

/* What `trace build` does with a program and a launch file. */
struct cli_launches {
    const struct cli_program *program;
    struct ws_frontend_options *frontend;
    const char *launch, *output; /* output: a trace or, for a list of launches, a folder of them */
    u64 seed;
    const char *const *dumps; /* "BUFFER=FILE", count of them */
    size_t dump_count;
};

/* What has been built. */
struct cli_launches_built {
    u64 thread_instructions;
    u32 traces;
    bool folder;
};

/* Builds the traces and then writes the dumps; an error in a launch leaves neither. A folder of traces has NUMBER-KERNEL.wst for each launch, NUMBER from 00000; it must not be there
 * before, or be empty. */
enum ws_status cli_launches_build(const struct cli_launches *launches, struct cli_launches_built *built, struct ws_error *error);

#endif
