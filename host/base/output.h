/* Atomic output files: they appear whole or not at all. */
#ifndef WS_BASE_OUTPUT_H
#define WS_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "warpsweep/status.h"

/* A file being written beside its place; devices and pipes are written as they are. */
struct ws_output {
    FILE *stream;
    char *path;      /* symbolic links resolved */
    char *temporary; /* NULL of devices and pipes */
};

/* Opens a temporary file in path's folder; what is written to output->stream appears at path once it is kept. A folder is refused.
 */
enum ws_status ws_output_open(struct ws_output *output, const char *path, struct ws_error *error);

/* Puts the file in place (or, unless keep, removes what was written) and frees what output holds. Write errors surface here; then
 * path is as it was. */
enum ws_status ws_output_close(struct ws_output *output, bool keep, struct ws_error *error);

/* Whether a file could be written at path; the test leaves nothing behind. */
enum ws_status ws_output_probe(const char *path, struct ws_error *error);

#endif
