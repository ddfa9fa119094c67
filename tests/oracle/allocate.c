#include "oracle/allocate.h"

#include <stdlib.h>

void *oracle_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
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
