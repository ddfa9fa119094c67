/* Tables in CSV (RFC 4180): names first. */
#pragma once

#include <stddef.h>

#include "warpsweep/status.h"

/* Cells row by row, the names before all; they are in the text that was read. */
struct ws_csv {
    size_t columns, rows; /* rows: that of the names too */
    char **cells;
};

/* Reads a text, which is changed and stays the caller's; csv->cells is to be freed. Errors are "FILE:LINE: ...": a row with more or
 * fewer cells than there are names, quotes that do not end. */
enum ws_status ws_csv_read(const char *file, char *text, struct ws_csv *csv, struct ws_error *error);
