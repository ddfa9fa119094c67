/* The headline of a sweep, in a few lines. */
#pragma once

#include "base/text.h"
#include "warpsweep/sweep.h"

/* Adds the best point on the mean and, for several traces, on each: its gain over its baseline (IPC without baselines), and the
 * gaps of the next ones. Points count for the mean once all their traces have completed. Adds nothing if fewer than two points are
 * comparable. */
enum ws_status cli_sweep_headline(const char *results, const struct ws_experiment *experiment, u32 run, struct ws_text *out,
                                  struct ws_error *error);

/* Adds the variants of an estimate's jobs, separated by commas; false if there are none. */
bool cli_sweep_variants(const struct ws_sweep_estimate *estimate, struct ws_text *out);

/* Cores that the estimated jobs run on: those of the option --threads, or all. */
long cli_sweep_cores(const struct ws_engine_options *engine);
