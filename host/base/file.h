/* Whole files: read with a limit, written atomically. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/status.h"

/* Reads all of path. *data is newly allocated, *length bytes and a terminating zero; the caller frees it. A file that cannot be
 * read is WS_STATUS_no_file, one of more than most bytes WS_STATUS_bad_input. */
enum ws_status ws_file_read(const char *path, size_t most, char **data, size_t *length, struct ws_error *error);

/* Whether two paths exist and denote the same file. */
bool ws_file_is_same(const char *one, const char *other);

/* Writes a private file of the program (cache, temporary folder) atomically; replaces whatever is at path. Outputs that the user
 * names are written by base/output.h. */
enum ws_status ws_file_write(const char *path, const void *data, size_t length, struct ws_error *error);
