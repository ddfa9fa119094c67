/* The buffers of a launch file, and initial values of variables. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "frontend/launch/fill.h"
#include "frontend/launch/image.h"
#include "frontend/launch/value.h"

enum { POINTER_BYTES = 8 };
#define MOST_ADDRESS ((UINT64_C(1) << 48) - 1)

/* ---- Names ---- */

static bool is_null(const struct ws_yaml *node)
{
    return node->kind == WS_YAML_SCALAR && !node->quoted && strcmp(node->text, "null") == 0;
}

static enum ws_status no_such(const struct ws_launch_file *file, const struct ws_yaml *node, const char *name, bool null,
                              struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}};
    for (u32 n = 0; n < file->named; n++)
        ws_names_offer(&names, file->buffers[n].name);
    if (null)
        ws_names_offer(&names, "null");
    const enum ws_status status =
        ws_yaml_fail(node, error, "found '%s', allowed are the file's buffers: %s", name, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

enum ws_status launch_buffer_name(const struct ws_launch_file *file, const struct ws_yaml *node, bool null, u32 *buffer,
                                  struct ws_error *error)
{
    const char *name = NULL;
    *buffer = LAUNCH_NO_BUFFER;
    WS_TRY(ws_yaml_expect(node, WS_YAML_SCALAR, error));
    if (null && is_null(node))
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_text(node, &name, error));
    for (u32 n = 0; n < file->named; n++)
        if (strcmp(file->buffers[n].name, name) == 0)
            *buffer = n;
    return *buffer == LAUNCH_NO_BUFFER ? no_such(file, node, name, null, error) : WS_STATUS_ok;
}

enum ws_status launch_buffer_offset(const struct ws_launch_file *file, const struct ws_yaml *mapping, u32 buffer, u64 *offset,
                                    struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(mapping, "offset");
    *offset = 0;
    if (!node)
        return WS_STATUS_ok;
    if (buffer == LAUNCH_NO_BUFFER)
        return ws_yaml_fail(node, error, "found '%s', the null pointer has no offset", node->text ? node->text : "more");
    const struct ws_buffer *const to = &file->buffers[buffer];
    if (!to->type)
        return ws_yaml_fail(node, error, "found an offset into %s, a struct that comes later; let it come first", to->name);
    const u64 each = ws_element_named(to->type)->bits / 8;
    WS_TRY(ws_yaml_unsigned(node, 0, to->bytes / each - 1, offset, error));
    *offset *= each;
    return WS_STATUS_ok;
}

/* ---- Contents ---- */

static struct ws_buffer *append(struct ws_launch_file *file, const struct ws_yaml *node, const char *name)
{
    struct ws_buffer *const buffers =
        ws_arena_grow(&file->arena, file->buffers, file->buffer_count, &file->buffer_room, sizeof *buffers);
    if (!buffers)
        return NULL;
    file->buffers = buffers;
    struct ws_buffer *const buffer = &buffers[file->buffer_count++];
    *buffer = (struct ws_buffer){.name = name, .file = node->file, .line = node->line};
    return buffer;
}

static enum ws_status fill_elements(struct ws_buffer *buffer, const struct ws_yaml *mapping, const struct ws_yaml *type, u64 seed,
                                    struct ws_error *error)
{
    const struct ws_element *element = NULL;
    u64 count = 0;
    WS_TRY(ws_element_type(type, &element, error));
    WS_TRY(ws_fill(mapping, element, 0, seed, &buffer->data, &count, error));
    buffer->type = element->name;
    buffer->bytes = count * (element->bits / 8);
    return WS_STATUS_ok;
}

enum ws_status launch_buffer_add(struct ws_launch_file *file, const struct ws_yaml *mapping, const struct ws_yaml *type, u64 seed,
                                 const char *name, u32 *number, struct ws_error *error)
{
    struct ws_buffer *const buffer = append(file, mapping, name);
    *number = (u32)file->buffer_count - 1;
    return buffer ? fill_elements(buffer, mapping, type, seed, error) : ws_yaml_no_memory(mapping, error);
}

/* One of the images among `buffers`. */
static enum ws_status find_image(const struct ws_launch_file *file, const struct ws_yaml *node, u32 *buffer, struct ws_error *error)
{
    if (launch_buffer_name(file, node, false, buffer, NULL) == WS_STATUS_ok && file->buffers[*buffer].image)
        return WS_STATUS_ok;
    struct ws_names names = {.nearest = {.word = node->text}};
    for (const char *const *shape = launch_shape_names(); *shape; shape++)
        ws_names_offer(&names, *shape);
    for (u32 n = 0; n < file->named; n++)
        if (file->buffers[n].image)
            ws_names_offer(&names, file->buffers[n].name);
    const enum ws_status status = ws_yaml_fail(node, error, "found '%s', allowed are %s", node->text, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

enum ws_status launch_image_read(struct ws_launch_file *file, const struct ws_yaml *mapping, const char *const *own,
                                 const char *const *named, u64 seed, const char *name, u32 *number, struct ws_error *error)
{
    const struct ws_yaml *const image = ws_yaml_get(mapping, "image");
    WS_TRY(ws_yaml_expect(image, WS_YAML_SCALAR, error));
    const bool shape = launch_is_shape(image->text);
    WS_TRY(ws_yaml_expect_keys(mapping, shape ? own : named, error));
    if (!shape)
        return find_image(file, image, number, error);
    struct ws_buffer *const buffer = append(file, mapping, name);
    *number = (u32)file->buffer_count - 1;
    return buffer ? launch_image_fill(file, mapping, seed, buffer, error) : ws_yaml_no_memory(mapping, error);
}

static const char *const image_keys[] = {"image", "size", "order", "format", "fill", "sampler", "address", NULL};

/* Whether a mapping is a buffer of elements, an image or a single struct. Fails for any other key. */
static enum ws_status check_keys(const struct ws_yaml *node, struct ws_error *error)
{
    static const char *const elements[] = {"type", "count", "fill", "pointers", "address", NULL}, *const structs[] = {
                                                                                                      "struct", "address", NULL};
    WS_TRY(ws_yaml_expect(node, WS_YAML_MAPPING, error));
    if (ws_yaml_get(node, "struct"))
        return ws_yaml_expect_keys(node, structs, error);
    return ws_yaml_expect_keys(node, ws_yaml_get(node, "image") ? image_keys : elements, error);
}

static enum ws_status read_elements(struct ws_buffer *buffer, const struct ws_yaml *node, u64 seed, struct ws_error *error)
{
    const struct ws_yaml *type = NULL;
    WS_TRY(ws_yaml_need(node, "type", &type, error));
    return fill_elements(buffer, node, type, seed, error);
}

/* Where the kernel finds the buffer, if the file says so. */
static enum ws_status read_address(const struct ws_yaml *node, u64 *address, struct ws_error *error)
{
    const struct ws_yaml *const given = ws_yaml_get(node, "address");
    return given ? ws_yaml_unsigned(given, 1, MOST_ADDRESS, address, error) : WS_STATUS_ok;
}

static enum ws_status read_named(struct ws_launch_file *file, const struct ws_yaml *node, struct ws_error *error)
{
    WS_TRY(check_keys(node, error));
    if (ws_element_named(node->key) || launch_is_shape(node->key) || strcmp(node->key, "null") == 0)
        return ws_yaml_fail(node, error, "found '%s' as the name of a buffer, which is %s", node->key,
                            ws_element_named(node->key)  ? "a type"
                            : launch_is_shape(node->key) ? "the shape of an image"
                                                         : "the null pointer");
    struct ws_buffer *const buffer = append(file, node, node->key);
    if (!buffer)
        return ws_yaml_no_memory(node, error);
    file->named++;
    WS_TRY(read_address(node, &buffer->address, error));
    if (ws_yaml_get(node, "image"))
        return launch_image_fill(file, node, file->seed + file->named - 1, buffer, error);
    return ws_yaml_get(node, "struct") ? WS_STATUS_ok : read_elements(buffer, node, file->seed + file->named - 1, error);
}

/* ---- Pointers in buffers ---- */

struct pointers {
    const struct launch_pointer *all;
    size_t count;
};

/* NAME, null, or {at: BYTE, buffer: NAME, offset: ELEMENTS}. */
static enum ws_status read_pointer(const struct ws_launch_file *file, const struct ws_yaml *node, u64 bytes,
                                   struct launch_pointer *pointer, struct ws_error *error)
{
    static const char *const known[] = {"at", "buffer", "offset", NULL};
    const bool mapping = node->kind == WS_YAML_MAPPING;
    const struct ws_yaml *const at = ws_yaml_get(node, "at"), *name = node;
    if (mapping) {
        WS_TRY(ws_yaml_expect_keys(node, known, error));
        WS_TRY(ws_yaml_need(node, "buffer", &name, error));
    }
    if (at)
        WS_TRY(ws_yaml_unsigned(at, pointer->at, bytes, &pointer->at, error));
    WS_TRY(launch_buffer_name(file, name, true, &pointer->buffer, error));
    WS_TRY(launch_buffer_offset(file, node, pointer->buffer, &pointer->offset, error));
    if (bytes < POINTER_BYTES || pointer->at > bytes - POINTER_BYTES)
        return ws_yaml_fail(node, error, "found a pointer at byte %llu, which ends outside of the buffer's %llu bytes",
                            (unsigned long long)pointer->at, (unsigned long long)bytes);
    return WS_STATUS_ok;
}

/* Items without a position follow the previous one. */
static enum ws_status read_pointers(struct ws_launch_file *file, const struct ws_yaml *list, u64 bytes, struct pointers *pointers,
                                    struct ws_error *error)
{
    u64 free = 0;
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    struct launch_pointer *const all = ws_arena_array(&file->arena, list->count + 1, sizeof *all);
    if (!all)
        return ws_yaml_no_memory(list, error);
    for (const struct ws_yaml *item = list->first; item; item = item->next) {
        struct launch_pointer *const pointer = &all[pointers->count++];
        pointer->at = free;
        WS_TRY(read_pointer(file, item, bytes, pointer, error));
        free = pointer->at + POINTER_BYTES;
    }
    pointers->all = all;
    return WS_STATUS_ok;
}

static enum ws_status read_struct(struct ws_launch_file *file, struct ws_buffer *buffer, const struct ws_yaml *members,
                                  struct pointers *pointers, struct ws_error *error)
{
    struct launch_value value = {0};
    const enum ws_status status = launch_struct_read(file, members, &value, error);
    if (status != WS_STATUS_ok) {
        ws_text_free(&value.bytes);
        return status;
    }
    buffer->type = "u8";
    buffer->bytes = value.bytes.length;
    buffer->data = value.bytes.data;
    *pointers = (struct pointers){value.pointers, value.pointer_count};
    return WS_STATUS_ok;
}

/* Structs and pointers may refer to any buffer. All buffers therefore get their bytes before pointers are written. */
static enum ws_status read_links(struct ws_launch_file *file, const struct ws_yaml *list, struct pointers *pointers,
                                 struct ws_error *error)
{
    u32 n = 0;
    for (const struct ws_yaml *node = list->first; node; node = node->next, n++) {
        const struct ws_yaml *const members = ws_yaml_get(node, "struct"), *const places = ws_yaml_get(node, "pointers");
        if (members)
            WS_TRY(read_struct(file, &file->buffers[n], members, &pointers[n], error));
        if (places)
            WS_TRY(read_pointers(file, places, file->buffers[n].bytes, &pointers[n], error));
    }
    for (n = 0; n < file->named; n++) {
        struct ws_buffer *const buffer = &file->buffers[n];
        buffer->pointers = launch_pointer_places(file, pointers[n].all, pointers[n].count);
        buffer->pointer_count = (u32)pointers[n].count;
        if (!buffer->pointers)
            return ws_yaml_no_memory(list, error);
        launch_pointers_write(file, pointers[n].all, pointers[n].count, buffer->data);
    }
    return WS_STATUS_ok;
}

/* ---- Variables ---- */

/* A variable that leads to a buffer: a pointer, or the handle of an image (.texref). */
static enum ws_status point(struct ws_launch_file *file, struct ws_buffer *variable, const struct launch_pointer *pointer,
                            const struct ws_yaml *node, struct ws_error *error)
{
    variable->pointers = launch_pointer_places(file, pointer, 1);
    variable->pointer_count = 1;
    variable->bytes = POINTER_BYTES;
    variable->data = malloc(POINTER_BYTES);
    if (!variable->pointers || !variable->data)
        return ws_yaml_no_memory(node, error);
    launch_pointers_write(file, pointer, 1, variable->data);
    return WS_STATUS_ok;
}

static enum ws_status read_variable(struct ws_launch_file *file, const struct ws_yaml *node, u64 seed, struct ws_buffer *variable,
                                    struct ws_error *error)
{
    static const char *const elements[] = {"type", "count", "fill", "address", NULL}, *const pointers[] = {"buffer", "offset",
                                                                                                           NULL};
    static const char *const named[] = {"image", NULL};
    struct launch_pointer pointer = {0};
    WS_TRY(ws_yaml_expect(node, WS_YAML_MAPPING, error));
    const struct ws_yaml *const name = ws_yaml_get(node, "buffer");
    if (ws_yaml_get(node, "image")) {
        WS_TRY(launch_image_read(file, node, image_keys, named, seed, node->key, &pointer.buffer, error));
        return point(file, variable, &pointer, node, error);
    }
    if (name) {
        WS_TRY(ws_yaml_expect_keys(node, pointers, error));
        WS_TRY(launch_buffer_name(file, name, true, &pointer.buffer, error));
        WS_TRY(launch_buffer_offset(file, node, pointer.buffer, &pointer.offset, error));
        return point(file, variable, &pointer, node, error);
    }
    WS_TRY(ws_yaml_expect_keys(node, elements, error));
    WS_TRY(read_address(node, &variable->address, error));
    return read_elements(variable, node, seed, error);
}

static enum ws_status read_variables(struct ws_launch_file *file, struct ws_error *error)
{
    const struct ws_yaml *const list = ws_yaml_get(file->root, "variables");
    if (!list)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(list, WS_YAML_MAPPING, error));
    for (const struct ws_yaml *node = list->first; node; node = node->next) {
        file->initial = ws_arena_grow(&file->arena, file->initial, file->initial_count, &file->initial_room, sizeof *file->initial);
        if (!file->initial)
            return ws_yaml_no_memory(node, error);
        struct ws_buffer *const variable = &file->initial[file->initial_count++];
        *variable = (struct ws_buffer){.name = node->key, .file = node->file, .line = node->line};
        WS_TRY(read_variable(file, node, file->seed + file->initial_count - 1, variable, error));
    }
    return WS_STATUS_ok;
}

/* ---- All of them ---- */

static enum ws_status read_buffers(struct ws_launch_file *file, struct ws_error *error)
{
    const struct ws_yaml *const list = ws_yaml_get(file->root, "buffers");
    if (!list)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(list, WS_YAML_MAPPING, error));
    for (const struct ws_yaml *node = list->first; node; node = node->next)
        WS_TRY(read_named(file, node, error));
    file->bound = ws_arena_array(&file->arena, file->named + 1, sizeof *file->bound);
    struct pointers *const pointers = ws_arena_array(&file->arena, file->named + 1, sizeof *pointers);
    if (!file->bound || !pointers)
        return ws_yaml_no_memory(list, error);
    for (u32 name = 0; name < file->named; name++)
        file->bound[name] = name;
    return read_links(file, list, pointers, error);
}

enum ws_status launch_buffers_read(struct ws_launch_file *file, struct ws_error *error)
{
    WS_TRY(read_buffers(file, error));
    return read_variables(file, error);
}
