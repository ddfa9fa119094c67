/* A cache of the SM (memory.md). */
#pragma once

#include "oracle/memory/levels.h"

enum { MOST_MERGES = 32 };

/* An MSHR: accesses that wait for a sector. */
struct waits {
    struct waits *next;
    u32 granule;
    u32 tickets[MOST_MERGES]; /* that have joined, in order */
    u32 joined;
};

struct l1 {
    bool always_hits;
    u32 merges, mshrs;
    struct tags tags;
    struct waits *waits;
    u32 in_flight;            /* MSHRs in use */
    u32 hits, misses, merged; /* counters */
};
