/* The lines of a cache, and the choice of victims (memory.md). */
#pragma once

#include "oracle/sm.h"

enum { MOST_SECTORS = 8 };

enum line_state { LINE_INVALID, LINE_RESERVED, LINE_VALID };

/* A way of a set. */
struct line {
    u32 number;
    bool dirty; /* or will be, when it arrives */
    enum line_state sectors[MOST_SECTORS];
    u64 touched, filled; /* time by the cache's clock; 0: never */
    u32 kept;            /* state of the replacement policy */
};

struct tags {
    u32 sets, ways, line_bytes, sectors;
    u32 seed;
    const struct oracle_replacement *replacement;
    struct line *lines; /* set after set */
    u32 *victims;       /* victims of each set */
    u64 clock;
};

/* A cache of that size, or one without lines, which must not be used; freed by tags_finish. `as` has the rest. */
void tags_start(struct tags *tags, u32 size, u32 replacement, const struct tags *as);
void tags_finish(struct tags *tags);

/* Number of the line that holds a granule, and its first granule. */
u32 tags_number(const struct tags *tags, u32 granule);
u32 tags_granule(const struct tags *tags, const struct line *line);

/* The line of a granule with a sector that is not invalid, or NULL. */
struct line *tags_find(const struct tags *tags, u32 granule);
/* State of a granule's sector in a line, which may be NULL. */
enum line_state tags_state(const struct tags *tags, const struct line *line, u32 granule);
void tags_become(const struct tags *tags, struct line *line, u32 granule, enum line_state state);
bool line_has(const struct line *line, enum line_state state);

/* The way that a granule's line would get, or NULL; changes nothing. */
struct line *tags_way(const struct tags *tags, u32 granule);
/* Gives it that way, with the granule's sector in a state. */
void tags_fill(struct tags *tags, struct line *way, u32 granule, enum line_state state);
void tags_touch(struct tags *tags, struct line *line);
