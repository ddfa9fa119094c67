/* What the steps of a radix sort share: 1024 keys and 512 work-items a work-group, a digit of four bits. */
#pragma once

#include "shared/dialect.h"

enum {
    WS_RADIX_ITEMS = 512,
    WS_RADIX_KEYS = 2 * WS_RADIX_ITEMS,
    WS_RADIX_SHIFT = 8, /* bits below the digit */
    WS_RADIX_BITS = 4,
    WS_RADIX_DIGITS = 1 << WS_RADIX_BITS,
    WS_RADIX_REGISTERS = 23 /* of a thread: 11776 a block (Xiang 2014, Table 2) */
};

/* Fills keys with random numbers of 32 bits. */
void ws_radix_draw(u32 *keys, u32 count, u64 *seed);

/* Keys sorted by a digit of so many bits, equal ones in their order, by counting; first[d] is the number of keys whose digit is
 * less than d. */
void ws_radix_sort(const u32 *keys, u32 count, u32 bits, u32 *sorted, u32 *first);
