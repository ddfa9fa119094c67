/* The alignments of docs/limit.md by full tables, for short sequences. */
#pragma once

#include "limit/sequence.h"

enum { TEXTBOOK_MOST = 400 }; /* tokens of a sequence, and columns of a warp */

/* Columns: tokens with the lanes that execute them and the number of barriers before them. */
struct textbook {
    u32 tokens[TEXTBOOK_MOST], lanes[TEXTBOOK_MOST], segment[TEXTBOOK_MOST];
    u32 length;
};

/* The largest weight of matches between the first rows tokens of one and the first columns tokens of other. */
u32 textbook_score(const u32 *weights, const struct textbook *one, u32 rows, const struct textbook *other, u32 columns);

/* The token of other that matches each of one's, or LIMIT_UNMATCHED. */
void textbook_match(const u32 *weights, const struct textbook *one, const struct textbook *other, u32 *matched);

/* The columns of up to 32 threads (thread n is lane n), joined pair by pair. */
void textbook_warp(const u32 *weights, const struct textbook *threads, u32 count, struct textbook *columns);

/* The same tokens in the library's form; to be freed by limit_sequence_free. */
struct limit_sequence textbook_sequence(const struct textbook *columns);
