#include "cli/cli.h"

struct arguments {
    char **words; /* NULL for none */
    int count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    (void)argument;
    if (key != ARGP_KEY_ARGS)
        return ARGP_ERR_UNKNOWN;
    arguments->words = state->argv + state->next;
    arguments->count = state->argc - state->next;
    return 0;
}

const struct argp cli_help_argp = {
    .parser = parse, .args_doc = "[COMMAND]", .doc = "Show a command's help, as its --help does; without COMMAND, all commands."};

int cli_help(int argc, char **argv)
{
    struct arguments arguments = {0};
    argp_parse(&cli_help_argp, argc, argv, 0, NULL, &arguments);
    return cli_show_help(arguments.words, arguments.count);
}
