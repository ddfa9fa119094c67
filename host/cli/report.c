#include <stdio.h>

#include "cli/cli.h"
#include "warpsweep/report.h"

struct arguments {
    const char *results, *folder;
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "folder for index.html, made when it is not there; required", 0}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    if (key == 'o') {
        arguments->folder = argument;
        return 0;
    }
    if (key == ARGP_KEY_END && !arguments->folder)
        argp_error(state, "--output is needed");
    return cli_take_argument(key, argument, state, "results file", &arguments->results);
}

const struct argp cli_report_argp = {.options = options,
                                     .parser = parse,
                                     .args_doc = "RESULTS.db -o DIR",
                                     .doc = "Writes a page for a browser with all results of a file: charts, a table, every "
                                            "parameter. It needs no server and no network."};

int cli_report(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ws_error error;
    struct ws_text line = {0};
    argp_parse(&cli_report_argp, argc, argv, 0, NULL, &arguments);
    if (ws_report(arguments.results, arguments.folder, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    ws_text_add(&line, "%s/index.html\n", arguments.folder);
    return cli_print(&line);
}
