/* The alignments of docs/limit.md by whole tables, for sequences that are short. */
#pragma once

#include "limit/sequence.h"

enum { TEXTBOOK_MOST = 400 }; /* tokens of a sequence, and columns of a warp */

/* Columns: tokens with the lanes that execute them and the number of barriers before them. */
struct textbook {
    u32 tokens[TEXTBOOK_MOST], lanes[TEXTBOOK_MOST], segment[TEXTBOOK_MOST];
    u32 length;
};

/* The most weight of matches between the first rows tokens of one and the first columns tokens of other. */
u32 textbook_score(const u32 *weights, const struct textbook *one, u32 rows, const struct textbook *other, u32 columns);

/* Which token of other each of one's matches, or LIMIT_UNMATCHED. */
void textbook_match(const u32 *weights, const struct textbook *one, const struct textbook *other, u32 *matched);

/* The columns of threads (of so many, at most 32; thread n is lane n) that are joined pair by pair. */
void textbook_warp(const u32 *weights, const struct textbook *threads, u32 count, struct textbook *columns);

/* The same tokens in the library's form; to be freed by limit_sequence_free. */
struct limit_sequence textbook_sequence(const struct textbook *columns);
