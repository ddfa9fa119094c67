/* Numbers of 8 and 16 bits, for launch files: as the executor computes with them. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

enum ws_narrow { WS_NARROW_e4m3, WS_NARROW_e5m2, WS_NARROW_f16, WS_NARROW_bf16 };

/* The nearest number's bits; and the number of bits. */
u32 ws_narrow_bits(enum ws_narrow format, double value);
double ws_narrow_number(enum ws_narrow format, u32 bits);
