/* Runs of experiments in results files. */
#pragma once

#include "base/documents/json.h"

/* Says on stderr which experiments have earlier runs, which views do not show. */
void cli_note_runs(const char *file);

/* Adds ", run 2 of NAME" for every experiment with several runs: the chosen one, NULL for the newest. */
void cli_add_runs(const char *file, const char *run, struct ws_text *out);

/* Adds the chosen run of every experiment as an array of objects. */
void cli_add_json_runs(const char *key, const char *file, const char *run, struct ws_json *json);
