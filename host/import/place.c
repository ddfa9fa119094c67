#include "import/place.h"

#include <stdlib.h>

enum { PAGE_BITS = 16 };

static bool in_window(u64 address, u64 base)
{
    return address - base < SASS_WINDOW;
}

u32 sass_place(const struct sass_header *header, const struct sass_op *op, u64 address, u64 *offset)
{
    const bool generic = op->space == WS_SPACE_none;
    *offset = address;
    if ((generic || op->space == WS_SPACE_shared) && header->windows && in_window(address, header->shared_base)) {
        *offset = address - header->shared_base;
        return WS_SPACE_shared;
    }
    if ((generic || op->space == WS_SPACE_local) && header->windows && in_window(address, header->local_base)) {
        *offset = address - header->local_base;
        return WS_SPACE_local;
    }
    return generic ? WS_SPACE_global : op->space;
}

/* ---- Pages ---- */

static size_t place_of(const struct sass_pages *pages, u64 entry)
{
    size_t place = (size_t)(entry * 0x9E3779B97F4A7C15u >> 20) & (pages->room - 1);
    while (pages->table[place] && pages->table[place] != entry)
        place = (place + 1) & (pages->room - 1);
    return place;
}

static bool grow(struct sass_pages *pages)
{
    struct sass_pages larger = {.count = pages->count, .room = pages->room ? 2 * pages->room : 256};
    larger.table = calloc(larger.room, sizeof *larger.table);
    if (!larger.table)
        return false;
    for (size_t n = 0; n < pages->room; n++)
        if (pages->table[n])
            larger.table[place_of(&larger, pages->table[n])] = pages->table[n];
    free(pages->table);
    *pages = larger;
    return true;
}

bool sass_pages_add(struct sass_pages *pages, u64 address)
{
    const u64 entry = (address >> PAGE_BITS) + 1;
    if (entry == pages->last)
        return true;
    if (2 * pages->count >= pages->room && !grow(pages))
        return false;
    u64 *const place = &pages->table[place_of(pages, entry)];
    pages->count += !*place;
    *place = pages->last = entry;
    return true;
}

void sass_pages_free(struct sass_pages *pages)
{
    free(pages->table);
    *pages = (struct sass_pages){0};
}

static int ascending(const void *a, const void *b)
{
    const u64 one = *(const u64 *)a, other = *(const u64 *)b;
    return (one > other) - (one < other);
}

struct ws_segment *sass_pages_segments(const struct sass_pages *pages, u32 *count)
{
    struct ws_segment *const segments = calloc(pages->count + 1, sizeof *segments);
    u64 *const sorted = calloc(pages->count + 1, sizeof *sorted);
    size_t found = 0;
    *count = 0;
    for (size_t n = 0; sorted && n < pages->room; n++)
        if (pages->table[n])
            sorted[found++] = pages->table[n] - 1;
    if (sorted)
        qsort(sorted, found, sizeof *sorted, ascending);
    for (size_t n = 0; sorted && segments && n < found; n++) {
        struct ws_segment *const before = *count ? &segments[*count - 1] : NULL;
        if (before && before->base + before->bytes == sorted[n] << PAGE_BITS)
            before->bytes += 1u << PAGE_BITS;
        else
            segments[(*count)++] = (struct ws_segment){.base = sorted[n] << PAGE_BITS, .bytes = 1u << PAGE_BITS};
    }
    const bool good = sorted && segments;
    free(sorted);
    if (!good)
        free(segments);
    return good ? segments : NULL;
}
