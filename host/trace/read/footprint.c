#include "trace/read/footprint.h"

#include <stdlib.h>

bool wst_footprint_add(struct wst_footprint *footprint, u32 granule)
{
    const u32 page = granule / WST_PAGE_GRANULES, word = granule % WST_PAGE_GRANULES / 64;
    const u64 bit = 1ull << (granule % 64);
    if (!footprint->pages)
        footprint->pages = calloc(WST_PAGES, sizeof *footprint->pages);
    if (!footprint->pages)
        return false;
    u64 **const bits = &footprint->pages[page];
    if (!*bits)
        *bits = calloc(WST_PAGE_GRANULES / 64, sizeof **bits);
    if (!*bits)
        return false;
    footprint->granules += (*bits)[word] & bit ? 0 : 1;
    (*bits)[word] |= bit;
    return true;
}

void wst_footprint_free(struct wst_footprint *footprint)
{
    for (u32 n = 0; footprint->pages && n < WST_PAGES; n++)
        free(footprint->pages[n]);
    free(footprint->pages);
    *footprint = (struct wst_footprint){0};
}
