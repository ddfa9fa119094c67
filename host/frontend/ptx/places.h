/* Places of a program in messages: a line of its PTX or, if the PTX was compiled from a source that the user has, a line of that
 * source. A place is a u32: a line, or a file and a line of it; 0 is unknown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "shared/dialect.h"

struct ws_places {
    const char *name;   /* of the PTX, or of its source */
    bool compiled;      /* places are those of the source */
    u32 file_count;     /* names of the source and the files it includes */
    const char **files; /* by number of .file, NULL for none */
};

struct ws_place_text {
    char text[1024];
};

/* Notes the .file directives of PTX, for a program whose places are source lines. files belongs to the arena. False when out of
 * memory. */
bool ws_places_compiled(struct ws_places *places, struct ws_arena *arena, const char *text, size_t length);

/* The place that .loc FILE LINE gives; 0 when there is none. */
u32 ws_place(u64 file, u64 line);

/* "NAME:LINE", with the name of the file that has the line; only the name for an unknown place. */
struct ws_place_text ws_place_text(const struct ws_places *places, u32 place);

/* The line alone. */
u32 ws_place_line(const struct ws_places *places, u32 place);
