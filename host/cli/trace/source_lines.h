/* The text that line numbers of a trace refer to. */
#pragma once

#include "warpsweep/trace.h"

/* Starts as {0}. */
struct cli_source {
    char *text;
    char **lines; /* in text, with single spaces between words */
    size_t count; /* 0 when there is no text */
};

/* Reads file; or, when it is NULL, the PTX that the launch names as its source, if there is any: that of a bundled workload, or a
 * file as it is now. PTX with .loc has line numbers of some other text, which is not looked for. To be freed by cli_source_free,
 * also after an error. */
enum ws_status cli_source_load(const char *file, const struct ws_launch *launch, struct cli_source *source, struct ws_error *error);
void cli_source_free(struct cli_source *source);

/* A line, counted from 1; NULL for one that is not there. */
const char *cli_source_line(const struct cli_source *source, u32 line);
