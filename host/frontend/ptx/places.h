/* What messages call a place in a program: a line of its PTX or, where the PTX was compiled from a source that is at hand while it
 * is not, a line of that source. A place is a u32: a line, or a file and a line of it; 0 is unknown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "shared/dialect.h"

struct ws_places {
    const char *name;   /* of the PTX, or of its source */
    bool compiled;      /* places are those of the source */
    u32 file_count;     /* of the source and what it includes */
    const char **files; /* by number of .file, NULL where there is none */
};

struct ws_place_text {
    char text[1024];
};

/* Notes which .file directives PTX has, for a program whose places are those of its source. files belongs to the arena. False when
 * out of memory. */
bool ws_places_compiled(struct ws_places *places, struct ws_arena *arena, const char *text, size_t length);

/* The place that .loc FILE LINE gives; 0 when there is none. */
u32 ws_place(u64 file, u64 line);

/* "NAME:LINE", with the name of the file that has the line; only the name for an unknown place. */
struct ws_place_text ws_place_text(const struct ws_places *places, u32 place);

/* The line alone. */
u32 ws_place_line(const struct ws_places *places, u32 place);
