#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "warpsweep/report.h"

enum { KEY_EXPERIMENT = 0x1000 };

struct arguments {
    const char *figure, *results;
    struct ws_plot_options options;
};

static const struct argp_option options[] = {
    {"output", 'o', "OUT.svg", 0,
     "output file; its suffix selects a picture (.svg, .png), gnuplot script (.gp) or table (.md, .csv); default: table as text "
     "on standard output",
     0},
    {"experiment", KEY_EXPERIMENT, "NAME", 0,
     "experiment of the results file; default the figure's, or the only one that the file holds", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'o':
        arguments->options.output = argument;
        return 0;
    case KEY_EXPERIMENT:
        arguments->options.experiment = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->results)
            argp_error(state, "found '%s', allowed are one FIGURE and one RESULTS.db", argument);
        *(arguments->figure ? &arguments->results : &arguments->figure) = argument;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->results)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_plot_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FIGURE RESULTS.db",
    .doc =
        "Draw a figure, FIGURE.yaml or PAPER/FIGURE, over a results file: an SQL query and a kind of chart (adding-a-paper.md)."};

int cli_plot(int argc, char **argv)
{
    struct arguments arguments = {.options = {WS_STRUCT(plot_options)}};
    struct ws_error error;
    argp_parse(&cli_plot_argp, argc, argv, 0, NULL, &arguments);
    const enum ws_status status = ws_plot(arguments.figure, arguments.results, &arguments.options, stdout, &error);
    return status == WS_STATUS_ok ? 0 : cli_fail(&error);
}
