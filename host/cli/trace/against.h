/* Two traces of one launch side by side: PTX and machine code, or two compilers. */
#pragma once

#include "base/text.h"
#include "warpsweep/trace.h"

struct cli_against {
    const struct ws_launch *launch;
    const struct ws_trace_info *info;
};

/* Fails unless both have the same grid and block size. */
enum ws_status cli_against_check(const struct cli_against *one, const struct cli_against *other, struct ws_error *error);

/* Adds a table: counts of each, and the ratio of the first to the second. */
void cli_against_text(const struct cli_against *one, const struct cli_against *other, struct ws_text *out);
