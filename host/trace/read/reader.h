/* An open trace: reader.c opens it, table.c and decode.c read its sections. */
#pragma once

#include "base/arena.h"
#include "trace/format.h"
#include "trace/graph.h"
#include "trace/index.h"

struct ws_trace {
    char *path;
    int descriptor;
    u32 version; /* of the format */
    u64 file_bytes, digest;
    struct ws_launch launch;
    struct ws_arena code; /* holds launch.code */
    u32 block_threads;
    struct wst_index index;
    struct wst_graph graph;
};

/* Some of a trace's blocks: first, first + step, ... below end. */
struct wst_blocks {
    u64 first, end, step;
};

static inline bool wst_has_block(const struct wst_blocks *blocks, u64 block)
{
    return block >= blocks->first && block < blocks->end && (block - blocks->first) % blocks->step == 0;
}

/* Whether a section has one of the blocks. */
bool wst_section_has(const struct wst_section *section, const struct wst_blocks *blocks);

/* Reads a section's table: one tally per thread, block after block; newly allocated. Refuses one that claims more decisions and
 * accesses than the section's streams can hold. */
enum ws_status wst_table_read(const struct ws_trace *trace, const struct wst_section *section, struct wst_unpacker *unpacker,
                              struct wst_tally **tallies, struct ws_error *error);

/* Loads some blocks, at least one, as an image without a digest; messages do not name the file. Used by ws_image_load and
 * ws_trace_info. */
enum ws_status wst_image_load(const struct ws_trace *trace, const struct wst_blocks *blocks, u32 spaces, struct ws_image **image,
                              struct ws_error *error);
