/* Matching tokens of two sequences. */
#pragma once

#include "limit/batch.h"

struct limit_pair {
    const struct limit_sequence *first, *second;
    u32 *matched; /* by token of the first: the index of its match in the second, or LIMIT_UNMATCHED */
};

/* Fills in matched of each pair ([limit.ties]) by repeated halving of the table (Hirschberg, CACM 1975), for all pairs and halves
 * in one batch: needs room for a few rows only, and twice the cells of a score. */
enum ws_status limit_trace_back(struct limit_aligner *aligner, const struct limit_pair *pairs, size_t count,
                                struct ws_error *error);
