/* Rows as lines: CSV, or JSON lines. */
#pragma once

#include "warpsweep/results.h"

/* Write the row's values to a FILE, the context: for ws_results_query. A write error is WS_STATUS_no_file. */
enum ws_status ws_lines_csv(void *out, const struct ws_results_row *row, struct ws_error *error);
enum ws_status ws_lines_json(void *out, const struct ws_results_row *row, struct ws_error *error);
