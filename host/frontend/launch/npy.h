/* Arrays of numpy (.npy): contents of buffers. */
#pragma once

#include <stddef.h>

#include "base/text.h"
#include "frontend/launch/element.h"

/* Whether a file is one, by the end of its name. */
bool ws_npy_named(const char *path);

/* Where the elements of a file's bytes begin (*offset), and how many there are; the bytes may be cut off behind the header.
 * Refuses, naming the node, what is no array of this type in C order. Elements of complex numbers (c8, c16) are two of f32 and f64,
 * b1 is u8 and f2 the bits of u16. */
enum ws_status ws_npy_header(const struct ws_yaml *node, const char *path, const char *bytes, size_t length,
                             const struct ws_element *element, size_t *offset, u64 *count, struct ws_error *error);

/* Adds the header of an array of count elements. */
void ws_npy_begin(struct ws_text *file, const struct ws_element *element, u64 count);
