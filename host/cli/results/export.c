#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/results/runs.h"
#include "warpsweep/results.h"

#define FORMATS "csv|jsonl" /* values of enum ws_export_format */
#define VIEWS   "result|kernel|speedup|block|warp|sort|run"

enum { KEY_FORMAT = 0x1000, KEY_VIEW, KEY_COLUMNS, KEY_WHERE, KEY_RUN };

struct arguments {
    const char *file;
    const char **conditions; /* room for all arguments */
    struct ws_export_options options;
};

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, FORMATS, 0, "CSV, or one JSON object per line; default csv", 0},
    {"view", KEY_VIEW, VIEWS, 0,
     "table to print; default result:\n"
     "result: a row per job\n"
     "kernel: a row per point and trace, shards combined\n"
     "speedup: kernel and the speedup over baselines\n"
     "block, warp: a row per thread block or warp\n"
     "sort: a row per thread block and sort (these three need an experiment that records times)\n"
     "run: a row per run of an experiment",
     0},
    {"columns", KEY_COLUMNS, "NAME,...", 0, "columns to print, in this order; parameters also by dotted names; default all", 0},
    {"where", KEY_WHERE, "CONDITION", 0,
     "only rows that satisfy 'COLUMN OP VALUE', where OP is = != < <= > >= or ~ (matches a pattern with * ? [a-z]); "
     "an empty VALUE stands for an empty field; may be repeated, and every condition must hold; default all rows",
     0},
    {"run", KEY_RUN, "N|all", 0, "show run N of each experiment, or all runs; default newest", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    struct ws_export_options *const export = &arguments->options;
    switch (key) {
    case KEY_FORMAT:
        export->format = (enum ws_export_format)cli_parse_choice(state, "format", FORMATS, argument);
        return 0;
    case KEY_VIEW:
        cli_parse_choice(state, "view", VIEWS, argument);
        export->view = argument;
        return 0;
    case KEY_COLUMNS:
        export->columns = argument;
        return 0;
    case KEY_RUN:
        export->run = argument;
        return 0;
    case KEY_WHERE:
        arguments->conditions[export->condition_count++] = argument;
        return 0;
    default:
        return cli_take_argument(key, argument, state, "results file", &arguments->file);
    }
}

static int export(struct arguments *arguments)
{
    struct ws_results *results;
    struct ws_error error;
    const char *const view = arguments->options.view;
    size_t rows = 0;
    arguments->options.rows = &rows;
    if (!arguments->options.run && !(view && strcmp(view, "run") == 0))
        cli_note_runs(arguments->file);
    if (ws_results_open(arguments->file, WS_RESULTS_READ, &results, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    const enum ws_status status = ws_results_export(results, &arguments->options, stdout, &error);
    ws_results_close(results, NULL);
    if (status != WS_STATUS_ok)
        return cli_fail(&error);
    if (rows == 0 && arguments->options.condition_count > 0)
        fprintf(stderr, "warpsweep: %s: no row satisfies --where\n", arguments->file);
    return cli_print(&(struct ws_text){0});
}

const struct argp cli_export_argp = {.options = options,
                                     .parser = parse,
                                     .args_doc = "RESULTS.db",
                                     .doc =
                                         "Print the results of a results file as a table, sorted by experiment, point, trace and "
                                         "shard."};

int cli_export(int argc, char **argv)
{
    struct arguments arguments = {.conditions = calloc((size_t)argc, sizeof *arguments.conditions),
                                  .options = {WS_STRUCT(export_options)}};
    if (!arguments.conditions)
        return cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    arguments.options.conditions = arguments.conditions;
    argp_parse(&cli_export_argp, argc, argv, 0, NULL, &arguments);
    const int exit_code = export(&arguments);
    free(arguments.conditions);
    return exit_code;
}
