/* Numbers of the file: written little-endian into growing buffers, read by cursors that never pass their end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"

/* Most bytes of a variable-length number. */
#define WST_VARINT_MOST 10u

/* A growing buffer. Starts as {0}; freed by wst_bytes_free. After a failed allocation `failed` stays set and nothing more is added:
 * one check at the end suffices. */
struct wst_bytes {
    u8 *data;
    size_t length, room;
    bool failed;
};

/* Makes room for more bytes behind length. */
bool wst_bytes_reserve(struct wst_bytes *bytes, size_t more);
void wst_bytes_free(struct wst_bytes *bytes);

/* Adds the lowest `width` bytes of value, lowest first. */
void wst_put(struct wst_bytes *bytes, u64 value, u32 width);
void wst_put_varint(struct wst_bytes *bytes, u64 value);
void wst_put_block(struct wst_bytes *bytes, const void *data, size_t length);

/* Adds the length of a text, in `width` bytes, and its bytes. */
void wst_put_text(struct wst_bytes *bytes, const char *text, u32 width);

/* Writes a variable-length number (7 bits per byte, lowest first, the high bit set in all but the last) and returns the place
 * behind it. out has room for WST_VARINT_MOST bytes. */
static inline u8 *wst_write_varint(u8 *out, u64 value)
{
    while (value >= 0x80u) {
        *out++ = (u8)(value | 0x80u);
        value >>= 7;
    }
    *out++ = (u8)value;
    return out;
}

/* Bytes still to read. A read that would pass the end gives 0, or NULL, and sets `bad`. */
struct wst_cursor {
    const u8 *at, *end;
    bool bad;
};

u64 wst_get(struct wst_cursor *cursor, u32 width);
const u8 *wst_get_block(struct wst_cursor *cursor, u64 length);

/* The multi-byte part of wst_get_varint. */
u64 wst_get_long_varint(struct wst_cursor *cursor);

static inline u64 wst_get_varint(struct wst_cursor *cursor)
{
    if (cursor->at < cursor->end && *cursor->at < 0x80u)
        return *cursor->at++;
    return wst_get_long_varint(cursor);
}

static inline u64 wst_left(const struct wst_cursor *cursor)
{
    return (u64)(cursor->end - cursor->at);
}
