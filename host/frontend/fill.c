#include "frontend/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"

/* A buffer to be filled. */
struct target {
    const struct ws_element *element;
    u64 count, seed;
    u8 *data;
};

static void put(const struct target *to, u64 n, u64 bits)
{
    const size_t bytes = to->element->bits / 8;
    memcpy(to->data + n * bytes, &bits, bytes);
}

static u64 target_bytes(const struct target *to)
{
    return to->count * (to->element->bits / 8);
}

static void fill_zero(const struct target *to)
{
    memset(to->data, 0, target_bytes(to));
}

static void fill_iota(const struct target *to)
{
    for (u64 n = 0; n < to->count; n++)
        put(to, n, ws_element_of_index(to->element, n));
}

static enum ws_status fill_constant(const struct ws_yaml *node, const struct target *to, struct ws_error *error)
{
    u64 bits = 0;
    WS_TRY(ws_element_value(node, to->element, &bits, error));
    for (u64 n = 0; n < to->count; n++)
        put(to, n, bits);
    return WS_STATUS_ok;
}

static enum ws_status fill_random(const struct ws_yaml *node, const struct target *to, struct ws_error *error)
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
    for (u64 n = 0; n < to->count; n++)
        put(to, n, ws_element_between(to->element, low, high, ws_random(&state)));
    return WS_STATUS_ok;
}

/* The path of a file named in a launch file: relative to the launch file unless absolute. The caller frees it. */
static char *beside(const char *launch_file, const char *name)
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

static enum ws_status copy_file(const struct ws_yaml *node, const struct target *to, const char *path, struct ws_error *error)
{
    const u64 bytes = target_bytes(to);
    char *data = NULL;
    size_t length = 0;
    const enum ws_status status = ws_file_read(path, bytes, &data, &length, error);
    if (status == WS_STATUS_bad_input || (status == WS_STATUS_ok && length != bytes)) {
        const char *const size = status == WS_STATUS_ok ? "fewer" : "more";
        free(data);
        return ws_yaml_fail(node, error, "found %s with %s bytes, allowed are exactly %llu (%llu elements of %s)", path, size,
                            (unsigned long long)bytes, (unsigned long long)to->count, to->element->name);
    }
    if (status != WS_STATUS_ok) {
        ws_fail_in(error, "%s:%u: ", node->file, node->line);
        return status;
    }
    memcpy(to->data, data, bytes);
    free(data);
    return WS_STATUS_ok;
}

static enum ws_status fill_file(const struct ws_yaml *node, const struct target *to, struct ws_error *error)
{
    const char *name = NULL;
    WS_TRY(ws_yaml_text(node, &name, error));
    char *const path = beside(node->file, name);
    if (!path)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", node->file);
    const enum ws_status status = copy_file(node, to, path, error);
    free(path);
    return status;
}

static const struct {
    const char *key;
    enum ws_status (*fill)(const struct ws_yaml *node, const struct target *to, struct ws_error *error);
} fills[] = {{"constant", fill_constant}, {"random", fill_random}, {"file", fill_file}};

static enum ws_status fill_by_key(const struct ws_yaml *node, const struct target *to, struct ws_error *error)
{
    static const char *const known[] = {"constant", "random", "file", NULL};
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    if (node->count != 1)
        return ws_yaml_fail(node, error, "found %zu keys, allowed is one of constant, random, file", node->count);
    for (size_t n = 0; n < sizeof fills / sizeof fills[0]; n++) {
        const struct ws_yaml *const member = ws_yaml_get(node, fills[n].key);
        if (member)
            return fills[n].fill(member, to, error);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_fill(const struct ws_yaml *fill, const struct ws_element *element, u64 count, u64 seed, void *data,
                       struct ws_error *error)
{
    static const char *const words[] = {"zero", "iota", NULL};
    static void (*const plain[])(const struct target *) = {fill_zero, fill_iota};
    const struct target to = {.element = element, .count = count, .seed = seed, .data = data};
    size_t word = 0;
    if (fill && fill->kind == WS_YAML_MAPPING)
        return fill_by_key(fill, &to, error);
    if (fill)
        WS_TRY(ws_yaml_choice(fill, words, &word, error));
    plain[word](&to);
    return WS_STATUS_ok;
}
