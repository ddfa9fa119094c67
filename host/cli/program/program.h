/* Programs of commands that take FILE.ptx, FILE.cl..., FILE.cu... or files with machine code, and the options of their compilers.
 */
#pragma once

#include <argp.h>

#include "warpsweep/frontend.h"

/* What a command line says of a program. Freed by cli_program_forget. */
struct cli_program {
    const char **files, **options; /* both NULL-terminated, or NULL without any */
    size_t file_count, option_count;
    const char *arch;   /* "sm_80", or NULL */
    bool machine;       /* machine code is executed, whatever the file */
    const char *kernel; /* that is asked about where there is no launch file, or NULL */
};

/* A child parser whose input is a struct cli_program: -D, -I, --cl-std and --arch. */
extern const struct argp cli_program_argp;

/* Whether a name is that of a program's file; whether a file holds machine code (a cubin, a fat binary, an executable). */
bool cli_is_program(const char *file);
bool cli_is_machine(const char *file);

/* Adds a file. */
void cli_program_add(struct cli_program *program, char *file, struct argp_state *state);
void cli_program_forget(struct cli_program *program);

/* Ends the command where the files are not one PTX, one with machine code, or some OpenCL C, or some CUDA C++. */
void cli_program_check(const struct cli_program *program, struct argp_state *state);

/* Loads the program, compiling what is no PTX, with the options of its launch file too (NULL: none). Sets frontend->compiled. */
enum ws_status cli_program_load(const struct cli_program *program, const struct ws_launch_file *launches,
                                struct ws_frontend_options *frontend, struct ws_program **loaded, struct ws_error *error);

/* Adds the line of the source that a message about the program names; returns the status. */
enum ws_status cli_program_quoted(const struct cli_program *program, enum ws_status status, struct ws_error *error);
