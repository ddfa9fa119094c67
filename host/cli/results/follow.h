/* A page of results files that a sweep or search is still writing (report --follow). */
#pragma once

#include "warpsweep/status.h"
#include "shared/dialect.h"

struct cli_followed {
    const char *const *files;
    size_t count;
    const char *run, *folder; /* as of ws_report */
    u32 seconds;              /* between two looks at the files */
};

/* Seconds that --follow allows. */
enum { CLI_FOLLOW_MOST_SECONDS = 86400 };

/* Writes the page, waiting for files that do not exist yet, and writes its data again whenever results arrive. Says on stderr how
 * far it is and what it waits for. Ends with the complete page when all results are there or the command is interrupted. */
enum ws_status cli_follow(const struct cli_followed *what, struct ws_error *error);
