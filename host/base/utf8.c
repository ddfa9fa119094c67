#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>

/* Lead bytes, how many bytes follow, and the range of the first that follows; the others are 0x80 to 0xBF. */
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
