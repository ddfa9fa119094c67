/* The format: numpy.lib.format, versions 1 to 3. A magic number, version, length of the header, and the header: a dictionary of
 * Python with descr, fortran_order and shape. */
#include "frontend/launch/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const char magic[] = "\x93NUMPY";

enum { MAGIC = 6, FIRST_LENGTH = 10, LATER_LENGTH = 12, ALIGNMENT = 64, LONGEST_TYPE = 16 };

/* A file's header while it is read. */
struct header {
    const struct ws_yaml *node;
    const char *path;
    const char *text, *end; /* the dictionary */
    size_t offset;          /* of what follows it */
    struct ws_error *error;
};

bool ws_npy_named(const char *path)
{
    return ws_stem(path, ".npy") > 0;
}

static enum ws_status damaged(const struct header *header, const char *what)
{
    return ws_yaml_fail(header->node, header->error, "found %s, which is no array of numpy: %s", header->path, what);
}

static u32 little(const char *bytes, u32 count)
{
    u32 value = 0;
    for (u32 n = count; n > 0; n--)
        value = value << 8 | (u8)bytes[n - 1];
    return value;
}

static enum ws_status find_dictionary(struct header *header, const char *bytes, size_t length)
{
    if (length < LATER_LENGTH || memcmp(bytes, magic, MAGIC) != 0)
        return damaged(header, "it does not begin like one");
    const u32 version = (u8)bytes[MAGIC];
    if (version < 1 || version > 3)
        return damaged(header, "its version is unknown");
    const size_t start = version == 1 ? FIRST_LENGTH : LATER_LENGTH;
    const size_t size = little(bytes + FIRST_LENGTH - 2, version == 1 ? 2 : 4);
    if (size > length - start)
        return damaged(header, "its header is cut off");
    header->text = bytes + start;
    header->end = header->text + size;
    header->offset = start + size;
    return WS_STATUS_ok;
}

/* The value of a key, behind "'key':" and blanks, or NULL. */
static const char *value_of(const struct header *header, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = header->text; at + length < header->end; at++)
        if (memcmp(at, key, length) == 0) {
            at += length;
            while (at < header->end && *at == ' ')
                at++;
            return at < header->end ? at : NULL;
        }
    return NULL;
}

static bool begins(const struct header *header, const char *at, const char *word)
{
    return (size_t)(header->end - at) >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

/* The product of "(3, 4)", "(5,)", "()". dimensions counts those other than 1. */
static enum ws_status read_shape(const struct header *header, u64 *count, u32 *dimensions)
{
    const char *at = value_of(header, "'shape':");
    *count = 1;
    *dimensions = 0;
    if (!at || *at++ != '(')
        return damaged(header, "its header has no shape");
    while (at < header->end && *at != ')') {
        u64 size = 0;
        const char *const digits = at;
        for (; at < header->end && *at >= '0' && *at <= '9' && size <= UINT32_MAX; at++)
            size = 10 * size + (u64)(*at - '0');
        if (at == digits || size > UINT64_C(1) << 34 || (size > 0 && *count > (UINT64_C(1) << 34) / size))
            return damaged(header, "its shape cannot be read, or is too large");
        *count *= size;
        *dimensions += size != 1;
        while (at < header->end && (*at == ',' || *at == ' '))
            at++;
    }
    return at < header->end ? WS_STATUS_ok : damaged(header, "its header is cut off");
}

/* The numpy types (descr) that an element accepts. */
static u32 elements_in(const struct ws_element *element, const char *type)
{
    static const char letters[] = {[WS_ELEMENT_integer] = 'i', [WS_ELEMENT_natural] = 'u', [WS_ELEMENT_real] = 'f'};
    const u32 bytes = element->bits / 8;
    char word[LONGEST_TYPE];
    snprintf(word, sizeof word, "%c%u", ws_element_is_foreign(element) ? 'u' : letters[element->kind], bytes);
    if (strcmp(type, word) == 0)
        return 1;
    snprintf(word, sizeof word, "c%u", 2 * bytes);
    if (element->kind == WS_ELEMENT_real && strcmp(type, word) == 0)
        return 2;
    const bool bits = element->kind == WS_ELEMENT_natural;
    return (bits && bytes == 1 && strcmp(type, "b1") == 0) || (bits && bytes == 2 && strcmp(type, "f2") == 0);
}

/* Elements per item of the array. */
static enum ws_status read_type(const struct header *header, const struct ws_element *element, u32 *each)
{
    const char *at = value_of(header, "'descr':");
    char type[LONGEST_TYPE] = "";
    if (!at)
        return damaged(header, "its header has no descr");
    if (*at != '\'')
        return ws_yaml_fail(header->node, header->error, "found %s, an array of structures; allowed are numbers of type %s",
                            header->path, element->name);
    for (size_t n = 0; ++at < header->end && *at != '\'' && n < sizeof type - 1; n++)
        type[n] = *at;
    *each = type[0] == '<' || type[0] == '|' ? elements_in(element, type + 1) : 0;
    return *each > 0 ? WS_STATUS_ok
                     : ws_yaml_fail(header->node, header->error, "found %s of type '%s', allowed is that of %s, little-endian",
                                    header->path, type, element->name);
}

enum ws_status ws_npy_header(const struct ws_yaml *node, const char *path, const char *bytes, size_t length,
                             const struct ws_element *element, size_t *offset, u64 *count, struct ws_error *error)
{
    struct header header = {.node = node, .path = path, .error = error};
    u32 each = 0, dimensions = 0;
    WS_TRY(find_dictionary(&header, bytes, length));
    WS_TRY(read_type(&header, element, &each));
    WS_TRY(read_shape(&header, count, &dimensions));
    const char *const order = value_of(&header, "'fortran_order':");
    if (!order || !(begins(&header, order, "False") || (begins(&header, order, "True") && dimensions <= 1)))
        return ws_yaml_fail(node, error, "found %s in the order of Fortran, allowed is that of C (numpy.ascontiguousarray)", path);
    *count *= each;
    *offset = header.offset;
    return WS_STATUS_ok;
}

void ws_npy_begin(struct ws_text *file, const struct ws_element *element, u64 count)
{
    static const char letters[] = {[WS_ELEMENT_integer] = 'i', [WS_ELEMENT_natural] = 'u', [WS_ELEMENT_real] = 'f'};
    char text[200];
    const int length = snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
                                element->bits == 8 ? '|' : '<', letters[element->kind], element->bits / 8, count);
    const u32 size = ((u32)length + 1 + FIRST_LENGTH + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - FIRST_LENGTH;
    const char head[] = {1, 0, (char)(size & 0xFF), (char)(size >> 8)};
    ws_text_bytes(file, magic, MAGIC);
    ws_text_bytes(file, head, sizeof head);
    ws_text_add(file, "%s%*s\n", text, (int)size - length - 1, "");
}
