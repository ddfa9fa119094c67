/* Which tokens of two sequences match. */
#pragma once

#include "limit/batch.h"

struct limit_pair {
    const struct limit_sequence *first, *second;
    u32 *matched; /* by token of the first: the number of its match in the second, or LIMIT_UNMATCHED */
};

/* Fills matched of each pair ([limit.ties]): the table is halved again and again (Hirschberg, CACM 1975), all pairs and halves in
 * one batch, so that it takes the room of a few rows and twice the cells of a score. */
enum ws_status limit_trace_back(struct limit_aligner *aligner, const struct limit_pair *pairs, size_t count,
                                struct ws_error *error);
