/* Grouped text in a container of Accel-Sim 2.0 (.tracez). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"

/* Packs a .traceg with cluster lines; records and places are taken unchanged. dictionary: pack chunks with one. The result, of
 * *size bytes, is to be freed; NULL for malformed text, or when out of memory. */
u8 *made_container(const char *text, size_t length, bool dictionary, size_t *size);
