#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/inputs.h"
#include "cli/cli.h"
#include "cli/help_layout.h"
#include "cli/options/option_names.h"
#include "base/names/old_names.h"

enum { MOST_WORDS = 2, USAGE_EXIT = 2 };

const char *argp_program_version = "warpsweep " WS_VERSION;

static const struct {
    const char *words, *doc;
    int (*run)(int argc, char **argv);
    const struct argp *parser;
} commands[] = {
#define COMMAND(words, function, doc, example) {words, doc, function, &function##_argp},
#include "cli/commands.def"
#undef COMMAND
};

enum { COMMANDS = sizeof commands / sizeof *commands };

/* Number of the command's words among the arguments; 0 if they do not match. */
static int words_matched(const char *words, char **arguments, int count)
{
    int matched = 0;
    while (matched < count && matched < MOST_WORDS) {
        const size_t length = strcspn(words, " ");
        if (strlen(arguments[matched]) != length || strncmp(words, arguments[matched], length) != 0)
            return 0;
        matched++;
        words += length;
        if (!*words)
            return matched;
        words++;
    }
    return 0;
}

/* The command of the arguments and its number of words; COMMANDS if there is none. */
static size_t find_command(char **arguments, int count, int *words)
{
    size_t n = 0;
    *words = 0;
    while (n < COMMANDS && (*words = words_matched(commands[n].words, arguments, count)) == 0)
        n++;
    return n;
}

static void warn(void *context, const struct ws_old_name *name)
{
    static const char *const kinds[] = {[WS_NAME_option] = "option --",
                                        [WS_NAME_parameter] = "parameter ",
                                        [WS_NAME_counter] = "counter ",
                                        [WS_NAME_value] = "value "};
    (void)context;
    fprintf(stderr, "warpsweep: %s%s%s%s is now called %s%s; the next release will not accept the old name\n", kinds[name->kind],
            name->scope, *name->scope ? "=" : "", name->old, name->kind == WS_NAME_option ? "--" : "", name->current);
}

static int run_command(size_t n, int words, int argc, char **argv)
{
    struct ws_text name = {0};
    ws_text_add(&name, "warpsweep %s", commands[n].words);
    if (name.failed)
        return cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    argv[words - 1] = name.data;
    cli_check_options(commands[n].parser, argc - words + 1, argv + words - 1, false);
    const int exit_code = commands[n].run(argc - words + 1, argv + words - 1);
    ws_old_names_used(warn, NULL);
    ws_text_free(&name);
    return exit_code;
}

/* A single word is known if it begins a command of two ("trace"). */
static bool begins_command(const char *word, const char *words)
{
    const size_t length = strlen(word);
    return strncmp(word, words, length) == 0 && words[length] == ' ';
}

static int unknown_command(char **arguments, int count)
{
    bool group = false;
    struct ws_text given = {0};
    for (size_t n = 0; n < COMMANDS; n++)
        group = group || begins_command(arguments[0], commands[n].words);
    ws_text_add(&given, group && count > 1 ? "%s %s" : "%s", arguments[0], count > 1 ? arguments[1] : "");
    struct ws_names names = {.nearest = {.word = given.failed ? arguments[0] : given.data}};
    for (size_t n = 0; n < COMMANDS; n++)
        ws_names_offer(&names, commands[n].words);
    fprintf(stderr, "warpsweep: no command is called '%s'; commands are %s\n", names.nearest.word, ws_names_text(&names));
    ws_text_free(&given);
    ws_names_free(&names);
    return USAGE_EXIT;
}

static char *list_commands(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)text;
    struct ws_text list = {0};
    ws_text_add(&list, "Commands:\n");
    for (size_t n = 0; n < COMMANDS; n++)
        ws_text_add(&list, "  %-16s %s\n", commands[n].words, commands[n].doc);
    ws_text_add(&list, "\nSee 'warpsweep help COMMAND' (or COMMAND -h) for options and an example.");
    return list.data;
}

/* Options end at the first word: the command, which parses the rest. */
static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key == ARGP_KEY_NO_ARGS)
        argp_usage(state);
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    *(int *)state->input = state->next - 1;
    state->next = state->argc;
    return 0;
}

const struct argp cli_main_argp = {.parser = parse,
                                   .args_doc = "COMMAND [ARGUMENT...]",
                                   .doc =
                                       "Design-space exploration of GPU cores: thousands of cycle-level SM simulations at once.\v ",
                                   .help_filter = list_commands};

int cli_main(int argc, char **argv)
{
    static char program[] = "warpsweep"; /* program name in messages, wherever it is installed */
    int first = argc;
    argp_err_exit_status = USAGE_EXIT;
    cli_leave_nothing();
    ws_inputs_watch();
    if (argc > 0)
        argv[0] = program;
    cli_check_options(&cli_main_argp, argc, argv, true);
    if (argp_parse(&cli_main_argp, argc, argv, ARGP_IN_ORDER, NULL, &first) != 0)
        return USAGE_EXIT;
    int words;
    const size_t n = find_command(argv + first, argc - first, &words);
    return n < COMMANDS ? run_command(n, words, argc - first, argv + first) : unknown_command(argv + first, argc - first);
}

int cli_show_help(char **words, int count)
{
    static char program[] = "warpsweep", help[] = "--help";
    int matched;
    if (count == 0)
        return cli_print_help(&cli_main_argp, program);
    const size_t n = find_command(words, count, &matched);
    if (n == COMMANDS)
        return unknown_command(words, count);
    if (matched < count) {
        fprintf(stderr, "warpsweep help: only one command at a time; '%s' is one too many\n", words[matched]);
        return USAGE_EXIT;
    }
    return run_command(n, 1, 2, (char *[]){program, help, NULL});
}
