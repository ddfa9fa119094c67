/* Every counter of the tiny workloads in one table: a row a counter or bin, a column a workload on a mechanism. */
#pragma once

#include "base/text.h"
#include "shared/results/counters.h"
#include "warpsweep/engine.h"

enum { GOLDEN_WORDS = 3, GOLDEN_LONGEST = 64 };

struct golden_column {
    char words[GOLDEN_WORDS][GOLDEN_LONGEST]; /* workload, machine, mechanism */
    u64 trace;                                /* digest */
    u64 counters[WS_COUNTERS];
};

/* Sorted by workload. Starts as {0}. */
struct golden_table {
    struct golden_column *columns;
    size_t count;
};

/* Parses a text; skips rows of unknown counters. */
void golden_read(struct golden_table *table, const char *text);
void golden_free(struct golden_table *table);

/* Adds the text of a table. A counter that is 0 in every column has no row. */
void golden_write(struct ws_text *text, const struct golden_table *table);

/* The column of the same workload, machine and mechanism; NULL where none is. */
struct golden_column *golden_find(const struct golden_table *table, const struct golden_column *like);

/* Puts a column in its place, or after those of its workload. */
void golden_put(struct golden_table *table, const struct golden_column *column);

/* Adds differences to out, a line per row, at most `most` lines; returns the number of differences. */
size_t golden_compare(struct ws_text *out, const struct golden_column *expected, const struct golden_column *found, size_t most);
