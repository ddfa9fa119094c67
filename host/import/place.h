/* Where accesses lie. */
#pragma once

#include "import/read/record.h"

/* The space of a recorded address, and its value in the trace: absolute in global memory, else an offset. A generic address lies in
 * the space of its window. */
u32 sass_place(const struct sass_header *header, const struct sass_op *op, u64 address, u64 *offset);

/* Pages of 64 KB of global memory. Starts as {0}; freed by sass_pages_free. */
struct sass_pages {
    u64 *table; /* hash table of pages + 1, 0: free */
    u64 last;   /* last added page + 1 */
    size_t count, room;
};

/* Adds the page of an address; false when out of memory. */
bool sass_pages_add(struct sass_pages *pages, u64 address);
void sass_pages_free(struct sass_pages *pages);

/* Adjacent pages as one segment each, by ascending address; NULL when out of memory. The caller frees it. */
struct ws_segment *sass_pages_segments(const struct sass_pages *pages, u32 *count);
