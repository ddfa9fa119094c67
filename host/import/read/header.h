/* The lines of a trace file before its records. */
#pragma once

#include "import/read/input.h"
#include "warpsweep/import.h"

/* Newest supported version of the tracer. */
#define SASS_VERSION_MOST 6u
/* Threads of a recorded warp. */
#define SASS_LANES 32u
/* Size of the windows of shared and local memory in the generic space. */
#define SASS_WINDOW (1u << 24)

struct sass_header {
    char kernel[4096];
    u32 grid[3], block[3];
    u32 registers, shared_bytes;
    u32 architecture;            /* 86; 0: unknown */
    u32 version;                 /* of the tracer, before the dot; 0: unknown */
    bool lines;                  /* records begin with a source line number */
    bool windows;                /* the bases are given */
    u64 shared_base, local_base; /* of generic addresses */
};

/* Reads up to the first line that begins with '#'. Does not check values that options replace. */
enum ws_status sass_header_read(struct sass_input *input, const struct ws_nvbit_options *options, struct sass_header *header,
                                struct ws_error *error);

/* Threads of a block, blocks of the grid, warps of a block. */
u32 sass_threads(const struct sass_header *header);
u64 sass_blocks(const struct sass_header *header);
u32 sass_warps(const struct sass_header *header);
