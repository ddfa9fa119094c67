#include "oracle/allocate.h"

#include <stdlib.h>
#include <string.h>

void *oracle_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

void *oracle_copy(const void *from, size_t bytes)
{
    void *memory = oracle_allocate(bytes, 1);
    if (bytes > 0)
        memcpy(memory, from, bytes);
    return memory;
}

void *oracle_grow(void *array, size_t count, size_t size)
{
    if (count & (count - 1)) /* grown at the powers of two */
        return array;
    array = realloc(array, (count ? 2 * count : 1) * size);
    if (!array)
        abort();
    return array;
}
