/* How a results file keeps what is being written: a write-ahead log while it is in use, one file after that. */
#pragma once

#include "results/sql.h"

/* Asks for a write-ahead log, except on network file systems, where there can be none. */
void ws_journal_begin(struct ws_results *results);

/* Folds the log into the file and ends it; *alone is false when others still use the file, and nothing was done. */
enum ws_status ws_journal_end(struct ws_results *results, bool *alone, struct ws_error *error);

/* Tells more of why a file cannot be read when a log was left beside it. */
enum ws_status ws_journal_explain(const struct ws_results *results, enum ws_status status, struct ws_error *error);
