#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options/engine_options.h"
#include "cli/options/frontend_options.h"
#include "cli/options/input_options.h"
#include "cli/sweep/sweep_watch.h"
#include "warpsweep/report.h"

#define STANDARD_FOLDER "out"

struct arguments {
    const char *what;
    struct cli_inputs inputs;
    struct ws_reproduce_options options;
};

static const struct argp_option options[] = {
    {"output", 'o', "OUTDIR", 0, "folder for results, tables and figures; default " STANDARD_FOLDER, 1},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    struct ws_reproduce_options *const reproduce = &arguments->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->inputs;
        state->child_inputs[1] = &reproduce->engine;
        state->child_inputs[2] = &reproduce->lockstep;
        return 0;
    case 'o':
        reproduce->folder = argument;
        return 0;
    default:
        return cli_take_argument(key, argument, state, "paper or figure", &arguments->what);
    }
}

/* The list after the options in --help. */
struct list {
    struct ws_text text;
    char paper[64];
};

static void add_figure(void *context, const struct ws_figure *figure)
{
    struct list *const list = context;
    if (strcmp(list->paper, figure->paper) != 0)
        ws_text_add(&list->text, "%sFigures of %s:\n", list->text.length > 0 ? "\n" : "", figure->paper);
    snprintf(list->paper, sizeof list->paper, "%s", figure->paper);
    ws_text_add(&list->text, "  %-12s %s\n", figure->name, figure->title);
}

static char *list_figures(int key, const char *text, void *input)
{
    struct list list = {0};
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)text;
    ws_figures(add_figure, &list, NULL);
    return list.text.data;
}

static const struct argp_child children[] = {
    {&cli_input_argp, 0, NULL, 0}, {&cli_engine_argp, 0, NULL, 0}, {&cli_lockstep_argp, 0, NULL, 0}, {0}};

const struct argp cli_reproduce_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PAPER[/FIGURE]",
    .doc = "Run a paper's experiments, draw its figures, compare its numbers with the simulated ones. Jobs that ran "
           "before are skipped. A folder can hold a paper of your own (adding-a-paper.md).\v ",
    .children = children,
    .help_filter = list_figures};

int cli_reproduce(int argc, char **argv)
{
    struct arguments arguments = {.inputs = CLI_INPUTS_STANDARD,
                                  .options = {WS_STRUCT(reproduce_options), .folder = STANDARD_FOLDER,
                                              .lockstep = cli_lockstep_standard(), .engine = CLI_ENGINE_STANDARD}};
    struct ws_error error;
    struct cli_progress progress;
    argp_parse(&cli_reproduce_argp, argc, argv, 0, NULL, &arguments);
    arguments.options.size = arguments.inputs.size;
    arguments.options.seed = arguments.inputs.seed;
    arguments.options.watch = cli_sweep_watch_start(&progress);
    const enum ws_status status = ws_reproduce(arguments.what, &arguments.options, stdout, &error);
    cli_progress_end(&progress);
    const int printed = cli_print(&(struct ws_text){0});
    return status == WS_STATUS_ok ? printed : cli_fail(&error);
}
