/* `capture`: runs a program with the layer, then builds traces of the recorded launches (docs/capture.md). */
#pragma once

#include "cli/cli.h"
#include "cli/trace/launches.h"

struct cli_capture {
    const char *folder, *kernel, *device;
    u64 first, last, limit;
    bool no_traces, check, keep_binaries;
    double tolerance; /* relative, of floats */
    char **program;   /* and its arguments, NULL-terminated */
    struct ws_frontend_options frontend;
    struct cli_kept kept; /* consecutive launches often use one program */
};

/* Refuses a CUDA program that the stand-in for NVIDIA's libraries cannot run. */
enum ws_status cli_capture_cuda_check(const char *program, struct ws_error *error);

/* Checks the name of --device-as; NULL: none is given. */
enum ws_status cli_capture_cuda_device(const char *name, struct ws_error *error);

/* Sets the variables by which a CUDA program finds the stand-in, in the folder of the layer, and its device; resets the first. */
enum ws_status cli_capture_cuda_set(const struct cli_capture *capture, const char *layer, struct ws_error *error);
void cli_capture_cuda_unset(const char *libraries);

/* Creates the folder, renames an earlier capture, and runs the program; *code: its exit code. Traces are built meanwhile: *work is
 * to be freed by cli_capture_work_free, also after an error. */
struct cli_capture_work;
enum ws_status cli_capture_run(const struct cli_capture *capture, struct cli_capture_work **work, int *code,
                               struct ws_error *error);
void cli_capture_work_free(struct cli_capture_work *work); /* NULL is allowed */

/* Removes the folder of a capture without any launch. */
void cli_capture_remove(const char *folder);

/* Results of all launches. */
struct cli_captured {
    u32 captured, skipped, refused, lost, traced, checked, differing, failed;
};

/* A line of the list of launches; texts belong to the line. */
struct cli_capture_entry {
    u32 number;
    const char *state, *kernel, *rest;
};

/* Takes a line apart, which it changes. */
struct cli_capture_entry cli_capture_entry(char *line);

/* Builds the trace of a captured launch, and adds its line to out. A launch without a trace is counted, with its reason. */
enum ws_status cli_capture_build_one(struct cli_capture *capture, const struct cli_capture_entry *entry,
                                     struct cli_captured *captured, struct ws_text *out, struct ws_error *error);

/* Waits for the traces, and adds a line for each launch in the folder's list to out. */
enum ws_status cli_capture_build(struct cli_capture *capture, struct cli_capture_work *work, struct cli_captured *captured,
                                 struct ws_text *out, struct ws_error *error);

/* An executed launch, with its file and its program. */
struct cli_executed {
    const struct ws_launch_file *file;
    const struct ws_ndrange *launch;
    const struct ws_program *program;
};

/* Compares the buffers of a launch with those of the driver, as listed in words ("m0:f32=data/HASH.bin ..."). Adds the differences
 * to out. */
enum ws_status cli_capture_compare(const struct cli_capture *capture, const struct cli_executed *executed, const char *words,
                                   bool *differs, struct ws_text *out, struct ws_error *error);
