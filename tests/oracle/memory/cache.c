#include "oracle/memory/cache.h"

#include <stdlib.h>

void cache_start(struct level *level, u32 size, u32 ways, u32 line_bytes)
{
    struct cache *cache = oracle_allocate(1, sizeof *cache);
    cache->sets = size / (ways * line_bytes);
    cache->ways = ways;
    cache->line_bytes = line_bytes;
    cache->lines = oracle_allocate((size_t)cache->sets * ways, sizeof *cache->lines);
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
    free(cache->lines);
    free(cache);
}

static struct line *set_of(const struct cache *cache, u32 number)
{
    return &cache->lines[(size_t)(number % cache->sets) * cache->ways];
}

struct line *cache_find(const struct cache *cache, u32 number)
{
    struct line *set = set_of(cache, number);
    for (u32 way = 0; way < cache->ways; way++)
        if (set[way].valid && set[way].number == number)
            return &set[way];
    return NULL;
}

void cache_touch(struct cache *cache, struct line *line)
{
    line->touched = ++cache->touches;
}

struct miss *cache_miss(const struct cache *cache, u32 number)
{
    for (struct miss *miss = cache->misses; miss; miss = miss->next)
        if (miss->number == number)
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

u32 cache_number(const struct request *request)
{
    return request->granule / (request->bytes / WS_GRANULE_BYTES);
}

struct request cache_request(struct level *level, enum request_kind kind, u32 number)
{
    const u32 bytes = ((struct cache *)level->own)->line_bytes;
    return (struct request){.kind = kind, .granule = number * (bytes / WS_GRANULE_BYTES), .bytes = bytes, .from = level};
}

struct miss *cache_ask(struct sm *sm, struct level *level, u32 number)
{
    struct cache *cache = level->own;
    const struct request request = cache_request(level, LOAD, number);
    struct miss *miss = oracle_allocate(1, sizeof *miss);
    miss->number = number;
    miss->ticket = level->below->rules->ask(sm, level->below, &request);
    miss->next = cache->misses;
    cache->misses = miss;
    return miss;
}

bool cache_fill(struct cache *cache, u32 ticket, u32 *victim)
{
    struct miss **place = &cache->misses;
    while ((*place)->ticket != ticket)
        place = &(*place)->next;
    struct miss *miss = *place;
    *place = miss->next;
    struct line *set = set_of(cache, miss->number), *line = &set[0];
    for (u32 way = 1; way < cache->ways && line->valid; way++)
        if (!set[way].valid || set[way].touched < line->touched)
            line = &set[way];
    const bool written_back = line->valid && line->dirty;
    *victim = line->number;
    *line = (struct line){.valid = true, .dirty = miss->dirty, .number = miss->number};
    cache_touch(cache, line);
    free(miss);
    return written_back;
}
