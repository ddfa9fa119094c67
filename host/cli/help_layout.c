#include "cli/help_layout.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { WIDTH = 79, DOC_COLUMN = 29, DOC_MARGIN = 3, USAGE_INDENT = 12, MOST_OPTIONS = 64 };

struct row {
    const struct argp *parser; /* whose filter may change the text */
    const struct argp_option *option;
    int group;
};

struct rows {
    struct row row[MOST_OPTIONS];
    size_t count;
};

static const char common[] = "  -?, --help                 Give this help list\n"
                             "      --usage                Give a short usage message\n"
                             "  -V, --version              Print program version\n";
static const char letters_too[] = "\nMandatory or optional arguments to long options are also mandatory or optional\n"
                                  "for any corresponding short options.\n";

/* ---- Texts ---- */

/* Words up to the width, with indented lines; keeps line breaks of the text. Pads to that column before the first word. */
static void add_wrapped(struct ws_text *out, size_t column, size_t indent, const char *text)
{
    bool first = true;
    while (*text) {
        const size_t length = strcspn(text, " \n");
        const bool ends = *text == '\n';
        if (ends || (length > 0 && !first && column + 1 + length > WIDTH)) {
            ws_text_add(out, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        if (length > 0) {
            ws_text_add(out, "%s%.*s", first ? "" : " ", (int)length, text);
            column += length + !first;
            first = false;
        }
        text += length ? length : 1;
    }
    ws_text_add(out, "\n");
}

/* The text after the parser's filter, newly allocated; NULL for none. */
static char *filtered(const struct argp *parser, int key, const char *text)
{
    char *const shown = parser->help_filter ? parser->help_filter(key, text, NULL) : (char *)(uintptr_t)text;
    return shown && shown == text ? strdup(text) : shown;
}

/* ---- Options ---- */

static void collect(const struct argp *parser, struct rows *rows)
{
    int group = 0;
    for (const struct argp_option *option = parser->options; option && (option->name || option->key); option++) {
        group = option->group ? option->group : group;
        if (rows->count < MOST_OPTIONS)
            rows->row[rows->count++] = (struct row){parser, option, group};
    }
    for (const struct argp_child *child = parser->children; child && child->argp; child++)
        collect(child->argp, rows);
}

static char letter_of(const struct argp_option *option)
{
    return option->key > 0 && option->key <= CHAR_MAX && isgraph(option->key) ? (char)option->key : '\0';
}

/* By group, then by letter, else by name. */
static int compare(const void *one, const void *other)
{
    const struct row *const a = one, *const b = other;
    const char letter_a = letter_of(a->option), letter_b = letter_of(b->option);
    const char first_a = letter_a ? letter_a : a->option->name[0], first_b = letter_b ? letter_b : b->option->name[0];
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return first_a != first_b ? first_a - first_b : strcmp(a->option->name, b->option->name);
}

static void add_option(struct ws_text *out, const struct row *row)
{
    const struct argp_option *const option = row->option;
    const char letter = letter_of(option);
    char *const doc = filtered(row->parser, option->key, option->doc);
    const size_t before = out->length;
    ws_text_add(out, letter ? "  -%c, " : "      ", letter);
    ws_text_add(out, "--%s%s%s", option->name, option->arg ? "=" : "", option->arg ? option->arg : "");
    size_t column = out->length - before;
    if (column > DOC_COLUMN + DOC_MARGIN) {
        ws_text_add(out, "\n");
        column = 0;
    }
    const size_t pad = column < DOC_COLUMN ? DOC_COLUMN - column : DOC_MARGIN;
    ws_text_add(out, "%*s", (int)pad, "");
    add_wrapped(out, column + pad, DOC_COLUMN, doc ? doc : "");
    free(doc);
}

static void add_options(struct ws_text *out, const struct argp *parser)
{
    struct rows rows = {.count = 0};
    bool letters = false;
    collect(parser, &rows);
    qsort(rows.row, rows.count, sizeof *rows.row, compare);
    for (size_t n = 0; n < rows.count; n++) {
        add_option(out, &rows.row[n]);
        letters = letters || (letter_of(rows.row[n].option) && rows.row[n].option->arg);
    }
    ws_text_add(out, "%s%s", common, letters ? letters_too : "");
}

/* ---- The whole ---- */

static const char *example_of(const struct argp *parser)
{
#define COMMAND(words, function, doc, example)                                                                                     \
    if (parser == &function##_argp)                                                                                                \
        return example;
#include "cli/commands.def"
#undef COMMAND
    return NULL;
}

/* One line per form of the arguments. */
static void add_usage(struct ws_text *out, const char *command, const char *arguments)
{
    for (const char *start = "Usage:"; start; start = "  or: ") {
        struct ws_text line = {0};
        const size_t length = strcspn(arguments, "\n");
        ws_text_add(&line, "%s [OPTION...] %.*s", command, (int)length, arguments);
        ws_text_add(out, "%s ", start);
        add_wrapped(out, strlen(start) + 1, USAGE_INDENT, line.data ? line.data : "");
        ws_text_free(&line);
        if (!arguments[length])
            return;
        arguments += length + 1;
    }
}

int cli_print_help(const struct argp *parser, const char *command)
{
    struct ws_text out = {0};
    const char *const doc = parser->doc ? parser->doc : "", *const post = strchr(doc, '\v');
    char *const before = strndup(doc, strcspn(doc, "\v"));
    char *const after = filtered(parser, ARGP_KEY_HELP_POST_DOC, post ? post + 1 : NULL);
    add_usage(&out, command, parser->args_doc ? parser->args_doc : "");
    add_wrapped(&out, 0, 0, before ? before : "");
    ws_text_add(&out, "\n");
    add_options(&out, parser);
    if (after)
        ws_text_add(&out, "\n%s%s", after, after[0] && after[strlen(after) - 1] == '\n' ? "" : "\n");
    if (example_of(parser))
        ws_text_add(&out, "\nExample:\n  %s\n", example_of(parser));
    free(before);
    free(after);
    return cli_print(&out);
}
