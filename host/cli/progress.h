/* Progress of long work on stderr: one changing line on a terminal, a plain line now and then elsewhere. */
#ifndef WS_CLI_PROGRESS_H
#define WS_CLI_PROGRESS_H

#include <stddef.h>

#include "shared/dialect.h"
#include "base/text.h"

struct cli_progress {
    bool terminal, shown;
    double started, last; /* seconds */
};

void cli_progress_start(struct cli_progress *progress);

/* Shows what is done so far, unless that was done a moment ago. */
void cli_progress_show(struct cli_progress *progress, size_t done, size_t jobs, u64 warp_instructions);

/* A line of its own: what begins now; rates and the time left are of it. */
void cli_progress_note(struct cli_progress *progress, const char *text);

/* Takes the changing line away. */
void cli_progress_end(struct cli_progress *progress);

/* The words: "12 of 96 jobs, 1.2 G warp instructions, 34.5 M/s, 2 min 10 s left"; a single job has no time left, since its length
 * is not known. */
void cli_progress_words(struct ws_text *text, size_t done, size_t jobs, u64 warp_instructions, double seconds);

#endif
