/* The command line: commands, and what they share. Functions return exit codes where they say so: 0 done, 1 a run failed, 2 wrong
 * usage or input, 130 interrupted. */
#ifndef WS_CLI_H
#define WS_CLI_H

#include <argp.h>

#include "base/text.h"
#include "warpsweep/frontend.h"

/* argv[0] is "warpsweep COMMAND". */
#define COMMAND(words, function, doc) int function(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

/* Runs the command that argv names; returns its exit code. */
int cli_main(int argc, char **argv);

/* Says on stderr what went wrong; returns the exit code of its status. */
int cli_fail(const struct ws_error *error);

/* Writes a result to stdout; returns the exit code. text is freed. */
int cli_print(struct ws_text *text);

/* ---- Options that several commands have ---- */

/* Read "I/N" (I below N), a whole number of at most most, "text" or "json" (true); else end the program as argp does, naming the
 * option (without its dashes) and what is allowed. */
void cli_parse_share(struct argp_state *state, const char *option, const char *text, u32 *share, u32 *of);
u64 cli_parse_number(struct argp_state *state, const char *option, const char *text, u64 most);
bool cli_parse_json(struct argp_state *state, const char *text);

/* Index in names (NULL-terminated) of a value of what; else ends the program the same way. */
size_t cli_parse_name(struct argp_state *state, const char *what, const char *text, const char *const *names);

/* For the default of a command's parser: takes its one argument, a kind of thing, into *place; refuses a second, and none. */
error_t cli_take_argument(int key, char *argument, struct argp_state *state, const char *kind, const char **place);

/* ---- Being interrupted ---- */

/* From now on SIGINT and SIGTERM only set a flag; one that comes a while after the first ends the program. */
void cli_catch_interrupt(void);
bool cli_interrupted(void);

/* The defaults of the front end, which stops when the program is interrupted. */
struct ws_frontend_options cli_frontend_standard(void);

#endif
