/* Static re-reference interval prediction, hit priority, two bits. */
#include "oracle/memory/tags.h"

enum { NEAR = 0, LONG = 2, DISTANT = 3 };

static struct line *victim(const struct tags *tags, struct line *set, u32 granule)
{
    (void)granule;
    for (u32 older = 0; older <= DISTANT; older++)
        for (u32 way = 0; way < tags->ways; way++)
            if (!line_has(&set[way], LINE_RESERVED) && set[way].kept + older >= DISTANT)
                return &set[way];
    return NULL;
}

static void fills(struct tags *tags, struct line *set, struct line *way, bool replaces)
{
    while (replaces && way->kept < DISTANT)
        for (u32 n = 0; n < tags->ways; n++)
            set[n].kept += set[n].kept < DISTANT;
    way->kept = LONG;
}

static void touches(struct tags *tags, struct line *line)
{
    (void)tags;
    line->kept = NEAR;
}

const struct oracle_replacement oracle_replacement_srrip = {.victim = victim, .fills = fills, .touches = touches};
