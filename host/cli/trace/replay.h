/* Compares the warps of an imported trace with the recorded ones. */
#pragma once

#include "base/documents/json.h"
#include "warpsweep/import.h"

/* A value of divergence.first_path. */
const char *cli_first_path(u32 first_path);

/* Compares a trace with the file that it was imported from; NULL for the one named in the trace. */
enum ws_status cli_replay(const char *file, struct ws_trace *trace, struct ws_nvbit_report *report, struct ws_error *error);

/* Adds a table, or an object "check", with a row for each first_path. */
void cli_replay_text(const struct ws_nvbit_report *report, struct ws_text *out);
void cli_replay_json(const struct ws_nvbit_report *report, struct ws_json *json);
