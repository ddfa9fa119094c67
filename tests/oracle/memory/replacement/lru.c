/* Evicts the line touched longest ago. */
#include "oracle/memory/tags.h"

static u64 last_use(const struct line *line)
{
    return line->touched > line->filled ? line->touched : line->filled;
}

static struct line *victim(const struct tags *tags, struct line *set, u32 granule)
{
    struct line *oldest = NULL;
    (void)granule;
    for (u32 way = 0; way < tags->ways; way++)
        if (!line_has(&set[way], LINE_RESERVED) && (!oldest || last_use(&set[way]) < last_use(oldest)))
            oldest = &set[way];
    return oldest;
}

const struct oracle_replacement oracle_replacement_lru = {.victim = victim};
