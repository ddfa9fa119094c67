/* Checks options before argp parses them: suggests the nearest for unknown ones, refuses repetition, and handles --help. */
#pragma once

#include <argp.h>
#include <stdbool.h>

/* Ends the program as argp does if a long option does not exist and another one is similar; if an option has two arguments and is
 * not repeatable; and, with the help, after --help, -? or (without such a letter in the parser) -h. Replaces names of earlier
 * releases in argv. in_order: options end at the first other word. */
void cli_check_options(const struct argp *parser, int argc, char **argv, bool in_order);
