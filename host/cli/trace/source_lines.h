/* The text for line numbers of a trace. */
#pragma once

#include "warpsweep/trace.h"

/* Starts as {0}. */
struct cli_source {
    char *text;
    char **lines; /* in text, with single spaces between words */
    size_t count; /* 0 without a text */
};

/* Reads file; if NULL, the PTX that the launch names as its source, if any: of a bundled workload, or a file in its current state.
 * PTX with .loc has line numbers of another text, which is not read. To be freed by cli_source_free, also after an error. */
enum ws_status cli_source_load(const char *file, const struct ws_launch *launch, struct cli_source *source, struct ws_error *error);
void cli_source_free(struct cli_source *source);

/* A line, counted from 1; NULL if it does not exist. */
const char *cli_source_line(const struct cli_source *source, u32 line);
