/* A folder of traces that appears once it is complete. */
#pragma once

#include "base/text.h"
#include "shared/dialect.h"
#include "warpsweep/status.h"

/* A folder under construction: write traces to made.data. */
struct cli_trace_folder {
    const char *path; /* where it appears */
    struct ws_text made;
};

/* Begins a folder at path, which must not exist, or be empty. hint, or "", explains after a semicolon why it is a folder. Call
 * cli_trace_folder_end only after WS_STATUS_ok. */
enum ws_status cli_trace_folder_begin(const char *path, const char *hint, struct cli_trace_folder *folder, struct ws_error *error);

/* Moves the folder to its path if status is WS_STATUS_ok, else removes it; returns the combined status. */
enum ws_status cli_trace_folder_end(struct cli_trace_folder *folder, enum ws_status status, struct ws_error *error);

/* Adds "FOLDER/00003-bfs.wst", the path of launch 3, of kernel bfs. */
void cli_trace_folder_name(const struct cli_trace_folder *folder, u32 number, const char *kernel, struct ws_text *path);
