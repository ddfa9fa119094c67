/* A file that appears at its path only when it is complete. */
#ifndef WS_TRACE_OUTPUT_H
#define WS_TRACE_OUTPUT_H

#include <stddef.h>

#include "shared/dialect.h"
#include "warpsweep/status.h"

struct wst_output {
    char *path, *temporary;
    u64 offset; /* bytes written */
    int descriptor;
};

/* Creates a temporary file beside path; output is to be finished or dropped. */
enum ws_status wst_output_open(const char *path, struct wst_output *output, struct ws_error *error);

enum ws_status wst_output_write(struct wst_output *output, const void *data, size_t length, struct ws_error *error);

/* Puts the file in place; drops it when that fails. */
enum ws_status wst_output_finish(struct wst_output *output, struct ws_error *error);

/* Removes what was written. */
void wst_output_drop(struct wst_output *output);

#endif
