#include "frontend/launch/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/output.h"
#include "frontend/launch/npy.h"

/* Either one launch at the top, or a list of them. */
static enum ws_status read_file(struct ws_launch_file *file, struct ws_error *error)
{
    static const char *const one[] = {"options", "buffers", "variables", "kernel",    "global",   "local", "registers",
                                      "offset",  "shared",  "cluster",   "arguments", "launches", NULL};
    static const char *const many[] = {"options", "buffers", "variables", "launches", NULL};
    struct ws_yaml *const root = file->root;
    file->sequence = ws_yaml_get(root, "launches");
    WS_TRY(ws_yaml_expect_keys(root, file->sequence ? many : one, error));
    WS_TRY(launch_options_read(file, error));
    WS_TRY(launch_buffers_read(file, error));
    if (file->sequence)
        return launch_steps_read(file, ws_yaml_get(root, "launches"), LAUNCH_NO_BUFFER, error);
    file->steps = ws_arena_array(&file->arena, 1, sizeof *file->steps);
    file->step_count = 1;
    return file->steps ? launch_read(file, root, &file->steps[0], LAUNCH_NO_BUFFER, error) : ws_yaml_no_memory(root, error);
}

enum ws_status ws_launch_file_load(const char *path, u64 seed, struct ws_launch_file **file, struct ws_error *error)
{
    *file = calloc(1, sizeof **file);
    if (!*file)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    (*file)->seed = seed;
    enum ws_status status = ws_yaml_load(path, &(*file)->root, error);
    WS_THEN(status, read_file(*file, error));
    if (status != WS_STATUS_ok) {
        ws_launch_file_free(*file);
        *file = NULL;
    }
    return status;
}

void ws_launch_file_free(struct ws_launch_file *file)
{
    if (!file)
        return;
    for (size_t n = 0; n < file->buffer_count; n++)
        free(file->buffers[n].data);
    for (size_t n = 0; n < file->initial_count; n++)
        free(file->initial[n].data);
    for (size_t n = 0; n < file->step_count && file->steps; n++)
        free(file->steps[n].content);
    free(file->variables.data);
    ws_arena_free(&file->arena);
    ws_yaml_free(file->root);
    free(file);
}

bool ws_launch_file_is_sequence(const struct ws_launch_file *file)
{
    return file->sequence;
}

bool ws_launch_file_has_offset(const struct ws_launch_file *file)
{
    for (size_t n = 0; n < file->step_count; n++) {
        const u32 *const offset = file->steps[n].launch.offset;
        if (offset[0] | offset[1] | offset[2])
            return true;
    }
    return false;
}

const char *ws_launch_file_kernel(const struct ws_launch_file *file, u32 n)
{
    for (size_t step = 0; step < file->step_count; step++)
        if (file->steps[step].kind == STEP_launch && n-- == 0)
            return file->steps[step].launch.kernel;
    return NULL;
}

const char *const *ws_launch_file_options(const struct ws_launch_file *file)
{
    return file->options;
}

/* ---- Buffers by name ---- */

u32 launch_bound(const struct ws_launch_file *file, u32 buffer)
{
    return buffer < file->named ? file->bound[buffer] : buffer;
}

static enum ws_status no_such(const struct ws_launch_file *file, const char *name, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}};
    for (size_t n = 0; n < file->buffer_count; n++)
        if (file->buffers[n].name)
            ws_names_offer(&names, file->buffers[n].name);
    const enum ws_status status =
        ws_fail(error, WS_STATUS_bad_input, "%s: found '%s', the buffers are %s", file->root->file, name, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

enum ws_status ws_launch_file_buffer(const struct ws_launch_file *file, const char *name, const struct ws_buffer **buffer,
                                     struct ws_error *error)
{
    *buffer = NULL;
    for (u32 n = 0; n < file->buffer_count; n++) {
        if (!file->buffers[n].name || strcmp(file->buffers[n].name, name) != 0)
            continue;
        if (*buffer)
            return ws_fail(error, WS_STATUS_bad_input, "%s: found '%s', of which there are several; give them names in buffers",
                           file->root->file, name);
        *buffer = &file->buffers[launch_bound(file, n)];
    }
    return *buffer ? WS_STATUS_ok : no_such(file, name, error);
}

const char *ws_launch_file_buffer_name(const struct ws_launch_file *file, u32 n)
{
    for (u32 k = 0; k < file->buffer_count; k++)
        if (file->buffers[k].name && n-- == 0)
            return file->buffers[k].name;
    return NULL;
}

bool ws_buffer_is_array(const struct ws_buffer *buffer)
{
    return buffer->type && ws_element_named(buffer->type);
}

enum ws_status ws_buffer_check(const struct ws_buffer *buffer, const char *path, struct ws_error *error)
{
    return ws_output_check(path, ws_npy_named(path) ? WS_OUTPUT_array : WS_OUTPUT_bytes, buffer->bytes, error);
}

/* Numbers as an array of numpy; types that it lacks as f32. */
static void add_array(struct ws_text *file, const struct ws_element *element, const struct ws_buffer *buffer)
{
    const u32 each = element->bits / 8;
    const u64 count = buffer->bytes / each;
    const bool foreign = ws_element_is_foreign(element);
    ws_npy_begin(file, foreign ? ws_element_named("f32") : element, count);
    if (!foreign)
        ws_text_bytes(file, buffer->data, buffer->bytes);
    for (u64 n = 0; foreign && n < count; n++) {
        u64 bits = 0;
        memcpy(&bits, (const u8 *)buffer->data + n * each, each);
        const float number = (float)ws_element_number(element, bits);
        ws_text_bytes(file, (const char *)&number, sizeof number);
    }
}

enum ws_status ws_buffer_write(const struct ws_buffer *buffer, const char *path, struct ws_error *error)
{
    const struct ws_element *const element = buffer->type ? ws_element_named(buffer->type) : NULL;
    struct ws_text file = {0};
    if (!ws_npy_named(path))
        return ws_output_write(path, WS_OUTPUT_bytes, buffer->data, buffer->bytes, error);
    if (!element)
        return ws_fail(error, WS_STATUS_bad_input, "%s: elements without a type are no array of numpy", path);
    add_array(&file, element, buffer);
    const enum ws_status status = file.failed ? ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path)
                                              : ws_output_write(path, WS_OUTPUT_array, file.data, file.length, error);
    ws_text_free(&file);
    return status;
}
