/* Arithmetic and conversions of 16-bit floating point against exact integers, from their PTX to their results. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"

__extension__ typedef __int128 exact; /* in units of 2^-60 */

enum { UNIT = 60, NO_NUMBER = 0x7FFF };

static run_row in[RUN_THREADS], out[RUN_THREADS];

struct format {
    const char *name;
    u32 places, bias, infinity;
};
static const struct format f16 = {"f16", 10, 15, 0x7C00}, bf16 = {"bf16", 7, 127, 0x7F80};

/* 2^n in units; 0 below one. */
static exact power(int n)
{
    return n + UNIT < 0 ? 0 : (exact)1 << (n + UNIT);
}

/* The magnitude that bits stand for, by its fields. bf16 values lie in the range where these units are exact. */
static exact magnitude(const struct format *format, u32 bits)
{
    const int exponent = (int)(bits >> format->places), places = (int)format->places, bias = (int)format->bias;
    const exact fraction = bits & ((1u << places) - 1);
    if (exponent == 0)
        return fraction * power(1 - bias - places);
    return (fraction + (1 << places)) * power(exponent - bias - places);
}

static exact value_of(const struct format *format, u32 bits)
{
    const exact value = magnitude(format, bits & 0x7FFF);
    return bits & 0x8000 ? -value : value;
}

/* The nearest representable bits; ties to even. */
static u32 nearest(const struct format *format, exact value, bool negative_zero)
{
    const bool negative = value < 0 || (value == 0 && negative_zero);
    const exact wanted = value < 0 ? -value : value;
    u32 low = 0, high = wanted > 0 ? format->infinity : 1;
    if (format == &bf16 && wanted > 0) /* larger ones are too large for the units */
        high = (127 + 60) << 7;
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        if (magnitude(format, middle) <= wanted)
            low = middle;
        else
            high = middle;
    }
    const exact below = wanted - magnitude(format, low), above = magnitude(format, low + 1) - wanted;
    const u32 bits = below < above || (below == above && low % 2 == 0) ? low : low + 1;
    return bits | (negative ? 0x8000 : 0);
}

/* Random numbers, near each other in half of the cases; bf16 within 2^-20 to 2^20. */
static void numbers(const struct format *format)
{
    run_values(in, RUN_THREADS);
    u64 state = 0x9E3779B97F4A7C15;
    for (u32 n = 0; n < RUN_THREADS; n++)
        for (u32 word = 0; word < RUN_WORDS; word++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const u32 bits = (u32)(state >> 40);
            if (format == &bf16)
                in[n][word] = (bits & 0x807F) | ((bits >> 8) % 40 + 107) << 7;
            else if (n % 2)
                in[n][word] = (bits & 0x83FF) | ((bits >> 16) % 6 + 10) << 10;
            else
                in[n][word] = (bits & 0x7FFF) < format->infinity ? bits & 0xFFFF : bits & 0x83FF;
        }
}

typedef exact model(exact a, exact b, exact c);

static exact sum(exact a, exact b, exact c)
{
    (void)c;
    return a + b;
}

static exact difference(exact a, exact b, exact c)
{
    (void)c;
    return a - b;
}

/* Factors have at most 24 places behind the point. */
static exact product(exact a, exact b, exact c)
{
    (void)c;
    return (a >> 30) * (b >> 30);
}

static exact fused(exact a, exact b, exact c)
{
    return product(a, b, 0) + c;
}

static exact lesser(exact a, exact b, exact c)
{
    (void)c;
    return a < b ? a : b;
}

static exact greater(exact a, exact b, exact c)
{
    (void)c;
    return a > b ? a : b;
}

static void check(const struct format *format, const char *operation, model *expected, u32 sources, bool pairs)
{
    static const char *const operands[] = {"", "", "%h0, %h1", "%h0, %h1, %h2"}, *const pair_operands[] = {"", "", "%r0, %r1",
                                                                                                           "%r0, %r1, %r2"};
    char body[600];
    numbers(format);
    if (pairs) /* the second numbers are the same list backwards */
        snprintf(body, sizeof body,
                 "cvt.u16.u64 %%h0, %%x0; cvt.u16.u64 %%h1, %%x1; cvt.u16.u64 %%h2, %%x2; cvt.u16.u64 %%h3, %%x3;\n"
                 "mov.b32 %%r0, {%%h0, %%h3}; mov.b32 %%r1, {%%h1, %%h2}; mov.b32 %%r2, {%%h2, %%h1};\n"
                 "%s.%sx2 %%r3, %s; mov.b32 {%%h4, %%h5}, %%r3; cvt.u64.u16 %%y0, %%h4; cvt.u64.u16 %%y1, %%h5;",
                 operation, format->name, pair_operands[sources]);
    else
        snprintf(body, sizeof body,
                 "cvt.u16.u64 %%h0, %%x0; cvt.u16.u64 %%h1, %%x1; cvt.u16.u64 %%h2, %%x2; %s.%s %%h4, %s; cvt.u64.u16 %%y0, %%h4;",
                 operation, format->name, operands[sources]);
    run_map(body, in, out, RUN_THREADS);
    for (u32 n = 0; n < RUN_THREADS; n++) {
        exact v[4];
        for (u32 word = 0; word < 4; word++)
            v[word] = value_of(format, (u32)in[n][word]);
        const exact results[] = {expected(v[0], v[1], v[2]), expected(v[3], v[2], v[1])};
        for (u32 half = 0; half < (pairs ? 2 : 1); half++) {
            const u32 found = (u32)out[n][half], wanted = nearest(format, results[half], false);
            if (found != wanted && !(results[half] == 0 && (found & 0x7FFF) == 0)) /* signs of zeros: test_special */
                fail_msg("%s.%s of 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ": 0x%x, not 0x%x", operation,
                         format->name, in[n][0], in[n][1], in[n][2], in[n][3], found, wanted);
        }
    }
}

TEST(test_arithmetic)
{
    static const struct format *const formats[] = {&f16, &bf16};
    for (u32 n = 0; n < 2; n++)
        for (u32 pairs = 0; pairs < 2; pairs++) {
            check(formats[n], "add.rn", sum, 2, pairs);
            check(formats[n], "sub.rn", difference, 2, pairs);
            check(formats[n], "mul.rn", product, 2, pairs);
            check(formats[n], "fma.rn", fused, 3, pairs);
            check(formats[n], "min", lesser, 2, pairs);
            check(formats[n], "max", greater, 2, pairs);
        }
}

/* ---- Special values: y0 to y3 of one body ---- */

static void expect(const char *body, u64 y0, u64 y1, u64 y2, u64 y3)
{
    const u64 wanted[] = {y0, y1, y2, y3};
    char text[2000];
    snprintf(text, sizeof text,
             "%s\ncvt.u64.u16 %%y0, %%h0; cvt.u64.u16 %%y1, %%h1; cvt.u64.u16 %%y2, %%h2; cvt.u64.u16 %%y3, %%h3;", body);
    run_map(text, in, out, 1);
    for (u32 n = 0; n < RUN_WORDS; n++)
        if (out[0][n] != wanted[n])
            fail_msg("%s\ny%u is 0x%" PRIx64 ", not 0x%" PRIx64, body, n, out[0][n], wanted[n]);
}

TEST(test_special)
{
    /* infinities, NaN, overflow; NaN loses in min and max */
    expect("mov.b16 %h9, 0x7C00; mov.b16 %h8, 0xFC00; mov.b16 %h7, 0x7BFF; mov.b16 %h6, 0x3C00;\n"
           "add.f16 %h0, %h9, %h8; add.f16 %h1, %h7, %h7; min.f16 %h2, %h0, %h6; sub.f16 %h3, %h8, %h7;",
           NO_NUMBER, 0x7C00, 0x3C00, 0xFC00);
    /* signs of zeros; halfway between the largest number and the next is infinite */
    expect("mov.b16 %h9, 0x8000; mov.b16 %h8, 0; mov.b16 %h7, 0x7BFF; mov.b16 %h6, 0x4C00;\n"
           "add.f16 %h0, %h9, %h9; add.f16 %h1, %h9, %h8; min.f16 %h2, %h8, %h9; add.f16 %h3, %h7, %h6;",
           0x8000, 0, 0x8000, 0x7C00);
    /* .ftz on either side, .sat, .relu */
    expect("mov.b16 %h9, 0x0001; mov.b16 %h8, 0x0400; mov.b16 %h7, 0xC000; mov.b16 %h6, 0x3C00; mov.b16 %h5, 0x8001;\n"
           "add.ftz.f16 %h0, %h9, %h8; add.sat.f16 %h1, %h6, %h6; fma.rn.relu.f16 %h2, %h7, %h6, %h9; add.ftz.f16 %h3, %h5, %h5;",
           0x0400, 0x3C00, 0, 0x8000);
    /* products halfway between two numbers, plus an arbitrarily small addend that decides */
    expect(
        "mov.b16 %h9, 0x3F81; mov.b16 %h8, 0x3FC0; mov.b16 %h7, 0; mov.b16 %h6, 0x8D80; mov.b16 %h5, 0x3F83; mov.b16 %h4, 0x0D80;\n"
        "fma.rn.bf16 %h0, %h9, %h8, %h7; fma.rn.bf16 %h1, %h9, %h8, %h6; fma.rn.bf16 %h2, %h5, %h8, %h7; fma.rn.bf16 %h3, %h5, "
        "%h8, %h4;",
        0x3FC2, 0x3FC1, 0x3FC4, 0x3FC5);
    /* abs, neg, ex2, tanh */
    expect(
        "mov.b16 %h9, 0xC200; mov.b16 %h8, 0x4900; mov.b16 %h7, 0; abs.f16 %h0, %h9; neg.f16 %h1, %h9; ex2.approx.f16 %h2, %h9;\n"
        "tanh.approx.f16 %h3, %h8;",
        0x4200, 0x4200, 0x3000, 0x3C00);
    expect("mov.b16 %h9, 0xC040; abs.bf16 %h0, %h9; neg.bf16 %h1, %h9; ex2.approx.ftz.bf16 %h2, %h9; max.bf16 %h3, %h9, %h0;",
           0x4040, 0x4040, 0x3E00, 0x4040);
    /* .NaN propagates */
    expect("mov.b16 %h9, 0x7E00; mov.b16 %h8, 0x3C00; mov.b16 %h7, 0x4000; min.NaN.f16 %h0, %h9, %h8; max.NaN.f16 %h1, %h8, %h7;\n"
           "min.NaN.f32 %f0, 0f7FC00000, 0f3F800000; cvt.rn.f16.f32 %h2, %f0; max.NaN.f32 %f1, 0f40000000, 0f3F800000; "
           "cvt.rn.f16.f32 %h3, %f1;",
           0x7FFF, 0x4000, 0x7FFF, 0x4000);
    run_refused("", "add.rz.f16 %h0, %h1, %h2;", 32, 1, "this rounds to nearest (.rn)");
    run_refused("", "add.sat.bf16 %h0, %h1, %h2;", 32, 1, ".ftz and .sat are for .f16 and .f16x2");
    run_refused("", "fma.rn.relu.f32 %f0, %f1, %f2, %f3;", 32, 1, ".relu is for numbers of 16 bits");
}

/* ---- Conversions ---- */

/* All 65536 numbers to single precision and back: only NaN payloads are lost. */
static void check_round_trip(const struct format *format)
{
    char body[400];
    snprintf(body, sizeof body,
             "cvt.u16.u64 %%h0, %%x0; cvt.f32.%s %%f0, %%h0; cvt.rn.%s.f32 %%h1, %%f0; cvt.f64.%s %%e0, %%h0; cvt.rn.%s.f64 %%h2, "
             "%%e0;\n"
             "mov.b32 %%r0, %%f0; cvt.u64.u32 %%y0, %%r0; cvt.u64.u16 %%y1, %%h1; cvt.u64.u16 %%y2, %%h2;",
             format->name, format->name, format->name, format->name);
    for (u32 first = 0; first < 0x10000; first += RUN_THREADS) {
        for (u32 n = 0; n < RUN_THREADS; n++)
            in[n][0] = first + n;
        run_map(body, in, out, RUN_THREADS);
        for (u32 n = 0; n < RUN_THREADS; n++) {
            const u32 bits = first + n, size = bits & 0x7FFF, single = (u32)out[n][0];
            const u32 same = size > format->infinity ? NO_NUMBER : bits;
            float found;
            memcpy(&found, &single, sizeof found);
            assert_int_equal(out[n][1], same);
            assert_int_equal(out[n][2], same);
            if (size > format->infinity)
                assert_int_equal(single, 0x7FFFFFFF);
            else if (format == &bf16)
                assert_int_equal(single, bits << 16);
            else if (size < format->infinity)
                assert_true((double)found == ldexp((double)(value_of(format, bits) >> 30), -30));
        }
    }
}

/* Integers and single precision, from and to, with rounding. */
static void check_integers(const struct format *format)
{
    char body[500];
    snprintf(body, sizeof body,
             "cvt.rn.%s.s32 %%h0, %%w0; cvt.rni.s32.%s %%r0, %%h0; cvt.rn.f32.s32 %%f0, %%w1; mul.rn.f32 %%f0, %%f0, 0f37000001;\n"
             "cvt.rn.%s.f32 %%h1, %%f0; mov.b32 %%r1, %%f0; cvt.u64.u16 %%y0, %%h0; cvt.u64.u32 %%y1, %%r0; cvt.u64.u16 %%y2, "
             "%%h1; cvt.u64.u32 %%y3, %%r1;",
             format->name, format->name, format->name);
    run_values(in, RUN_THREADS);
    for (u32 n = 0; n < RUN_THREADS; n++)
        in[n][0] = (u64)((int64_t)(int32_t)in[n][0] >> n % 24);
    run_map(body, in, out, RUN_THREADS);
    for (u32 n = 0; n < RUN_THREADS; n++) {
        const u32 bits = (u32)out[n][3];
        float single;
        memcpy(&single, &bits, sizeof single);
        const u32 rounded = nearest(format, (exact)(int32_t)in[n][0] * power(0), false);
        assert_int_equal(out[n][0], rounded);
        if ((rounded & 0x7FFF) < format->infinity)
            assert_int_equal((int32_t)out[n][1],
                             (int32_t)(value_of(format, rounded) >= power(31) ? INT32_MAX : value_of(format, rounded) / power(0)));
        const u32 wanted = nearest(format, (exact)ldexp((double)single, 50) * (1 << (UNIT - 50)), signbit(single));
        if (out[n][2] != wanted)
            fail_msg("cvt.rn.%s.f32 of 0x%x: 0x%" PRIx64 ", not 0x%x", format->name, bits, out[n][2], wanted);
    }
}

TEST(test_conversions)
{
    check_round_trip(&f16);
    check_round_trip(&bf16);
    check_integers(&f16);
    check_integers(&bf16);
    /* directions, saturation, .relu, integral numbers */
    expect("mov.f32 %f0, 0f3F800801; mov.f32 %f1, 0fBF800801; cvt.rz.f16.f32 %h0, %f0; cvt.rp.f16.f32 %h1, %f0; cvt.rm.f16.f32 "
           "%h2, %f1;\n"
           "cvt.rp.f16.f32 %h3, %f1;",
           0x3C00, 0x3C01, 0xBC01, 0xBC00);
    expect("mov.f32 %f0, 0f477FF000; mov.f32 %f1, 0fC0200000; cvt.rn.f16.f32 %h0, %f0; cvt.rz.f16.f32 %h1, %f0; "
           "cvt.rn.relu.f16.f32 %h2, %f1;\n"
           "cvt.rn.sat.f16.f32 %h3, %f0;",
           0x7C00, 0x7BFF, 0, 0x3C00);
    expect("mov.b16 %h9, 0x4100; cvt.rni.f16.f16 %h0, %h9; cvt.rpi.f16.f16 %h1, %h9; cvt.rn.bf16.f16 %h2, %h9; cvt.rzi.u16.f16 "
           "%h3, %h9;",
           0x4000, 0x4200, 0x4020, 2);
    /* 2^53 + 1 and 2^62 + 2^54 + 1: one rounding only */
    expect("mov.u64 %d0, 0x4040000000000001; mov.u64 %d1, 0x4040000000000000; cvt.rn.bf16.u64 %h0, %d0; cvt.rn.bf16.s64 %h1, %d1;\n"
           "cvt.rn.f16x2.f32 %r0, 0f3F800000, 0f40000000; mov.b32 {%h2, %h3}, %r0;",
           0x5E81, 0x5E80, 0x4000, 0x3C00);
    expect("cvt.rz.bf16x2.f32 %r0, 0f3F80FFFF, 0fBF80FFFF; mov.b32 {%h0, %h1}, %r0; cvt.rn.relu.bf16x2.f32 %r0, 0f3F80FFFF, "
           "0fBF80FFFF;\n"
           "mov.b32 {%h2, %h3}, %r0;",
           0xBF80, 0x3F80, 0, 0x3F81);
}

/* ---- Comparisons, atomics ---- */

TEST(test_comparisons)
{
    expect("mov.b16 %h9, 0x3C00; mov.b16 %h8, 0xC000; mov.b16 %h7, 0x7E00; mov.b32 %r0, {%h9, %h8}; mov.b32 %r1, {%h8, %h7};\n"
           "setp.gt.f16 %p1|%p2, %h9, %h8; setp.gt.f16x2 %p3|%p4, %r0, %r1; setp.ltu.f16 %p5, %h7, %h8;\n"
           "selp.u16 %h0, 1, 0, %p1; @%p2 add.u16 %h0, %h0, 2; selp.u16 %h1, 1, 0, %p3; @%p4 add.u16 %h1, %h1, 2; selp.u16 %h2, 1, "
           "0, %p5;\n"
           "set.gt.f16.f16 %h3, %h9, %h8;",
           1, 1, 1, 0x3C00);
    expect("mov.b16 %h9, 0x3C00; mov.b16 %h8, 0xC000; set.gt.u32.f16 %r0, %h9, %h8; mov.b32 {%h0, %h1}, %r0; set.lt.s32.bf16 %r0, "
           "%h9, %h8;\n"
           "mov.b32 {%h2, %h3}, %r0;",
           0xFFFF, 0xFFFF, 0, 0);
    expect(
        "mov.b16 %h9, 0x0001; mov.b16 %h8, 0; setp.gt.ftz.f16 %p1, %h9, %h8; setp.gt.f16 %p2, %h9, %h8; selp.u16 %h0, 1, 0, %p1;\n"
        "selp.u16 %h1, 1, 0, %p2; mov.b32 %r0, {%h9, %h8}; mov.b32 %r1, {%h8, %h9}; set.gt.f16x2.f16x2 %r2, %r0, %r1; mov.b32 "
        "{%h2, %h3}, %r2;",
        0, 1, 0x3C00, 0);
}

/* set gives 1.0 or all bits: for one number the whole result, for a pair each half. */
TEST(test_sets)
{
    static const char pairs[] =
        "mov.b32 %%r0, 0x%s; mov.b32 %%r1, 0x%s; set.gt.u32.%s %%r2, %%r0, %%r1; mov.b32 {%%h0, %%h1}, %%r2;\n"
        "set.lt.or.s32.%s %%r2, %%r1, %%r0, %%p0; mov.b32 {%%h2, %%h3}, %%r2;";
    char body[400];
    snprintf(body, sizeof body, pairs, "3C004000", "3C003C00", "f16x2", "f16x2");
    expect(body, 0xFFFF, 0, 0xFFFF, 0);
    snprintf(body, sizeof body, pairs, "40003C00", "3C003C00", "f16x2", "f16x2");
    expect(body, 0, 0xFFFF, 0, 0xFFFF);
    snprintf(body, sizeof body, pairs, "40803F80", "3F803F80", "bf16x2", "bf16x2");
    expect(body, 0, 0xFFFF, 0, 0xFFFF);
    expect("mov.b32 %r0, 0x3C004000; mov.b32 %r1, 0x3C003C00; setp.eq.u32 %p1, %r0, %r0; set.gt.xor.u32.f16x2 %r2, %r0, %r1, %p1;\n"
           "mov.b32 {%h0, %h1}, %r2; set.gt.and.f16x2.f16x2 %r2, %r0, %r1, !%p0; mov.b32 {%h2, %h3}, %r2;",
           0, 0xFFFF, 0x3C00, 0);
    expect("mov.b16 %h9, 0x3C00; mov.b16 %h8, 0x4000; mov.b16 %h7, 0x7E00; set.lt.u16.f16 %h0, %h9, %h8; set.gt.s16.f16 %h1, %h9, "
           "%h8;\n"
           "set.ltu.and.u16.f16 %h2, %h7, %h8, !%p0; set.lt.u16.bf16 %h3, %h9, %h8;",
           0xFFFF, 0, 0xFFFF, 0xFFFF);
    expect("mov.b16 %h9, 0xFFFF; set.lt.f16.s32 %h0, -1, 0; set.gt.bf16.f32 %h1, 0f40000000, 0f3F800000; set.eq.f16.b16 %h2, %h9, "
           "%h9;\n"
           "set.lt.f16.f64 %h3, 0d4000000000000000, 0d3FF0000000000000;",
           0x3C00, 0x3F80, 0x3C00, 0);
    expect("mov.b32 %r0, 0x3C007E00; mov.b32 %r1, 0x3C003C00; setp.eq.and.f16x2 %p1|%p2, %r0, %r1, !%p0; selp.u16 %h0, 1, 0, %p1;\n"
           "selp.u16 %h1, 1, 0, %p2; setp.nan.or.bf16x2 %p1|%p2, %r0, %r1, %p0; selp.u16 %h2, 1, 0, %p1; selp.u16 %h3, 1, 0, %p2;",
           0, 1, 0, 0);
    run_refused("", "set.lt.f32.f16 %f0, %h0, %h1;", 32, 1, "a comparison of 16 bits gives an integer or 16 bits");
    run_refused("", "set.lt.f16.f16x2 %h0, %r0, %r1;", 32, 1, "a comparison of pairs gives .u32, .s32 or the same pairs");
    run_refused("", "set.lt.f16x2.f32 %r0, %f0, %f1;", 32, 1, "a comparison of single numbers gives no pair");
    run_refused("", "set.lt.u16.s32 %h0, %r0, %r1;", 32, 1, "only .f16 and .bf16 give .u16 or .s16");
    run_refused("", "set.lt.f16.bf16 %h0, %h0, %h1;", 32, 1, "a comparison of .bf16 gives .bf16 or an integer");
    run_refused("", "set.lt.ftz.u32.bf16 %r0, %h0, %h1;", 32, 1, ".ftz is for .f32, .f16 and .f16x2");
}

TEST(test_atomics)
{
    expect(
        ".shared .align 4 .b16 s[4]; mov.b16 %h9, 0x3C00; mov.b16 %h8, 0x4000; st.shared.b16 [s], %h9; st.shared.b16 [s+2], %h8;\n"
        "atom.shared.add.noftz.f16 %h0, [s], %h8; mov.b32 %r0, {%h9, %h8}; atom.shared.add.noftz.f16x2 %r1, [s], %r0;\n"
        "mov.b32 {%h1, %h2}, %r1; ld.shared.b16 %h3, [s+2];",
        0x3C00, 0x4200, 0x4000, 0x4400);
}
