/* The lines of a cache and those on their way to it (section 5). */
#ifndef WS_TESTS_ORACLE_CACHE_H
#define WS_TESTS_ORACLE_CACHE_H

#include "oracle/sm.h"

struct line {
    bool valid, dirty;
    u32 number;
    u64 touched;
};

/* A line asked for below: an MSHR. */
struct miss {
    struct miss *next;
    u32 number, ticket;
    bool dirty; /* once it has filled the cache */
};

struct cache {
    u32 sets, ways, line_bytes;
    struct line *lines; /* set after set */
    u64 touches;
    struct miss *misses;
};

/* A size of 0 gives a cache without lines, which must not be used. */
void cache_start(struct level *level, u32 size, u32 ways, u32 line_bytes);
void cache_free(struct level *level);
struct line *cache_find(const struct cache *cache, u32 number);
void cache_touch(struct cache *cache, struct line *line);
struct miss *cache_miss(const struct cache *cache, u32 number);
u32 cache_misses(const struct cache *cache);

/* The number of a requested line. */
u32 cache_number(const struct request *request);

/* The request of a line of this cache to the level below. */
struct request cache_request(struct level *level, enum request_kind kind, u32 number);

/* Asks the level below for a line. */
struct miss *cache_ask(struct sm *sm, struct level *level, u32 number);

/* The line with that ticket fills the cache; true when that drives out a dirty line, whose number *victim receives. */
bool cache_fill(struct cache *cache, u32 ticket, u32 *victim);

#endif
