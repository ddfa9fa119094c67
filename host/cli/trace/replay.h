/* How the warps of an imported trace compare with those that were recorded. */
#pragma once

#include "base/documents/json.h"
#include "warpsweep/import.h"

/* A value of divergence.first_path as machines have it. */
const char *cli_first_path(u32 first_path);

/* Compares a trace with the file that it was imported from; NULL for the one that the trace names. */
enum ws_status cli_replay(const char *file, struct ws_trace *trace, struct ws_nvbit_report *report, struct ws_error *error);

/* Adds a table, or an object "check", with a row for each order of paths. */
void cli_replay_text(const struct ws_nvbit_report *report, struct ws_text *out);
void cli_replay_json(const struct ws_nvbit_report *report, struct ws_json *json);
