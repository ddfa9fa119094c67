#include "frontend/launch/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "frontend/launch/npy.h"

/* Most bytes of a buffer, and of the header of its file. */
#define MOST_BYTES  (UINT64_C(1) << 34)
#define MOST_HEADER (UINT64_C(1) << 20)

/* State of filling a buffer. */
struct target {
    const struct ws_element *element;
    bool counted; /* else the fill gives count */
    u64 count, seed;
    u8 *data;
};

static void put(struct target *to, u64 n, u64 bits)
{
    const size_t bytes = to->element->bits / 8;
    memcpy(to->data + n * bytes, &bits, bytes);
}

static u64 target_bytes(const struct target *to)
{
    return to->count * (to->element->bits / 8);
}

static enum ws_status make_room(const struct ws_yaml *node, struct target *to, struct ws_error *error)
{
    to->data = calloc(1, target_bytes(to));
    return to->data ? WS_STATUS_ok
                    : ws_fail(error, WS_STATUS_no_memory, "%s:%u: out of memory for %llu bytes", node->file, node->line,
                              (unsigned long long)target_bytes(to));
}

static void fill_zero(struct target *to)
{
    (void)to;
}

static void fill_iota(struct target *to)
{
    for (u64 n = 0; n < to->count; n++)
        put(to, n, ws_element_of_index(to->element, n));
}

static enum ws_status fill_constant(const struct ws_yaml *node, struct target *to, struct ws_error *error)
{
    u64 bits = 0;
    WS_TRY(make_room(node, to, error));
    WS_TRY(ws_element_value(node, to->element, &bits, error));
    for (u64 n = 0; n < to->count; n++)
        put(to, n, bits);
    return WS_STATUS_ok;
}

static enum ws_status fill_random(const struct ws_yaml *node, struct target *to, struct ws_error *error)
{
    static const char *const known[] = {"low", "high", "seed", NULL};
    const struct ws_yaml *low_node = NULL, *high_node = NULL;
    u64 low = 0, high = 0, state = to->seed;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(ws_yaml_need(node, "low", &low_node, error));
    WS_TRY(ws_yaml_need(node, "high", &high_node, error));
    WS_TRY(ws_element_value(low_node, to->element, &low, error));
    WS_TRY(ws_element_value(high_node, to->element, &high, error));
    if (ws_element_above(to->element, low, high))
        return ws_yaml_fail(high_node, error, "found '%s', allowed is at least low, which is %s", high_node->text, low_node->text);
    const struct ws_yaml *const seed = ws_yaml_get(node, "seed");
    if (seed)
        WS_TRY(ws_yaml_unsigned(seed, 0, UINT64_MAX, &state, error));
    WS_TRY(make_room(node, to, error));
    for (u64 n = 0; n < to->count; n++)
        put(to, n, ws_element_between(to->element, low, high, ws_random(&state)));
    return WS_STATUS_ok;
}

char *ws_beside(const char *launch_file, const char *name)
{
    const char *const slash = name[0] == '/' ? NULL : strrchr(launch_file, '/');
    const size_t folder = slash ? (size_t)(slash - launch_file) + 1 : 0;
    struct ws_text path = {0};
    ws_text_bytes(&path, launch_file, folder);
    ws_text_add(&path, "%s", name);
    if (path.failed)
        ws_text_free(&path);
    return path.data;
}

/* The elements in a file: a numpy array, or all of its bytes. */
static enum ws_status find_elements(const struct ws_yaml *node, const struct target *to, const char *path, const char *bytes,
                                    size_t length, size_t *offset, u64 *count, struct ws_error *error)
{
    const u32 each = to->element->bits / 8;
    *offset = 0;
    *count = length / each;
    if (ws_npy_named(path))
        WS_TRY(ws_npy_header(node, path, bytes, length, to->element, offset, count, error));
    if (ws_npy_named(path) ? *count != (length - *offset) / each || (length - *offset) % each != 0 : length % each != 0)
        return ws_yaml_fail(node, error, "found %s with %zu bytes of elements, which are no %s of %s", path, length - *offset,
                            ws_npy_named(path) ? "array" : "whole number", to->element->name);
    return WS_STATUS_ok;
}

static enum ws_status read_elements(const struct ws_yaml *node, struct target *to, const char *path, char *bytes, size_t length,
                                    struct ws_error *error)
{
    size_t offset = 0;
    u64 count = 0;
    WS_TRY(find_elements(node, to, path, bytes, length, &offset, &count, error));
    if (to->counted && count != to->count)
        return ws_yaml_fail(node, error, "found %s with %s bytes, allowed are exactly %llu (%llu elements of %s)", path,
                            count < to->count ? "fewer" : "more", (unsigned long long)target_bytes(to),
                            (unsigned long long)to->count, to->element->name);
    if (count == 0)
        return ws_yaml_fail(node, error, "found %s, which is empty", path);
    to->count = count;
    memmove(bytes, bytes + offset, target_bytes(to));
    return WS_STATUS_ok;
}

static enum ws_status copy_file(const struct ws_yaml *node, struct target *to, const char *path, struct ws_error *error)
{
    const u64 most = to->counted ? target_bytes(to) : MOST_BYTES;
    char *data = NULL;
    size_t length = 0;
    enum ws_status status = ws_file_read(path, ws_npy_named(path) ? most + MOST_HEADER : most, &data, &length, error);
    if (status == WS_STATUS_bad_input)
        return ws_yaml_fail(node, error, "found %s with more bytes, allowed are %s%llu (%llu elements of %s)", path,
                            to->counted ? "exactly " : "at most ", (unsigned long long)most,
                            (unsigned long long)most / (to->element->bits / 8), to->element->name);
    if (status != WS_STATUS_ok)
        return ws_fail_in(error, "%s:%u: ", node->file, node->line);
    status = read_elements(node, to, path, data, length, error);
    if (status == WS_STATUS_ok)
        to->data = (u8 *)data;
    else
        free(data);
    return status;
}

static enum ws_status fill_file(const struct ws_yaml *node, struct target *to, struct ws_error *error)
{
    const char *name = NULL;
    WS_TRY(ws_yaml_text(node, &name, error));
    char *const path = ws_beside(node->file, name);
    if (!path)
        return ws_yaml_no_memory(node, error);
    const enum ws_status status = copy_file(node, to, path, error);
    free(path);
    return status;
}

static enum ws_status fill_values(const struct ws_yaml *node, struct target *to, struct ws_error *error)
{
    u64 n = 0;
    WS_TRY(ws_yaml_expect(node, WS_YAML_SEQUENCE, error));
    if (node->count == 0 || (to->counted && node->count != to->count))
        return ws_yaml_fail(node, error, "found %zu values, allowed %s %llu", node->count,
                            to->counted ? "are exactly" : "is at least", (unsigned long long)(to->counted ? to->count : 1));
    to->count = node->count;
    WS_TRY(make_room(node, to, error));
    for (const struct ws_yaml *item = node->first; item; item = item->next) {
        u64 bits = 0;
        WS_TRY(ws_element_value(item, to->element, &bits, error));
        put(to, n++, bits);
    }
    return WS_STATUS_ok;
}

static const struct {
    const char *key;
    enum ws_status (*fill)(const struct ws_yaml *node, struct target *to, struct ws_error *error);
    bool counts; /* the node gives the number of elements */
} fills[] = {
    {"constant", fill_constant, false}, {"random", fill_random, false}, {"values", fill_values, true}, {"file", fill_file, true}};

static enum ws_status fill_by_key(const struct ws_yaml *buffer, const struct ws_yaml *node, struct target *to,
                                  struct ws_error *error)
{
    static const char *const known[] = {"constant", "random", "values", "file", NULL};
    const struct ws_yaml *count;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    if (node->count != 1)
        return ws_yaml_fail(node, error, "found %zu keys, allowed is one of constant, random, values, file", node->count);
    for (size_t n = 0; n < sizeof fills / sizeof fills[0]; n++) {
        const struct ws_yaml *const member = ws_yaml_get(node, fills[n].key);
        if (member && !to->counted && !fills[n].counts)
            return ws_yaml_need(buffer, "count", &count, error);
        if (member)
            return fills[n].fill(member, to, error);
    }
    return WS_STATUS_ok;
}

static enum ws_status fill(const struct ws_yaml *buffer, struct target *to, struct ws_error *error)
{
    static const char *const words[] = {"zero", "iota", NULL};
    static void (*const plain[])(struct target *) = {fill_zero, fill_iota};
    const struct ws_yaml *const node = ws_yaml_get(buffer, "fill");
    const struct ws_yaml *count;
    size_t word = 0;
    if (node && node->kind == WS_YAML_MAPPING)
        return fill_by_key(buffer, node, to, error);
    if (!to->counted)
        return ws_yaml_need(buffer, "count", &count, error);
    if (node)
        WS_TRY(ws_yaml_choice(node, words, &word, error));
    WS_TRY(make_room(buffer, to, error));
    plain[word](to);
    return WS_STATUS_ok;
}

enum ws_status ws_fill(const struct ws_yaml *buffer, const struct ws_element *element, u64 known, u64 seed, void **data, u64 *count,
                       struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(buffer, "count");
    struct target to = {.element = element, .seed = seed, .count = known, .counted = known > 0 || node};
    *data = NULL;
    if (node)
        WS_TRY(ws_yaml_unsigned(node, 1, MOST_BYTES / (element->bits / 8), &to.count, error));
    const enum ws_status status = fill(buffer, &to, error);
    if (status == WS_STATUS_ok) {
        *data = to.data;
        *count = to.count;
    } else {
        free(to.data);
    }
    return status;
}
