/* setp and set. */
#include "frontend/exec/arithmetic/half.h"
#include "frontend/exec/arithmetic/modifiers.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

#define INTEGER_TYPES(ROW, name, expression)                                                                                       \
    ROW(name, u16, (u16), expression)                                                                                              \
    ROW(name, u32, (u32), expression)                                                                                              \
    ROW(name, u64, (u64), expression)                                                                                              \
    ROW(name, s16, (s16), expression)                                                                                              \
    ROW(name, s32, (s32), expression)                                                                                              \
    ROW(name, s64, (s64), expression)
#define REAL_TYPES(ROW, name, expression)                                                                                          \
    ROW(name, f32, ws_f32, expression)                                                                                             \
    ROW(name, f64, ws_f64, expression)
#define ORDERED(name, expression)   INTEGER_TYPES(ROW, name, expression) REAL_TYPES(ROW, name, expression)
#define UNORDERED(name, expression) REAL_TYPES(ROW, name, expression)

#define ROW(name, type, value, expression)                                                                                         \
    static inline bool name##_##type(u64 first, u64 second)                                                                        \
    {                                                                                                                              \
        const type a = value(first), b = value(second);                                                                            \
        return (expression);                                                                                                       \
    }                                                                                                                              \
    WS_HANDLER(setp_##name##_##type)                                                                                               \
    {                                                                                                                              \
        slot[step->dst] = name##_##type(slot[step->a], slot[step->b]);                                                             \
        return ws_next(step, slot, thread);                                                                                        \
    }
#include "frontend/exec/arithmetic/compare.def"
#undef ROW

/* By enum ws_compare and type. */
static const struct {
    bool (*compare)(u64 first, u64 second);
    ws_handler *setp;
} comparisons[][WS_TYPES] = {
#define ROW(name, type, value, expression) [WS_COMPARE_##name][WS_TYPE_##type] = {name##_##type, setp_##name##_##type},
#include "frontend/exec/arithmetic/compare.def"
#undef ROW
};

static u64 flushed(u64 value, u32 type)
{
    return type == WS_TYPE_f32 ? ws_raw_f32(ws_flush_f32(ws_f32(value))) : value;
}

static bool compare(const struct ws_op *op, u32 type, const u64 *slot)
{
    u64 a = slot[op->src[0]], b = slot[op->src[1]];
    if (op->flags & WS_OP_FTZ) {
        a = flushed(a, type);
        b = flushed(b, type);
    }
    return comparisons[op->compare][type].compare(a, b);
}

static bool combine(const struct ws_op *op, bool result, const u64 *slot)
{
    if (op->combine == WS_COMBINE_none)
        return result;
    const bool other = slot[op->src[2]] != (op->flags & WS_OP_NOT_SOURCE ? 1 : 0);
    switch (op->combine) {
    case WS_COMBINE_and:
        return result && other;
    case WS_COMBINE_or:
        return result || other;
    default:
        return result != other;
    }
}

/* With a second destination, another predicate, or flushed subnormals. */
WS_HANDLER(setp_modified)
{
    const struct ws_op *const op = step->op;
    const bool result = compare(op, op->type, slot);
    const bool first = combine(op, result, slot), second = combine(op, !result, slot);
    slot[step->dst] = first;
    if (op->dst[1] != WS_SLOT_NONE)
        slot[op->dst[1]] = second;
    return ws_next(step, slot, thread);
}

/* ---- testp ---- */

/* By the classes of fpclassify for which the predicate is true. */
#define TEST(name, expression)                                                                                                     \
    WS_HANDLER(testp_##name##_f32)                                                                                                 \
    {                                                                                                                              \
        const int kind = fpclassify(ws_f32(slot[step->a]));                                                                        \
        slot[step->dst] = (expression);                                                                                            \
        return ws_next(step, slot, thread);                                                                                        \
    }                                                                                                                              \
    WS_HANDLER(testp_##name##_f64)                                                                                                 \
    {                                                                                                                              \
        const int kind = fpclassify(ws_f64(slot[step->a]));                                                                        \
        slot[step->dst] = (expression);                                                                                            \
        return ws_next(step, slot, thread);                                                                                        \
    }
#define TESTS                                                                                                                      \
    TEST(finite, kind != FP_NAN && kind != FP_INFINITE)                                                                            \
    TEST(infinite, kind == FP_INFINITE)                                                                                            \
    TEST(number, kind != FP_NAN)                                                                                                   \
    TEST(notanumber, kind == FP_NAN)                                                                                               \
    TEST(normal, kind == FP_NORMAL || kind == FP_ZERO)                                                                             \
    TEST(subnormal, kind == FP_SUBNORMAL)
TESTS
#undef TEST
#define TEST(name, expression)                                                                                                     \
    {WS_CODE(WS_OP_testp_##name, WS_TYPE_f32), testp_##name##_f32, NULL},                                                          \
        {WS_CODE(WS_OP_testp_##name, WS_TYPE_f64), testp_##name##_f64, NULL},
const struct ws_handler_row ws_test_handlers[] = {TESTS{0, NULL, NULL}};
#undef TEST

/* ---- Numbers of 16 bits ---- */

static bool compare_half(const struct ws_op *op, u32 type, u32 n, const u64 *slot)
{
    u64 bits[2];
    for (u32 s = 0; s < 2; s++) {
        const double value = ws_half_value(slot[op->src[s]], n, type);
        const bool subnormal = op->flags & WS_OP_FTZ && fabs(value) < ldexp(1, -14);
        bits[s] = ws_bits_f64(subnormal ? copysign(0.0, value) : value);
    }
    return comparisons[op->compare][WS_TYPE_f64].compare(bits[0], bits[1]);
}

/* p|q are the results of the two numbers of a pair; of a single number, the comparison and its negation. */
WS_HANDLER(setp_half)
{
    const struct ws_op *const op = step->op;
    const bool low = compare_half(op, op->type, 0, slot);
    const bool high = ws_half_count(op->type) == 2 ? compare_half(op, op->type, 1, slot) : !low;
    const bool first = combine(op, low, slot), second = combine(op, high, slot);
    slot[step->dst] = first;
    if (op->dst[1] != WS_SLOT_NONE)
        slot[op->dst[1]] = second;
    return ws_next(step, slot, thread);
}

/* Result of set for a comparison that holds: 1.0 or all bits; of a pair, those of its half. */
static u64 truth(const struct ws_op *op)
{
    if (op->type == WS_TYPE_f32)
        return ws_raw_f32(1.0f);
    if (ws_is_half(op->type))
        return ws_half_bits(1, op->type, WS_ROUND_nearest, 0);
    return ws_half_count(op->from) == 2 ? WS_MASK_OF(u16) : ws_register_mask(op);
}

WS_HANDLER(set)
{
    const struct ws_op *const op = step->op;
    u64 result = 0;
    for (u32 n = 0; n < ws_half_count(op->from); n++) {
        const bool holds = ws_is_half(op->from) ? compare_half(op, op->from, n, slot) : compare(op, op->from, slot);
        if (combine(op, holds, slot))
            result |= truth(op) << 16 * n;
    }
    slot[step->dst] = result;
    return ws_next(step, slot, thread);
}

ws_handler *ws_compare_handler(const struct ws_op *op)
{
    const u32 type = op->opcode == WS_OP_set ? op->from : op->type;
    if (ws_is_half(type) && type < WS_TYPES && op->compare < sizeof comparisons / sizeof comparisons[0])
        return op->opcode == WS_OP_set ? set : setp_half;
    if (op->compare >= sizeof comparisons / sizeof comparisons[0] || type >= WS_TYPES || !comparisons[op->compare][type].setp)
        return NULL;
    if (op->opcode == WS_OP_set)
        return set;
    const bool plain = op->combine == WS_COMBINE_none && op->dst[1] == WS_SLOT_NONE && !(op->flags & WS_OP_FTZ);
    return plain ? comparisons[op->compare][type].setp : setp_modified;
}
