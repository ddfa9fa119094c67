#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/trace/replay.h"
#include "cli/trace/trace_folder.h"
#include "warpsweep/import.h"
#include "warpsweep/sass.h"

enum { KEY_REGISTERS = 0x1000, KEY_SHARED, KEY_BINARY, KEY_STRICT, KEY_CUBIN };

#define FORMATS "nvbit"

/* Machine code of the kernels, and that of the last launch: launches of one kernel follow each other. */
struct cubin {
    struct ws_sass_binary *file;
    struct ws_program *program;
    const struct ws_machine_code *code;
    char *kernel;
    u32 architecture;
};

struct arguments {
    const char *format, *file, *output, *cubin;
    struct cubin code;
    struct ws_nvbit_options nvbit;
    struct cli_progress progress;
    size_t done, files;
};

static const struct argp_option options[] = {
    {"output", 'o', "OUTDIR", 0, "new folder for traces, NUMBER-KERNEL.wst per launch; required", 1},
    {"registers", KEY_REGISTERS, "N", 0, "registers per thread, 1 to 255, instead of -nregs in the files", 2},
    {"shared", KEY_SHARED, "N", 0, "bytes of shared memory per block, instead of -shmem in the files", 2},
    {"binary-version", KEY_BINARY, "N", 0, "architecture, 35 to 120, instead of -binary version in the files", 2},
    {"cubin", KEY_CUBIN, "FILE", 0,
     "cubin, fat binary or executable with the traced kernels: adds control bits, register files and SASS; must match pc by pc", 2},
    {"strict", KEY_STRICT, NULL, 0, "fail on unknown opcodes; by default they execute as int instructions", 2},
    {0}};

static void take_word(struct arguments *arguments, char *word, struct argp_state *state)
{
    if (!arguments->format) {
        cli_parse_choice(state, NULL, FORMATS, word);
        arguments->format = word;
    } else if (!arguments->file) {
        arguments->file = word;
    } else {
        argp_error(state, "one file, found '%s' as well", word);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    struct ws_nvbit_options *const nvbit = &arguments->nvbit;
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case KEY_REGISTERS:
        nvbit->registers = (u32)cli_parse_range(state, "registers", argument, 1, 255);
        return 0;
    case KEY_SHARED:
        nvbit->shared_bytes = (u32)cli_parse_range(state, "shared", argument, 0, 1 << 18);
        nvbit->replaces_shared = true;
        return 0;
    case KEY_BINARY:
        nvbit->binary_version = (u32)cli_parse_range(state, "binary-version", argument, 35, 120);
        return 0;
    case KEY_CUBIN:
        arguments->cubin = argument;
        return 0;
    case KEY_STRICT:
        nvbit->strict = true;
        return 0;
    case ARGP_KEY_ARG:
        take_word(arguments, argument, state);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->format || !arguments->file)
            argp_error(state, "a format (%s) and a file are needed", FORMATS);
        if (!arguments->output)
            argp_error(state, "--output is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Notes of the import ---- */

static void show_note(void *context, const char *text)
{
    struct arguments *const arguments = context;
    cli_progress_end(&arguments->progress);
    fprintf(stderr, "warpsweep: %s\n", text);
}

static void show_progress(void *context, const char *file, double share)
{
    struct arguments *const arguments = context;
    struct ws_text words = {0};
    ws_text_add(&words, "launch %zu of %zu, %s: %.0f %%", arguments->done + 1, arguments->files, file, 100 * share);
    if (!words.failed)
        cli_progress_say(&arguments->progress, words.data);
    ws_text_free(&words);
}

/* ---- Launches ---- */

static void add_line(const char *trace, const struct ws_nvbit_report *report, struct ws_text *out)
{
    const u32 nearest = ws_nvbit_nearest(report);
    const struct ws_nvbit_replay *const replay = &report->replays[nearest];
    ws_text_add(out, "%s: %" PRIu64 " warp instructions, %" PRIu64 " thread instructions, ", trace, report->warp_instructions,
                report->thread_instructions);
    if (replay->missing + replay->added == 0)
        ws_text_add(out, "replayed as recorded (first_path %s)\n", cli_first_path(nearest));
    else
        ws_text_add(out, "replayed with %" PRIu64 " missing and %" PRIu64 " more (first_path %s), first in %s\n", replay->missing,
                    replay->added, cli_first_path(nearest), replay->first);
}

/* ---- Machine code ---- */

static void forget(struct cubin *cubin)
{
    ws_program_free(cubin->program);
    free(cubin->kernel);
    *cubin = (struct cubin){.file = cubin->file};
}

static enum ws_status load_code(struct cubin *cubin, const struct ws_nvbit *nvbit, struct ws_error *error)
{
    const char *const kernel = ws_nvbit_kernel(nvbit);
    const u32 architecture = ws_nvbit_architecture(nvbit);
    if (cubin->code && cubin->architecture == architecture && strcmp(cubin->kernel, kernel) == 0)
        return WS_STATUS_ok;
    forget(cubin);
    cubin->architecture = architecture;
    cubin->kernel = strdup(kernel);
    if (!cubin->kernel)
        return ws_no_memory(error);
    return ws_sass_binary_code(cubin->file, architecture, kernel, &cubin->program, &cubin->code, error);
}

static enum ws_status attach(struct arguments *arguments, const char *file, struct ws_nvbit *nvbit, struct ws_error *error)
{
    if (!arguments->cubin)
        return WS_STATUS_ok;
    if (ws_nvbit_architecture(nvbit) == 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: the header has no line '-binary version = ...', by which --cubin finds the code; give --binary-version",
                       file);
    WS_TRY(load_code(&arguments->code, nvbit, error));
    ws_nvbit_attach(nvbit, arguments->code.code, arguments->cubin);
    return WS_STATUS_ok;
}

static enum ws_status import_launch(struct arguments *arguments, const struct cli_trace_folder *folder, const char *file,
                                    struct ws_text *out, struct ws_error *error)
{
    struct ws_nvbit *nvbit;
    struct ws_nvbit_report report;
    struct ws_text trace = {0};
    WS_TRY(ws_nvbit_open(file, &arguments->nvbit, &nvbit, error));
    cli_trace_folder_name(folder, (u32)arguments->done, ws_nvbit_kernel(nvbit), &trace);
    enum ws_status status = trace.failed ? ws_no_memory(error) : attach(arguments, file, nvbit, error);
    WS_THEN(status, ws_nvbit_write(nvbit, trace.data, &report, error));
    if (status == WS_STATUS_ok)
        add_line(strrchr(trace.data, '/') + 1, &report, out);
    ws_text_free(&trace);
    ws_nvbit_close(nvbit);
    return status;
}

static enum ws_status import_list(struct arguments *arguments, const struct ws_nvbit_list *list, struct ws_text *out,
                                  struct ws_error *error)
{
    struct cli_trace_folder folder;
    enum ws_status status = WS_STATUS_ok;
    arguments->files = list->count;
    WS_TRY(cli_trace_folder_begin(arguments->output, "", &folder, error));
    for (; status == WS_STATUS_ok && arguments->done < list->count; arguments->done += status == WS_STATUS_ok)
        status = import_launch(arguments, &folder, list->files[arguments->done], out, error);
    return cli_trace_folder_end(&folder, status, error);
}

const struct argp cli_trace_import_argp = {
    .options = options,
    .parser = parse,
    .args_doc = FORMATS " FILE -o OUTDIR",
    .doc = "Convert traces of NVBit's tracer for Accel-Sim to per-thread traces. FILE is a kernelslist.g, one .traceg or .trace "
           "of versions 1.2 to 6, plain or compressed by xz or zstd, or one .tracez. As a check, warps of 32 with reconvergence at "
           "post-dominators are formed from the threads and compared with the recorded warps. run, sweep and experiments read all "
           "traces of OUTDIR as OUTDIR/."};

int cli_trace_import(int argc, char **argv)
{
    struct arguments arguments = {
        .nvbit = {WS_STRUCT(nvbit_options), .go_on = cli_should_continue, .progress = show_progress, .note = show_note}};
    struct ws_error error;
    struct ws_nvbit_list list;
    struct ws_text out = {0};
    arguments.nvbit.context = &arguments;
    argp_parse(&cli_trace_import_argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    cli_progress_start(&arguments.progress);
    enum ws_status status = ws_nvbit_list_read(arguments.file, &arguments.nvbit, &list, &error);
    if (status == WS_STATUS_ok && arguments.cubin)
        status = ws_sass_binary_open(arguments.cubin, &arguments.code.file, &error);
    WS_THEN(status, import_list(&arguments, &list, &out, &error));
    ws_nvbit_list_free(&list);
    forget(&arguments.code);
    ws_sass_binary_close(arguments.code.file);
    cli_progress_end(&arguments.progress);
    if (status == WS_STATUS_ok)
        return cli_print(&out);
    ws_text_free(&out);
    return cli_fail(&error);
}
