/* A hash of 32 bits (docs/model/memory.md, dram.random). */
#ifndef WS_MEMORY_HASH_H
#define WS_MEMORY_HASH_H

#include "state/sm.h"

static inline u32 scramble(u32 x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ (x >> 16);
}

#endif
