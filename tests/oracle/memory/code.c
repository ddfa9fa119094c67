/* The instruction cache (memory.md). */
#include "oracle/memory/cache.h"
#include "oracle/memory/memory.h"

static void start(struct sm *sm, struct level *level)
{
    const struct ws_machine *m = sm->machine;
    cache_start(level, m->icache_size, WS_replacement_lru,
                &(struct tags){.ways = m->icache_ways, .line_bytes = m->icache_line, .sectors = 1});
}

static bool fits(const struct sm *sm, const struct level *level, const struct request *requests, u32 requested)
{
    const struct cache *cache = level->own;
    for (u32 i = 0; i < requested; i++)
        if (!cache_find(cache, requests[i].granule) && !cache_miss(cache, requests[i].granule) &&
            !level->below->rules->fits(sm, level->below, &requests[i], 1))
            return false;
    return true;
}

static u32 ask(struct sm *sm, struct level *level, const struct request *request)
{
    struct cache *cache = level->own;
    struct line *line = cache_find(cache, request->granule);
    count(sm, line ? WS_COUNT_icache_hits : WS_COUNT_icache_misses, 1);
    if (line) {
        tags_touch(&cache->tags, line);
        return NO_TICKET;
    }
    struct miss *miss = cache_miss(cache, request->granule);
    if (miss)
        count(sm, WS_COUNT_icache_merges, 1);
    else
        miss = cache_read(sm, level, request->granule);
    return miss->ticket;
}

static void arrives(struct sm *sm, struct level *level, u32 ticket)
{
    u32 victim;
    cache_fill(level->own, ticket, &victim);
    sm->rules.pipeline->code_arrives(sm, ticket);
}

static u32 reads(const struct level *level)
{
    return cache_misses(level->own);
}

const struct oracle_level oracle_level_code = {
    .start = start, .finish = cache_free, .fits = fits, .ask = ask, .reads = reads, .arrives = arrives};

/* The line that holds the instruction. */
static struct request line_of(const struct sm *sm, u32 pc)
{
    const struct ws_machine *m = sm->machine;
    const u32 granules = m->icache_line / WS_GRANULE_BYTES;
    const u32 number = WS_CODE_GRANULE / granules + pc * m->icache_instruction_bytes / m->icache_line;
    return (struct request){.kind = LOAD, .granule = number * granules, .bytes = m->icache_line};
}

bool code_present(const struct sm *sm, u32 pc)
{
    const struct request line = line_of(sm, pc);
    return sm->machine->icache_size == 0 || cache_find(sm->code.own, line.granule) != NULL;
}

bool code_fits(const struct sm *sm, u32 pc)
{
    const struct request line = line_of(sm, pc);
    return sm->code.rules->fits(sm, &sm->code, &line, 1);
}

u32 code_fetch(struct sm *sm, u32 pc)
{
    const struct request line = line_of(sm, pc);
    count(sm, WS_COUNT_fetches, 1);
    if (sm->machine->icache_size > 0)
        return sm->code.rules->ask(sm, &sm->code, &line);
    count(sm, WS_COUNT_icache_hits, 1);
    return NO_TICKET;
}
