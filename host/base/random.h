/* Random numbers: the same on every machine for the same seed. */
#pragma once

#include "shared/dialect.h"

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). The state is the seed. */
static inline u64 ws_random(u64 *state)
{
    u64 z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* An integer from least to most, inclusive; most - least is below 2^32 - 1. */
static inline u32 ws_random_range(u64 *state, u32 least, u32 most)
{
    const u64 values = (u64)most - least + 1;
    return least + (u32)(((ws_random(state) >> 32) * values) >> 32);
}
