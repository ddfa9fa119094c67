/* The files of a paper: in a folder, or bundled. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/status.h"

/* A file's text and its name for messages, to be freed by ws_paper_file_close. */
struct ws_paper_file {
    char *name, *text;
    size_t length;
};

/* Reads the bundled PAPER/NAME, or FOLDER/NAME. A missing file is WS_STATUS_no_file; with optional, a file without text. */
enum ws_status ws_paper_file_read(const char *paper, const char *folder, const char *name, bool optional,
                                  struct ws_paper_file *file, struct ws_error *error);
void ws_paper_file_close(struct ws_paper_file *file);

/* Names of the bundled papers; count receives their number. */
const char *const *ws_paper_names(size_t *count);

/* Whether there is a bundled paper of this name. */
bool ws_paper_is_bundled(const char *paper);
