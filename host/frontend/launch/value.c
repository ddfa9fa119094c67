#include "frontend/launch/value.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

enum { POINTER_BYTES = 8, LONGEST_TYPE = 16 };

/* Adds zeros up to a size. */
static void pad(struct launch_value *value, u64 bytes)
{
    static const char zeros[128];
    while (value->bytes.length < bytes && !value->bytes.failed) {
        const u64 missing = bytes - value->bytes.length;
        ws_text_bytes(&value->bytes, zeros, missing < sizeof zeros ? missing : sizeof zeros);
    }
}

static enum ws_status add_pointer(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_value *value,
                                  struct launch_pointer pointer, struct ws_error *error)
{
    value->pointers =
        ws_arena_grow(&file->arena, value->pointers, value->pointer_count, &value->pointer_room, sizeof *value->pointers);
    if (!value->pointers)
        return ws_yaml_no_memory(node, error);
    value->pointers[value->pointer_count++] = pointer;
    return WS_STATUS_ok;
}

static enum ws_status add_number(const struct ws_yaml *node, const struct ws_element *element, struct launch_value *value,
                                 struct ws_error *error)
{
    u64 bits = 0;
    WS_TRY(ws_element_value(node, element, &bits, error));
    ws_text_bytes(&value->bytes, (const char *)&bits, element->bits / 8);
    return WS_STATUS_ok;
}

/* ---- By key ---- */

static enum ws_status read_scalar(struct ws_launch_file *file, const struct ws_yaml *node, const struct ws_yaml *type,
                                  struct launch_value *value, struct ws_error *error)
{
    static const char *const known[] = {"name", "scalar", "value", NULL};
    const struct ws_element *element = NULL;
    const struct ws_yaml *number = NULL;
    (void)file;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(ws_element_type(type, &element, error));
    WS_TRY(ws_yaml_need(node, "value", &number, error));
    value->align = element->bits / 8;
    value->type = element->name;
    return add_number(number, element, value, error);
}

/* The list of a vector or array. */
static enum ws_status read_list(const struct ws_yaml *node, const struct ws_yaml *type, const struct ws_element **element,
                                const struct ws_yaml **list, struct launch_value *value, struct ws_error *error)
{
    WS_TRY(ws_element_type(type, element, error));
    WS_TRY(ws_yaml_need(node, "value", list, error));
    WS_TRY(ws_yaml_expect(*list, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *item = (*list)->first; item; item = item->next)
        WS_TRY(add_number(item, *element, value, error));
    return WS_STATUS_ok;
}

/* As OpenCL has them: a vector of 3 has the size of one of 4, and each is aligned to its size. */
static enum ws_status read_vector(struct ws_launch_file *file, const struct ws_yaml *node, const struct ws_yaml *type,
                                  struct launch_value *value, struct ws_error *error)
{
    static const char *const known[] = {"name", "vector", "value", NULL};
    const struct ws_element *element = NULL;
    const struct ws_yaml *list = NULL;
    char word[LONGEST_TYPE];
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(read_list(node, type, &element, &list, value, error));
    const size_t n = list->count;
    if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16)
        return ws_yaml_fail(list, error, "found %zu components, allowed are 2, 3, 4, 8, 16", n);
    snprintf(word, sizeof word, "%sx%zu", element->name, n);
    value->type = ws_arena_text(&file->arena, word, strlen(word));
    value->align = (n == 3 ? 4 : n) * (element->bits / 8);
    pad(value, value->align);
    return value->type ? WS_STATUS_ok : ws_yaml_no_memory(node, error);
}

static enum ws_status read_array(struct ws_launch_file *file, const struct ws_yaml *node, const struct ws_yaml *type,
                                 struct launch_value *value, struct ws_error *error)
{
    static const char *const known[] = {"name", "array", "value", NULL};
    const struct ws_element *element = NULL;
    const struct ws_yaml *list = NULL;
    (void)file;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(read_list(node, type, &element, &list, value, error));
    if (list->count == 0)
        return ws_yaml_fail(list, error, "found no values, allowed is at least 1");
    value->align = element->bits / 8;
    value->type = strcmp(element->name, "u8") == 0 ? NULL : "struct"; /* bytes of anything */
    return WS_STATUS_ok;
}

static enum ws_status read_struct(struct ws_launch_file *file, const struct ws_yaml *node, const struct ws_yaml *type,
                                  struct launch_value *value, struct ws_error *error)
{
    static const char *const known[] = {"name", "struct", NULL};
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    return launch_struct_read(file, type, value, error);
}

static const struct {
    const char *key;
    enum ws_status (*read)(struct ws_launch_file *file, const struct ws_yaml *node, const struct ws_yaml *type,
                           struct launch_value *value, struct ws_error *error);
} kinds[] = {{"scalar", read_scalar}, {"vector", read_vector}, {"array", read_array}, {"struct", read_struct}};

/* *found is false when the mapping has none of the keys. */
static enum ws_status read_by_key(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_value *value, bool *found,
                                  struct ws_error *error)
{
    *found = true;
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        const struct ws_yaml *const type = ws_yaml_get(node, kinds[n].key);
        if (!type)
            continue;
        WS_TRY(kinds[n].read(file, node, type, value, error));
        return value->bytes.failed ? ws_yaml_no_memory(node, error) : WS_STATUS_ok;
    }
    *found = false;
    return WS_STATUS_ok;
}

enum ws_status launch_value_read(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_value *value,
                                 struct ws_error *error)
{
    bool found;
    WS_TRY(read_by_key(file, node, value, &found, error));
    return found ? WS_STATUS_ok
                 : ws_yaml_fail(node, error,
                                "one of the keys scalar, vector, array, struct, buffer, image, sampler, shared is missing");
}

/* ---- Structs ---- */

static enum ws_status read_pointer(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_value *value,
                                   struct ws_error *error)
{
    static const char *const known[] = {"name", "buffer", "offset", NULL};
    struct launch_pointer pointer = {0};
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(launch_buffer_name(file, ws_yaml_get(node, "buffer"), true, &pointer.buffer, error));
    WS_TRY(launch_buffer_offset(file, node, pointer.buffer, &pointer.offset, error));
    value->align = POINTER_BYTES;
    pad(value, POINTER_BYTES);
    return add_pointer(file, node, value, pointer, error);
}

static enum ws_status read_member(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_value *value,
                                  struct ws_error *error)
{
    bool found = false;
    WS_TRY(ws_yaml_expect(node, WS_YAML_MAPPING, error));
    if (ws_yaml_get(node, "buffer"))
        return read_pointer(file, node, value, error);
    WS_TRY(read_by_key(file, node, value, &found, error));
    return found ? WS_STATUS_ok : ws_yaml_fail(node, error, "one of the keys scalar, vector, array, struct, buffer is missing");
}

static enum ws_status append(struct ws_launch_file *file, const struct ws_yaml *node, const struct launch_value *member,
                             struct launch_value *value, struct ws_error *error)
{
    const u64 start = ws_round_up(value->bytes.length, member->align);
    pad(value, start);
    ws_text_bytes(&value->bytes, member->bytes.data, member->bytes.length);
    value->align = member->align > value->align ? member->align : value->align;
    for (size_t n = 0; n < member->pointer_count; n++) {
        struct launch_pointer pointer = member->pointers[n];
        pointer.at += start;
        WS_TRY(add_pointer(file, node, value, pointer, error));
    }
    return value->bytes.failed || member->bytes.failed ? ws_yaml_no_memory(node, error) : WS_STATUS_ok;
}

enum ws_status launch_struct_read(struct ws_launch_file *file, const struct ws_yaml *list, struct launch_value *value,
                                  struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    if (list->count == 0)
        return ws_yaml_fail(list, error, "found no members, allowed is at least 1");
    value->type = "struct";
    value->align = 1;
    for (const struct ws_yaml *item = list->first; item; item = item->next) {
        struct launch_value member = {0};
        enum ws_status status = read_member(file, item, &member, error);
        WS_THEN(status, append(file, item, &member, value, error));
        ws_text_free(&member.bytes);
        WS_TRY(status);
    }
    pad(value, ws_round_up(value->bytes.length, value->align));
    return value->bytes.failed ? ws_yaml_no_memory(list, error) : WS_STATUS_ok;
}

/* ---- Pointers ---- */

const u64 *launch_pointer_places(struct ws_launch_file *file, const struct launch_pointer *pointers, size_t count)
{
    u64 *const places = ws_arena_array(&file->arena, count + 1, sizeof *places);
    for (size_t n = 0; n < count && places; n++)
        places[n] = pointers[n].at;
    return places;
}

void launch_pointers_write(const struct ws_launch_file *file, const struct launch_pointer *pointers, size_t count, u8 *data)
{
    for (size_t n = 0; n < count; n++) {
        const u32 buffer = pointers[n].buffer;
        const u8 *const to =
            buffer == LAUNCH_NO_BUFFER ? NULL : (const u8 *)file->buffers[launch_bound(file, buffer)].data + pointers[n].offset;
        memcpy(data + pointers[n].at, &to, POINTER_BYTES);
    }
}
