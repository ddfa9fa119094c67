/* The first walk over a file: collects the program, and the memory that warps access. */
#pragma once

#include "import/place.h"
#include "import/read/walk.h"

/* Starts as {.walk = ...}; freed by sass_observed_free. */
struct sass_observed {
    const struct sass_walk *walk;
    u32 last[SASS_LANES]; /* by lane: its last executed instruction; SASS_NONE before the first */
    u64 warps;            /* so far */
    u32 warp, threads;    /* lanes of the warp that are threads */
    u32 live;             /* threads that have not ended */
    u32 branch;           /* the preceding direct branch, if all live lanes took it; SASS_NONE */
    u32 entry;            /* farthest pc that threads execute first */
    struct sass_pages pages;
    u32 shared_bytes; /* that are touched */
    u64 warp_instructions, thread_instructions;
};

/* Walks over the whole file. A path that no program takes is WS_STATUS_bad_input. */
enum ws_status sass_observe(struct sass_observed *observed, struct ws_error *error);
void sass_observed_free(struct sass_observed *observed);

/* Lanes of a warp of the block that are threads. */
u32 sass_warp_mask(const struct sass_header *header, u32 warp);
