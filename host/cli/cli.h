/* The command line: commands, and what they share. Functions return exit codes where they say so: 0 done, 1 a run failed, 2 wrong
 * usage or input, 130 interrupted. */
#pragma once

#include <argp.h>

#include "base/text.h"
#include "warpsweep/frontend.h"

/* A command's file defines its function, whose argv[0] is "warpsweep COMMAND", and its parser, from which --help, the manual page
 * and the completions of shells are made. */
#define COMMAND(words, function, doc, example)                                                                                     \
    int function(int argc, char **argv);                                                                                           \
    extern const struct argp function##_argp;
#include "cli/commands.def"
#undef COMMAND

/* Runs the command that argv names; returns its exit code. */
int cli_main(int argc, char **argv);

/* Prints what --help of the command of these words does, of the program when there is none; returns its exit code. */
int cli_show_help(char **words, int count);

/* The parser of what precedes the command. */
extern const struct argp cli_main_argp;

/* Says on stderr what went wrong; returns the exit code of its status. */
int cli_fail(const struct ws_error *error);

/* Writes a result to stdout; returns the exit code. text is freed. */
int cli_print(struct ws_text *text);

/* Shows a text in the pager: $PAGER, else less -FRX. False where none is to be used: stdout is no terminal or the text fits it,
 * $PAGER is empty, or the pager does not start. Nothing has been written then. */
bool cli_page(const struct ws_text *text);

/* ---- Options that several commands have ---- */

/* What argument of an option, or of a command, is: "text|json" are words to choose from, RESULTS.db a file with that suffix,
 * MACHINE a row of tools/manual/placeholders.def. */
#define CLI_TEXT_OR_JSON "text|json"

/* Read "I/N" (I below N), a whole number of at most most, "text" or "json" (true); else end the program as argp does, naming the
 * option (without its dashes) and what is allowed. */
void cli_parse_share(struct argp_state *state, const char *option, const char *text, u32 *share, u32 *of);
u64 cli_parse_number(struct argp_state *state, const char *option, const char *text, u64 most);

/* The same, from least on. */
u64 cli_parse_range(struct argp_state *state, const char *option, const char *text, u64 least, u64 most);

/* The same, where 0 is what zero says: "one per core". */
u64 cli_parse_or_zero(struct argp_state *state, const char *option, const char *text, u64 most, const char *zero);
bool cli_parse_json(struct argp_state *state, const char *text);

/* Which of the choices ("text|json", from 0) a text is; else ends the program the same way. option is NULL for a command's
 * argument. */
size_t cli_parse_choice(struct argp_state *state, const char *option, const char *choices, const char *text);

/* For the default of a command's parser: takes its one argument, a kind of thing, into *place; refuses a second, and none. */
error_t cli_take_argument(int key, char *argument, struct argp_state *state, const char *kind, const char **place);

/* ---- Being interrupted ---- */

/* From now on signals that end the program remove the files that are being written. */
void cli_leave_nothing(void);

/* From now on SIGINT and SIGTERM only set a flag; one that comes a while after the first ends the program. */
void cli_catch_interrupt(void);
bool cli_interrupted(void);
bool cli_should_continue(void *context); /* the opposite, for watches; ignores context */

/* The defaults of the front end, which stops when the program is interrupted and says on stderr what it puts right. */
struct ws_frontend_options cli_frontend_standard(void);
