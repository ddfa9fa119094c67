/* A cache of the barrel pipeline: its lines, and lines in flight to it (memory.md). */
#pragma once

#include "oracle/memory/tags.h"

/* A request in flight: an MSHR. */
struct miss {
    struct miss *next;
    u32 granule, ticket;
    bool dirty; /* set once it has filled the cache */
};

struct cache {
    struct tags tags;
    struct miss *misses;
};

void cache_start(struct level *level, u32 size, u32 replacement, const struct tags *as);
void cache_free(struct level *level);

/* The line with a valid sector for a granule, or NULL. */
struct line *cache_find(const struct cache *cache, u32 granule);
struct miss *cache_miss(const struct cache *cache, u32 granule);
u32 cache_misses(const struct cache *cache);

/* Requests a granule from the level below. */
u32 cache_ask(struct sm *sm, struct level *level, enum request_kind kind, u32 granule);
struct miss *cache_read(struct sm *sm, struct level *level, u32 granule);

/* The reply for that ticket arrives, without filling the cache. */
void cache_forget(struct cache *cache, u32 ticket);
/* The reply for that ticket fills the cache; true if that evicts a dirty line, at granule *victim. */
bool cache_fill(struct cache *cache, u32 ticket, u32 *victim);
