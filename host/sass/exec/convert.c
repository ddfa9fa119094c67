/* Conversions and half precision, by operations of PTX. */
#include "frontend/exec/arithmetic/half.h"
#include "sass/exec/lower.h"

#define FLAGS ((u32)step->offset)

static const u8 roundings[] = {WS_ROUND_nearest, WS_ROUND_down, WS_ROUND_up, WS_ROUND_zero};

/* ---- Conversions ---- */

enum { SOURCE_WIDE = 1, RESULT_WIDE = 2, SOURCE_PART = 4 /* bits from here on: right shift of the source */ };

/* A source with its modifiers, as a number of its type. */
static u64 modified(u64 value, u32 type, u32 how)
{
    const u32 bits = 8 * ws_value_bytes(type);
    if (how & 2)
        value &= ~(UINT64_C(1) << (bits - 1));
    return how & 1 ? value ^ UINT64_C(1) << (bits - 1) : value;
}

WS_HANDLER(converts)
{
    const struct ws_op *const op = step->op;
    const struct sass_op *const own = sass_own(step);
    bool good;
    u64 value = FLAGS & SOURCE_WIDE ? sass_pair(slot, op->src[0], op->src[1]) : (u32)slot[step->a];
    value = modified(value >> (FLAGS >> SOURCE_PART), own->inner.from, (u32)own->value);
    const u64 result = sass_call(step, value, 0, 0, thread, &good);
    slot[step->dst] = (u32)result;
    if (FLAGS & RESULT_WIDE)
        slot[op->dst[1]] = result >> 32;
    return ws_next(step, slot, thread);
}

/* Whether a conversion from floating point reads the upper half of its source. */
static bool is_upper(const struct ws_sass_instruction *in)
{
    return in->row->does != WS_SASS_DOES_i2f && in->row->does != WS_SASS_DOES_i2i && sass_bits(in, 60, 1);
}

static enum ws_status conversion(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op,
                                 struct ws_op inner)
{
    const u32 from = ws_value_bytes(inner.from), to = ws_value_bytes(inner.type);
    if (is_upper(in) && from != 2)
        return sass_refuse(lowering, "the upper half of a source that is not 16-bit");
    inner.opcode = WS_OP_cvt;
    inner.width = to < 4 ? 4 : (u8)to;
    op->offset |= (i32)((from == 8 ? SOURCE_WIDE : 0) | (to == 8 ? RESULT_WIDE : 0) | (is_upper(in) ? 16 << SOURCE_PART : 0));
    WS_TRY(sass_handles(lowering, in, op, converts, to == 8 ? "dd1" : "d", from == 8 ? "bb1" : "b"));
    struct sass_op *const own = lowering->own;
    own->inner = inner;
    own->call = sass_handler_of(&inner);
    own->value = sass_modified(in, 'b');
    return own->call ? WS_STATUS_ok : sass_refuse(lowering, "a conversion between these types");
}

static const u8 integers[2][4] = {{WS_TYPE_u8, WS_TYPE_u16, WS_TYPE_u32, WS_TYPE_u64},
                                  {WS_TYPE_s8, WS_TYPE_s16, WS_TYPE_s32, WS_TYPE_s64}};
static const u8 reals[4] = {WS_TYPE_bf16, WS_TYPE_f16, WS_TYPE_f32, WS_TYPE_f64};

/* Integers of 32 bits to single precision, with directed rounding, as integer division has it. Changing the host's rounding mode
 * takes longer. */
WS_HANDLER(i2f_directed)
{
    const struct ws_op *const inner = &sass_own(step)->inner;
    const u32 bits = (u32)slot[step->a];
    const double exact = inner->from == WS_TYPE_s32 ? (double)(s32)bits : (double)bits;
    const double limit = inner->rounding == WS_ROUND_up     ? (double)INFINITY
                         : inner->rounding == WS_ROUND_down ? -(double)INFINITY
                                                            : 0.0;
    const float nearest = (float)exact;
    const bool beyond = limit > exact ? (double)nearest < exact : limit < exact && (double)nearest > exact;
    slot[step->dst] = ws_bits_f32(beyond ? nextafterf(nearest, (float)limit) : nearest);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_i2f(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 size = sass_bits(in, 84, 2), byte = in->row->number == 0x045 ? 0 : sass_bits(in, 60, 2);
    const struct ws_sass_operand *const b = ws_sass_operand(in, 'b');
    const bool part = b->kind != WS_SASS_IS_IMMEDIATE;
    op->offset = (i32)((part ? 8 * byte : 0) << SOURCE_PART);
    const struct ws_op inner = {.type = reals[sass_bits(in, 75, 2)],
                                .from = integers[sass_bits(in, 74, 1)][size],
                                .rounding = roundings[sass_bits(in, 78, 2)]};
    const bool words = inner.type == WS_TYPE_f32 && ws_value_bytes(inner.from) == 4;
    WS_TRY(conversion(lowering, in, op, inner));
    if (words && inner.rounding != WS_ROUND_nearest)
        lowering->own->base.run = i2f_directed;
    return WS_STATUS_ok;
}

/* Floating point to integer: clamps; NaN becomes 0. */
enum ws_status sass_lower_f2i(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return conversion(lowering, in, op,
                      (struct ws_op){.type = integers[sass_bits(in, 72, 1)][sass_bits(in, 75, 2)],
                                     .from = reals[sass_bits(in, 84, 2)],
                                     .rounding = roundings[sass_bits(in, 78, 2)],
                                     .flags = (u8)(WS_OP_INTEGRAL | (sass_bits(in, 80, 1) ? WS_OP_FTZ : 0))});
}

enum ws_status sass_lower_f2f(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return conversion(lowering, in, op,
                      (struct ws_op){.type = reals[sass_bits(in, 75, 2)],
                                     .from = reals[sass_bits(in, 84, 2)],
                                     .rounding = roundings[sass_bits(in, 78, 2)],
                                     .flags = (u8)(sass_bits(in, 80, 1) ? WS_OP_FTZ : 0)});
}

enum ws_status sass_lower_frnd(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return conversion(lowering, in, op,
                      (struct ws_op){.type = reals[sass_bits(in, 75, 2)],
                                     .from = reals[sass_bits(in, 84, 2)],
                                     .rounding = roundings[sass_bits(in, 78, 2)],
                                     .flags = (u8)(WS_OP_INTEGRAL | (sass_bits(in, 80, 1) ? WS_OP_FTZ : 0))});
}

/* From s32; clamps. */
enum ws_status sass_lower_i2i(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static const u8 types[] = {WS_TYPE_u8, WS_TYPE_s8, WS_TYPE_u16, WS_TYPE_s16};
    return conversion(lowering, in, op,
                      (struct ws_op){.type = types[sass_bits(in, 76, 2)], .from = WS_TYPE_s32, .flags = WS_OP_SAT});
}

/* ---- Halves ---- */

enum { NEGATED = 1, ABSOLUTE = 2 };
/* Selection of halves: 0 both, SINGLE: the source is a single-precision number, 2 the lower one twice, 3 the upper one twice. */
enum { SINGLE = 1 };

/* Selects two halves and applies the modifiers. how: bits 0 and 1 NEGATED and ABSOLUTE, bits 2 and 3 the selection. */
static u32 halves_of(u64 slot, u32 how)
{
    const u32 which = how >> 2 & 3, value = (u32)slot;
    u32 both = which == 2 ? (value & 0xFFFF) * 0x10001u : which == 3 ? (value >> 16) * 0x10001u : value;
    both &= how & ABSOLUTE ? 0x7FFF7FFFu : UINT32_MAX;
    return how & NEGATED ? both ^ 0x80008000u : both;
}

static u32 halves_modified(const struct ws_sass_instruction *in, char letter)
{
    const struct ws_sass_operand *const operand = ws_sass_operand(in, letter);
    return operand ? sass_modified(in, letter) | (u32)operand->swizzle << 2 : 0;
}

enum {
    HALF_A = 0,
    HALF_B = 4,
    HALF_C = 8,
    HALF_SINGLE = 1 << 12,
    HALF_WHAT = 16,
    HALF_HOW = 20,
    HALF_NOT = 1 << 22,
    HALF_ALL = 1 << 23,
    HALF_REAL = 1 << 24
};

WS_HANDLER(halves)
{
    const struct sass_op *const own = sass_own(step);
    bool good;
    const u64 result = sass_call(step, halves_of(slot[step->a], FLAGS >> HALF_A), halves_of(slot[step->b], FLAGS >> HALF_B),
                                 halves_of(slot[step->c], FLAGS >> HALF_C), thread, &good);
    (void)own;
    slot[step->dst] = (u32)result;
    return ws_next(step, slot, thread);
}

static u8 pair_type(const struct ws_sass_instruction *in, u32 bit)
{
    return sass_bits(in, bit, 1) ? WS_TYPE_bf16x2 : WS_TYPE_f16x2;
}

static enum ws_status half_arithmetic(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, u8 opcode,
                                      const char *sources, u8 more)
{
    for (const char *letter = "abce"; *letter; letter++) {
        const struct ws_sass_operand *const source = ws_sass_operand(in, *letter);
        if (source && source->swizzle == SINGLE)
            return sass_refuse(lowering, "a single-precision source among halves");
    }
    const struct ws_op inner = {.opcode = opcode,
                                .type = pair_type(in, 85),
                                .flags =
                                    (u8)((sass_bits(in, 80, 1) ? WS_OP_FTZ : 0) | (sass_bits(in, 77, 1) ? WS_OP_SAT : 0) | more)};
    op->offset = (i32)(halves_modified(in, 'a') | halves_modified(in, sources[1]) << HALF_B | halves_modified(in, 'c') << HALF_C);
    WS_TRY(sass_handles(lowering, in, op, halves, "d", sources));
    struct sass_op *const own = lowering->own;
    own->inner = inner;
    own->call = sass_handler_of(&inner);
    return own->call ? WS_STATUS_ok : sass_refuse(lowering, "a half-precision operation of this kind");
}

/* The sum of the lower halves in single precision. Compilers use it to convert a half. */
WS_HANDLER(hadd_single)
{
    const u32 type = (u32)sass_own(step)->value;
    const double a = ws_half_value(halves_of(slot[step->a], FLAGS >> HALF_A), 0, type);
    const double b = ws_half_value(halves_of(slot[step->b], FLAGS >> HALF_B), 0, type);
    slot[step->dst] = ws_bits_f32((float)(a + b));
    return ws_next(step, slot, thread);
}

WS_HANDLER(half_twice)
{
    bool good;
    slot[step->dst] = (u32)sass_call(step, (u32)slot[step->a], 0, 0, thread, &good) * 0x10001u;
    return ws_next(step, slot, thread);
}

/* A single-precision source plus -0, rounded to zero. Compilers use it to convert to a half. */
static enum ws_status truncated(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const bool first = ws_sass_operand(in, 'a')->swizzle == SINGLE;
    const struct ws_sass_operand *const zero = ws_sass_operand(in, first ? 'e' : 'a');
    if (zero->kind != WS_SASS_IS_REGISTER || zero->number != WS_SASS_ZERO || !zero->negative ||
        sass_modified(in, first ? 'a' : 'e') || sass_bits(in, 85, 1) || sass_bits(in, 77, 2) || sass_bits(in, 80, 1))
        return sass_refuse(lowering, "HADD2 of a single-precision source and a term other than -0");
    WS_TRY(sass_handles(lowering, in, op, half_twice, "d", first ? "a" : "e"));
    lowering->own->inner =
        (struct ws_op){.opcode = WS_OP_cvt, .type = WS_TYPE_f16, .from = WS_TYPE_f32, .width = 4, .rounding = WS_ROUND_zero};
    lowering->own->call = sass_handler_of(&lowering->own->inner);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_hadd2(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (ws_sass_operand(in, 'a')->swizzle == SINGLE || ws_sass_operand(in, 'e')->swizzle == SINGLE)
        return truncated(lowering, in, op);
    if (!sass_bits(in, 78, 1))
        return half_arithmetic(lowering, in, op, WS_OP_add, "ae", 0);
    if (sass_bits(in, 77, 1) || sass_bits(in, 80, 1))
        return sass_refuse(lowering, "HADD2.F32 with saturation or flushed subnormals");
    op->offset = (i32)(halves_modified(in, 'a') | halves_modified(in, 'e') << HALF_B);
    WS_TRY(sass_handles(lowering, in, op, hadd_single, "d", "ae"));
    lowering->own->value = pair_type(in, 85);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_hmul2(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_bits(in, 76, 1) ? sass_refuse(lowering, "HMUL2.FMZ") : half_arithmetic(lowering, in, op, WS_OP_mul, "ab", 0);
}

enum ws_status sass_lower_hfma2(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u8 more = sass_bits(in, 79, 1) ? WS_OP_RELU : 0;
    return sass_bits(in, 76, 1) ? sass_refuse(lowering, "HFMA2.FMZ") : half_arithmetic(lowering, in, op, WS_OP_fma, "abc", more);
}

enum ws_status sass_lower_hmnmx2(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const least = ws_sass_operand(in, 'P');
    const bool nan = sass_bits(in, 81, 1);
    if (least->number != WS_SASS_ZERO || sass_bits(in, 82, 1))
        return sass_refuse(lowering, "HMNMX2 with a predicate or XORSIGN");
    const u8 opcode = least->negative ? (nan ? WS_OP_max_nan : WS_OP_max) : (nan ? WS_OP_min_nan : WS_OP_min);
    return half_arithmetic(lowering, in, op, opcode, "ab", 0);
}

static bool half_test(const struct ws_step *step, const u64 *slot, u32 n)
{
    const u32 type = (u32)sass_own(step)->value, what = FLAGS >> HALF_WHAT & 15;
    double values[2];
    for (u32 i = 0; i < 2; i++) {
        const u32 both = halves_of(slot[step->op->src[i]], FLAGS >> 4 * i);
        values[i] = ws_half_value(both, n, type);
    }
    const bool less = values[0]<values[1], equal = values[0] == values[1], greater = values[0]> values[1];
    return what >> (less ? 0 : equal ? 1 : greater ? 2 : 3) & 1;
}

static bool half_combined(const struct ws_step *step, const u64 *slot, bool test)
{
    const bool with = (slot[step->c] != 0) != ((FLAGS & HALF_NOT) != 0);
    const u32 how = FLAGS >> HALF_HOW & 3;
    return how == 0 ? test && with : how == 1 ? test || with : test != with;
}

/* One predicate per half. HALF_ALL: one predicate for both halves, and its negation. */
WS_HANDLER(hsetp2)
{
    const bool low = half_test(step, slot, 0), high = half_test(step, slot, 1), all = FLAGS & HALF_ALL;
    slot[step->dst] = half_combined(step, slot, all ? low && high : low);
    slot[step->op->dst[1]] = half_combined(step, slot, all ? !(low && high) : high);
    return ws_next(step, slot, thread);
}

WS_HANDLER(hset2)
{
    const u32 type = (u32)sass_own(step)->value;
    const u32 yes = !(FLAGS & HALF_REAL) ? 0xFFFF : type == WS_TYPE_bf16x2 ? 0x3F80 : 0x3C00;
    u32 result = 0;
    for (u32 n = 0; n < 2; n++)
        result |= (half_combined(step, slot, half_test(step, slot, n)) ? yes : 0) << 16 * n;
    slot[step->dst] = result;
    return ws_next(step, slot, thread);
}

static enum ws_status half_compare(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op,
                                   ws_handler *run, const char *results, u32 more)
{
    if (sass_bits(in, 80, 1))
        return sass_refuse(lowering, "a half-precision comparison with FTZ");
    op->offset =
        (i32)(halves_modified(in, 'a') | halves_modified(in, 'e') << HALF_B | sass_bits(in, 76, 4) << HALF_WHAT |
              sass_bits(in, 69, 2) << HALF_HOW | (sass_modified(in, 'P') & 1 ? HALF_NOT : 0) | (sass_bits(in, 71, 1) ? more : 0));
    WS_TRY(sass_handles(lowering, in, op, run, results, "aeP"));
    lowering->own->value = pair_type(in, 65);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_hsetp2(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return half_compare(lowering, in, op, hsetp2, "pq", HALF_ALL);
}

enum ws_status sass_lower_hset2(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return half_compare(lowering, in, op, hset2, "d", HALF_REAL);
}

WS_HANDLER(f2fp)
{
    bool good;
    slot[step->dst] =
        (u32)sass_call(step, sass_real(slot[step->a], FLAGS & 3), sass_real(slot[step->b], FLAGS >> 2 & 3), 0, thread, &good);
    return ws_next(step, slot, thread);
}

/* Converts two single-precision numbers to a pair of halves, the first one to the upper half. */
enum ws_status sass_lower_f2fp(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_op inner = {.opcode = WS_OP_cvt_pair,
                                .type = pair_type(in, 76),
                                .rounding = roundings[sass_bits(in, 79, 2)],
                                .flags = (u8)(sass_bits(in, 75, 1) ? WS_OP_RELU : 0)};
    op->offset = (i32)(sass_modified(in, 'a') | sass_modified(in, 'b') << 2);
    WS_TRY(sass_handles(lowering, in, op, f2fp, "d", "ab"));
    struct sass_op *const own = lowering->own;
    own->inner = inner;
    own->call = sass_handler_of(&inner);
    return WS_STATUS_ok;
}
