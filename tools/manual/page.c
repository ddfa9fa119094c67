#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "manual/manual.h"

/* Text as it is, whatever roff makes of its characters. */
static void add_text(struct ws_text *out, const char *text, size_t length)
{
    static const struct {
        char character;
        const char *roff;
    } special[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (size_t n = 0; n < length; n++) {
        const char *roff = NULL;
        for (size_t s = 0; s < sizeof special / sizeof *special && !roff; s++)
            roff = special[s].character == text[n] ? special[s].roff : NULL;
        if (text[n] == '.' && (n == 0 || text[n - 1] == '\n'))
            roff = "\\&.";
        ws_text_bytes(out, roff ? roff : text + n, roff ? strlen(roff) : 1);
    }
}

static void add_font(struct ws_text *out, char font, const char *text, size_t length)
{
    ws_text_add(out, "\\f%c", font);
    add_text(out, text, length);
    ws_text_add(out, "\\fR");
}

/* Words to be typed are bold, what stands for something is italic, and what joins them as it is: "-m MACHINE", "text|json". */
static void add_placeholder(struct ws_text *out, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, " |[]/=");
        if (length > 0)
            add_font(out, islower((unsigned char)text[0]) || text[0] == '-' ? 'B' : 'I', text, length);
        text += length;
        if (*text)
            ws_text_add(out, *text == '|' ? "|\\:" : "%c", *text);
        text += *text != 0;
    }
}

/* Paragraphs; a text with indented lines keeps its lines. */
static void add_doc(struct ws_text *out, char *doc)
{
    const size_t length = doc ? strlen(doc) : 0;
    if (length > 0) {
        const bool lines = strstr(doc, "\n ") != NULL;
        ws_text_add(out, lines ? ".PP\n.nf\n" : ".PP\n");
        add_text(out, doc, length);
        ws_text_add(out, "%s%s", doc[length - 1] == '\n' ? "" : "\n", lines ? ".fi\n" : "");
    }
    free(doc);
}

/* Each line of a text on a line of its own. */
static void add_lines(struct ws_text *out, const char *text)
{
    size_t length;
    for (;; text += length + 1) {
        length = strcspn(text, "\n");
        add_text(out, text, length);
        ws_text_add(out, "\n");
        if (!text[length])
            return;
        ws_text_add(out, ".br\n");
    }
}

static void add_option(struct ws_text *out, const struct manual_option *option)
{
    ws_text_add(out, ".TP\n");
    if (option->letter) {
        add_font(out, 'B', (char[]){'-', option->letter}, 2);
        ws_text_add(out, ", ");
    }
    ws_text_add(out, "\\fB\\-\\-");
    add_text(out, option->name, strlen(option->name));
    ws_text_add(out, "\\fR");
    if (option->placeholder) {
        ws_text_add(out, "=");
        add_placeholder(out, option->placeholder);
    }
    ws_text_add(out, "\n");
    add_lines(out, option->doc);
}

/* A line for each way to give a command's arguments. */
static void add_usage(struct ws_text *out, const struct command *command)
{
    const char *arguments = command->parser->args_doc ? command->parser->args_doc : "";
    for (bool more = true; more; arguments++) {
        const size_t length = strcspn(arguments, "\n");
        char *const one = strndup(arguments, length);
        add_font(out, 'B', command->words, strlen(command->words));
        ws_text_add(out, " [\\fIOPTION\\fR...] ");
        add_placeholder(out, one ? one : "");
        arguments += length;
        more = *arguments == '\n';
        ws_text_add(out, more ? "\n.br\n" : "\n");
        free(one);
    }
}

enum ws_status add_title(struct ws_text *out, struct ws_error *error)
{
    (void)error;
    ws_text_add(out, ".TH WARPSWEEP 1 \"\" \"%s\" \"User Commands\"\n", argp_program_version);
    return WS_STATUS_ok;
}

enum ws_status add_synopsis(struct ws_text *out, struct ws_error *error)
{
    (void)error;
    add_usage(out, manual_commands);
    for (const struct command *command = manual_commands + 1; command->words; command++) {
        ws_text_add(out, ".br\n");
        add_usage(out, command);
    }
    return WS_STATUS_ok;
}

static enum ws_status add_section(const struct command *command, const struct options *options, struct ws_text *out,
                                  struct ws_error *error)
{
    (void)error;
    ws_text_add(out, ".SS \"%s\"\n", command->words);
    add_usage(out, command);
    add_doc(out, doc_before(command->parser));
    for (size_t n = 0; n < options->count; n++) {
        if (options->rows[n].group != COMMON_GROUP || command == manual_commands)
            add_option(out, &options->rows[n]);
    }
    add_doc(out, doc_after(command->parser));
    if (command->example) {
        ws_text_add(out, ".PP\nExample: ");
        add_font(out, 'B', command->example, strlen(command->example));
        ws_text_add(out, "\n");
    }
    return WS_STATUS_ok;
}

enum ws_status add_commands(struct ws_text *out, struct ws_error *error)
{
    return add_each_command(add_section, out, error);
}
