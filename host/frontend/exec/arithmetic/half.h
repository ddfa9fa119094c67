/* Numbers of 16 bits: IEEE 754 binary16 (f16) and the upper half of binary32 (bf16), one or two in a register. Computed as doubles,
 * exactly or rounded to odd, which makes the single rounding that follows correct. */
#pragma once

#include <stdbool.h>

#include "frontend/exec/arithmetic/value.h"

/* is: the type is one of these. count: numbers in a register. */
static inline bool ws_is_half(u32 type)
{
    return type >= WS_TYPE_f16;
}
static inline u32 ws_half_count(u32 type)
{
    return type == WS_TYPE_f16x2 || type == WS_TYPE_bf16x2 ? 2 : 1;
}

/* The n-th number of a register. */
double ws_half_value(u64 slot, u32 n, u32 type);

/* A number of 8 bits: e4m3 or e5m2. bits: the nearest one to a value. */
double ws_byte_value(u32 bits, bool e4m3);
u32 ws_byte_bits(double value, bool e4m3);

/* Extra flag: overflow saturates to the largest finite number. */
enum { WS_HALF_SATFINITE = 1 << 8 };

static inline u32 ws_half_flags(const struct ws_op *op)
{
    return op->flags | (op->mode == WS_MODE_satfinite ? WS_HALF_SATFINITE : 0);
}

/* Rounds to the nearest number in the direction of rounding. Applies those of WS_OP_FTZ, WS_OP_SAT, WS_OP_RELU and
 * WS_HALF_SATFINITE that flags contains. NaN is 0x7FFF. */
u64 ws_half_bits(double value, u32 type, u32 rounding, u32 flags);

/* A sum, and an integer, rounded to odd where they are not exact. */
double ws_half_sum(double a, double b);
double ws_half_integer(u64 magnitude, bool negative);
