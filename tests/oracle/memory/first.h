/* A cache of the SM (section 11). */
#ifndef WS_TESTS_ORACLE_FIRST_H
#define WS_TESTS_ORACLE_FIRST_H

#include "oracle/memory/levels.h"

enum { MOST_MERGES = 32 };

struct first_line {
    enum line_state state;
    bool dirty; /* or will be, when it comes */
    u32 number;
    u64 touched;
    u32 tickets[MOST_MERGES]; /* that have joined, in order */
    u32 joined;
};

struct first {
    bool always_hits;
    u32 sets, ways, line_bytes, merges, mshrs;
    struct first_line *lines; /* set after set */
    u64 touches;
    u32 in_flight;            /* lines: MSHRs in use */
    u32 hits, misses, merged; /* counters */
};

#endif
