/* Arrays of numpy (.npy): contents of buffers. */
#pragma once

#include <stddef.h>

#include "base/text.h"
#include "frontend/launch/element.h"

/* Whether a file is a numpy array, by its suffix. */
bool ws_npy_named(const char *path);

/* Start of the elements in a file's bytes (*offset), and their number. The bytes may be truncated after the header. Fails at the
 * node for anything but an array of this type in C order. Complex elements (c8, c16) are two of f32 or f64; b1 is u8; f2 is the
 * bits of u16; u2 and u1 are the bits of bf16, e4m3 and e5m2. */
enum ws_status ws_npy_header(const struct ws_yaml *node, const char *path, const char *bytes, size_t length,
                             const struct ws_element *element, size_t *offset, u64 *count, struct ws_error *error);

/* Adds the header of an array of count elements. */
void ws_npy_begin(struct ws_text *file, const struct ws_element *element, u64 count);
