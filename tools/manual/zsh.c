#include <string.h>

#include "manual/manual.h"

/* Text in single quotes, where _arguments and _describe give brackets and colons a meaning. */
static void add_text(struct ws_text *out, const char *text)
{
    for (; *text; text++)
        ws_text_add(out, *text == '\'' ? "'\\''" : strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
}

static enum ws_status add_row(const struct command *command, const struct options *options, struct ws_text *out,
                              struct ws_error *error)
{
    (void)options;
    (void)error;
    ws_text_add(out, "    ['%s']='", command->words);
    add_text(out, command->doc);
    ws_text_add(out, "'\n");
    return WS_STATUS_ok;
}

enum ws_status add_zsh_commands(struct ws_text *out, struct ws_error *error)
{
    return add_each_command(add_row, out, error);
}

/* ":MESSAGE:ACTION" */
static enum ws_status add_value(const char *placeholder, struct ws_text *out, struct ws_error *error)
{
    ws_text_add(out, ":");
    add_text(out, placeholder);
    ws_text_add(out, ":_warpsweep_value \"");
    WS_TRY(placeholder_tokens(placeholder, out, error));
    ws_text_add(out, "\"");
    return WS_STATUS_ok;
}

/* Every option may be given again: the last one counts. */
static enum ws_status add_option(const struct manual_option *option, struct ws_text *out, struct ws_error *error)
{
    const char *const letter_end = option->placeholder ? "+" : "", *const name_end = option->placeholder ? "=" : "";
    if (option->letter)
        ws_text_add(out, " \\\n            '*'{'-%c%s','--%s%s'}'[", option->letter, letter_end, option->name, name_end);
    else
        ws_text_add(out, " \\\n            '*--%s%s[", option->name, name_end);
    add_text(out, option->doc);
    ws_text_add(out, "]");
    if (option->placeholder)
        WS_TRY(add_value(option->placeholder, out, error));
    ws_text_add(out, "'");
    return WS_STATUS_ok;
}

struct arguments {
    struct ws_text *out;
    int count;
};

static enum ws_status add_argument_value(void *context, const char *placeholder, bool several, struct ws_error *error)
{
    struct arguments *const arguments = context;
    ws_text_add(arguments->out, " \\\n            '");
    if (several)
        ws_text_add(arguments->out, "*");
    else
        ws_text_add(arguments->out, "%d", ++arguments->count);
    WS_TRY(add_value(placeholder, arguments->out, error));
    ws_text_add(arguments->out, "'");
    return WS_STATUS_ok;
}

static enum ws_status add_case(const struct command *command, const struct options *options, struct ws_text *out,
                               struct ws_error *error)
{
    struct arguments arguments = {.out = out};
    ws_text_add(out, "    ('%s')\n        _arguments -s -S :", command->words);
    for (size_t n = 0; n < options->count; n++)
        WS_TRY(add_option(&options->rows[n], out, error));
    WS_TRY(arguments_read(command->parser, add_argument_value, &arguments, error));
    ws_text_add(out, "\n        ;;\n");
    return WS_STATUS_ok;
}

enum ws_status add_zsh_arguments(struct ws_text *out, struct ws_error *error)
{
    return add_each_command(add_case, out, error);
}
