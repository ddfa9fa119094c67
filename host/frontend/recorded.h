/* Recorded traces of papers (configs/papers/PAPER/traces/FILE.wst), embedded under the name PAPER.FILE. */
#pragma once

#include "warpsweep/status.h"

/* The trace's file in the user's cache, written there if it is missing or differs. *path is newly allocated, the caller frees it;
 * NULL if no recorded trace has this name. */
enum ws_status ws_recorded_locate(const char *name, char **path, struct ws_error *error);
