/* Where accesses lie. */
#pragma once

#include "import/read/record.h"

/* The space of an address of a record, and what a trace has of it: the address itself in global memory, else its offset. A generic
 * address lies in the memory of its window. */
u32 sass_place(const struct sass_header *header, const struct sass_op *op, u64 address, u64 *offset);

/* Pages of 64 KB of global memory. Starts as {0}; freed by sass_pages_free. */
struct sass_pages {
    u64 *table; /* a hash table of pages + 1, 0: free */
    u64 last;   /* page + 1 that was added last */
    size_t count, room;
};

/* Adds the page of an address; false when out of memory. */
bool sass_pages_add(struct sass_pages *pages, u64 address);
void sass_pages_free(struct sass_pages *pages);

/* Pages that follow each other as one segment, by ascending address; NULL when out of memory. The caller frees it. */
struct ws_segment *sass_pages_segments(const struct sass_pages *pages, u32 *count);
