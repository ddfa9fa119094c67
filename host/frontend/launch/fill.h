/* Initial contents of a launch file's buffers. */
#pragma once

#include "frontend/launch/element.h"

/* The path of a file that a launch file names: relative to the launch file unless absolute. NULL when out of memory; the caller
 * frees it. */
char *ws_beside(const char *launch_file, const char *name);

/* Makes the contents of a buffer from the keys count and fill of its node (without fill: zeros). File names are relative to the
 * launch file. seed: for random fills without one. known: number of elements if the node gives none, or 0. *data is newly
 * allocated, *count elements; the caller frees it. */
enum ws_status ws_fill(const struct ws_yaml *buffer, const struct ws_element *element, u64 known, u64 seed, void **data, u64 *count,
                       struct ws_error *error);
