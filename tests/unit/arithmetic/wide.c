/* Carries, packed conversions and searches for bits, from their PTX to their results, against plain arithmetic. */
#include <inttypes.h>

#include "test.h"
#include "unit/kit/ptx_run.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static run_row in[RUN_THREADS], out[RUN_THREADS];

/* Outputs of a body, computed from its inputs. */
typedef void model(const u64 x[RUN_WORDS], u64 y[RUN_WORDS]);

static void check(const char *body, model *expected)
{
    run_values(in, RUN_THREADS);
    run_map(body, in, out, RUN_THREADS);
    for (u32 n = 0; n < RUN_THREADS; n++) {
        run_row y = {0};
        expected(in[n], y);
        for (u32 word = 0; word < RUN_WORDS; word++)
            if (out[n][word] != y[word])
                fail_msg("%s\nof 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 " leaves 0x%" PRIx64
                         " in y%u, not 0x%" PRIx64,
                         body, in[n][0], in[n][1], in[n][2], in[n][3], out[n][word], word, y[word]);
    }
}

static u128 wide(u64 high, u64 low)
{
    return (u128)high << 64 | low;
}

static void leave(u128 value, u64 y[RUN_WORDS])
{
    y[0] = (u64)value;
    y[1] = (u64)(value >> 64);
}

/* ---- Carries ---- */

static void sum(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    leave(wide(x[1], x[0]) + wide(x[3], x[2]), y);
    y[2] = wide(x[1], x[0]) > (u128)-1 - wide(x[3], x[2]);
}

static void difference(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    leave(wide(x[1], x[0]) - wide(x[3], x[2]), y);
    y[2] = wide(x[1], x[0]) < wide(x[3], x[2]) ? UINT64_MAX : 0;
}

TEST(test_sums)
{
    check("add.cc.u64 %y0, %x0, %x2; addc.cc.s64 %y1, %x1, %x3; addc.u64 %y2, 0, 0;", sum);
    check("mov.b64 {%r0, %r1}, %x0; mov.b64 {%r2, %r3}, %x1; mov.b64 {%r4, %r5}, %x2; mov.b64 {%r6, %r7}, %x3;\n"
          "add.cc.s32 %r0, %r0, %r4; addc.cc.u32 %r1, %r1, %r5; addc.cc.u32 %r2, %r2, %r6; addc.cc.s32 %r3, %r3, %r7;\n"
          "mov.b64 %y0, {%r0, %r1}; mov.b64 %y1, {%r2, %r3}; addc.u32 %r0, 0, 0; cvt.u64.u32 %y2, %r0;",
          sum);
    check("sub.cc.u64 %y0, %x0, %x2; subc.cc.s64 %y1, %x1, %x3; subc.u64 %y2, 0, 0;", difference);
    check("mov.b64 {%r0, %r1}, %x0; mov.b64 {%r2, %r3}, %x1; mov.b64 {%r4, %r5}, %x2; mov.b64 {%r6, %r7}, %x3;\n"
          "sub.cc.s32 %r0, %r0, %r4; subc.cc.u32 %r1, %r1, %r5; subc.cc.u32 %r2, %r2, %r6; subc.cc.s32 %r3, %r3, %r7;\n"
          "mov.b64 %y0, {%r0, %r1}; mov.b64 %y1, {%r2, %r3}; subc.s32 %r0, 0, 0; cvt.s64.s32 %y2, %r0;",
          difference);
}

/* Borrow: a difference sets the carry to 1 if it does not borrow, and subtracts one more if the incoming carry is 0. */
static void one_flag(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    const u64 no_borrow = x[0] >= x[1], carry = x[0] > ~x[1], long_carry = x[0] * x[1] > ~x[2];
    const u64 low_carry = (u64)(u32)x[0] + (u32)x[1] > UINT32_MAX, low_no_borrow = (u32)x[0] >= (u32)x[1];
    y[0] = x[2] + x[3] + no_borrow;
    y[1] = x[2] - x[3] - !carry;
    y[2] = x[2] - x[3] - !long_carry;
    y[3] = (u64)(u32)(x[2] * x[3] + low_no_borrow) | (u64)(u32)(x[2] - x[3] - !low_carry) << 32;
}

TEST(test_one_flag)
{
    check("sub.cc.u64 %d0, %x0, %x1; addc.u64 %y0, %x2, %x3; add.cc.s64 %d0, %x0, %x1; subc.u64 %y1, %x2, %x3;\n"
          "mad.lo.cc.u64 %d0, %x0, %x1, %x2; subc.s64 %y2, %x2, %x3; sub.cc.s32 %r0, %w0, %w1; madc.lo.u32 %r0, %w2, %w3, 0;\n"
          "add.cc.u32 %r1, %w0, %w1; subc.s32 %r1, %w2, %w3; mov.b64 %y3, {%r0, %r1};",
          one_flag);
    check("sub.cc.u64 %d0, %x0, %x1; subc.cc.u64 %d0, 0, 0; addc.u64 %y0, %x2, %x3; add.cc.s64 %d0, %x0, %x1; addc.cc.u64 %d0, -1, "
          "0;\n"
          "subc.u64 %y1, %x2, %x3; mad.lo.cc.s64 %d0, %x0, %x1, %x2; subc.s64 %y2, %x2, %x3; sub.cc.u32 %r0, %w0, %w1;\n"
          "madc.lo.cc.s32 %r0, %w2, %w3, 0; add.cc.s32 %r1, %w0, %w1; subc.cc.s32 %r1, %w2, %w3; mov.b64 %y3, {%r0, %r1};",
          one_flag);
}

/* x0 x1 + x3:x2, the carry of which is in y2. */
static void product(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    const u128 exact = (u128)x[0] * x[1];
    leave(exact + wide(x[3], x[2]), y);
    y[2] = exact > (u128)-1 - wide(x[3], x[2]);
}

static void signed_product(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    leave((u128)((s128)(int64_t)x[0] * (int64_t)x[1]) + wide(x[3], x[2]), y);
}

/* The product of two 64-bit numbers in digits of 32 bits, plus x2. */
static void digits(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    leave((u128)x[0] * x[1] + x[2], y);
}

TEST(test_products)
{
    check("mad.lo.cc.u64 %y0, %x0, %x1, %x2; madc.hi.cc.u64 %y1, %x0, %x1, %x3; addc.u64 %y2, 0, 0;", product);
    check("mad.lo.cc.s64 %y0, %x0, %x1, %x2; madc.hi.s64 %y1, %x0, %x1, %x3;", signed_product);
    check("mov.b64 {%r0, %r1}, %x0; mov.b64 {%r2, %r3}, %x1; mov.b64 {%r4, %r5}, %x2;\n"
          "mad.lo.cc.u32 %r8, %r0, %r2, %r4; madc.hi.cc.u32 %r9, %r0, %r2, %r5; addc.u32 %r10, 0, 0;\n"
          "mad.lo.cc.u32 %r9, %r0, %r3, %r9; madc.hi.cc.u32 %r10, %r0, %r3, %r10; addc.u32 %r11, 0, 0;\n"
          "mad.lo.cc.u32 %r9, %r1, %r2, %r9; madc.hi.cc.u32 %r10, %r1, %r2, %r10; addc.u32 %r11, %r11, 0;\n"
          "mad.lo.cc.u32 %r10, %r1, %r3, %r10; madc.hi.u32 %r11, %r1, %r3, %r11;\n"
          "mov.b64 %y0, {%r8, %r9}; mov.b64 %y1, {%r10, %r11};",
          digits);
}

/* The carry survives branches and guarded instructions. A called function has its own. */
static void guarded(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    const bool odd = x[2] & 1;
    y[0] = x[0] + x[1];
    y[1] = odd && y[0] < x[0] ? 6 : 5;
}

TEST(test_flow)
{
    check("and.b32 %r0, %w2, 1; setp.eq.u32 %p1, %r0, 1; add.cc.u64 %d0, 0, 0; add.u64 %y0, %x0, %x1;\n"
          "@%p1 add.cc.u64 %y0, %x0, %x1;\nbra NEXT;\nNEXT: addc.u64 %y1, 5, 0;",
          guarded);
}

/* ---- Packed conversions ---- */

static u64 limited(u64 x, s128 least, s128 most)
{
    const s128 value = (int32_t)x;
    return (u64)(value < least ? least : value > most ? most : value);
}

static u64 pack(const u64 x[RUN_WORDS], u32 bits, bool is_signed)
{
    const s128 most = ((s128)1 << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
    const u64 mask = (UINT64_C(1) << bits) - 1;
    const u64 pair = (limited(x[0], least, most) & mask) * (mask + 1) + (limited(x[1], least, most) & mask);
    return bits == 16 ? pair : (u32)(x[2] << 2 * bits | pair);
}

#define PACKED(name, bits, is_signed)                                                                                              \
    static void name(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])                                                                     \
    {                                                                                                                              \
        y[0] = pack(x, bits, is_signed);                                                                                           \
    }
PACKED(u16_, 16, false)
PACKED(s16_, 16, true)
PACKED(u8_, 8, false)
PACKED(s8, 8, true)
PACKED(u4, 4, false)
PACKED(s4, 4, true)
PACKED(u2, 2, false)
PACKED(s2, 2, true)

TEST(test_packs)
{
    check("cvt.pack.sat.u16.s32 %r0, %w0, %w1; cvt.u64.u32 %y0, %r0;", u16_);
    check("cvt.pack.sat.s16.s32 %r0, %w0, %w1; cvt.u64.u32 %y0, %r0;", s16_);
    check("cvt.pack.sat.u8.s32.b32 %r0, %w0, %w1, %w2; cvt.u64.u32 %y0, %r0;", u8_);
    check("cvt.pack.sat.s8.s32.b32 %r0, %w0, %w1, %w2; cvt.u64.u32 %y0, %r0;", s8);
    check("cvt.pack.sat.u4.s32.b32 %r0, %w0, %w1, %w2; cvt.u64.u32 %y0, %r0;", u4);
    check("cvt.pack.sat.s4.s32.b32 %r0, %w0, %w1, %w2; cvt.u64.u32 %y0, %r0;", s4);
    check("cvt.pack.sat.u2.s32.b32 %r0, %w0, %w1, %w2; cvt.u64.u32 %y0, %r0;", u2);
    check("cvt.pack.sat.s2.s32.b32 %r0, %w0, %w1, %w2; cvt.u64.u32 %y0, %r0;", s2);
}

/* ---- Kinds of numbers ---- */

/* By the fields of the number: bits of finite, infinite, number, notanumber, normal, subnormal. Zeros are normal numbers. */
static u64 kinds(u64 bits, u32 places, u32 width)
{
    const u64 fraction = bits & ((UINT64_C(1) << places) - 1), most = (UINT64_C(1) << (width - 1 - places)) - 1;
    const u64 exponent = bits >> places & most;
    const bool nan = exponent == most && fraction > 0, infinite = exponent == most && fraction == 0;
    return (u64)(exponent != most) | (u64)infinite << 1 | (u64)!nan << 2 | (u64)nan << 3 |
           (u64)((exponent > 0 && exponent < most) || (exponent == 0 && fraction == 0)) << 4 |
           (u64)(exponent == 0 && fraction > 0) << 5;
}

static void single_kinds(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    y[0] = kinds((u32)x[0] << (x[1] & 31), 23, 32);
}

static void double_kinds(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    y[0] = kinds(x[0] << (x[1] & 63), 52, 64);
}

#define TESTP(type, x)                                                                                                             \
    "testp.finite." type " %p0, " x "; testp.infinite." type " %p1, " x "; testp.number." type " %p2, " x ";\n"                    \
    "testp.notanumber." type " %p3, " x "; testp.normal." type " %p4, " x "; testp.subnormal." type " %p5, " x ";\n"               \
    "selp.u64 %y0, 1, 0, %p0; @%p1 add.u64 %y0, %y0, 2; @%p2 add.u64 %y0, %y0, 4; @%p3 add.u64 %y0, %y0, 8;\n"                     \
    "@%p4 add.u64 %y0, %y0, 16; @%p5 add.u64 %y0, %y0, 32; brkpt; pmevent 3;"

TEST(test_kinds)
{
    check("and.b32 %r1, %w1, 31; shl.b32 %r0, %w0, %r1; mov.b32 %f0, %r0;\n" TESTP("f32", "%f0"), single_kinds);
    check("and.b32 %r1, %w1, 63; shl.b64 %d0, %x0, %r1; mov.b64 %e0, %d0;\n" TESTP("f64", "%e0"), double_kinds);
}

/* ---- Bits ---- */

static u64 extended(u64 value, u64 length, bool is_signed)
{
    u64 result = 0;
    for (u32 n = 0; n < 32; n++) {
        const u32 from = n < length ? n : (u32)length - 1;
        const bool bit = n < length || (is_signed && length > 0) ? value >> from & 1 : false;
        result |= (u64)bit << n;
    }
    return result;
}

static void extensions(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    const u64 length = (u32)x[1];
    y[0] = extended(x[0], length < 32 ? length : 32, false);
    y[1] = extended(x[0], length < 32 ? length : 32, true);
    y[2] = extended(x[0], length % 32, false);
    y[3] = extended(x[0], length % 32, true);
}

static void nth(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    const u32 mask = (u32)x[0], base = (u32)x[1] & 31;
    const int64_t offset = (int32_t)(u32)x[2] % 40;
    int64_t count = offset < 0 ? -offset : offset;
    y[0] = UINT32_MAX;
    for (int64_t at = base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
        const bool set = mask >> at & 1;
        if (offset == 0) {
            y[0] = set ? base : UINT32_MAX;
            return;
        }
        count -= set;
        if (set && count == 0) {
            y[0] = (u64)at;
            return;
        }
    }
}

TEST(test_bits)
{
    check("szext.clamp.u32 %r0, %w0, %w1; szext.clamp.s32 %r1, %w0, %w1; szext.wrap.u32 %r2, %w0, %w1; szext.wrap.s32 %r3, %w0, "
          "%w1;\n"
          "cvt.u64.u32 %y0, %r0; cvt.u64.u32 %y1, %r1; cvt.u64.u32 %y2, %r2; cvt.u64.u32 %y3, %r3;",
          extensions);
    check("and.b32 %r1, %w1, 31; rem.s32 %r2, %w2, 40; nanosleep.u32 40; fns.b32 %r0, %w0, %r1, %r2; cvt.u64.u32 %y0, %r0;", nth);
}
