#include "cli/program/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/program/compile.h"
#include "cli/program/quote.h"

enum { KEY_CL_STD = 0x5000, KEY_ARCH, MOST_PTX_BYTES = 64 << 20 };

#define VERSIONS "CL1.2|CL2.0|CL3.0"

static const struct argp_option options[] = {
    {"define", 'D', "NAME[=VALUE]", 0, "macro for the compiler of OpenCL C or CUDA C++; may be repeated", 3},
    {"include", 'I', "DIR", 0, "include folder of the compiler; may be repeated", 3},
    {"cl-std", KEY_CL_STD, VERSIONS, 0, "version of OpenCL C; default CL1.2", 3},
    {"arch", KEY_ARCH, "ARCH", 0, "target of nvcc, such as sm_80; default nvcc's own", 3},
    {0},
};

static void add_word(const char ***words, size_t *count, const char *first, const char *second, struct argp_state *state)
{
    const char **const more = realloc(*words, (*count + 2) * sizeof *more);
    struct ws_text word = {0};
    ws_text_add(&word, "%s%s", first, second);
    if (more)
        *words = more;
    if (!more || word.failed)
        argp_failure(state, 1, 0, "out of memory");
    (*words)[(*count)++] = word.data;
    (*words)[*count] = NULL;
}

/* In place of a macro of that name that the launch file has. */
static void add_define(struct cli_program *program, const char *argument, struct argp_state *state)
{
    struct ws_text name = {0};
    ws_text_add(&name, "%.*s", (int)strcspn(argument, "=("), argument);
    add_word(&program->options, &program->option_count, "-U", name.data ? name.data : "", state);
    add_word(&program->options, &program->option_count, "-D", argument, state);
    ws_text_free(&name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_program *const program = state->input;
    switch (key) {
    case 'D':
        add_define(program, argument, state);
        return 0;
    case 'I':
        add_word(&program->options, &program->option_count, "-I", argument, state);
        return 0;
    case KEY_CL_STD:
        cli_parse_choice(state, "cl-std", VERSIONS, argument);
        add_word(&program->options, &program->option_count, "-cl-std=", argument, state);
        return 0;
    case KEY_ARCH:
        add_word(&program->options, &program->option_count, "-arch=", argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_program_argp = {.options = options, .parser = parse};

static bool is_ptx(const char *file)
{
    return ws_stem(file, ".ptx") > 0;
}

bool cli_is_program(const char *file)
{
    return is_ptx(file) || cli_is_opencl(file) || cli_is_cuda(file);
}

void cli_program_add(struct cli_program *program, char *file, struct argp_state *state)
{
    add_word(&program->files, &program->file_count, file, "", state);
}

static void forget_words(const char **words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        free((char *)(uintptr_t)words[n]);
    free(words);
}

void cli_program_forget(struct cli_program *program)
{
    forget_words(program->files, program->file_count);
    forget_words(program->options, program->option_count);
    *program = (struct cli_program){0};
}

void cli_program_check(const struct cli_program *program, struct argp_state *state)
{
    const char *const first = program->files[0];
    if (is_ptx(first) && program->option_count > 0)
        argp_error(state, "%s is compiled already: --define, --include, --cl-std and --arch are for OpenCL C and CUDA C++", first);
    for (size_t n = 1; n < program->file_count; n++) {
        const char *const file = program->files[n];
        const bool alike = cli_is_opencl(first) ? cli_is_opencl(file) : cli_is_cuda(first) && cli_is_cuda(file);
        if (!alike)
            argp_error(state, "found '%s' after '%s'; a program is one FILE.ptx, or several FILE.cl or FILE.cu", file, first);
    }
}

static enum ws_status read_ptx(const char *file, const struct ws_launch_file *launches, char **ptx, size_t *length,
                               struct ws_error *error)
{
    if (launches && ws_launch_file_options(launches)[0])
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: is compiled already; the launch file's options are for OpenCL C and CUDA C++", file);
    return ws_file_read(file, MOST_PTX_BYTES, ptx, length, error);
}

enum ws_status cli_program_load(const struct cli_program *program, const struct ws_launch_file *launches,
                                struct ws_frontend_options *frontend, struct ws_program **loaded, struct ws_error *error)
{
    const struct cli_sources sources = {.files = program->files,
                                        .count = program->file_count,
                                        .options = launches ? ws_launch_file_options(launches) : NULL,
                                        .more = program->options,
                                        .offset = launches && ws_launch_file_has_offset(launches)};
    char *ptx;
    size_t length;
    frontend->compiled = !is_ptx(program->files[0]);
    if (frontend->compiled)
        WS_TRY(cli_compile(&sources, &ptx, &length, error));
    else
        WS_TRY(read_ptx(program->files[0], launches, &ptx, &length, error));
    const enum ws_status status = ws_program_load(program->files[0], ptx, length, frontend, loaded, error);
    free(ptx);
    return cli_program_quoted(program, status, error);
}

enum ws_status cli_program_quoted(const struct cli_program *program, enum ws_status status, struct ws_error *error)
{
    if (status == WS_STATUS_bad_input && !is_ptx(program->files[0]))
        for (size_t n = 0; n < program->file_count; n++)
            cli_quote(program->files[n], error);
    return status;
}
