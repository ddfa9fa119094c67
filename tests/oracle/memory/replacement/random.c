/* A pseudo-random line: hash of the incoming line, the number of victims and memory.seed. */
#include "oracle/memory/levels.h"
#include "oracle/memory/tags.h"

static struct line *victim(const struct tags *tags, struct line *set, u32 granule)
{
    const u32 had = tags->victims[(set - tags->lines) / tags->ways];
    const u32 drawn = dram_scramble(granule + (had + tags->seed) * 0x9E3779B9u);
    u32 ways = 0, left;
    for (u32 way = 0; way < tags->ways; way++)
        ways += !line_has(&set[way], LINE_RESERVED);
    left = (drawn >> 16) * ways >> 16;
    while (line_has(set, LINE_RESERVED) || left-- > 0)
        set++;
    return set;
}

const struct oracle_replacement oracle_replacement_random = {.victim = victim};
