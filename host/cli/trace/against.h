/* Two traces of one launch, side by side: of PTX and of machine code, or of two compilers. */
#pragma once

#include "base/text.h"
#include "warpsweep/trace.h"

struct cli_against {
    const struct ws_launch *launch;
    const struct ws_trace_info *info;
};

/* Fails unless both have the same grid and block. */
enum ws_status cli_against_check(const struct cli_against *one, const struct cli_against *other, struct ws_error *error);

/* Adds a table: counts of each, and the ratio of the first to the other. */
void cli_against_text(const struct cli_against *one, const struct cli_against *other, struct ws_text *out);
