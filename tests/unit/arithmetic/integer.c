/* Every integer operation in every type against plain arithmetic on 128 bits and loops over bits, as the PTX ISA words them. */
#include <inttypes.h>
#include <stdlib.h>

#include "test.h"
#include "unit/exec/kit.h"

enum { COUNT = KIT_THREADS };

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* A value type, and the 128-bit integer that its bits represent. */
struct kind {
    enum ws_type type;
    u32 bits;
    bool negative;
};

static const struct kind kinds[] = {{WS_TYPE_u16, 16, false}, {WS_TYPE_u32, 32, false}, {WS_TYPE_u64, 64, false},
                                    {WS_TYPE_s16, 16, true},  {WS_TYPE_s32, 32, true},  {WS_TYPE_s64, 64, true}};

static wide number(struct kind kind, u64 bits)
{
    const wide value = bits & (UINT64_MAX >> (64 - kind.bits));
    const wide half = (wide)1 << (kind.bits - 1);
    return kind.negative && value >= half ? value - 2 * half : value;
}

static u64 low_bits(wide value, u32 bits)
{
    return (u64)value & (UINT64_MAX >> (64 - bits));
}

static bool bit(u64 value, u32 n)
{
    return value >> n & 1;
}

/* Modulo 2^128; only low bits are compared. */
static wide product(wide a, wide b)
{
    return (wide)((unsigned_wide)a * (unsigned_wide)b);
}

/* floor(value / 2^n) */
static wide halved(wide value, u32 n)
{
    for (u32 i = 0; i < n; i++)
        value = (value - (value & 1)) / 2;
    return value;
}

typedef wide reference(struct kind kind, wide a, wide b, wide c, const u64 raw[4]);

#define REFERENCE(name, expression)                                                                                                \
    static wide name(struct kind kind, wide a, wide b, wide c, const u64 raw[4])                                                   \
    {                                                                                                                              \
        (void)kind, (void)a, (void)b, (void)c, (void)raw;                                                                          \
        return (expression);                                                                                                       \
    }
REFERENCE(add, a + b)
REFERENCE(sub, a - b)
REFERENCE(mul_lo, product(a, b))
REFERENCE(mad_lo, (wide)((unsigned_wide)product(a, b) + (unsigned_wide)c))
REFERENCE(mad_wide, a *b + (wide)raw[2])
REFERENCE(least, a < b ? a : b)
REFERENCE(most, a > b ? a : b)
REFERENCE(absolute, a < 0 ? -a : a)
REFERENCE(negated, -a)
REFERENCE(sad, c + (a > b ? a - b : b - a))
REFERENCE(quotient, b == 0 ? -1 : a / b)
REFERENCE(rest, b == 0 ? -1 : a % b) /* as NVIDIA's compilers do for every type */
REFERENCE(conjunction, a &b)
REFERENCE(disjunction, a | b)
REFERENCE(exclusive, a ^ b)
REFERENCE(complement, -1 - a)
REFERENCE(is_zero, a == 0)

/* A product of unsigned 64-bit numbers does not fit a signed 128-bit one: schoolbook multiplication in 32-bit digits. */
static u64 high_product(u64 a, u64 b)
{
    const u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
    const u64 middle = a1 * b0 + (a0 * b0 >> 32);
    return a1 * b1 + (middle >> 32) + (((middle & UINT32_MAX) + a0 * b1) >> 32);
}

static wide mul_hi(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)c;
    return kind.type == WS_TYPE_u64 ? (wide)high_product(raw[0], raw[1]) : halved(a * b, kind.bits);
}

static wide mad_hi(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    return mul_hi(kind, a, b, c, raw) + c;
}

static wide short24(struct kind kind, wide value)
{
    const wide low = (wide)((u64)value & 0xFFFFFF);
    return kind.negative && low >= 0x800000 ? low - 0x1000000 : low;
}
REFERENCE(mul24_lo, short24(kind, a) * short24(kind, b))
REFERENCE(mul24_hi, halved(short24(kind, a) * short24(kind, b), 16))
REFERENCE(mad24_lo, short24(kind, a) * short24(kind, b) + c)
REFERENCE(mad24_hi, halved(short24(kind, a) * short24(kind, b), 16) + c)

static u32 amount(const u64 raw[4], u32 most)
{
    return (u32)raw[1] < most ? (u32)raw[1] : most;
}
REFERENCE(shifted_left, (u32)raw[1] < kind.bits ? (wide)(raw[0] << (u32)raw[1]) : 0)
REFERENCE(shifted_right, halved(a, amount(raw, kind.bits)))

/* Bits first to first + 31 of b:a, after a shift to the right. */
static wide funnel(const u64 raw[4], u32 first)
{
    u64 result = 0;
    for (u32 n = 0; n < 32; n++)
        result |= (u64)(first + n < 32 ? bit(raw[0], first + n) : bit(raw[1], first + n - 32)) << n;
    return (wide)result;
}

static u32 clamped(u64 n)
{
    return (u32)n < 32 ? (u32)n : 32;
}
REFERENCE(funnel_left_wrap, funnel(raw, 32 - (u32)raw[2] % 32))
REFERENCE(funnel_left_clamp, funnel(raw, 32 - clamped(raw[2])))
REFERENCE(funnel_right_wrap, funnel(raw, (u32)raw[2] % 32))
REFERENCE(funnel_right_clamp, funnel(raw, clamped(raw[2])))

static wide extracted(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)a, (void)b, (void)c;
    const u32 position = raw[1] & 255, length = raw[2] & 255, top = kind.bits - 1;
    const u32 last = position + length - 1 < top ? position + length - 1 : top;
    const bool sign = kind.negative && length > 0 && bit(raw[0], last);
    u64 result = 0;
    for (u32 n = 0; n <= top; n++)
        result |= (u64)(n < length && position + n <= top ? bit(raw[0], position + n) : sign) << n;
    return (wide)result;
}

static wide inserted(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)a, (void)b, (void)c;
    const u32 position = raw[2] & 255, length = raw[3] & 255;
    u64 result = raw[1];
    for (u32 n = 0; n < length && position + n < kind.bits; n++) {
        result &= ~(UINT64_C(1) << (position + n));
        result |= (u64)bit(raw[0], n) << (position + n);
    }
    return (wide)result;
}

static wide looked_up(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)a, (void)b, (void)c;
    u64 result = 0;
    for (u32 n = 0; n < kind.bits; n++)
        result |= (u64)bit(raw[3], (u32)(4 * bit(raw[0], n) + 2 * bit(raw[1], n) + bit(raw[2], n))) << n;
    return (wide)result;
}

/* The highest bit that differs from the sign: the logarithm of a, or of -1 - a. */
static wide found(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)kind, (void)b, (void)c, (void)raw;
    wide at = -1;
    for (wide rest = a < 0 ? -1 - a : a; rest > 0; rest /= 2)
        at++;
    return at;
}

static wide found_shift(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    const wide at = found(kind, a, b, c, raw);
    return at < 0 ? at : kind.bits - 1 - at;
}

/* The steps of the PTX ISA; sums of 32 bits. */
static wide masked(const u64 raw[4], bool clamps)
{
    const u32 from = (u32)raw[0] & 31, sum = from + ((u32)raw[1] & 31);
    const bool position_over = clamps && (u32)raw[0] >= 32, width_over = clamps && (u32)raw[1] >= 32;
    const u32 mask0 = position_over ? 0 : UINT32_MAX << from;
    const u32 mask1 = sum >= 32 || position_over || width_over ? 0 : UINT32_MAX << sum;
    return mask0 & ~mask1;
}
REFERENCE(mask_clamp, masked(raw, true))
REFERENCE(mask_wrap, masked(raw, false))

/* A part of a word as a number. */
static wide part(u64 word, u32 first, u32 count, bool negative)
{
    wide value = 0;
    for (u32 n = 0; n < count; n++)
        value += (wide)bit(word, first + n) * (negative && n == count - 1 ? -(1 << n) : 1 << n);
    return value;
}

/* The sums of products with parts of b, signed or not. */
#define DOT(name, second)                                                                                                          \
    REFERENCE(dp4a_##name, c + part(raw[0], 0, 8, kind.negative) * part(raw[1], 0, 8, second) +                                    \
                               part(raw[0], 8, 8, kind.negative) * part(raw[1], 8, 8, second) +                                    \
                               part(raw[0], 16, 8, kind.negative) * part(raw[1], 16, 8, second) +                                  \
                               part(raw[0], 24, 8, kind.negative) * part(raw[1], 24, 8, second))                                   \
    REFERENCE(dp2a_lo_##name, c + part(raw[0], 0, 16, kind.negative) * part(raw[1], 0, 8, second) +                                \
                                  part(raw[0], 16, 16, kind.negative) * part(raw[1], 8, 8, second))                                \
    REFERENCE(dp2a_hi_##name, c + part(raw[0], 0, 16, kind.negative) * part(raw[1], 16, 8, second) +                               \
                                  part(raw[0], 16, 16, kind.negative) * part(raw[1], 24, 8, second))
DOT(unsigned, false)
DOT(signed, true)

static wide reversed(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)a, (void)b, (void)c;
    u64 result = 0;
    for (u32 n = 0; n < kind.bits; n++)
        result |= (u64)bit(raw[0], n) << (kind.bits - 1 - n);
    return (wide)result;
}

static wide ones(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)a, (void)b, (void)c;
    wide count = 0;
    for (u32 n = 0; n < kind.bits; n++)
        count += bit(raw[0], n);
    return count;
}

static wide leading_zeros(struct kind kind, wide a, wide b, wide c, const u64 raw[4])
{
    (void)a, (void)b, (void)c;
    u32 count = 0;
    while (count < kind.bits && !bit(raw[0], kind.bits - 1 - count))
        count++;
    return count;
}

/* The bytes selected by a permutation, lowest first. */
static wide permuted(const u64 raw[4], const u32 bytes[4])
{
    u64 result = 0;
    for (u32 n = 0; n < 4; n++) {
        const u32 from = bytes[n] & 7;
        const u64 byte = (from < 4 ? raw[0] >> (8 * from) : raw[1] >> (8 * (from - 4))) & 0xFF;
        result |= (bytes[n] & 8 ? (byte >> 7) * 0xFF : byte) << (8 * n);
    }
    return (wide)result;
}

#define PERMUTATION(name, b0, b1, b2, b3)                                                                                          \
    static wide name(struct kind kind, wide a, wide b, wide c, const u64 raw[4])                                                   \
    {                                                                                                                              \
        const u32 s = (u32)raw[2] & 3, selector = (u32)raw[2];                                                                     \
        (void)kind, (void)a, (void)b, (void)c, (void)s, (void)selector;                                                            \
        return permuted(raw, (const u32[]){b0, b1, b2, b3});                                                                       \
    }
PERMUTATION(prmt, selector & 15, selector >> 4 & 15, selector >> 8 & 15, selector >> 12 & 15)
PERMUTATION(prmt_f4e, s, s + 1, s + 2, s + 3)
PERMUTATION(prmt_b4e, s, (s + 7) % 8, (s + 6) % 8, (s + 5) % 8)
PERMUTATION(prmt_rc8, s, s, s, s)
PERMUTATION(prmt_ecl, s, s > 1 ? s : 1, s > 2 ? s : 2, 3)
PERMUTATION(prmt_ecr, 0, s < 1 ? s : 1, s < 2 ? s : 2, s)
PERMUTATION(prmt_rc16, s % 2 * 2, s % 2 * 2 + 1, s % 2 * 2, s % 2 * 2 + 1)

static wide saturated(wide value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}
REFERENCE(add_sat, saturated(a + b))
REFERENCE(sub_sat, saturated(a - b))
REFERENCE(mad_hi_sat, saturated(halved(a *b, 32) + c))
REFERENCE(mad24_hi_sat, saturated(halved(short24(kind, a) * short24(kind, b), 16) + c))

/* Types of a test row, as index bits of kinds. */
enum { U16 = 1, U32 = 2, U64 = 4, S16 = 8, S32 = 16, S64 = 32, BITS = 7, SIGNED = 56, ALL = 63 };
enum { SAME, TWICE, NARROW };

static const struct row {
    const char *name;
    enum ws_opcode opcode;
    u32 types, result, sources, flags;
    reference *expected;
    enum ws_type from; /* the second type, if any */
} rows[] = {
    {"add", WS_OP_add, ALL, SAME, 2, 0, add, 0},
    {"sub", WS_OP_sub, ALL, SAME, 2, 0, sub, 0},
    {"mul.lo", WS_OP_mul_lo, ALL, SAME, 2, 0, mul_lo, 0},
    {"mul.hi", WS_OP_mul_hi, ALL, SAME, 2, 0, mul_hi, 0},
    {"mul.wide", WS_OP_mul_wide, U16 | U32 | S16 | S32, TWICE, 2, 0, mul_lo, 0},
    {"mad.lo", WS_OP_mad_lo, ALL, SAME, 3, 0, mad_lo, 0},
    {"mad.hi", WS_OP_mad_hi, ALL, SAME, 3, 0, mad_hi, 0},
    {"mad.wide", WS_OP_mad_wide, U16 | U32 | S16 | S32, TWICE, 3, 0, mad_wide, 0},
    {"mul24.lo", WS_OP_mul24_lo, U32 | S32, SAME, 2, 0, mul24_lo, 0},
    {"mul24.hi", WS_OP_mul24_hi, U32 | S32, SAME, 2, 0, mul24_hi, 0},
    {"mad24.lo", WS_OP_mad24_lo, U32 | S32, SAME, 3, 0, mad24_lo, 0},
    {"mad24.hi", WS_OP_mad24_hi, U32 | S32, SAME, 3, 0, mad24_hi, 0},
    {"sad", WS_OP_sad, ALL, SAME, 3, 0, sad, 0},
    {"div", WS_OP_div, ALL, SAME, 2, 0, quotient, 0},
    {"rem", WS_OP_rem, ALL, SAME, 2, 0, rest, 0},
    {"abs", WS_OP_abs, SIGNED, SAME, 1, 0, absolute, 0},
    {"neg", WS_OP_neg, SIGNED, SAME, 1, 0, negated, 0},
    {"min", WS_OP_min, ALL, SAME, 2, 0, least, 0},
    {"max", WS_OP_max, ALL, SAME, 2, 0, most, 0},
    {"and", WS_OP_and, BITS, SAME, 2, 0, conjunction, 0},
    {"or", WS_OP_or, BITS, SAME, 2, 0, disjunction, 0},
    {"xor", WS_OP_xor, BITS, SAME, 2, 0, exclusive, 0},
    {"not", WS_OP_not, BITS, SAME, 1, 0, complement, 0},
    {"cnot", WS_OP_cnot, BITS, SAME, 1, 0, is_zero, 0},
    {"shl", WS_OP_shl, BITS, SAME, 2, 0, shifted_left, 0},
    {"shr", WS_OP_shr, ALL, SAME, 2, 0, shifted_right, 0},
    {"shf.l.wrap", WS_OP_shf_l_wrap, U32, SAME, 3, 0, funnel_left_wrap, 0},
    {"shf.l.clamp", WS_OP_shf_l_clamp, U32, SAME, 3, 0, funnel_left_clamp, 0},
    {"shf.r.wrap", WS_OP_shf_r_wrap, U32, SAME, 3, 0, funnel_right_wrap, 0},
    {"shf.r.clamp", WS_OP_shf_r_clamp, U32, SAME, 3, 0, funnel_right_clamp, 0},
    {"bfe", WS_OP_bfe, U32 | S32 | U64 | S64, SAME, 3, 0, extracted, 0},
    {"bfi", WS_OP_bfi, U32 | U64, SAME, 4, 0, inserted, 0},
    {"lop3", WS_OP_lop3, U32, SAME, 4, 0, looked_up, 0},
    {"bfind", WS_OP_bfind, U32 | S32 | U64 | S64, NARROW, 1, 0, found, 0},
    {"bfind.shiftamt", WS_OP_bfind_shiftamt, U32 | S32 | U64 | S64, NARROW, 1, 0, found_shift, 0},
    {"bmsk.clamp", WS_OP_bmsk_clamp, U32, SAME, 2, 0, mask_clamp, 0},
    {"bmsk.wrap", WS_OP_bmsk_wrap, U32, SAME, 2, 0, mask_wrap, 0},
    {"dp4a.u32", WS_OP_dp4a, U32 | S32, SAME, 3, 0, dp4a_unsigned, WS_TYPE_u32},
    {"dp4a.s32", WS_OP_dp4a, U32 | S32, SAME, 3, 0, dp4a_signed, WS_TYPE_s32},
    {"dp2a.lo.u32", WS_OP_dp2a_lo, U32 | S32, SAME, 3, 0, dp2a_lo_unsigned, WS_TYPE_u32},
    {"dp2a.lo.s32", WS_OP_dp2a_lo, U32 | S32, SAME, 3, 0, dp2a_lo_signed, WS_TYPE_s32},
    {"dp2a.hi.u32", WS_OP_dp2a_hi, U32 | S32, SAME, 3, 0, dp2a_hi_unsigned, WS_TYPE_u32},
    {"dp2a.hi.s32", WS_OP_dp2a_hi, U32 | S32, SAME, 3, 0, dp2a_hi_signed, WS_TYPE_s32},
    {"brev", WS_OP_brev, U32 | U64, SAME, 1, 0, reversed, 0},
    {"popc", WS_OP_popc, U32 | U64, NARROW, 1, 0, ones, 0},
    {"clz", WS_OP_clz, U32 | U64, NARROW, 1, 0, leading_zeros, 0},
    {"prmt", WS_OP_prmt, U32, SAME, 3, 0, prmt, 0},
    {"prmt.f4e", WS_OP_prmt_f4e, U32, SAME, 3, 0, prmt_f4e, 0},
    {"prmt.b4e", WS_OP_prmt_b4e, U32, SAME, 3, 0, prmt_b4e, 0},
    {"prmt.rc8", WS_OP_prmt_rc8, U32, SAME, 3, 0, prmt_rc8, 0},
    {"prmt.ecl", WS_OP_prmt_ecl, U32, SAME, 3, 0, prmt_ecl, 0},
    {"prmt.ecr", WS_OP_prmt_ecr, U32, SAME, 3, 0, prmt_ecr, 0},
    {"prmt.rc16", WS_OP_prmt_rc16, U32, SAME, 3, 0, prmt_rc16, 0},
    {"add.sat", WS_OP_add, S32, SAME, 2, WS_OP_SAT, add_sat, 0},
    {"sub.sat", WS_OP_sub, S32, SAME, 2, WS_OP_SAT, sub_sat, 0},
    {"mad.hi.sat", WS_OP_mad_hi, S32, SAME, 3, WS_OP_SAT, mad_hi_sat, 0},
    {"mad24.hi.sat", WS_OP_mad24_hi, S32, SAME, 3, WS_OP_SAT, mad24_hi_sat, 0},
};

static void check(const struct row *row, struct kind kind)
{
    static u64 tuples[COUNT][4], results[COUNT];
    const u32 bits = row->result == TWICE ? 2 * kind.bits : row->result == NARROW ? 32 : kind.bits;
    struct ws_op op = kit_operation(row->opcode, kind.type, (u8)(bits / 8));
    op.flags = (u8)row->flags;
    op.from = (u8)row->from;
    kit_tuples(kind.bits, tuples, COUNT);
    kit_map(op, row->sources, (const u64(*)[4])tuples, COUNT, results);
    for (u32 n = 0; n < COUNT; n++) {
        const u64 *const t = tuples[n];
        const wide value = row->expected(kind, number(kind, t[0]), number(kind, t[1]), number(kind, t[2]), t);
        if (results[n] != low_bits(value, bits))
            fail_msg("%s, type %u: (0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ") gives 0x%" PRIx64
                     ", not 0x%" PRIx64,
                     row->name, kind.type, t[0], t[1], t[2], t[3], results[n], low_bits(value, bits));
    }
}

static void test_row(void **state)
{
    const struct row *const row = *state;
    for (u32 n = 0; n < sizeof kinds / sizeof kinds[0]; n++)
        if (row->types >> n & 1)
            check(row, kinds[n]);
}

/* Predicates are 0 or 1 and stay so. */
TEST(test_predicates)
{
    static const struct {
        enum ws_opcode opcode;
        u32 results; /* bit 2a + b */
    } logic[] = {{WS_OP_and, 8}, {WS_OP_or, 14}, {WS_OP_xor, 6}, {WS_OP_not, 3}};
    const u64 tuples[4][4] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    u64 results[4];
    for (u32 n = 0; n < sizeof logic / sizeof logic[0]; n++) {
        kit_map(kit_operation(logic[n].opcode, WS_TYPE_pred, 1), 2, tuples, 4, results);
        for (u32 i = 0; i < 4; i++)
            assert_int_equal(results[i], logic[n].results >> i & 1);
    }
}

int main(void)
{
    for (u32 n = 0; n < sizeof rows / sizeof rows[0]; n++)
        test_add((struct CMUnitTest){rows[n].name, test_row, NULL, NULL, (void *)(uintptr_t)&rows[n]});
    return test_run(NULL, NULL);
}
