/* What a sweep found, in a few lines. */
#pragma once

#include "base/text.h"
#include "warpsweep/experiment.h"

/* Adds the best point on the mean and, of several traces, on each, with its gain over its baseline (its IPC where the experiment
 * has no baselines) and how far the next ones are behind. Points count for the mean once all their traces have ended well; nothing
 * is added where fewer than two points can be compared. */
enum ws_status cli_sweep_headline(const char *results, const struct ws_experiment *experiment, u32 run, struct ws_text *out,
                                  struct ws_error *error);
