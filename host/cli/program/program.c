#include "cli/program/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/program/compile.h"
#include "cli/program/quote.h"
#include "warpsweep/sass.h"

enum { KEY_CL_STD = 0x5000, KEY_ARCH, MOST_PTX_BYTES = 64 << 20 };

#define VERSIONS     "CL1.2|CL2.0|CL3.0"
#define DEFAULT_ARCH "sm_86"
#define REAL         "sm_"
#define VIRTUAL      "compute_" /* PTX */

static const struct argp_option options[] = {
    {"define", 'D', "NAME[=VALUE]", 0, "macro for the compiler of OpenCL C or CUDA C++; may be repeated", 3},
    {"include", 'I', "DIR", 0, "include folder of the compiler; may be repeated", 3},
    {"cl-std", KEY_CL_STD, VERSIONS, 0, "version of OpenCL C; default CL1.2", 3},
    {"arch", KEY_ARCH, "ARCH", 0,
     "target of nvcc, such as sm_80, default nvcc's own; machine code to execute, default the only one", 3},
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

/* Replaces a macro of the launch file with the same name. */
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
        program->arch = argument;
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
    return is_ptx(file) || cli_is_opencl(file) || cli_is_cuda(file) || cli_is_machine(file);
}

bool cli_is_machine(const char *file)
{
    const size_t length = strlen(file);
    return (length > 6 && strcmp(file + length - 6, ".cubin") == 0) || (length > 7 && strcmp(file + length - 7, ".fatbin") == 0) ||
           ws_sass_binary_is(file);
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

static bool is_architecture(const char *arch, bool ptx)
{
    return strncmp(arch, REAL, strlen(REAL)) == 0 || (ptx && strncmp(arch, VIRTUAL, strlen(VIRTUAL)) == 0);
}

void cli_program_check(const struct cli_program *program, struct argp_state *state)
{
    const char *const first = program->files[0];
    const bool compiled = is_ptx(first) || cli_is_machine(first), cuda = cli_is_cuda(first);
    if (compiled && program->option_count > 0)
        argp_error(state, "%s is compiled already: --define, --include and --cl-std are for OpenCL C and CUDA C++", first);
    if (program->arch && !cuda && !program->machine && !cli_is_machine(first))
        argp_error(state, "--arch is for CUDA C++ and machine code (--sass), not for %s", first);
    if (program->arch && !cuda && !is_architecture(program->arch, cli_is_machine(first)))
        argp_error(state, "--arch: found '%s', allowed is an architecture, such as sm_86%s", program->arch,
                   cli_is_machine(first) ? ", or compute_86 for PTX in the file" : "");
    for (size_t n = 1; n < program->file_count; n++) {
        const char *const file = program->files[n];
        const bool alike = cli_is_opencl(first) ? cli_is_opencl(file) : cuda && cli_is_cuda(file);
        if (!alike)
            argp_error(state,
                       "found '%s' after '%s'; a program is one FILE.ptx or file with machine code, or several FILE.cl or FILE.cu",
                       file, first);
    }
}

/* ---- Machine code ---- */

/* Names of all launched kernels, or of the one asked about; NULL-terminated, newly allocated. */
static const char **kernels_of(const struct cli_program *program, const struct ws_launch_file *launches)
{
    u32 count = 0;
    while (launches && ws_launch_file_kernel(launches, count))
        count++;
    const char **const kernels = calloc((size_t)count + 2, sizeof *kernels);
    for (u32 n = 0; kernels && n < count; n++)
        kernels[n] = ws_launch_file_kernel(launches, n);
    if (kernels && !launches)
        kernels[0] = program->kernel;
    return kernels;
}

/* The cubin in bytes, which are freed, or in the file if bytes is NULL. */
static enum ws_status load_machine(const struct cli_program *program, const struct ws_launch_file *launches,
                                   const struct ws_frontend_options *frontend, char *bytes, size_t length,
                                   struct ws_program **loaded, struct ws_error *error)
{
    struct ws_sass_binary *file;
    const char *const name = program->files[0];
    const char *const arch = bytes ? NULL : program->arch; /* it contains nothing else */
    const bool ptx = arch && strncmp(arch, VIRTUAL, strlen(VIRTUAL)) == 0;
    const u32 architecture = arch ? (u32)strtoul(strchr(arch, '_') + 1, NULL, 10) : 0;
    WS_TRY(bytes ? ws_sass_binary_take(name, bytes, length, &file, error) : ws_sass_binary_open(name, &file, error));
    const char **const kernels = kernels_of(program, launches);
    const enum ws_status status =
        kernels ? ws_sass_binary_choose(file, ptx ? WS_SASS_PTX : WS_SASS_CUBIN, architecture, kernels, frontend, loaded, error)
                : ws_fail(error, WS_STATUS_no_memory, "out of memory");
    free(kernels);
    ws_sass_binary_close(file);
    return status;
}

/* Target of the compiler: from the command line; for machine code a default, unless the launch file gives nvcc one. */
static const char *architecture_of(const struct cli_program *program, const char *const *given)
{
    bool told = false;
    for (; given && *given && cli_is_cuda(program->files[0]); given++)
        told |= strncmp(*given, "-arch", strlen("-arch")) == 0;
    return program->arch || !program->machine || told ? program->arch : DEFAULT_ARCH;
}

enum ws_status cli_program_load(const struct cli_program *program, const struct ws_launch_file *launches,
                                struct ws_frontend_options *frontend, struct ws_program **loaded, struct ws_error *error)
{
    const char *const *const given = launches ? ws_launch_file_options(launches) : NULL;
    const struct cli_sources sources = {.files = program->files,
                                        .count = program->file_count,
                                        .options = given,
                                        .more = program->options,
                                        .offset = launches && ws_launch_file_has_offset(launches),
                                        .arch = architecture_of(program, given),
                                        .machine = program->machine};
    const char *const first = program->files[0];
    const bool ready = is_ptx(first) || cli_is_machine(first);
    char *bytes;
    size_t length;
    frontend->compiled = !ready;
    if (ready && given && given[0])
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: is compiled already; the launch file's options are for OpenCL C and CUDA C++", first);
    if (cli_is_machine(first))
        return load_machine(program, launches, frontend, NULL, 0, loaded, error);
    if (is_ptx(first) && !program->machine)
        WS_TRY(ws_file_read(first, MOST_PTX_BYTES, &bytes, &length, error));
    else
        WS_TRY(cli_compile(&sources, &bytes, &length, error));
    if (program->machine)
        return load_machine(program, launches, frontend, bytes, length, loaded, error);
    const enum ws_status status = ws_program_load(first, bytes, length, frontend, loaded, error);
    free(bytes);
    return cli_program_quoted(program, status, error);
}

enum ws_status cli_program_quoted(const struct cli_program *program, enum ws_status status, struct ws_error *error)
{
    if (status == WS_STATUS_bad_input && !is_ptx(program->files[0]) && !cli_is_machine(program->files[0]))
        for (size_t n = 0; n < program->file_count; n++)
            cli_quote(program->files[n], error);
    return status;
}
