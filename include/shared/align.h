/* Alignment of two token sequences (docs/limit.md): the input of kernels/limit. A token is an index into an array of weights. */
#ifndef WS_SHARED_ALIGN_H
#define WS_SHARED_ALIGN_H

#include "shared/dialect.h"

/* Words before and after all sequences in the buffer of tokens, of any value: lanes outside a sequence read them. */
#define WS_ALIGN_PADDING 64u

/* A task: heaviest common subsequences of a sequence with every prefix of another. Offsets are words in the buffers of tokens and
 * rows. Neither sequence is empty. */
struct ws_align_task {
    u32 first;  /* tokens of the first sequence, in order */
    u32 second; /* tokens of the second, the last one first */
    u32 first_count;
    u32 second_count;
    u32 row; /* second_count weights: the n-th, from 0, for the whole first sequence and n + 1 tokens of the second */
};

#endif
