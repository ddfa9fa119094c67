/* Evicts the line that was filled first. */
#include "oracle/memory/tags.h"

static struct line *victim(const struct tags *tags, struct line *set, u32 granule)
{
    struct line *oldest = NULL;
    (void)granule;
    for (u32 way = 0; way < tags->ways; way++)
        if (!line_has(&set[way], LINE_RESERVED) && (!oldest || set[way].filled < oldest->filled))
            oldest = &set[way];
    return oldest;
}

const struct oracle_replacement oracle_replacement_fifo = {.victim = victim};
