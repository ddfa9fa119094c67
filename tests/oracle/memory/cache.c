#include "oracle/memory/cache.h"

#include <stdlib.h>

void cache_start(struct level *level, u32 size, u32 replacement, const struct tags *as)
{
    struct cache *cache = oracle_allocate(1, sizeof *cache);
    tags_start(&cache->tags, size, replacement, as);
    level->own = cache;
}

void cache_free(struct level *level)
{
    struct cache *cache = level->own;
    while (cache->misses) {
        struct miss *next = cache->misses->next;
        free(cache->misses);
        cache->misses = next;
    }
    tags_finish(&cache->tags);
    free(cache);
}

struct line *cache_find(const struct cache *cache, u32 granule)
{
    struct line *const line = tags_find(&cache->tags, granule);
    return tags_state(&cache->tags, line, granule) == LINE_VALID ? line : NULL;
}

struct miss *cache_miss(const struct cache *cache, u32 granule)
{
    for (struct miss *miss = cache->misses; miss; miss = miss->next)
        if (miss->granule == granule)
            return miss;
    return NULL;
}

u32 cache_misses(const struct cache *cache)
{
    u32 misses = 0;
    for (const struct miss *miss = cache->misses; miss; miss = miss->next)
        misses++;
    return misses;
}

u32 cache_ask(struct sm *sm, struct level *level, enum request_kind kind, u32 granule)
{
    const struct tags *tags = &((struct cache *)level->own)->tags;
    const struct request request = {.kind = kind, .granule = granule, .bytes = tags->line_bytes / tags->sectors, .from = level};
    return level->below->rules->ask(sm, level->below, &request);
}

struct miss *cache_read(struct sm *sm, struct level *level, u32 granule)
{
    struct cache *cache = level->own;
    struct miss *miss = oracle_allocate(1, sizeof *miss);
    miss->granule = granule;
    miss->ticket = cache_ask(sm, level, LOAD, granule);
    miss->next = cache->misses;
    cache->misses = miss;
    return miss;
}

/* Removes the MSHR with that ticket, which the caller frees. */
static struct miss *take(struct cache *cache, u32 ticket)
{
    struct miss **place = &cache->misses;
    while ((*place)->ticket != ticket)
        place = &(*place)->next;
    struct miss *miss = *place;
    *place = miss->next;
    return miss;
}

void cache_forget(struct cache *cache, u32 ticket)
{
    free(take(cache, ticket));
}

bool cache_fill(struct cache *cache, u32 ticket, u32 *victim)
{
    struct miss *miss = take(cache, ticket);
    struct line *line = tags_find(&cache->tags, miss->granule);
    bool writes_back = false;
    if (line) {
        tags_become(&cache->tags, line, miss->granule, LINE_VALID);
        tags_touch(&cache->tags, line);
    } else {
        line = tags_way(&cache->tags, miss->granule);
        writes_back = line->dirty;
        *victim = tags_granule(&cache->tags, line);
        tags_fill(&cache->tags, line, miss->granule, LINE_VALID);
        line->dirty = miss->dirty;
    }
    free(miss);
    return writes_back;
}
