#include "trace/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

bool wst_bytes_reserve(struct wst_bytes *bytes, size_t more)
{
    if (bytes->failed)
        return false;
    if (more <= bytes->room - bytes->length)
        return true;
    size_t room = bytes->room ? bytes->room : FIRST_ROOM;
    while (room - bytes->length < more && room <= SIZE_MAX / 2)
        room *= 2;
    u8 *const data = room - bytes->length < more ? NULL : realloc(bytes->data, room);
    if (!data) {
        bytes->failed = true;
        return false;
    }
    bytes->data = data;
    bytes->room = room;
    return true;
}

void wst_bytes_free(struct wst_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct wst_bytes){0};
}

void wst_put(struct wst_bytes *bytes, u64 value, u32 width)
{
    if (!wst_bytes_reserve(bytes, width))
        return;
    for (u32 n = 0; n < width; n++)
        bytes->data[bytes->length++] = (u8)(value >> (8 * n));
}

void wst_put_varint(struct wst_bytes *bytes, u64 value)
{
    if (wst_bytes_reserve(bytes, WST_VARINT_MOST))
        bytes->length = (size_t)(wst_write_varint(bytes->data + bytes->length, value) - bytes->data);
}

void wst_put_block(struct wst_bytes *bytes, const void *data, size_t length)
{
    if (!length || !wst_bytes_reserve(bytes, length))
        return;
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

void wst_put_text(struct wst_bytes *bytes, const char *text, u32 width)
{
    const size_t length = strlen(text);
    wst_put(bytes, length, width);
    wst_put_block(bytes, text, length);
}

u64 wst_get(struct wst_cursor *cursor, u32 width)
{
    const u8 *const from = wst_get_block(cursor, width);
    u64 value = 0;
    for (u32 n = 0; from && n < width; n++)
        value |= (u64)from[n] << (8 * n);
    return value;
}

const u8 *wst_get_block(struct wst_cursor *cursor, u64 length)
{
    if (cursor->bad || length > wst_left(cursor)) {
        cursor->bad = true;
        return NULL;
    }
    const u8 *const from = cursor->at;
    cursor->at += length;
    return from;
}

u64 wst_get_long_varint(struct wst_cursor *cursor)
{
    u64 value = 0;
    for (u32 shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
        const u64 byte = *cursor->at++;
        const u64 bits = byte & 0x7Fu;
        if (shift == 63 && bits > 1)
            break;
        value |= bits << shift;
        if (byte < 0x80u)
            return value;
    }
    cursor->bad = true;
    return 0;
}
