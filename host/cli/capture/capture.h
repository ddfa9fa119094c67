/* `capture`: runs a program with the layer, then makes traces of what the layer has recorded (docs/capture.md). */
#pragma once

#include "cli/cli.h"
#include "cli/trace/launches.h"

struct cli_capture {
    const char *folder, *kernel;
    u64 first, last, limit;
    bool no_traces, check, keep_binaries;
    double tolerance; /* relative, of floats */
    char **program;   /* and its arguments, NULL-terminated */
    struct ws_frontend_options frontend;
    struct cli_kept kept; /* launches of one program often follow each other */
};

/* Makes the folder, out of whose way an earlier capture is moved, and runs the program; *code is its exit code. */
enum ws_status cli_capture_run(const struct cli_capture *capture, int *code, struct ws_error *error);

/* What has become of all launches. */
struct cli_captured {
    u32 captured, skipped, lost, traced, checked, differing, failed;
};

/* Makes traces of the launches that the list in the folder has, and adds a line for each to out. A launch of which none can be made
 * is counted, with its reason. */
enum ws_status cli_capture_build(struct cli_capture *capture, struct cli_captured *captured, struct ws_text *out,
                                 struct ws_error *error);

/* A launch that has been executed, with its file and its program. */
struct cli_executed {
    const struct ws_launch_file *file;
    const struct ws_ndrange *launch;
    const struct ws_program *program;
};

/* Compares the buffers of a launch with what the driver left: those that words ("m0:f32=data/HASH.bin ...") name. Adds what differs
 * to out. */
enum ws_status cli_capture_compare(const struct cli_capture *capture, const struct cli_executed *executed, const char *words,
                                   bool *differs, struct ws_text *out, struct ws_error *error);
