#include <stdlib.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/results/follow.h"
#include "cli/results/runs.h"
#include "warpsweep/report.h"

enum { KEY_RUN = 0x1000, KEY_FOLLOW, KEY_TEXT };

struct arguments {
    const char *folder, *run;
    const char **files; /* room for all arguments */
    size_t count;
    u32 follow; /* seconds; 0: once */
    bool text;
};

static const struct argp_option options[] = {
    {"output", 'o', "OUTDIR", 0, "folder for index.html, created if missing; required without --text", 0},
    {"run", KEY_RUN, "N|all", 0, "show run N of each experiment, or all runs; default newest", 0},
    {"follow", KEY_FOLLOW, "SECONDS", 0,
     "follow a running sweep or search, which may start later: look for new results every SECONDS and show them in open pages, "
     "until none is missing or interrupted",
     0},
    {"text", KEY_TEXT, NULL, 0,
     "print the answers instead: Pareto front, what its points change, which parameters matter, course of a search", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'o':
        arguments->folder = argument;
        return 0;
    case KEY_RUN:
        arguments->run = argument;
        return 0;
    case KEY_FOLLOW:
        arguments->follow = (u32)cli_parse_range(state, "follow", argument, 1, CLI_FOLLOW_MOST_SECONDS);
        return 0;
    case KEY_TEXT:
        arguments->text = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->files[arguments->count++] = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    case ARGP_KEY_END:
        if (arguments->text && (arguments->folder || arguments->follow))
            argp_error(state, "--text prints: found with %s, allowed is --run", arguments->folder ? "--output" : "--follow");
        if (!arguments->folder && !arguments->text)
            argp_error(state, "--output is needed, or --text");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_report_argp = {.options = options,
                                     .parser = parse,
                                     .args_doc = "RESULTS... -o OUTDIR",
                                     .doc = "Write an interactive HTML report of results files: charts, table, every parameter. "
                                            "One file, without server or network. RESULTS may also be outputs of `run --format "
                                            "json`, for counters over time (--series) and annotated source (--lines)."};

static enum ws_status print_text(const struct arguments *arguments, struct ws_text *text, struct ws_error *error)
{
    char *data = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&data, &length);
    enum ws_status status = out ? WS_STATUS_ok : ws_no_memory(error);
    for (size_t n = 0; n < arguments->count && status == WS_STATUS_ok; n++) {
        if (arguments->count > 1)
            fprintf(out, "%s%s:\n", n > 0 ? "\n" : "", arguments->files[n]);
        status = ws_report_text(arguments->files[n], arguments->run, out, error);
    }
    if (out && fclose(out) != 0 && status == WS_STATUS_ok)
        status = ws_no_memory(error);
    if (status == WS_STATUS_ok)
        ws_text_bytes(text, data, length);
    free(data);
    return status;
}

static enum ws_status report(const struct arguments *arguments, struct ws_text *text, struct ws_error *error)
{
    const char *const *const files = arguments->files;
    const struct cli_followed followed = {files, arguments->count, arguments->run, arguments->folder, arguments->follow};
    if (arguments->text)
        return print_text(arguments, text, error);
    WS_TRY(arguments->follow ? cli_follow(&followed, error)
                             : ws_report(files, arguments->count, arguments->run, 0, arguments->folder, error));
    ws_text_add(text, "%s/index.html\n", arguments->folder);
    return WS_STATUS_ok;
}

int cli_report(int argc, char **argv)
{
    struct arguments arguments = {.files = calloc((size_t)argc, sizeof(char *))};
    struct ws_error error;
    struct ws_text text = {0};
    if (!arguments.files)
        return cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    argp_parse(&cli_report_argp, argc, argv, 0, NULL, &arguments);
    for (size_t n = 0; n < arguments.count && !arguments.run; n++)
        cli_note_runs(arguments.files[n]);
    cli_catch_interrupt();
    const enum ws_status status = report(&arguments, &text, &error);
    free(arguments.files);
    if (status != WS_STATUS_ok) {
        ws_text_free(&text);
        return cli_fail(&error);
    }
    return cli_print(&text);
}
