/* The path of a thread, or the columns of a group of threads: tokens, each with the lanes that execute it, in segments that end
 * with a barrier. */
#pragma once

#include "limit/code.h"

#define LIMIT_UNMATCHED 0xFFFFFFFFu

/* Starts as {0}. */
struct limit_sequence {
    u32 *tokens, *lanes; /* lanes: a mask for each token */
    u32 length, room;
    u32 *ends; /* where each segment ends; the last is what follows the last barrier */
    u32 segments, segment_room;
    bool failed; /* out of memory; nothing more is added */
};

void limit_sequence_free(struct limit_sequence *sequence);

void limit_sequence_add(struct limit_sequence *sequence, u32 token, u32 lanes);

/* Ends the current segment. */
void limit_sequence_cut(struct limit_sequence *sequence);

/* Whether the tokens and segments are the same, whatever the lanes; the last segment of both is not empty. */
bool limit_sequence_equal(const struct limit_sequence *one, const struct limit_sequence *other);

/* Segment n: where it begins, and how long it is (0 where there are not so many). */
u32 limit_segment_first(const struct limit_sequence *sequence, u32 n);
u32 limit_segment_length(const struct limit_sequence *sequence, u32 n);

/* Joins two sequences ([limit.join]): matched has for each token of the first the number of its match in the second, or
 * LIMIT_UNMATCHED. A failure shows in joined, which starts as {0}. */
void limit_sequence_join(const struct limit_sequence *first, const struct limit_sequence *second, const u32 *matched,
                         struct limit_sequence *joined);
