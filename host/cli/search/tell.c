/* tell: simulates points that a program has chosen, and answers with their objectives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/search/point_lines.h"
#include "cli/search/space_options.h"
#include "cli/sweep/sweep_watch.h"

struct arguments {
    struct cli_space space;
    const char *input; /* NULL: stdin */
};

static const struct argp_option options[] = {
    {"input", 'i', "FILE", 0, "points, one JSON object a line; default stdin", 5},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->space;
        return 0;
    case 'i':
        arguments->input = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_tell_argp = {
    .options = options,
    .parser = parse,
    .args_doc = CLI_SPACE_ARGUMENTS,
    .doc =
        "Simulate points as one batch, record them in the search's results file and print each with its objectives, one JSON "
        "object a line (search.md). A point is {\"parameters\": {KEY: VALUE, ...}}, or {\"id\": N} of one that ask gave. SPACE and "
        "options are those of search; its budget is ignored.",
    .children = cli_space_children};

struct output {
    const struct ws_space *space;
    const struct cli_told_list *list;
    u32 next; /* line of the next point */
    struct ws_text text;
};

/* Lines of illegal points up to the next point. */
static void add_illegal(struct output *output)
{
    for (; output->next < output->list->count && output->list->line[output->next].illegal; output->next++)
        cli_point_add_illegal(output->space, &output->list->line[output->next], &output->text);
}

static enum ws_status add(void *context, const struct ws_search_point *point, struct ws_error *error)
{
    struct output *const output = context;
    (void)error;
    add_illegal(output);
    cli_point_add(output->space, point, &output->text);
    output->next++;
    return WS_STATUS_ok;
}

static enum ws_status read_input(const char *path, struct ws_text *text, struct ws_error *error)
{
    FILE *const file = path ? fopen(path, "r") : stdin;
    char block[65536];
    size_t length;
    if (!file)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read; name a file of JSON lines", path);
    ws_text_bytes(text, "", 0);
    while ((length = fread(block, 1, sizeof block, file)) > 0)
        ws_text_bytes(text, block, length);
    const bool failed = ferror(file);
    if (path)
        fclose(file);
    if (failed || (text->length > 0 && strlen(text->data) != text->length))
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read as JSON lines", path ? path : "stdin");
    return text->failed ? ws_no_memory(error) : WS_STATUS_ok;
}

static enum ws_status tell(struct arguments *arguments, struct ws_space *space, struct cli_told_list *list, struct output *output,
                           struct ws_error *error)
{
    struct ws_search_told *const told = calloc(list->count + 1, sizeof *told);
    struct ws_search_summary summary;
    struct cli_progress progress;
    u32 count = 0;
    if (!told)
        return ws_no_memory(error);
    for (u32 n = 0; n < list->count; n++)
        if (!list->line[n].illegal)
            told[count++] = list->line[n].told;
    arguments->space.options.watch = cli_sweep_watch_start(&progress);
    const enum ws_status status = ws_search_tell(space, &arguments->space.options, told, count, &summary, add, output, error);
    cli_progress_end(&progress);
    free(told);
    add_illegal(output);
    return status;
}

int cli_tell(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ws_error error = {.status = WS_STATUS_no_memory, .message = "out of memory"};
    struct ws_space *space = NULL;
    struct ws_text input = {0};
    struct cli_told_list list = {0};
    struct output output = {.list = &list};
    enum ws_status status = WS_STATUS_no_memory;
    if (cli_space_begin(&arguments.space, argc)) {
        argp_parse(&cli_tell_argp, argc, argv, 0, NULL, &arguments);
        status = cli_space_load(&arguments.space, &space, &error);
    }
    output.space = space;
    WS_THEN(status, read_input(arguments.input, &input, &error));
    WS_THEN(status,
            cli_told_read(space, &arguments.space.options, arguments.input ? arguments.input : "stdin", input.data, &list, &error));
    WS_THEN(status, tell(&arguments, space, &list, &output, &error));
    cli_told_free(&list);
    ws_text_free(&input);
    cli_space_end(&arguments.space, space);
    if (status == WS_STATUS_ok)
        return cli_print(&output.text);
    ws_text_free(&output.text);
    return cli_fail(&error);
}
