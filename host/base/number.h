/* Small arithmetic. */
#pragma once

#include <stddef.h>

#include "shared/dialect.h"

static inline size_t ws_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline u64 ws_round_up(u64 value, u64 alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/* The order of two numbers, for qsort: negative, 0 or positive. */
static inline int ws_order(u64 a, u64 b)
{
    return (a > b) - (a < b);
}
