#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Lead bytes, number of following bytes, and range of the first of these. The others are 0x80 to 0xBF. */
static const struct {
    unsigned char lead_least, lead_most, following, next_least, next_most;
} forms[] = {
    {0x00, 0x7F, 0, 0x80, 0xBF}, {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
    {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF},
    {0xF0, 0xF0, 3, 0x90, 0xBF}, {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

static bool within(unsigned char byte, unsigned char least, unsigned char most)
{
    return least <= byte && byte <= most;
}

/* Bytes of the character at bytes, 0 when it is malformed. */
static size_t character(const unsigned char *bytes, size_t left)
{
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        if (!within(bytes[0], forms[n].lead_least, forms[n].lead_most))
            continue;
        if (forms[n].following >= left)
            return 0;
        if (forms[n].following > 0 && !within(bytes[1], forms[n].next_least, forms[n].next_most))
            return 0;
        for (size_t i = 2; i <= forms[n].following; i++) {
            if (!within(bytes[i], 0x80, 0xBF))
                return 0;
        }
        return 1u + forms[n].following;
    }
    return 0;
}

size_t ws_utf8_span(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        const size_t bytes = character((const unsigned char *)text + at, length - at);
        if (bytes == 0)
            break;
        at += bytes;
    }
    return at;
}

void ws_utf8_shorten(char *text, size_t length, size_t room)
{
    enum { NOTE_ROOM = 40, FOLLOWING_MOST = 3 };
    if (length < room)
        return;
    size_t kept = room - NOTE_ROOM;
    for (int n = 0; n < FOLLOWING_MOST && within((unsigned char)text[kept], 0x80, 0xBF); n++)
        kept--;
    snprintf(text + kept, NOTE_ROOM, "... (%zu bytes more)", length - kept);
}

void ws_utf8_copy(char *text, size_t room, const char *whole)
{
    snprintf(text, room, "%s", whole);
    ws_utf8_shorten(text, strlen(whole), room);
}

/* Code points that do not take one column (Unicode 15, East Asian Width W and F; combining marks of the common scripts). */
static const struct {
    uint32_t first, last;
    size_t columns;
} widths[] = {
    {0x0300, 0x036F, 0}, {0x0483, 0x0489, 0}, {0x1100, 0x115F, 2},   {0x1AB0, 0x1AFF, 0},   {0x1DC0, 0x1DFF, 0},
    {0x200B, 0x200F, 0}, {0x20D0, 0x20FF, 0}, {0x2E80, 0x303E, 2},   {0x3041, 0xA4CF, 2},   {0xA960, 0xA97F, 2},
    {0xAC00, 0xD7A3, 2}, {0xF900, 0xFAFF, 2}, {0xFE00, 0xFE0F, 0},   {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},
    {0xFF00, 0xFF60, 2}, {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1F64F, 2}, {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2},
};

static size_t columns_of(uint32_t point)
{
    for (size_t n = 0; n < sizeof widths / sizeof *widths; n++)
        if (widths[n].first <= point && point <= widths[n].last)
            return widths[n].columns;
    return 1;
}

size_t ws_utf8_columns(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t columns = 0;
    for (size_t left = strlen(text); left > 0;) {
        const size_t bytes = character(at, left);
        uint32_t point = bytes > 1 ? at[0] & (0xFFu >> (bytes + 1)) : 0;
        for (size_t n = 1; n < bytes; n++)
            point = point << 6 | (at[n] & 0x3F);
        columns += columns_of(point);
        at += bytes ? bytes : 1;
        left -= bytes ? bytes : 1;
    }
    return columns;
}
