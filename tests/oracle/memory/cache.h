/* A cache of the barrel pipeline: its lines and those on their way to it (memory.md). */
#pragma once

#include "oracle/memory/tags.h"

/* Asked for below: an MSHR. */
struct miss {
    struct miss *next;
    u32 granule, ticket;
    bool dirty; /* once it has filled the cache */
};

struct cache {
    struct tags tags;
    struct miss *misses;
};

void cache_start(struct level *level, u32 size, u32 replacement, const struct tags *as);
void cache_free(struct level *level);

/* The line whose sector at a granule is valid, or NULL. */
struct line *cache_find(const struct cache *cache, u32 granule);
struct miss *cache_miss(const struct cache *cache, u32 granule);
u32 cache_misses(const struct cache *cache);

/* Asks the level below for what is at a granule. */
u32 cache_ask(struct sm *sm, struct level *level, enum request_kind kind, u32 granule);
struct miss *cache_read(struct sm *sm, struct level *level, u32 granule);

/* What has that ticket comes; it does not fill the cache. */
void cache_forget(struct cache *cache, u32 ticket);
/* What has that ticket fills the cache; true when that drives out a dirty line, at the granule that *victim receives. */
bool cache_fill(struct cache *cache, u32 ticket, u32 *victim);
