/* The lines before the records of a trace file. */
#pragma once

#include "import/read/input.h"
#include "warpsweep/import.h"

/* Newest version of the tracer that is read. */
#define SASS_VERSION_MOST 6u
/* Threads of a recorded warp. */
#define SASS_LANES 32u
/* Bytes of generic addresses that are shared, or local, memory. */
#define SASS_WINDOW (1u << 24)

struct sass_header {
    char kernel[4096];
    u32 grid[3], block[3];
    u32 registers, shared_bytes;
    u32 architecture;            /* 86; 0: it does not say */
    u32 version;                 /* of the tracer, before the dot; 0: it does not say */
    bool lines;                  /* records begin with the line of the source */
    bool windows;                /* the bases are given */
    u64 shared_base, local_base; /* of generic addresses */
};

/* Reads up to the first line that begins with '#'. Values that options give are not checked. */
enum ws_status sass_header_read(struct sass_input *input, const struct ws_nvbit_options *options, struct sass_header *header,
                                struct ws_error *error);

/* Threads of a block, blocks of the grid, warps of a block. */
u32 sass_threads(const struct sass_header *header);
u64 sass_blocks(const struct sass_header *header);
u32 sass_warps(const struct sass_header *header);
