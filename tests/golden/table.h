/* Counters as text: a row a counter or bin, a column a mechanism. */
#ifndef GOLDEN_TABLE_H
#define GOLDEN_TABLE_H

#include "base/text.h"
#include "warpsweep/engine.h"

/* Adds a title, the digest of the trace, the names of the columns, and a row for each counter that is not zero in every column. */
void golden_table(struct ws_text *table, const char *title, u64 digest, const char *const *columns,
                  const struct ws_job_result *results, size_t count);

/* Adds what differs between two tables to out, a row at a time and at most most of them; returns how many rows differ. */
size_t golden_compare(struct ws_text *out, const char *expected, const char *found, size_t most);

#endif
