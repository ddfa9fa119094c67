/* Memory for tests: aborts when out of memory. */
#pragma once

#include <stddef.h>

/* Zeroed room for so many elements, at least one. To be freed by free. */
void *oracle_allocate(size_t count, size_t size);

/* A copy of so many bytes, which may be none. To be freed by free. */
void *oracle_copy(const void *from, size_t bytes);

/* An array of count elements with room for one more. Capacity is the next power of two, so it must grow one by one. */
void *oracle_grow(void *array, size_t count, size_t size);
