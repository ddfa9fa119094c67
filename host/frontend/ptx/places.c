#include "frontend/ptx/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BITS = 24, MOST_FILES = 1 << (32 - LINE_BITS), LINE_MASK = (1 << LINE_BITS) - 1 };

static const char directive[] = ".file";

/* Start of the next .file at the beginning of a line, or NULL. */
static const char *next_directive(const char *at, const char *end)
{
    const size_t length = sizeof directive - 1;
    while (at < end) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if ((size_t)(end - at) > length && memcmp(at, directive, length) == 0)
            return at + length;
        const char *const line_end = memchr(at, '\n', (size_t)(end - at));
        at = line_end ? line_end + 1 : end;
    }
    return NULL;
}

/* .file 2 "folder/name": the last string of the line, without folders. */
static bool note_file(struct ws_places *places, struct ws_arena *arena, const char *at, const char *end)
{
    char number[16] = {0};
    const char *const line_end = memchr(at, '\n', (size_t)(end - at));
    const char *last = line_end ? line_end : end, *first;
    memcpy(number, at, (size_t)(last - at) < sizeof number ? (size_t)(last - at) : sizeof number - 1);
    const unsigned long n = strtoul(number, NULL, 10);
    while (last > at && last[-1] != '"')
        last--;
    for (first = last > at ? --last : at; first > at && first[-1] != '"' && first[-1] != '/';)
        first--;
    if (n == 0 || n >= MOST_FILES || first == at)
        return true;
    places->files[n] = ws_arena_text(arena, first, (size_t)(last - first));
    return places->files[n] != NULL;
}

bool ws_places_compiled(struct ws_places *places, struct ws_arena *arena, const char *text, size_t length)
{
    const char *at = text, *const end = text + length;
    places->compiled = true;
    places->file_count = MOST_FILES;
    places->files = ws_arena_array(arena, MOST_FILES, sizeof *places->files);
    if (!places->files)
        return false;
    while ((at = next_directive(at, end)))
        if (!note_file(places, arena, at, end))
            return false;
    return true;
}

u32 ws_place(u64 file, u64 line)
{
    return line == 0 || line > LINE_MASK ? 0 : (u32)(file < MOST_FILES ? file << LINE_BITS : 0) | (u32)line;
}

u32 ws_place_line(const struct ws_places *places, u32 place)
{
    return places->compiled ? place & LINE_MASK : place;
}

/* The source by the user's name for it; other files without folders. */
static const char *file_name(const struct ws_places *places, u32 file)
{
    const char *const slash = strrchr(places->name, '/');
    const char *const known = file < places->file_count ? places->files[file] : NULL;
    return known && strcmp(known, slash ? slash + 1 : places->name) != 0 ? known : places->name;
}

struct ws_place_text ws_place_text(const struct ws_places *places, u32 place)
{
    struct ws_place_text at;
    const char *const name = places->compiled ? file_name(places, place >> LINE_BITS) : places->name;
    const u32 line = ws_place_line(places, place);
    if (line || !places->compiled)
        snprintf(at.text, sizeof at.text, "%s:%u", name, line);
    else
        snprintf(at.text, sizeof at.text, "%s", name);
    return at;
}
