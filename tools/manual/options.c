#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "manual/manual.h"

const struct command manual_commands[] = {
    {"warpsweep", "", NULL, &cli_main_argp},
#define COMMAND(words, function, doc, example) {"warpsweep " words, doc, example, &function##_argp},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL, NULL},
};

/* argp gives these to every parser. */
static const struct argp_option common_options[] = {{"help", '?', NULL, 0, "give this help list", COMMON_GROUP},
                                                    {"usage", 0x1000, NULL, 0, "give a short usage message", COMMON_GROUP},
                                                    {"version", 'V', NULL, 0, "print program version", COMMON_GROUP},
                                                    {0}};
static const struct argp common = {.options = common_options};

/* What --help makes of a text: newly allocated, NULL for nothing. */
static char *shown(const struct argp *parser, int key, const char *text)
{
    char *const filtered = parser->help_filter ? parser->help_filter(key, text, NULL) : (char *)(uintptr_t)text;
    return filtered && filtered == text ? strdup(text) : filtered;
}

char *doc_before(const struct argp *parser)
{
    const char *const doc = parser->doc ? parser->doc : "";
    char *const before = strndup(doc, strcspn(doc, "\v"));
    char *const text = before ? shown(parser, ARGP_KEY_HELP_PRE_DOC, before) : NULL;
    free(before);
    return text;
}

char *doc_after(const struct argp *parser)
{
    const char *const after = parser->doc ? strchr(parser->doc, '\v') : NULL;
    return shown(parser, ARGP_KEY_HELP_POST_DOC, after ? after + 1 : NULL);
}

static enum ws_status add_option(struct options *options, const struct manual_option *option, struct ws_error *error)
{
    if (options->count == MOST_OPTIONS)
        return ws_fail(error, WS_STATUS_bad_input, "a command has more than %d options", MOST_OPTIONS);
    options->rows[options->count] = *option;
    if (!option->doc)
        return ws_fail(error, WS_STATUS_bad_input, "--%s has no doc string", option->name);
    options->count++;
    return WS_STATUS_ok;
}

static enum ws_status add_own(const struct argp *parser, struct options *options, struct ws_error *error)
{
    int group = 0;
    for (const struct argp_option *row = parser->options; row && (row->name || row->key || row->doc || row->group); row++) {
        group = row->group ? row->group : group;
        if (!row->name || row->flags != 0)
            return ws_fail(error, WS_STATUS_bad_input,
                           "option '%s' of key %d: the manual shows neither headings, aliases nor hidden options",
                           row->name ? row->name : "", row->key);
        const struct manual_option option = {.letter =
                                                 row->key > 0 && row->key <= CHAR_MAX && isgraph(row->key) ? (char)row->key : 0,
                                             .name = row->name,
                                             .placeholder = row->arg,
                                             .doc = shown(parser, row->key, row->doc),
                                             .group = group};
        WS_TRY(add_option(options, &option, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status add_all(const struct argp *parser, struct options *options, struct ws_error *error)
{
    WS_TRY(add_own(parser, options, error));
    for (const struct argp_child *child = parser->children; child && child->argp; child++)
        WS_TRY(add_all(child->argp, options, error));
    return WS_STATUS_ok;
}

/* The order of --help: by group, then by letter or else by name. */
static int compare(const void *first, const void *second)
{
    const struct manual_option *const a = first, *const b = second;
    const char letter_a = a->letter ? a->letter : a->name[0], letter_b = b->letter ? b->letter : b->name[0];
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return letter_a != letter_b ? letter_a - letter_b : strcmp(a->name, b->name);
}

static enum ws_status read_options(const struct argp *parser, struct options *options, struct ws_error *error)
{
    WS_TRY(add_all(parser, options, error));
    qsort(options->rows, options->count, sizeof *options->rows, compare);
    return add_own(&common, options, error);
}

static enum ws_status add_one(add_command *add, const struct command *command, struct ws_text *out, struct ws_error *error)
{
    struct options options = {.count = 0};
    enum ws_status status = read_options(command->parser, &options, error);
    if (status == WS_STATUS_ok)
        status = add(command, &options, out, error);
    for (size_t n = 0; n < options.count; n++)
        free(options.rows[n].doc);
    return status == WS_STATUS_ok ? status : ws_fail_in(error, "%s: ", command->words);
}

enum ws_status add_each_command(add_command *add, struct ws_text *out, struct ws_error *error)
{
    for (const struct command *command = manual_commands; command->words; command++)
        WS_TRY(add_one(add, command, out, error));
    return WS_STATUS_ok;
}
