/* Makes the manual page and the completions of shells from what --help is made of: the parsers of the commands. */
#pragma once

#include <argp.h>

#include "base/error.h"
#include "base/text.h"

/* ---- Commands ---- */

struct command {
    const char *words; /* "warpsweep trace build" */
    const char *doc;
    const char *example; /* NULL for none */
    const struct argp *parser;
};

/* "warpsweep" itself, then all commands, ended by a row without words. */
extern const struct command manual_commands[];

/* An option as --help shows it, in its order. */
struct manual_option {
    char letter;             /* 0 for none */
    const char *name;        /* without dashes */
    const char *placeholder; /* what its value is, as in `placeholders.def`; NULL for an option without one */
    char *doc;
    int group;
};

enum {
    MOST_OPTIONS = 64,
    COMMON_GROUP = -1 /* of the options that every command has */
};

struct options {
    struct manual_option rows[MOST_OPTIONS];
    size_t count;
};

/* Calls add for each command, with all its options: its own, those of children and those that every command has at the end. Refuses
 * what the manual cannot show: options of unusual kinds. */
typedef enum ws_status add_command(const struct command *command, const struct options *options, struct ws_text *out,
                                   struct ws_error *error);
enum ws_status add_each_command(add_command *add, struct ws_text *out, struct ws_error *error);

/* What stands before or after the options in --help: newly allocated, NULL for nothing. */
char *doc_before(const struct argp *parser);
char *doc_after(const struct argp *parser);

/* Calls add for each argument that a parser's args_doc names beside options and their values; several says that it may be given
 * again ("FILE..."). */
typedef enum ws_status add_argument(void *context, const char *placeholder, bool several, struct ws_error *error);
enum ws_status arguments_read(const struct argp *parser, add_argument *add, void *context, struct ws_error *error);

/* ---- What can be completed ---- */

/* Adds what may stand for a placeholder, with a space between two: words, "@LIST" for the names of a list, "*.db" for files
 * with that suffix, "*" for any file, "*" and a slash for folders. Nothing for numbers and free text; a placeholder that is neither
 * of lower-case words nor a file with a suffix nor a row of placeholders.def is refused. */
enum ws_status placeholder_tokens(const char *placeholder, struct ws_text *out, struct ws_error *error);

/* ---- Parts of the templates ---- */

/* Each adds its part. */
enum ws_status add_title(struct ws_text *out, struct ws_error *error);
enum ws_status add_synopsis(struct ws_text *out, struct ws_error *error);
enum ws_status add_commands(struct ws_text *out, struct ws_error *error);
enum ws_status add_names(struct ws_text *out, struct ws_error *error);
enum ws_status add_bash_options(struct ws_text *out, struct ws_error *error);
enum ws_status add_bash_values(struct ws_text *out, struct ws_error *error);
enum ws_status add_zsh_commands(struct ws_text *out, struct ws_error *error);
enum ws_status add_zsh_arguments(struct ws_text *out, struct ws_error *error);
