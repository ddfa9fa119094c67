#include "oracle/memory/tags.h"

#include <stdlib.h>

#define REPLACEMENT(name, value, words, doc) extern const struct oracle_replacement oracle_replacement_##name;
#include "shared/replacements.def"

static const struct oracle_replacement *const replacements[] = {
#define REPLACEMENT(name, value, words, doc) [value] = &oracle_replacement_##name,
#include "shared/replacements.def"
};

void tags_start(struct tags *tags, u32 size, u32 replacement, const struct tags *as)
{
    *tags = *as;
    tags->replacement = replacements[replacement];
    tags->sets = size / (tags->ways * tags->line_bytes);
    tags->lines = oracle_allocate((size_t)tags->sets * tags->ways, sizeof *tags->lines);
    tags->victims = oracle_allocate(tags->sets, sizeof *tags->victims);
}

void tags_finish(struct tags *tags)
{
    free(tags->lines);
    free(tags->victims);
}

static u32 granules(const struct tags *tags)
{
    return tags->line_bytes / WS_GRANULE_BYTES;
}

u32 tags_number(const struct tags *tags, u32 granule)
{
    return granule / granules(tags);
}

u32 tags_granule(const struct tags *tags, const struct line *line)
{
    return line->number * granules(tags);
}

static u32 sector_of(const struct tags *tags, u32 granule)
{
    return granule % granules(tags) * tags->sectors / granules(tags);
}

static struct line *set_of(const struct tags *tags, u32 granule)
{
    return &tags->lines[(size_t)(tags_number(tags, granule) % tags->sets) * tags->ways];
}

bool line_has(const struct line *line, enum line_state state)
{
    for (u32 sector = 0; sector < MOST_SECTORS; sector++)
        if (line->sectors[sector] == state)
            return true;
    return false;
}

static bool is_invalid(const struct line *line)
{
    return !line_has(line, LINE_VALID) && !line_has(line, LINE_RESERVED);
}

struct line *tags_find(const struct tags *tags, u32 granule)
{
    struct line *const set = set_of(tags, granule);
    for (u32 way = 0; way < tags->ways; way++)
        if (!is_invalid(&set[way]) && set[way].number == tags_number(tags, granule))
            return &set[way];
    return NULL;
}

enum line_state tags_state(const struct tags *tags, const struct line *line, u32 granule)
{
    return line ? line->sectors[sector_of(tags, granule)] : LINE_INVALID;
}

void tags_become(const struct tags *tags, struct line *line, u32 granule, enum line_state state)
{
    line->sectors[sector_of(tags, granule)] = state;
}

struct line *tags_way(const struct tags *tags, u32 granule)
{
    struct line *const set = set_of(tags, granule);
    u32 reserved = 0;
    for (u32 way = 0; way < tags->ways; way++)
        if (is_invalid(&set[way]))
            return &set[way];
    for (u32 way = 0; way < tags->ways; way++)
        reserved += line_has(&set[way], LINE_RESERVED);
    return reserved == tags->ways ? NULL : tags->replacement->victim(tags, set, granule - granule % granules(tags));
}

void tags_fill(struct tags *tags, struct line *way, u32 granule, enum line_state state)
{
    const bool replaces = !is_invalid(way);
    if (tags->replacement->fills)
        tags->replacement->fills(tags, set_of(tags, granule), way, replaces);
    tags->victims[tags_number(tags, granule) % tags->sets] += replaces;
    *way = (struct line){.number = tags_number(tags, granule), .filled = ++tags->clock, .kept = way->kept};
    tags_become(tags, way, granule, state);
}

void tags_touch(struct tags *tags, struct line *line)
{
    line->touched = ++tags->clock;
    if (tags->replacement->touches)
        tags->replacement->touches(tags, line);
}
