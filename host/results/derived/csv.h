/* Tables in CSV (RFC 4180) with a line of names. */
#pragma once

#include <stddef.h>

#include "warpsweep/status.h"

/* Cells row by row, starting with the names; they point into the text. */
struct ws_csv {
    size_t columns, rows; /* rows: including the names */
    char **cells;
};

/* Parses a text in place; the caller keeps the text, and frees csv->cells. Errors are "FILE:LINE: ...": a row with more or fewer
 * cells than names, an unclosed quote. */
enum ws_status ws_csv_read(const char *file, char *text, struct ws_csv *csv, struct ws_error *error);
