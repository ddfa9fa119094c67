/* Atomic output files: they appear whole or not at all, and replace only earlier files of their kind. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "warpsweep/status.h"

/* What a file is. */
enum ws_output_kind {
#define OUTPUT(name, words, mark) WS_OUTPUT_##name,
#include "base/outputs.def"
#undef OUTPUT
};

/* A file being written beside its place; devices and pipes are written as they are. */
struct ws_output {
    FILE *stream;
    char *path;      /* symbolic links resolved */
    char *temporary; /* NULL of devices and pipes */
    bool noted;      /* removed by ws_output_abandon_all */
};

/* Whether a file of this kind may be written at path: nothing is there, or a device, a pipe, an empty file or one of the same kind
 * (bytes is how long the output will be, where the kind is bytes), it is no input (base/inputs.h), and standard output does not go
 * there. Else WS_STATUS_bad_input.
 * Every writer calls it.
 */
enum ws_status ws_output_check(const char *path, enum ws_output_kind kind, size_t bytes, struct ws_error *error);

/* Which kind the first bytes of a file are of, in words ("a trace"); NULL for none. */
const char *ws_output_words(const char *head, size_t length);

/* Opens a temporary file in path's folder, after the check; what is written to output->stream appears at path once it is kept. A
 * folder is refused, and the path of another output that is open. kind is not WS_OUTPUT_bytes. */
enum ws_status ws_output_open(struct ws_output *output, const char *path, enum ws_output_kind kind, struct ws_error *error);

/* Puts the file in place (or, unless keep, removes what was written) and frees what output holds. Write errors surface here; then
 * path is as it was. */
enum ws_status ws_output_close(struct ws_output *output, bool keep, struct ws_error *error);

/* Writes a whole file; kind may be WS_OUTPUT_bytes. */
enum ws_status ws_output_write(const char *path, enum ws_output_kind kind, const void *data, size_t length, struct ws_error *error);

/* Whether a file could be written at path; the test leaves nothing behind. */
enum ws_status ws_output_probe(const char *path, enum ws_output_kind kind, struct ws_error *error);

/* Removes the temporary files of all outputs that are open, for handlers of signals that end the process. */
void ws_output_abandon_all(void);
