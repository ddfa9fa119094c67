/* Aligning two sequences of tokens (docs/limit.md): what the host hands to kernels/limit. A token is an index into an array of
 * weights. */
#ifndef WS_SHARED_ALIGN_H
#define WS_SHARED_ALIGN_H

#include "shared/dialect.h"

/* Words before and after all sequences in the buffer of tokens, of any value: lanes outside a sequence read them. */
#define WS_ALIGN_PADDING 64u

/* The heaviest common subsequences of a sequence with every beginning of another: words of the buffers of tokens and rows. Neither
 * sequence is empty. */
struct ws_align_task {
    u32 first;  /* tokens of the first sequence, in order */
    u32 second; /* tokens of the second, the last one first */
    u32 first_count;
    u32 second_count;
    u32 row; /* second_count weights: the n-th, from 0, of the whole first and n + 1 tokens of the second */
};

#endif
