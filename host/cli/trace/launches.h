/* The launches of a launch file: traces of each, and contents of buffers after the last one. */
#pragma once

#include "cli/program/program.h"

/* The program that was loaded last, for launch files that have the same one. Starts as {0}; freed by cli_kept_forget. */
struct cli_kept {
    char *key; /* file and options; NULL: none */
    struct ws_program *program;
};
void cli_kept_forget(struct cli_kept *kept);

/* What `trace build` does with a program and a launch file. */
struct cli_launches {
    const struct cli_program *program;
    struct ws_frontend_options *frontend;
    const char *launch, *output; /* output: a trace or, for a list of launches, a folder of them */
    u64 seed;
    const char *const *dumps; /* "BUFFER=OUT", count of them */
    size_t dump_count;
    /* Told, unless it is NULL, when all is built and dumped: buffers are as the launches leave them; launch is NULL where the
     * file has a list of them. */
    enum ws_status (*after)(void *context, const struct ws_launch_file *file, const struct ws_ndrange *launch,
                            struct ws_error *error);
    void *context;
    struct cli_kept *kept; /* NULL: the program is loaded each time */
};

/* What has been built. */
struct cli_launches_built {
    u64 thread_instructions;
    u32 traces;
    bool folder;
};

/* Builds the traces and then writes the dumps; an error in a launch leaves neither. A folder of traces has NUMBER-KERNEL.wst for
 * each launch, NUMBER from 00000; it must not be there before, or be empty. */
enum ws_status cli_launches_build(const struct cli_launches *launches, struct cli_launches_built *built, struct ws_error *error);
