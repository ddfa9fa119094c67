/* Columns generated from the shared tables: one per parameter, counter and histogram bin. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "shared/dialect.h"
#include "shared/results/counters.h"

/* One row of counters.def. */
struct ws_counter_column {
    const char *name;
    u32 index; /* index of its first bin in a job's counters */
    u32 bins;  /* 0 for a plain counter: no bin number in the column's name */
    bool most; /* shards combine by maximum instead of sum */
};
extern const struct ws_counter_column ws_counter_columns[];
extern const size_t ws_counter_column_count;

/* The column of parameter n: core.warp_size is core_warp_size. */
struct ws_column_name {
    char name[64];
};
struct ws_column_name ws_parameter_column(size_t n);

/* That of a key of a parameter, l1_size of l1.size. */
struct ws_column_name ws_key_column(const char *key);

/* Adds ", NAME" for every parameter; with types, " INTEGER" or, for choices, " TEXT", and " NOT NULL DEFAULT VALUE". */
void ws_add_parameter_columns(struct ws_text *text, bool types);

/* Adds ", NAME" and a suffix for every counter and histogram bin (active_lanes_0). */
void ws_add_counter_columns(struct ws_text *text, const char *behind);

/* The same, accumulated over the shards of a kernel: sum or max, AS NAME; NULL where one is. cycles are those of the slowest shard.
 */
void ws_add_accumulated_counters(struct ws_text *text);

/* The same of one bin; 0 of a plain counter. */
void ws_add_accumulated_counter(struct ws_text *text, const struct ws_counter_column *counter, u32 bin);
