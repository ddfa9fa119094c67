/* ask: points that the search would simulate next. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/search/point_lines.h"
#include "cli/search/space_options.h"
#include "cli/sweep/sweep_watch.h"

enum { STANDARD_COUNT = 256 };

struct arguments {
    struct cli_space space;
    u32 count;
};

static const struct argp_option options[] = {
    {"count", 'n', "N", 0, "points; default 256", 5},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->space;
        return 0;
    case 'n':
        arguments->count = (u32)cli_parse_range(state, "count", argument, 1, 1 << 20);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_ask_argp = {
    .options = options,
    .parser = parse,
    .args_doc = CLI_SPACE_ARGUMENTS,
    .doc =
        "Print points that the method of a search proposes, one JSON object a line (search.md). They are recorded as proposed: the "
        "next ask gives the same ones, until tell or search has simulated them. SPACE and options are those of search.",
    .children = cli_space_children};

struct output {
    const struct ws_space *space;
    struct ws_text text;
};

static enum ws_status add(void *context, const struct ws_search_point *point, struct ws_error *error)
{
    struct output *const output = context;
    (void)error;
    cli_point_add(output->space, point, &output->text);
    return WS_STATUS_ok;
}

int cli_ask(int argc, char **argv)
{
    struct arguments arguments = {.count = STANDARD_COUNT};
    struct ws_error error = {.status = WS_STATUS_no_memory, .message = "out of memory"};
    struct ws_space *space = NULL;
    struct cli_progress progress;
    struct output output = {0};
    enum ws_status status = WS_STATUS_no_memory;
    if (cli_space_begin(&arguments.space, argc)) {
        argp_parse(&cli_ask_argp, argc, argv, 0, NULL, &arguments);
        status = cli_space_load(&arguments.space, &space, &error);
    }
    if (status == WS_STATUS_ok) {
        output.space = space;
        arguments.space.options.watch = cli_sweep_watch_start(&progress);
        status = ws_search_ask(space, &arguments.space.options, arguments.count, add, &output, &error);
        cli_progress_end(&progress);
    }
    cli_space_end(&arguments.space, space);
    if (status == WS_STATUS_ok)
        return cli_print(&output.text);
    ws_text_free(&output.text);
    return cli_fail(&error);
}
