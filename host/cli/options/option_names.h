/* Options by name before argp reads them: the nearest of one that does not exist, repetition, and --help. */
#pragma once

#include <argp.h>
#include <stdbool.h>

/* Ends the program as argp does when a long option does not exist and another is near, naming that one; when an option has an
 * argument twice, unless its help says that it may be repeated; after --help, -? or (where
 * the parser has no such letter) -h with the help. Replaces names of earlier releases in argv. in_order: options end at the first
 * word that is none. */
void cli_check_options(const struct argp *parser, int argc, char **argv, bool in_order);
