/* The index: where the frames of a trace file are, and to which blocks they belong. */
#pragma once

#include "trace/frame.h"

/* Consecutive blocks whose frames can be read alone: streams, in order, then the table of their threads. */
struct wst_section {
    u64 first_block, first_frame;
    u32 blocks, frames;
};

struct wst_index {
    struct wst_frame launch, code;
    struct wst_section *sections;
    struct wst_frame *frames;
    u64 section_count, section_room, frame_count, frame_room;
    u64 blocks; /* in all sections */
};

void wst_index_free(struct wst_index *index);

/* Writing: adds a frame to the section being built, ends that section. */
enum ws_status wst_index_add_frame(struct wst_index *index, const struct wst_frame *frame, struct ws_error *error);
enum ws_status wst_index_end_section(struct wst_index *index, u32 blocks, struct ws_error *error);
void wst_index_write(const struct wst_index *index, u32 version, struct wst_bytes *bytes);

/* Reading an index of a version of the format: the frames must fill the file exactly from its preamble to byte end. To be freed by
 * wst_index_free in every case. */
enum ws_status wst_index_read(struct wst_cursor *cursor, u32 version, u64 end, struct wst_index *index, struct ws_error *error);

/* An index entry; the offset is not stored. */
void wst_frame_write(const struct wst_frame *frame, struct wst_bytes *bytes);
struct wst_frame wst_frame_read(struct wst_cursor *cursor);

/* Chains a value into a digest: the digest of both as 16 bytes, lowest first. */
u64 wst_chain(u64 digest, u64 value);

/* Digest of the trace's contents, independent of compression: over the digests of all contents and their blocks. version: of the
 * format. */
u64 wst_index_digest(const struct wst_index *index, u32 version);
