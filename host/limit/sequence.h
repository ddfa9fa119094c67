/* The path of a thread, or the columns of a group of threads: tokens, each with its lanes, in segments that end with a barrier. */
#pragma once

#include "limit/code.h"

#define LIMIT_UNMATCHED 0xFFFFFFFFu

/* Starts as {0}. */
struct limit_sequence {
    u32 *tokens, *lanes; /* lanes: a mask for each token */
    u32 length, room;
    u32 *ends; /* end of each segment; the last segment follows the last barrier */
    u32 segments, segment_room;
    bool failed; /* out of memory; nothing more is added */
};

void limit_sequence_free(struct limit_sequence *sequence);

void limit_sequence_add(struct limit_sequence *sequence, u32 token, u32 lanes);

/* Ends the current segment. */
void limit_sequence_cut(struct limit_sequence *sequence);

/* Whether tokens and segments are equal, regardless of lanes; the last segment of both is not empty. */
bool limit_sequence_equal(const struct limit_sequence *one, const struct limit_sequence *other);

/* Segment n: its start and length (0 if there are fewer segments). */
u32 limit_segment_first(const struct limit_sequence *sequence, u32 n);
u32 limit_segment_length(const struct limit_sequence *sequence, u32 n);

/* Joins two sequences ([limit.join]). matched: for each token of the first, the index of its match in the second, or
 * LIMIT_UNMATCHED. joined, which starts as {0}, records a failure. */
void limit_sequence_join(const struct limit_sequence *first, const struct limit_sequence *second, const u32 *matched,
                         struct limit_sequence *joined);
