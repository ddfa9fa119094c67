/* Atomic output files: they appear complete or not at all, and replace only earlier files of their kind. */
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

/* A file under construction next to its destination. Devices and pipes are written directly. */
struct ws_output {
    FILE *stream;
    char *path;      /* symbolic links resolved */
    char *temporary; /* NULL of devices and pipes */
    bool noted;      /* removed by ws_output_abandon_all */
};

/* Whether a file of this kind may be written at path. Allowed are: no file, a device, a pipe, an empty file, or one of the same
 * kind (bytes: length of the output, for kind bytes). Not allowed: an input (base/inputs.h), or the destination of standard output.
 * Else WS_STATUS_bad_input. Every writer calls it. */
enum ws_status ws_output_check(const char *path, enum ws_output_kind kind, size_t bytes, struct ws_error *error);

/* The kind of a file by its first bytes, in words ("a trace"); NULL for none. */
const char *ws_output_words(const char *head, size_t length);

/* After the check, opens a temporary file in path's folder. Data written to output->stream appear at path when it is kept. Refuses
 * a folder, and the path of another open output. kind is not WS_OUTPUT_bytes. */
enum ws_status ws_output_open(struct ws_output *output, const char *path, enum ws_output_kind kind, struct ws_error *error);

/* Moves the file to its path (or removes it unless keep), and frees output. Write errors surface here; then path is as it was. */
enum ws_status ws_output_close(struct ws_output *output, bool keep, struct ws_error *error);

/* Writes a whole file; kind may be WS_OUTPUT_bytes. */
enum ws_status ws_output_write(const char *path, enum ws_output_kind kind, const void *data, size_t length, struct ws_error *error);

/* Whether a file could be written at path; the test leaves nothing behind. */
enum ws_status ws_output_probe(const char *path, enum ws_output_kind kind, struct ws_error *error);

/* Removes the temporary files of all open outputs; for handlers of fatal signals. */
void ws_output_abandon_all(void);
