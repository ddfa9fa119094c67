/* Values of slots by type. Names follow the types of PTX, so that tables can be written in them. */
#pragma once

#include "frontend/exec/arithmetic/ieee.h"
#include "frontend/ptx/ir.h"

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef u8 pred;

/* A value of an integer type, extended to 64 bits by its sign; and back: the bits of a register. */
#define WS_EXTENDED(type, slot) ((u64)(type)(slot))
#define WS_BITS_OF(type)        (8u * (u32)sizeof(type))
#define WS_MASK_OF(type)        (UINT64_MAX >> (64u - WS_BITS_OF(type)))

/* The bits of a destination register. */
static inline u64 ws_register_mask(const struct ws_op *op)
{
    return op->width ? UINT64_MAX >> (64 - 8 * op->width) : UINT64_MAX;
}

static inline u32 ws_value_bytes(u32 type)
{
    static const u8 bytes[WS_TYPES] = {
        [WS_TYPE_pred] = 1, [WS_TYPE_u8] = 1,  [WS_TYPE_u16] = 2,  [WS_TYPE_u32] = 4,   [WS_TYPE_u64] = 8,
        [WS_TYPE_s8] = 1,   [WS_TYPE_s16] = 2, [WS_TYPE_s32] = 4,  [WS_TYPE_s64] = 8,   [WS_TYPE_f32] = 4,
        [WS_TYPE_f64] = 8,  [WS_TYPE_f16] = 2, [WS_TYPE_bf16] = 2, [WS_TYPE_f16x2] = 4, [WS_TYPE_bf16x2] = 4,
    };
    return bytes[type];
}
