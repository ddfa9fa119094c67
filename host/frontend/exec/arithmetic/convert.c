/* cvt: between any two of the integer and floating-point types. */
#include "frontend/exec/arithmetic/half.h"
#include "frontend/exec/arithmetic/modifiers.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

#define INTEGERS(ROW, ...)                                                                                                         \
    ROW(u8, __VA_ARGS__)                                                                                                           \
    ROW(u16, __VA_ARGS__)                                                                                                          \
    ROW(u32, __VA_ARGS__)                                                                                                          \
    ROW(u64, __VA_ARGS__)                                                                                                          \
    ROW(s8, __VA_ARGS__)                                                                                                           \
    ROW(s16, __VA_ARGS__)                                                                                                          \
    ROW(s32, __VA_ARGS__)                                                                                                          \
    ROW(s64, __VA_ARGS__)
/* A second copy: a macro does not expand inside its own expansion. */
#define SOURCES(ROW) ROW(u8) ROW(u16) ROW(u32) ROW(u64) ROW(s8) ROW(s16) ROW(s32) ROW(s64)

/* The least value of a type, the first one too large, and the bounds of clamping, as 64-bit patterns. */
struct bounds {
    double least, beyond;
    u64 low, high;
};
static const struct bounds bounds[WS_TYPES] = {
    [WS_TYPE_u8] = {0, 0x1p8, 0, UINT8_MAX},
    [WS_TYPE_u16] = {0, 0x1p16, 0, UINT16_MAX},
    [WS_TYPE_u32] = {0, 0x1p32, 0, UINT32_MAX},
    [WS_TYPE_u64] = {0, 0x1p64, 0, UINT64_MAX},
    [WS_TYPE_s8] = {-0x1p7, 0x1p7, (u64)INT8_MIN, INT8_MAX},
    [WS_TYPE_s16] = {-0x1p15, 0x1p15, (u64)INT16_MIN, INT16_MAX},
    [WS_TYPE_s32] = {-0x1p31, 0x1p31, (u64)INT32_MIN, INT32_MAX},
    [WS_TYPE_s64] = {-0x1p63, 0x1p63, (u64)INT64_MIN, INT64_MAX},
};

static bool is_signed(u32 type)
{
    return type >= WS_TYPE_s8 && type <= WS_TYPE_s64;
}

/* Integer to integer: extend by the source's signedness, truncate to the type, extend by its own, truncate to the register. */
#define CONVERT(to, from)                                                                                                          \
    WS_HANDLER(from##_to_##to)                                                                                                     \
    {                                                                                                                              \
        slot[step->dst] = WS_EXTENDED(to, WS_EXTENDED(from, slot[step->a])) & step->mask;                                          \
        return ws_next(step, slot, thread);                                                                                        \
    }
#define FROM(from) INTEGERS(CONVERT, from)
SOURCES(FROM)
#undef CONVERT
#undef FROM

static u64 clamp(u64 value, u32 from, u32 to)
{
    const struct bounds *const limit = &bounds[to];
    if (is_signed(from) && (s64)value < 0) {
        const s64 low = (s64)limit->low;
        return (s64)value < low ? limit->low : value;
    }
    return value > limit->high ? limit->high : value;
}

static u64 extended(u64 slot, u32 type)
{
    switch (type) {
#define EXTEND(type_)                                                                                                              \
    case WS_TYPE_##type_:                                                                                                          \
        return WS_EXTENDED(type_, slot);
        SOURCES(EXTEND)
#undef EXTEND
    default:
        return slot;
    }
}

WS_HANDLER(clamped)
{
    const struct ws_op *const op = step->op;
    slot[step->dst] = clamp(extended(slot[step->a], op->from), op->from, op->type) & step->mask;
    return ws_next(step, slot, thread);
}

/* Integer to floating point. Signed and unsigned sources take different conversions of the host. */
#define FROM_INTEGER(from, to)                                                                                                     \
    WS_HANDLER(from##_to_##to)                                                                                                     \
    {                                                                                                                              \
        slot[step->dst] = ws_bits_##to((to)(from)slot[step->a]);                                                                   \
        return ws_next(step, slot, thread);                                                                                        \
    }                                                                                                                              \
    WS_HANDLER(from##_to_##to##_modified)                                                                                          \
    {                                                                                                                              \
        const struct ws_op *const op = step->op;                                                                                   \
        const volatile from value = (from)slot[step->a];                                                                           \
        ws_round_like(op->rounding);                                                                                               \
        const volatile to result = (to)value;                                                                                      \
        ws_round_like(WS_ROUND_nearest);                                                                                           \
        slot[step->dst] = ws_output_##to(result, op->flags);                                                                       \
        return ws_next(step, slot, thread);                                                                                        \
    }
INTEGERS(FROM_INTEGER, f32)
INTEGERS(FROM_INTEGER, f64)
#undef FROM_INTEGER

/* Floating point to integer: out of range clamps. NaN converts to the highest bit; to 0 between types of up to 32 bits (PTX ISA
 * 9.0, cvt). */
static u64 integer_of(double value, const struct ws_op *op)
{
    const double integral = ws_integral(value, op->rounding);
    const struct bounds *const limit = &bounds[op->type];
    if (integral != integral && op->from != WS_TYPE_f64 && ws_value_bytes(op->type) < 8)
        return 0;
    if (integral != integral)
        return is_signed(op->type) ? limit->low : limit->high - limit->high / 2;
    if (integral < limit->least)
        return limit->low;
    if (integral >= limit->beyond)
        return limit->high;
    return is_signed(op->type) ? (u64)(s64)integral : (u64)integral;
}

WS_HANDLER(f32_to_integer)
{
    slot[step->dst] = integer_of((double)ws_input_f32(slot[step->a], step->op->flags), step->op) & step->mask;
    return ws_next(step, slot, thread);
}

WS_HANDLER(f64_to_integer)
{
    slot[step->dst] = integer_of(ws_f64(slot[step->a]), step->op) & step->mask;
    return ws_next(step, slot, thread);
}

/* Floating point to floating point. */
WS_HANDLER(f32_to_f64)
{
    const struct ws_op *const op = step->op;
    slot[step->dst] = ws_output_f64((double)ws_input_f32(slot[step->a], op->flags), op->flags & WS_OP_SAT);
    return ws_next(step, slot, thread);
}

WS_HANDLER(f64_to_f32)
{
    const struct ws_op *const op = step->op;
    const volatile double value = ws_f64(slot[step->a]);
    ws_round_like(op->rounding);
    const volatile float result = (float)value;
    ws_round_like(WS_ROUND_nearest);
    slot[step->dst] = ws_output_f32(result, op->flags);
    return ws_next(step, slot, thread);
}

WS_HANDLER(f32_to_f32)
{
    const struct ws_op *const op = step->op;
    const float value = ws_input_f32(slot[step->a], op->flags);
    slot[step->dst] =
        ws_output_f32(op->flags & WS_OP_INTEGRAL ? (float)ws_integral((double)value, op->rounding) : value, op->flags);
    return ws_next(step, slot, thread);
}

WS_HANDLER(f64_to_f64)
{
    const struct ws_op *const op = step->op;
    const double value = ws_f64(slot[step->a]);
    slot[step->dst] = ws_output_f64(op->flags & WS_OP_INTEGRAL ? ws_integral(value, op->rounding) : value, op->flags);
    return ws_next(step, slot, thread);
}

/* From or to numbers of 16 bits. */
static double number_of(u64 slot, const struct ws_op *op)
{
    if (ws_is_half(op->from))
        return ws_half_value(slot, 0, op->from);
    if (op->from == WS_TYPE_f32)
        return (double)ws_input_f32(slot, op->flags);
    if (op->from == WS_TYPE_f64)
        return ws_f64(slot);
    const u64 value = extended(slot, op->from);
    const bool negative = is_signed(op->from) && (s64)value < 0;
    return ws_half_integer(negative ? 0 - value : value, negative);
}

WS_HANDLER(half_to_any)
{
    const struct ws_op *const op = step->op;
    double value = number_of(slot[step->a], op);
    if (op->flags & WS_OP_INTEGRAL && ws_is_half(op->type))
        value = ws_integral(value, op->rounding);
    if (ws_is_half(op->type))
        slot[step->dst] = ws_half_bits(value, op->type, op->rounding, ws_half_flags(op) & ~(u32)WS_OP_FTZ);
    else if (op->type == WS_TYPE_f32)
        slot[step->dst] = ws_output_f32((float)value, op->flags);
    else if (op->type == WS_TYPE_f64)
        slot[step->dst] = ws_output_f64(value, op->flags & WS_OP_SAT);
    else
        slot[step->dst] = integer_of(value, op) & step->mask;
    return ws_next(step, slot, thread);
}

/* By source and destination type. */
static const struct {
    ws_handler *run, *modified;
} conversions[WS_TYPES][WS_TYPES] = {
#define INTEGER_ROW(to, from) [WS_TYPE_##from][WS_TYPE_##to] = {from##_to_##to, clamped},
#define REAL_ROW(from, to)    [WS_TYPE_##from][WS_TYPE_##to] = {from##_to_##to, from##_to_##to##_modified},
#define TO_INTEGER(to, from)  [WS_TYPE_##from][WS_TYPE_##to] = {from##_to_integer, from##_to_integer},
#define FROM(from)            INTEGERS(INTEGER_ROW, from)
    [WS_TYPE_f32][WS_TYPE_f32] = {f32_to_f32, f32_to_f32},
    [WS_TYPE_f32][WS_TYPE_f64] = {f32_to_f64, f32_to_f64},
    [WS_TYPE_f64][WS_TYPE_f32] = {f64_to_f32, f64_to_f32},
    [WS_TYPE_f64][WS_TYPE_f64] = {f64_to_f64, f64_to_f64},
    SOURCES(FROM) INTEGERS(REAL_ROW, f32) INTEGERS(REAL_ROW, f64) INTEGERS(TO_INTEGER, f32) INTEGERS(TO_INTEGER, f64)};

ws_handler *ws_convert_handler(const struct ws_op *op)
{
    if (op->from >= WS_TYPES || op->type >= WS_TYPES)
        return NULL;
    if (ws_is_half(op->from) || ws_is_half(op->type))
        return op->from > WS_TYPE_pred && op->type > WS_TYPE_pred ? half_to_any : NULL;
    const bool plain = op->rounding == WS_ROUND_nearest && !(op->flags & (WS_OP_FTZ | WS_OP_SAT));
    return plain ? conversions[op->from][op->type].run : conversions[op->from][op->type].modified;
}
