/* Arena allocation: everything is freed at once. */
#pragma once

#include <stddef.h>

struct ws_arena_chunk;

/* An arena is begun as {0} and ended by ws_arena_free. */
struct ws_arena {
    struct ws_arena_chunk *chunks; /* the first is the one being filled */
};

/* Zeroed bytes, aligned for any type, or NULL when out of memory. They live as long as the arena. */
void *ws_arena_alloc(struct ws_arena *arena, size_t bytes);

/* count zeroed elements, or NULL when out of memory or when their size overflows. */
void *ws_arena_array(struct ws_arena *arena, size_t count, size_t size);

/* Makes room for one more element in an array of count elements with capacity *room: returns the array itself, a larger copy of it
 * (zero beyond count), or NULL when out of memory. */
void *ws_arena_grow(struct ws_arena *arena, void *array, size_t count, size_t *room, size_t size);

/* A zero-terminated copy of length bytes, or NULL. */
char *ws_arena_text(struct ws_arena *arena, const char *text, size_t length);

void ws_arena_free(struct ws_arena *arena);
