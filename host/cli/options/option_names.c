#include "cli/options/option_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/help_layout.h"
#include "base/names/old_names.h"

/* Options that argp adds to every parser. */
static const struct argp_option common[] = {
    {"help", '?', NULL, 0, NULL, 0}, {"usage", 0, NULL, 0, NULL, 0}, {"version", 'V', NULL, 0, NULL, 0}, {0}};
static const struct argp common_argp = {.options = common};

typedef void visit_option(void *context, const struct argp_option *option);

static void visit_own(const struct argp *parser, visit_option *visit, void *context)
{
    for (const struct argp_option *option = parser->options; option && (option->name || option->key || option->doc); option++)
        visit(context, option);
}

/* Options of a parser and its children (which have no children). */
static void visit_all(const struct argp *parser, visit_option *visit, void *context)
{
    visit_own(parser, visit, context);
    for (const struct argp_child *child = parser->children; child && child->argp; child++)
        visit_own(child->argp, visit, context);
    visit_own(&common_argp, visit, context);
}

/* Finds the options that a word may mean: by letter, or by prefix, like getopt_long. */
struct search {
    const char *word;
    size_t length;
    int letter;
    size_t found;
    const struct argp_option *option; /* last one found */
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
    search->option = option;
    search->takes_argument = option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* Options with an argument seen so far. */
struct given {
    const struct argp_option **options;
    size_t count;
};

/* Ends the program if an option is given two arguments, of which one would be lost. Repeatable options say so in their help. */
static void note_given(struct given *given, const struct search *search, const char *program)
{
    const struct argp_option *const option = search->option;
    if (search->found == 0 || !option->arg || (option->doc && strstr(option->doc, "may be repeated")))
        return;
    for (size_t n = 0; n < given->count; n++)
        if (given->options[n] == option) {
            fprintf(stderr, "%s: --%s is given twice\n", program, option->name);
            exit(argp_err_exit_status);
        }
    given->options[given->count++] = option;
}

/* Whether the option in this word takes the next one; ends the program if a long option does not exist. */
static bool check_long(const struct argp *parser, char *program, const char *word, struct given *given)
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
    note_given(given, &search, program);
    return search.takes_argument && !word[length];
}

/* The same for letters: only the last can take the next word. */
static bool check_letters(const struct argp *parser, const char *program, const char *letters, struct given *given)
{
    for (; *letters; letters++) {
        struct search search = {.letter = *letters};
        visit_all(parser, match, &search);
        note_given(given, &search, program);
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

static bool has_option(const struct argp *parser, const char *name)
{
    struct search search = {.word = name, .length = strlen(name)};
    visit_all(parser, match, &search);
    return search.exact;
}

/* The argument with the option's current name instead of an earlier release's; never freed. */
static char *current_option(const struct argp *parser, char *argument)
{
    const size_t length = strcspn(argument, "=");
    char *const name = strndup(argument + 2, length - 2);
    struct ws_text text = {0};
    const char *const current = name && !has_option(parser, name) ? ws_current_name(WS_NAME_option, "", name) : name;
    if (current != name && has_option(parser, current))
        ws_text_add(&text, "--%s%s", current, argument + length);
    free(name);
    return text.data && !text.failed ? text.data : argument;
}

void cli_check_options(const struct argp *parser, int argc, char **argv, bool in_order)
{
    struct given given = {.options = calloc((size_t)argc, sizeof(struct argp_option *))};
    for (int n = 1; given.options && n < argc && strcmp(argv[n], "--") != 0; n++) {
        if (argv[n][0] != '-' && in_order)
            break;
        if (argv[n][0] != '-' || !argv[n][1])
            continue;
        if (strcmp(argv[n], "--help") == 0 || strcmp(argv[n], "-?") == 0 ||
            (strcmp(argv[n], "-h") == 0 && !has_letter(parser, 'h')))
            exit(cli_print_help(parser, argv[0]));
        if (argv[n][1] == '-')
            argv[n] = current_option(parser, argv[n]);
        n += argv[n][1] == '-' ? check_long(parser, argv[0], argv[n] + 2, &given)
                               : check_letters(parser, argv[0], argv[n] + 1, &given);
    }
    free(given.options);
}
