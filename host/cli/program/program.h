/* Programs of commands that take FILE.ptx, FILE.cl, FILE.cu or machine code, and compiler options. */
#pragma once

#include <argp.h>

#include "warpsweep/frontend.h"

/* A program on the command line. Freed by cli_program_forget. */
struct cli_program {
    const char **files, **options; /* both NULL-terminated, or NULL without any */
    size_t file_count, option_count;
    const char *arch;   /* "sm_80", or NULL */
    bool machine;       /* execute machine code, whatever the file */
    const char *kernel; /* kernel asked about without a launch file, or NULL */
};

/* A child parser whose input is a struct cli_program: -D, -I, --cl-std and --arch. */
extern const struct argp cli_program_argp;

/* Whether a name denotes a program file; whether a file holds machine code (cubin, fat binary, executable). */
bool cli_is_program(const char *file);
bool cli_is_machine(const char *file);

/* Adds a file. */
void cli_program_add(struct cli_program *program, char *file, struct argp_state *state);
void cli_program_forget(struct cli_program *program);

/* Ends the command unless the files are one PTX, one with machine code, or several of OpenCL C, or of CUDA C++. */
void cli_program_check(const struct cli_program *program, struct argp_state *state);

/* Loads the program; compiles anything but PTX, with the options of its launch file, too (NULL: none). Sets frontend->compiled. */
enum ws_status cli_program_load(const struct cli_program *program, const struct ws_launch_file *launches,
                                struct ws_frontend_options *frontend, struct ws_program **loaded, struct ws_error *error);

/* Adds the source line of a message about the program; returns the status. */
enum ws_status cli_program_quoted(const struct cli_program *program, enum ws_status status, struct ws_error *error);
