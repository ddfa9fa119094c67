/* Watching a sweep: progress on stderr, interruption by SIGINT. */
#pragma once

#include "cli/progress.h"
#include "warpsweep/sweep.h"

/* The callbacks of a sweep; the caller owns progress until the sweep has ended. */
struct ws_sweep_watch cli_sweep_watch_start(struct cli_progress *progress);
