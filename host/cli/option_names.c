#include "cli/option_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/help_layout.h"

/* What argp adds to every parser. */
static const struct argp_option common[] = {
    {"help", '?', NULL, 0, NULL, 0}, {"usage", 0, NULL, 0, NULL, 0}, {"version", 'V', NULL, 0, NULL, 0}, {0}};
static const struct argp common_argp = {.options = common};

typedef void visit_option(void *context, const struct argp_option *option);

static void visit_own(const struct argp *parser, visit_option *visit, void *context)
{
    for (const struct argp_option *option = parser->options; option && (option->name || option->key || option->doc); option++)
        visit(context, option);
}

/* Options of a parser and its children, which have none of their own. */
static void visit_all(const struct argp *parser, visit_option *visit, void *context)
{
    visit_own(parser, visit, context);
    for (const struct argp_child *child = parser->children; child && child->argp; child++)
        visit_own(child->argp, visit, context);
    visit_own(&common_argp, visit, context);
}

/* A search for the options that a word means: by its letter, or by a name that begins so, as getopt_long has it. */
struct search {
    const char *word;
    size_t length;
    int letter;
    size_t found;
    bool exact, takes_argument;
    struct ws_nearest nearest;
};

static void match(void *context, const struct argp_option *option)
{
    struct search *const search = context;
    const bool whole = option->name && search->word && strlen(option->name) == search->length;
    const bool begins = option->name && search->word && strncmp(option->name, search->word, search->length) == 0;
    if (option->name && search->nearest.word)
        ws_nearest_offer(&search->nearest, option->name);
    if (search->exact || !(begins || (search->letter && option->key == search->letter)))
        return;
    search->exact = begins && whole;
    search->found++;
    search->takes_argument = option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* Whether the option of this word takes the next one; ends the program when a long one does not exist. */
static bool check_long(const struct argp *parser, char *program, const char *word)
{
    const size_t length = strcspn(word, "=");
    char *const name = strndup(word, length);
    struct search search = {.word = word, .length = length, .nearest = {.word = name}};
    visit_all(parser, match, &search);
    if (search.found == 0 && search.nearest.best) {
        fprintf(stderr, "%s: unrecognized option '--%s' (did you mean '--%s'?)\n", program, name, search.nearest.best);
        argp_help(parser, stderr, ARGP_HELP_SEE, program);
        exit(argp_err_exit_status);
    }
    free(name);
    return search.takes_argument && !word[length];
}

/* The same of letters: only the last can take the next word. */
static bool check_letters(const struct argp *parser, const char *letters)
{
    for (; *letters; letters++) {
        struct search search = {.letter = *letters};
        visit_all(parser, match, &search);
        if (search.takes_argument)
            return !letters[1];
    }
    return false;
}

static bool has_letter(const struct argp *parser, int letter)
{
    struct search search = {.letter = letter};
    visit_all(parser, match, &search);
    return search.found > 0;
}

void cli_check_options(const struct argp *parser, int argc, char **argv, bool in_order)
{
    for (int n = 1; n < argc && strcmp(argv[n], "--") != 0; n++) {
        if (argv[n][0] != '-' && in_order)
            return;
        if (argv[n][0] != '-' || !argv[n][1])
            continue;
        if (strcmp(argv[n], "--help") == 0 || strcmp(argv[n], "-?") == 0 ||
            (strcmp(argv[n], "-h") == 0 && !has_letter(parser, 'h')))
            exit(cli_print_help(parser, argv[0]));
        n += argv[n][1] == '-' ? check_long(parser, argv[0], argv[n] + 2) : check_letters(parser, argv[n] + 1);
    }
}
