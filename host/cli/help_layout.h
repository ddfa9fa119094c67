/* What --help prints. Looks like argp's help, which garbles texts of more than one line (its buffer of 200 bytes is flushed in the
 * middle of a line). */
#pragma once

#include <argp.h>

/* Prints a parser's help under the name of its command; returns the exit code. */
int cli_print_help(const struct argp *parser, const char *command);
