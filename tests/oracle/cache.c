/* A cache: sets of lines with the time of their last touch (section 5, LRU). */
#include "oracle/sm.h"

void cache_make(struct cache *cache, u32 size, u32 ways, u32 line)
{
    cache->sets = size / (ways * line);
    cache->ways = ways;
    cache->lines = oracle_allocate((size_t)cache->sets * ways, sizeof *cache->lines);
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

bool cache_fill(struct cache *cache, u32 number, bool dirty, u32 *victim)
{
    struct line *set = set_of(cache, number);
    struct line *place = &set[0];
    for (u32 way = 1; way < cache->ways; way++) {
        if (!place->valid)
            break;
        if (!set[way].valid || set[way].touched < place->touched)
            place = &set[way];
    }
    const bool written_back = place->valid && place->dirty;
    *victim = place->number;
    *place = (struct line){.valid = true, .dirty = dirty, .number = number};
    cache_touch(cache, place);
    return written_back;
}
