#include "trace/index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/error.h"
#include "trace/format.h"

void wst_index_free(struct wst_index *index)
{
    free(index->sections);
    free(index->frames);
    *index = (struct wst_index){0};
}

/* Doubles an array that is full. */
static bool make_room(void **array, u64 count, u64 *room, size_t size)
{
    if (count < *room)
        return true;
    const u64 larger = *room ? *room * 2 : 16;
    void *const data = larger <= SIZE_MAX / size ? realloc(*array, (size_t)larger * size) : NULL;
    if (!data)
        return false;
    *array = data;
    *room = larger;
    return true;
}

enum ws_status wst_index_add_frame(struct wst_index *index, const struct wst_frame *frame, struct ws_error *error)
{
    void *array = index->frames;
    if (!make_room(&array, index->frame_count, &index->frame_room, sizeof *index->frames))
        return ws_no_memory(error);
    index->frames = array;
    index->frames[index->frame_count++] = *frame;
    return WS_STATUS_ok;
}

enum ws_status wst_index_end_section(struct wst_index *index, u32 blocks, struct ws_error *error)
{
    void *array = index->sections;
    if (!make_room(&array, index->section_count, &index->section_room, sizeof *index->sections))
        return ws_no_memory(error);
    index->sections = array;
    u64 first_frame = 0;
    if (index->section_count) {
        const struct wst_section *const last = &index->sections[index->section_count - 1];
        first_frame = last->first_frame + last->frames;
    }
    index->sections[index->section_count++] = (struct wst_section){.first_block = index->blocks,
                                                                   .first_frame = first_frame,
                                                                   .blocks = blocks,
                                                                   .frames = (u32)(index->frame_count - first_frame)};
    index->blocks += blocks;
    return WS_STATUS_ok;
}

void wst_frame_write(const struct wst_frame *frame, struct wst_bytes *bytes)
{
    wst_put(bytes, frame->packed, 4);
    wst_put(bytes, frame->raw, 4);
    wst_put(bytes, frame->digest, 8);
    wst_put(bytes, frame->packed_digest, 8);
}

struct wst_frame wst_frame_read(struct wst_cursor *cursor)
{
    struct wst_frame frame = {.packed = (u32)wst_get(cursor, 4)};
    frame.raw = (u32)wst_get(cursor, 4);
    frame.digest = wst_get(cursor, 8);
    frame.packed_digest = wst_get(cursor, 8);
    return frame;
}

void wst_index_write(const struct wst_index *index, u32 version, struct wst_bytes *bytes)
{
    wst_frame_write(&index->launch, bytes);
    if (version == WST_CODE_VERSION)
        wst_frame_write(&index->code, bytes);
    for (u64 n = 0; n < index->section_count; n++) {
        const struct wst_section *const section = &index->sections[n];
        wst_put(bytes, section->blocks, 4);
        wst_put(bytes, section->frames, 4);
        for (u64 f = 0; f < section->frames; f++)
            wst_frame_write(&index->frames[section->first_frame + f], bytes);
    }
}

/* Reads the entry of a frame of at most so many bytes, and advances *offset past the frame. */
static enum ws_status read_frame(struct wst_cursor *cursor, u64 *offset, u64 end, u32 most, struct wst_frame *frame,
                                 struct ws_error *error)
{
    *frame = wst_frame_read(cursor);
    frame->offset = *offset;
    if (cursor->bad)
        return ws_fail(error, WS_STATUS_bad_input, "index ends inside an entry");
    if (frame->packed > end - *offset)
        return ws_fail(error, WS_STATUS_bad_input, "index: frame at byte %" PRIu64 " of %u bytes passes the index at byte %" PRIu64,
                       *offset, frame->packed, end);
    if (frame->raw > most)
        return ws_fail(error, WS_STATUS_bad_input, "index: frame at byte %" PRIu64 " holds %u bytes, at most %u are allowed",
                       *offset, frame->raw, most);
    *offset += frame->packed;
    return WS_STATUS_ok;
}

static enum ws_status read_section(struct wst_cursor *cursor, u64 *offset, u64 end, struct wst_index *index, struct ws_error *error)
{
    const u32 blocks = (u32)wst_get(cursor, 4);
    const u32 frames = (u32)wst_get(cursor, 4);
    if (cursor->bad || !blocks || !frames || wst_left(cursor) / WST_FRAME_BYTES < frames)
        return ws_fail(error, WS_STATUS_bad_input, "index: section %" PRIu64 " of %u blocks and %u frames is not sound",
                       index->section_count, blocks, frames);
    for (u32 n = 0; n < frames; n++) {
        struct wst_frame frame;
        WS_TRY(read_frame(cursor, offset, end, WST_FRAME_MOST, &frame, error));
        WS_TRY(wst_index_add_frame(index, &frame, error));
    }
    return wst_index_end_section(index, blocks, error);
}

enum ws_status wst_index_read(struct wst_cursor *cursor, u32 version, u64 end, struct wst_index *index, struct ws_error *error)
{
    u64 offset = WST_PREAMBLE_BYTES;
    WS_TRY(read_frame(cursor, &offset, end, WST_FRAME_MOST, &index->launch, error));
    if (version == WST_CODE_VERSION)
        WS_TRY(read_frame(cursor, &offset, end, WST_CODE_MOST, &index->code, error));
    while (wst_left(cursor))
        WS_TRY(read_section(cursor, &offset, end, index, error));
    if (offset != end)
        return ws_fail(error, WS_STATUS_bad_input, "index: frames end at byte %" PRIu64 ", the index begins at byte %" PRIu64,
                       offset, end);
    return WS_STATUS_ok;
}

u64 wst_chain(u64 digest, u64 value)
{
    u8 bytes[16];
    for (u32 n = 0; n < 8; n++) {
        bytes[n] = (u8)(digest >> (8 * n));
        bytes[8 + n] = (u8)(value >> (8 * n));
    }
    return XXH3_64bits(bytes, sizeof bytes);
}

u64 wst_index_digest(const struct wst_index *index, u32 version)
{
    u64 digest = wst_chain(version, index->launch.digest);
    if (version == WST_CODE_VERSION)
        digest = wst_chain(digest, index->code.digest);
    for (u64 n = 0; n < index->section_count; n++) {
        const struct wst_section *const section = &index->sections[n];
        digest = wst_chain(digest, (u64)section->frames << 32 | section->blocks);
        for (u64 f = 0; f < section->frames; f++)
            digest = wst_chain(digest, index->frames[section->first_frame + f].digest);
    }
    return digest;
}
