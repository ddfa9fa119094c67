/* Images and samplers of launch files. */
#pragma once

#include "frontend/launch/file.h"

/* Whether a name is a shape ("2d"); all shapes, NULL-terminated. */
bool launch_is_shape(const char *text);
const char *const *launch_shape_names(void);

/* Reads a mapping with the keys image, size, order, format, and fills the buffer with its texels. Other keys are not looked at. */
enum ws_status launch_image_fill(struct ws_launch_file *file, const struct ws_yaml *node, u64 seed, struct ws_buffer *buffer,
                                 struct ws_error *error);

/* Reads {coordinates, address, filter} as an argument. */
enum ws_status launch_sampler_read(const struct ws_yaml *node, u32 *sampler, struct ws_error *error);
enum ws_status launch_sampler_argument(struct ws_launch_file *file, const struct ws_yaml *node, struct ws_argument *argument,
                                       struct ws_error *error);
