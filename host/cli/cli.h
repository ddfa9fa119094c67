/* The command line: commands and shared functions. Functions return exit codes where they say so: 0 done, 1 a run failed, 2 wrong
 * usage or input, 130 interrupted. */
#pragma once

#include <argp.h>

#include "base/text.h"
#include "warpsweep/frontend.h"

/* A command's file defines its function (argv[0] is "warpsweep COMMAND") and its parser, from which --help, the manual page and
 * shell completions are generated. */
#define COMMAND(words, function, doc, example)                                                                                     \
    int function(int argc, char **argv);                                                                                           \
    extern const struct argp function##_argp;
#include "cli/commands.def"
#undef COMMAND

/* Runs the command that argv names; returns its exit code. */
int cli_main(int argc, char **argv);

/* Prints the --help of a command, or of the program without words; returns its exit code. */
int cli_show_help(char **words, int count);

/* The parser of the arguments before the command. */
extern const struct argp cli_main_argp;

/* Prints an error on stderr; returns the exit code of its status. */
int cli_fail(const struct ws_error *error);

/* Writes a result to stdout; returns the exit code. text is freed. */
int cli_print(struct ws_text *text);

/* Shows a text in the pager: $PAGER, else less -FRX. False without a pager: stdout is not a terminal, the text fits it, $PAGER is
 * empty, or the pager does not start. Nothing has been written in that case. */
bool cli_page(const struct ws_text *text);

/* ---- Options that several commands have ---- */

/* Placeholders of options and arguments: "text|json" are choices, RESULTS.db a file with that suffix, MACHINE a row of
 * tools/manual/placeholders.def. */
#define CLI_TEXT_OR_JSON "text|json"

/* Parse "I/N" (I below N), a whole number of at most most, "text" or "json" (true). On failure, end the program as argp does, with
 * the option's name (without dashes) and the allowed values. */
void cli_parse_share(struct argp_state *state, const char *option, const char *text, u32 *share, u32 *of);
u64 cli_parse_number(struct argp_state *state, const char *option, const char *text, u64 most);

/* The same, from least on. */
u64 cli_parse_range(struct argp_state *state, const char *option, const char *text, u64 least, u64 most);

/* The same, with a meaning of 0 in words: "one per core". */
u64 cli_parse_or_zero(struct argp_state *state, const char *option, const char *text, u64 most, const char *zero);
bool cli_parse_json(struct argp_state *state, const char *text);

/* Index of a text among choices ("text|json", from 0); ends the program the same way otherwise. option is NULL for a command's
 * argument. */
size_t cli_parse_choice(struct argp_state *state, const char *option, const char *choices, const char *text);

/* Default case of a command's parser: stores its one argument, of a kind, in *place; refuses a second one, or none. */
error_t cli_take_argument(int key, char *argument, struct argp_state *state, const char *kind, const char **place);

/* ---- Being interrupted ---- */

/* From now on fatal signals remove unfinished files. */
void cli_leave_nothing(void);

/* From now on SIGINT and SIGTERM set a flag. One that arrives some seconds after the first ends the program. */
void cli_catch_interrupt(void);
bool cli_interrupted(void);
bool cli_should_continue(void *context); /* the opposite, for watches; ignores context */

/* Defaults of the front end: stops on interruption, and reports corrections on stderr. */
struct ws_frontend_options cli_frontend_standard(void);
