/* Progress of long work on stderr: one changing block on a terminal, a plain line now and then elsewhere. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"
#include "base/text.h"

struct cli_progress {
    bool terminal;
    int lines;            /* of the block that is shown */
    double started, last; /* seconds */
};

/* How far the work is. */
struct cli_done {
    size_t done, jobs, failed; /* failed ones are among those done */
    u64 warp_instructions;
    double share; /* of the work, 0 to 1 */
};

void cli_progress_start(struct cli_progress *progress);

/* Shows what is done so far, unless that was done a moment ago. */
void cli_progress_show(struct cli_progress *progress, const struct cli_done *done);

/* Shows words of the caller's, unless that was done a moment ago. */
void cli_progress_say(struct cli_progress *progress, const char *words);

/* A line of its own: what begins now; rates and the time left are of it. */
void cli_progress_note(struct cli_progress *progress, const char *text);

/* Takes the changing block away. */
void cli_progress_end(struct cli_progress *progress);

/* Adds "1 h 5 min", "1 min 5 s", "5 s". */
void cli_progress_duration(struct ws_text *text, double seconds);

/* The words: "12 of 96 jobs, 2 failed, 1.2 G warp instructions, 34.5 M/s, 2 min 10 s left"; a single job has no time left, since
 * its length is not known. The time left follows from the share of the work that is done. */
void cli_progress_words(struct ws_text *text, const struct cli_done *done, double seconds);

/* A bar of width characters, "[##....]". */
void cli_progress_bar(struct ws_text *text, const struct cli_done *done, size_t width);
