/* Scalars, vectors, arrays and structs of a launch file, laid out as C does. */
#pragma once

#include "base/text.h"
#include "frontend/launch/file.h"

/* A value under construction. Starts as {0}. */
struct launch_value {
    struct ws_text bytes;
    u64 align;
    const char *type;                /* as struct ws_argument has it */
    struct launch_pointer *pointers; /* in the file's arena, ascending */
    size_t pointer_count, pointer_room;
};

/* Reads a mapping with one of the keys scalar, vector, array, struct. bytes is to be freed, also after an error. */
enum ws_status launch_value_read(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_value *value,
                                 struct ws_error *error);

/* Reads the list of a struct's members. */
enum ws_status launch_struct_read(struct ws_launch_file *file, const struct ws_yaml *list, struct launch_value *value,
                                  struct ws_error *error);

/* Positions of the pointers only, in the file's arena; NULL when out of memory. */
const u64 *launch_pointer_places(struct ws_launch_file *file, const struct launch_pointer *pointers, size_t count);

/* Writes host pointers to the buffers that names currently denote. */
void launch_pointers_write(const struct ws_launch_file *file, const struct launch_pointer *pointers, size_t count, u8 *data);
