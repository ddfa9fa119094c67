/* Seeded numbers: the same everywhere for the same seed. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

/* A well mixed function of x. */
static inline u64 mix(u64 x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

struct random {
    u64 state;
};

static inline u64 random_next(struct random *random)
{
    random->state += 0x9E3779B97F4A7C15u;
    return mix(random->state);
}

/* From 0 to n - 1. */
static inline u32 random_below(struct random *random, u32 n)
{
    return (u32)(random_next(random) >> 32) % n;
}

/* From least to most. */
static inline u32 random_from(struct random *random, u32 least, u32 most)
{
    return least + random_below(random, most - least + 1);
}

static inline bool random_chance(struct random *random, u32 percent)
{
    return random_below(random, 100) < percent;
}

/* 1 << a number from least to most. */
static inline u32 random_power(struct random *random, u32 least, u32 most)
{
    return 1u << random_from(random, least, most);
}
