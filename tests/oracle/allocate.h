/* Memory for tests: abort rather than fail. */
#ifndef WS_TESTS_ALLOCATE_H
#define WS_TESTS_ALLOCATE_H

#include <stddef.h>

/* Zeroed room for so many elements, at least one. To be freed by free. */
void *oracle_allocate(size_t count, size_t size);

/* An array of count elements with room for one more. Its room is the next power of two, so it must only ever grow by one. */
void *oracle_grow(void *array, size_t count, size_t size);

#endif
