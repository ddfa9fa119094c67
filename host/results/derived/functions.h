/* SQL functions for connections to a results file (docs/sql.md). */
#pragma once

#include "results/sql.h"

/* Adds geometric_mean, harmonic_mean, median, fixed, signed, without_size, has_word and occupancy. Each connection has its own. */
enum ws_status ws_functions_add(struct ws_results *results, struct ws_error *error);
