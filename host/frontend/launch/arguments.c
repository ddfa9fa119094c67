/* Arguments of a launch, and their values before each launch. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/launch/image.h"
#include "frontend/launch/value.h"

enum { MOST_ARGUMENTS = 1024 };

/* State while an argument is read. */
struct reading {
    struct ws_launch_file *file;
    const struct ws_yaml *node;
    struct ws_argument *argument;
    struct launch_argument *made_of;
    u32 number, loop;
};

/* ---- Buffers ---- */

/* A buffer of this argument alone: its type is given. */
static enum ws_status read_own_buffer(const struct reading *reading, const struct ws_yaml *type, struct ws_error *error)
{
    static const char *const known[] = {"name", "buffer", "count", "fill", NULL};
    WS_TRY(ws_yaml_expect_keys(reading->node, known, error));
    return launch_buffer_add(reading->file, reading->node, type, reading->file->seed + reading->number, reading->argument->name,
                             &reading->made_of->buffer, error);
}

/* One of `buffers`, or the NULL pointer. */
static enum ws_status read_named_buffer(const struct reading *reading, const struct ws_yaml *name, struct ws_error *error)
{
    static const char *const known[] = {"name", "buffer", "offset", NULL};
    WS_TRY(ws_yaml_expect_keys(reading->node, known, error));
    WS_TRY(launch_buffer_name(reading->file, name, true, &reading->made_of->buffer, error));
    return launch_buffer_offset(reading->file, reading->node, reading->made_of->buffer, &reading->made_of->offset, error);
}

static enum ws_status no_such_buffer(const struct reading *reading, const struct ws_yaml *node, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = node->text}};
    for (const char *const *type = ws_element_names(); *type; type++)
        ws_names_offer(&names, *type);
    for (u32 n = 0; n < reading->file->named; n++)
        ws_names_offer(&names, reading->file->buffers[n].name);
    ws_names_offer(&names, "null");
    const enum ws_status status = ws_yaml_fail(node, error, "found '%s', allowed are %s", node->text, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

static enum ws_status read_buffer(const struct reading *reading, const struct ws_yaml *node, struct ws_error *error)
{
    u32 buffer;
    reading->argument->kind = WS_ARGUMENT_BUFFER;
    WS_TRY(ws_yaml_expect(node, WS_YAML_SCALAR, error));
    if (ws_element_named(node->text))
        return read_own_buffer(reading, node, error);
    if (launch_buffer_name(reading->file, node, true, &buffer, NULL) != WS_STATUS_ok)
        return no_such_buffer(reading, node, error);
    return read_named_buffer(reading, node, error);
}

static enum ws_status read_image(const struct reading *reading, struct ws_error *error)
{
    static const char *const own[] = {"name", "image", "size", "order", "format", "fill", "sampler", NULL};
    static const char *const named[] = {"name", "image", NULL};
    reading->argument->kind = WS_ARGUMENT_BUFFER;
    return launch_image_read(reading->file, reading->node, own, named, reading->file->seed + reading->number,
                             reading->argument->name, &reading->made_of->buffer, error);
}

static enum ws_status read_shared(const struct reading *reading, const struct ws_yaml *node, struct ws_error *error)
{
    static const char *const known[] = {"name", "shared", NULL};
    WS_TRY(ws_yaml_expect_keys(reading->node, known, error));
    reading->argument->kind = WS_ARGUMENT_SHARED;
    return ws_yaml_unsigned(node, 1, WS_MOST_SHARED, &reading->argument->bytes, error);
}

/* ---- Values ---- */

static enum ws_status read_series(const struct reading *reading, const struct ws_yaml *type, const struct ws_yaml *value,
                                  struct ws_error *error)
{
    static const char *const known[] = {"name", "scalar", "value", NULL};
    const struct ws_element *element = NULL;
    WS_TRY(ws_yaml_expect_keys(reading->node, known, error));
    WS_TRY(ws_element_type(type, &element, error));
    if (element->kind == WS_ELEMENT_real)
        return ws_yaml_fail(type, error, "found '%s', allowed for a value that changes are integers", element->name);
    const bool natural = element->kind == WS_ELEMENT_natural;
    const i64 most = (i64)(UINT64_MAX >> (natural && element->bits < 64 ? 64 - element->bits : 65 - element->bits));
    WS_TRY(launch_series_read(value, reading->loop, natural ? 0 : -most - 1, most, &reading->made_of->series, error));
    reading->argument->type = element->name;
    reading->argument->bytes = element->bits / 8;
    reading->argument->data = ws_arena_alloc(&reading->file->arena, reading->argument->bytes);
    return reading->argument->data ? WS_STATUS_ok : ws_yaml_no_memory(value, error);
}

static enum ws_status keep_value(const struct reading *reading, const struct launch_value *value, struct ws_error *error)
{
    struct ws_argument *const argument = reading->argument;
    argument->bytes = value->bytes.length;
    argument->type = value->type;
    argument->data = ws_arena_alloc(&reading->file->arena, argument->bytes);
    argument->pointers = launch_pointer_places(reading->file, value->pointers, value->pointer_count);
    argument->pointer_count = (u32)value->pointer_count;
    reading->made_of->pointers = value->pointers;
    if (!argument->data || !argument->pointers)
        return ws_yaml_no_memory(reading->node, error);
    memcpy(argument->data, value->bytes.data, argument->bytes);
    return WS_STATUS_ok;
}

static enum ws_status read_value(const struct reading *reading, struct ws_error *error)
{
    struct launch_value value = {0};
    enum ws_status status = launch_value_read(reading->file, reading->node, &value, error);
    WS_THEN(status, keep_value(reading, &value, error));
    ws_text_free(&value.bytes);
    return status;
}

/* ---- Arguments ---- */

static enum ws_status read_argument(const struct reading *reading, struct ws_error *error)
{
    const struct ws_yaml *const node = reading->node;
    WS_TRY(ws_yaml_expect(node, WS_YAML_MAPPING, error));
    const struct ws_yaml *const name = ws_yaml_get(node, "name"), *const buffer = ws_yaml_get(node, "buffer");
    const struct ws_yaml *const shared = ws_yaml_get(node, "shared"), *const value = ws_yaml_get(node, "value");
    const struct ws_yaml *const scalar = ws_yaml_get(node, "scalar"), *const image = ws_yaml_get(node, "image");
    const struct ws_yaml *const sampler = ws_yaml_get(node, "sampler");
    static const char *const sampler_keys[] = {"name", "sampler", NULL};
    reading->argument->file = node->file;
    reading->argument->line = node->line;
    reading->made_of->buffer = LAUNCH_NO_BUFFER;
    if (name)
        WS_TRY(ws_yaml_text(name, &reading->argument->name, error));
    if (scalar && value && value->kind == WS_YAML_MAPPING)
        return read_series(reading, scalar, value, error);
    if (buffer)
        return read_buffer(reading, buffer, error);
    if (image)
        return read_image(reading, error);
    if (sampler) {
        WS_TRY(ws_yaml_expect_keys(node, sampler_keys, error));
        return launch_sampler_argument(reading->file, sampler, reading->argument, error);
    }
    return shared ? read_shared(reading, shared, error) : read_value(reading, error);
}

enum ws_status launch_arguments_read(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_step *step, u32 loop,
                                     struct ws_error *error)
{
    const struct ws_yaml *const list = ws_yaml_get(node, "arguments");
    if (!list)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    if (list->count > MOST_ARGUMENTS)
        return ws_yaml_fail(list, error, "found %zu arguments, allowed are at most %u", list->count, MOST_ARGUMENTS);
    step->launch.arguments = ws_arena_array(&file->arena, list->count + 1, sizeof *step->launch.arguments);
    step->made_of = ws_arena_array(&file->arena, list->count + 1, sizeof *step->made_of);
    if (!step->launch.arguments || !step->made_of)
        return ws_yaml_no_memory(list, error);
    for (const struct ws_yaml *item = list->first; item; item = item->next) {
        const u32 n = step->launch.argument_count++;
        const struct reading reading = {file, item, &step->launch.arguments[n], &step->made_of[n], n, loop};
        WS_TRY(read_argument(&reading, error));
    }
    return WS_STATUS_ok;
}

/* ---- Before a launch ---- */

static enum ws_status settle_series(const struct ws_launch_file *file, const struct launch_series *series,
                                    const struct ws_argument *argument, struct ws_error *error)
{
    i64 value = 0;
    WS_TRY(launch_series_value(file, series, &value, error));
    memcpy(argument->data, &value, argument->bytes);
    return WS_STATUS_ok;
}

enum ws_status launch_argument_settle(const struct ws_launch_file *file, struct ws_argument *argument,
                                      const struct launch_argument *made_of, struct ws_error *error)
{
    if (made_of->series.node)
        return settle_series(file, &made_of->series, argument, error);
    if (argument->pointer_count > 0)
        launch_pointers_write(file, made_of->pointers, argument->pointer_count, argument->data);
    if (made_of->buffer == LAUNCH_NO_BUFFER)
        return WS_STATUS_ok;
    const struct ws_buffer *const buffer = &file->buffers[launch_bound(file, made_of->buffer)];
    argument->data = (u8 *)buffer->data + made_of->offset;
    argument->bytes = buffer->bytes - made_of->offset;
    argument->type = buffer->type;
    return WS_STATUS_ok;
}
