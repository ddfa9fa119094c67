#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One chunk per allocation, so that the address sanitizer sees overruns. */
#ifdef __SANITIZE_ADDRESS__
enum { CHUNK = 0 };
#else
enum { CHUNK = 64 * 1024 };
#endif

struct ws_arena_chunk {
    struct ws_arena_chunk *next;
    size_t room, used;
    alignas(max_align_t) unsigned char bytes[];
};

/* A chunk larger than standard goes behind the first, which continues to be filled. */
static struct ws_arena_chunk *add_chunk(struct ws_arena *arena, size_t bytes)
{
    const size_t room = bytes > CHUNK / 4 ? bytes : CHUNK;
    if (room > SIZE_MAX - sizeof(struct ws_arena_chunk))
        return NULL;
    struct ws_arena_chunk *chunk = calloc(1, sizeof *chunk + room);
    if (!chunk)
        return NULL;
    chunk->room = room;
    if (arena->chunks && room != CHUNK) {
        chunk->next = arena->chunks->next;
        arena->chunks->next = chunk;
    } else {
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

void *ws_arena_alloc(struct ws_arena *arena, size_t bytes)
{
    const size_t unit = alignof(max_align_t);
    if (bytes > SIZE_MAX - unit)
        return NULL;
    bytes = bytes ? (bytes + unit - 1) / unit * unit : unit;
    struct ws_arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->room - chunk->used < bytes)
        chunk = add_chunk(arena, bytes);
    if (!chunk)
        return NULL;
    void *memory = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return memory;
}

void *ws_arena_array(struct ws_arena *arena, size_t count, size_t size)
{
    return size && count > SIZE_MAX / size ? NULL : ws_arena_alloc(arena, count * size);
}

void *ws_arena_grow(struct ws_arena *arena, void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    if (count > SIZE_MAX / 2 - 8)
        return NULL;
    const size_t more = count * 2 + 8;
    void *larger = ws_arena_array(arena, more, size);
    if (!larger)
        return NULL;
    if (count)
        memcpy(larger, array, count * size);
    *room = more;
    return larger;
}

char *ws_arena_text(struct ws_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? ws_arena_alloc(arena, length + 1) : NULL;
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void ws_arena_free(struct ws_arena *arena)
{
    while (arena->chunks) {
        struct ws_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}
