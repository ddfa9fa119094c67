/* A folder of traces, which appears when all of it is there. */
#pragma once

#include "base/text.h"
#include "shared/dialect.h"
#include "warpsweep/status.h"

/* A folder that is being filled: traces go to made.data. */
struct cli_trace_folder {
    const char *path; /* where it appears */
    struct ws_text made;
};

/* Begins a folder at path, which must not be there or be empty; hint, or "", says after a semicolon why it is one. To be ended by
 * cli_trace_folder_end only when it is WS_STATUS_ok. */
enum ws_status cli_trace_folder_begin(const char *path, const char *hint, struct cli_trace_folder *folder, struct ws_error *error);

/* Puts the folder in place if status is WS_STATUS_ok, else removes it; returns the status of all. */
enum ws_status cli_trace_folder_end(struct cli_trace_folder *folder, enum ws_status status, struct ws_error *error);

/* Adds "FOLDER/00003-bfs.wst", the path of launch 3, of kernel bfs. */
void cli_trace_folder_name(const struct cli_trace_folder *folder, u32 number, const char *kernel, struct ws_text *path);
