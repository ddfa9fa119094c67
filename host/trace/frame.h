/* Frames: runs of bytes, compressed independently and identified by digests. */
#pragma once

#include "trace/bytes.h"
#include "warpsweep/status.h"

struct wst_frame {
    u64 offset;        /* in the file */
    u32 packed, raw;   /* bytes in the file, and of the contents */
    u64 digest;        /* XXH3 of the contents */
    u64 packed_digest; /* XXH3 of the stored bytes, checked before unpacking: detects any damage */
};

/* Compresses contents of at most UINT32_MAX bytes into packed and fills in all of frame but the offset. */
struct wst_packer;
enum ws_status wst_packer_make(struct wst_packer **packer, struct ws_error *error);
void wst_packer_free(struct wst_packer *packer);
enum ws_status wst_pack(struct wst_packer *packer, const u8 *raw, size_t length, const u8 **packed, struct wst_frame *frame,
                        struct ws_error *error);

/* Reads a frame of an open file. *contents belongs to the unpacker and is valid until its next use. Allocates no more than
 * frame->packed, which must lie inside the file, and frame->raw, which the caller must have checked against a limit. */
struct wst_unpacker;
enum ws_status wst_unpacker_make(int descriptor, struct wst_unpacker **unpacker, struct ws_error *error);
void wst_unpacker_free(struct wst_unpacker *unpacker);
enum ws_status wst_unpack(struct wst_unpacker *unpacker, const struct wst_frame *frame, struct wst_cursor *contents,
                          struct ws_error *error);

/* Whether the frame's bytes in the file match their digest; it is not unpacked. */
enum ws_status wst_frame_check(struct wst_unpacker *unpacker, const struct wst_frame *frame, struct ws_error *error);

/* Reads exactly length bytes at an offset of a file. */
enum ws_status wst_read_at(int descriptor, u64 offset, u8 *to, size_t length, struct ws_error *error);
