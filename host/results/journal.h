/* Journal mode of a results file: a write-ahead log during use, a single file afterwards. */
#pragma once

#include "results/sql.h"

/* Requests a write-ahead log, except on network file systems, which do not support it. */
void ws_journal_begin(struct ws_results *results);

/* Merges the log into the file and removes it; *alone is false if others still use the file; then nothing is done. */
enum ws_status ws_journal_end(struct ws_results *results, bool *alone, struct ws_error *error);

/* Explains an unreadable file if a log is next to it. */
enum ws_status ws_journal_explain(const struct ws_results *results, enum ws_status status, struct ws_error *error);
