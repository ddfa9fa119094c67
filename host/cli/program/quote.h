/* Quotes source lines in messages. */
#pragma once

#include "warpsweep/status.h"

/* Adds the line to a message that begins with "SOURCE:LINE: ", if the file has it. */
void cli_quote(const char *source, struct ws_error *error);
