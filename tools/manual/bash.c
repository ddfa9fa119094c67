#include <stdio.h>
#include <string.h>

#include "manual/manual.h"

enum { LONGEST_OPTION = 80 };

static enum ws_status add_options(const struct command *command, const struct options *options, struct ws_text *out,
                                  struct ws_error *error)
{
    (void)error;
    ws_text_add(out, "    ['%s']='", command->words);
    for (size_t n = 0; n < options->count; n++) {
        if (options->rows[n].letter)
            ws_text_add(out, "-%c ", options->rows[n].letter);
        ws_text_add(out, "--%s%s", options->rows[n].name, n + 1 < options->count ? " " : "");
    }
    ws_text_add(out, "'\n");
    return WS_STATUS_ok;
}

enum ws_status add_bash_options(struct ws_text *out, struct ws_error *error)
{
    return add_each_command(add_options, out, error);
}

static enum ws_status add_value(const struct command *command, const char *place, const char *placeholder, struct ws_text *out,
                                struct ws_error *error)
{
    ws_text_add(out, "    ['%s %s']='", command->words, place);
    WS_TRY(placeholder_tokens(placeholder, out, error));
    ws_text_add(out, "'\n");
    return WS_STATUS_ok;
}

/* Arguments of a command are counted from 1; + is every further one. */
struct arguments {
    const struct command *command;
    struct ws_text *out;
    int count;
};

static enum ws_status add_argument_value(void *context, const char *placeholder, bool several, struct ws_error *error)
{
    struct arguments *const arguments = context;
    char place[LONGEST_OPTION];
    snprintf(place, sizeof place, "%d", ++arguments->count);
    return add_value(arguments->command, several ? "+" : place, placeholder, arguments->out, error);
}

static enum ws_status add_values(const struct command *command, const struct options *options, struct ws_text *out,
                                 struct ws_error *error)
{
    char place[LONGEST_OPTION];
    struct arguments arguments = {.command = command, .out = out};
    for (size_t n = 0; n < options->count; n++) {
        const struct manual_option *const option = &options->rows[n];
        if (!option->placeholder)
            continue;
        snprintf(place, sizeof place, "-%c", option->letter);
        if (option->letter)
            WS_TRY(add_value(command, place, option->placeholder, out, error));
        snprintf(place, sizeof place, "--%s", option->name);
        WS_TRY(add_value(command, place, option->placeholder, out, error));
    }
    return arguments_read(command->parser, add_argument_value, &arguments, error);
}

enum ws_status add_bash_values(struct ws_text *out, struct ws_error *error)
{
    return add_each_command(add_values, out, error);
}
