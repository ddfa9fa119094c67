/* Progress of long work on stderr: one changing block on a terminal, occasional lines elsewhere. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"
#include "base/text.h"

struct cli_progress {
    bool terminal;
    int lines;            /* of the displayed block */
    double started, last; /* seconds */
};

/* State of the work. */
struct cli_done {
    size_t done, jobs, failed; /* failed ones are included in done */
    u64 warp_instructions;
    double share; /* share of the work, 0 to 1 */
};

void cli_progress_start(struct cli_progress *progress);

/* Shows the progress, at limited frequency. */
void cli_progress_show(struct cli_progress *progress, const struct cli_done *done);

/* Shows the caller's text, at limited frequency. */
void cli_progress_say(struct cli_progress *progress, const char *words);

/* Prints a line for the phase that starts; rates and remaining time refer to it. */
void cli_progress_note(struct cli_progress *progress, const char *text);

/* Erases the changing block. */
void cli_progress_end(struct cli_progress *progress);

/* Adds "1 h 5 min", "1 min 5 s", "5 s". */
void cli_progress_duration(struct ws_text *text, double seconds);

/* The words: "12 of 96 jobs, 2 failed, 1.2 G warp instructions, 34.5 M/s, 2 min 10 s left". A single job has no remaining time,
 * since its length is unknown. The remaining time follows from the share of work done. */
void cli_progress_words(struct ws_text *text, const struct cli_done *done, double seconds);

/* A bar of width characters, "[##....]". */
void cli_progress_bar(struct ws_text *text, const struct cli_done *done, size_t width);
