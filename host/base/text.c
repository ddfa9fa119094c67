#include "base/text.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, LONGEST_WORD = 63 };

static bool reserve(struct ws_text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    const size_t needed = text->length + more + 1;
    if (needed <= text->room)
        return true;
    const size_t room = needed < FIRST_ROOM ? FIRST_ROOM : 2 * needed;
    char *const data = realloc(text->data, room);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->room = room;
    return true;
}

void ws_text_add(struct ws_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void ws_text_bytes(struct ws_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void ws_text_free(struct ws_text *text)
{
    free(text->data);
    *text = (struct ws_text){0};
}

size_t ws_stem(const char *name, const char *suffix)
{
    const size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0 ? length - end : 0;
}

/* Edit distance with transpositions (optimal string alignment), three rows of the table at a time. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST_WORD + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        const size_t *const before = rows[(i + 1) % 3], *const above = rows[(i - 1) % 3];
        size_t *const row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = ws_least(above[j - 1] + (a[i - 1] != b[j - 1]), ws_least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = ws_least(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

void ws_nearest_offer(struct ws_nearest *nearest, const char *known)
{
    const size_t length = strlen(nearest->word), known_length = strlen(known);
    if (length > LONGEST_WORD || known_length > LONGEST_WORD)
        return;
    const size_t distance = edit_distance(nearest->word, length, known, known_length);
    if (distance > (length + 2) / 3 || distance >= known_length || (nearest->best && distance >= nearest->distance))
        return;
    nearest->best = known;
    nearest->distance = distance;
}

void ws_names_offer(struct ws_names *names, const char *known)
{
    ws_text_add(&names->list, "%s%s", names->list.length > 0 ? ", " : "", known);
    ws_nearest_offer(&names->nearest, known);
    names->count++;
}

const char *ws_names_text(struct ws_names *names)
{
    if (names->listing && names->count > WS_NAMES_SHOWN) {
        ws_text_free(&names->list);
        ws_text_add(&names->list, "listed by '%s'", names->listing);
        names->listing = NULL;
    }
    if (names->nearest.best)
        ws_text_add(&names->list, " (did you mean '%s'?)", names->nearest.best);
    names->nearest.best = NULL;
    if (names->list.failed)
        return "others";
    return names->list.data ? names->list.data : "none";
}

void ws_names_free(struct ws_names *names)
{
    ws_text_free(&names->list);
}
