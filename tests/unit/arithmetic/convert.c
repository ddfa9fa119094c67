/* cvt between every two types: integers against 128-bit numbers, floating point against exact comparisons in long double, which
 * holds every integer of 64 bits. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kit.h"

_Static_assert(LDBL_MANT_DIG >= 64, "long double must hold 64-bit integers");

enum { COUNT = KIT_THREADS };

__extension__ typedef __int128 wide;

static const struct kind {
    enum ws_type type;
    u32 bits;
    bool negative;
} kinds[] = {{WS_TYPE_u8, 8, false}, {WS_TYPE_u16, 16, false}, {WS_TYPE_u32, 32, false}, {WS_TYPE_u64, 64, false},
             {WS_TYPE_s8, 8, true},  {WS_TYPE_s16, 16, true},  {WS_TYPE_s32, 32, true},  {WS_TYPE_s64, 64, true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static u64 tuples[COUNT][4], results[COUNT];

static u64 mask(u32 bits)
{
    return UINT64_MAX >> (64 - bits);
}

static wide number(const struct kind *kind, u64 bits)
{
    const wide value = bits & mask(kind->bits), half = (wide)1 << (kind->bits - 1);
    return kind->negative && value >= half ? value - 2 * half : value;
}

static wide clamped(const struct kind *kind, wide value)
{
    const wide half = (wide)1 << (kind->bits - 1);
    const wide low = kind->negative ? -half : 0, high = kind->negative ? half - 1 : 2 * half - 1;
    return value < low ? low : value > high ? high : value;
}

static void run(enum ws_type from, enum ws_type to, u32 width, u32 rounding, u32 flags)
{
    struct ws_op op = kit_operation(WS_OP_cvt, to, (u8)width);
    op.from = (u8)from;
    op.rounding = (u8)rounding;
    op.flags = (u8)flags;
    kit_map(op, 1, (const u64(*)[4])tuples, COUNT, results);
}

static void expect(u32 n, const char *what, u32 from, u32 to, u64 expected)
{
    if (results[n] != expected)
        fail_msg("%s, type %u to %u: 0x%" PRIx64 " gives 0x%" PRIx64 ", not 0x%" PRIx64, what, from, to, tuples[n][0], results[n],
                 expected);
}

/* Sources may have more bits than the type they are read as; destinations are extended to their register. */
TEST(test_integers)
{
    kit_tuples(64, tuples, COUNT);
    for (const struct kind *from = kinds; from < kinds + KINDS; from++)
        for (const struct kind *to = kinds; to < kinds + KINDS; to++)
            for (u32 width = to->bits < 16 ? 2 : to->bits / 8; width <= 8; width *= 2) {
                run(from->type, to->type, width, WS_ROUND_nearest, 0);
                for (u32 n = 0; n < COUNT; n++) {
                    const wide cut = number(to, (u64)number(from, tuples[n][0]));
                    expect(n, "cvt", from->type, to->type, (u64)cut & mask(8 * width));
                }
                run(from->type, to->type, width, WS_ROUND_nearest, WS_OP_SAT);
                for (u32 n = 0; n < COUNT; n++) {
                    const wide value = clamped(to, number(from, tuples[n][0]));
                    expect(n, "cvt.sat", from->type, to->type, (u64)value & mask(8 * width));
                }
            }
}

static long double real_of(enum ws_type type, u64 bits)
{
    float narrow;
    double value;
    const u32 low = (u32)bits;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&value, &bits, sizeof value);
    return type == WS_TYPE_f32 ? (long double)narrow : (long double)value;
}

static u64 bits_of(enum ws_type type, long double value)
{
    const float narrow = (float)value;
    const double plain = (double)value;
    u64 bits = 0;
    if (type == WS_TYPE_f32)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &plain, sizeof plain);
    return bits;
}

/* The neighbour of a number of the type in the direction. */
static long double beside(enum ws_type type, long double value, double direction)
{
    return type == WS_TYPE_f32 ? (long double)nextafterf((float)value, (float)direction)
                               : (long double)nextafter((double)value, direction);
}

/* The correctly rounded number of the type for an exact value, found from its nearest neighbour. */
static long double rounded(enum ws_type type, long double exact, u32 rounding)
{
    const long double near = real_of(type, bits_of(type, exact));
    const bool toward_zero = rounding == WS_ROUND_zero;
    if ((rounding == WS_ROUND_down || (toward_zero && exact > 0)) && near > exact)
        return beside(type, near, -HUGE_VAL);
    if ((rounding == WS_ROUND_up || (toward_zero && exact < 0)) && near < exact)
        return beside(type, near, HUGE_VAL);
    return near;
}

TEST(test_integers_to_reals)
{
    kit_tuples(64, tuples, COUNT);
    for (enum ws_type to = WS_TYPE_f32; to <= WS_TYPE_f64; to++)
        for (const struct kind *from = kinds; from < kinds + KINDS; from++)
            for (u32 rounding = WS_ROUND_nearest; rounding <= WS_ROUND_up; rounding++) {
                run(from->type, to, to == WS_TYPE_f32 ? 4 : 8, rounding, 0);
                for (u32 n = 0; n < COUNT; n++)
                    expect(n, "cvt", from->type, to, bits_of(to, rounded(to, (long double)number(from, tuples[n][0]), rounding)));
            }
}

/* Numbers around the limits of all integer types, halves, special values. */
static void fill_reals(enum ws_type type)
{
    static const double specials[] = {0.0,   -0.0,   0.5,  -0.5,  1.5,      2.5,       -1.5, -2.5,
                                      1e-42, -1e-42, 1e30, -1e30, HUGE_VAL, -HUGE_VAL, NAN};
    enum { SPECIALS = sizeof specials / sizeof specials[0] };
    for (u32 n = 0; n < COUNT; n++) {
        const double power = ldexp(1, (int)(n / 8 % 66)), offset = (double)((int)(n % 8) - 4) * 0.5;
        const double value = n < SPECIALS ? specials[n] : (n & 1 ? -power : power) + offset;
        tuples[n][0] = bits_of(type, (long double)value);
    }
}

static long double integral(long double value, u32 rounding)
{
    const long double below = floorl(value);
    switch (rounding) {
    case WS_ROUND_down:
        return below;
    case WS_ROUND_up:
        return -floorl(-value);
    case WS_ROUND_zero:
        return value < 0 ? -floorl(-value) : below;
    default:
        if (value - below != 0.5L)
            return value - below < 0.5L ? below : below + 1;
        return fmodl(below, 2) == 0 ? below : below + 1;
    }
}

/* NaN is 0 where 32 bits are enough, else the highest bit (PTX ISA 9.0, cvt). */
static u64 clamped_integer(enum ws_type from, const struct kind *to, long double value)
{
    if (isnan(value))
        return from == WS_TYPE_f64 || to->bits == 64 ? (to->negative ? UINT64_MAX : 1) << (to->bits - 1) : 0;
    const long double limit = 0x1p100L;
    const long double held = value > limit ? limit : value < -limit ? -limit : value;
    return (u64)clamped(to, (wide)held);
}

TEST(test_reals_to_integers)
{
    for (enum ws_type from = WS_TYPE_f32; from <= WS_TYPE_f64; from++) {
        fill_reals(from);
        for (const struct kind *to = kinds; to < kinds + KINDS; to++)
            for (u32 rounding = WS_ROUND_nearest; rounding <= WS_ROUND_up; rounding++) {
                const u32 width = to->bits < 16 ? 2 : to->bits / 8;
                run(from, to->type, width, rounding, WS_OP_INTEGRAL);
                for (u32 n = 0; n < COUNT; n++)
                    expect(n, "cvt", from, to->type,
                           clamped_integer(from, to, integral(real_of(from, tuples[n][0]), rounding)) & mask(8 * width));
            }
    }
}

TEST(test_reals_to_integral_reals)
{
    for (enum ws_type type = WS_TYPE_f32; type <= WS_TYPE_f64; type++) {
        fill_reals(type);
        for (u32 rounding = WS_ROUND_nearest; rounding <= WS_ROUND_up; rounding++) {
            run(type, type, type == WS_TYPE_f32 ? 4 : 8, rounding, WS_OP_INTEGRAL);
            for (u32 n = 0; n < COUNT; n++) {
                const long double value = real_of(type, tuples[n][0]), result = real_of(type, results[n]);
                assert_true(isnan(value) ? isnan(result) : result == (isinf(value) ? value : integral(value, rounding)));
                assert_true(isnan(value) || signbit(value) == signbit(result) || result != 0);
            }
        }
    }
}

TEST(test_widening_and_narrowing)
{
    fill_reals(WS_TYPE_f64);
    for (u32 n = 64; n < COUNT; n++)
        tuples[n][0] = bits_of(WS_TYPE_f64, real_of(WS_TYPE_f64, tuples[n][0]) * (1 + 0x1p-30L * (long double)n));
    for (u32 rounding = WS_ROUND_nearest; rounding <= WS_ROUND_up; rounding++) {
        run(WS_TYPE_f64, WS_TYPE_f32, 4, rounding, 0);
        for (u32 n = 0; n < COUNT; n++) {
            const long double exact = real_of(WS_TYPE_f64, tuples[n][0]);
            expect(n, "cvt", WS_TYPE_f64, WS_TYPE_f32,
                   isnan(exact) ? 0x7FFFFFFF : bits_of(WS_TYPE_f32, rounded(WS_TYPE_f32, exact, rounding)));
        }
    }
    fill_reals(WS_TYPE_f32);
    run(WS_TYPE_f32, WS_TYPE_f64, 8, WS_ROUND_nearest, 0);
    for (u32 n = 0; n < COUNT; n++) {
        const long double exact = real_of(WS_TYPE_f32, tuples[n][0]);
        assert_true(isnan(exact) ? isnan(real_of(WS_TYPE_f64, results[n])) : results[n] == bits_of(WS_TYPE_f64, exact));
    }
}

TEST(test_flush_and_saturate)
{
    fill_reals(WS_TYPE_f32);
    run(WS_TYPE_f32, WS_TYPE_f32, 4, WS_ROUND_nearest, WS_OP_SAT);
    for (u32 n = 0; n < COUNT; n++) {
        const long double value = real_of(WS_TYPE_f32, tuples[n][0]);
        expect(n, "cvt.sat", WS_TYPE_f32, WS_TYPE_f32, value > 0 ? bits_of(WS_TYPE_f32, value > 1 ? 1 : value) : 0);
    }
    tuples[0][0] = 0x80000001;
    run(WS_TYPE_f32, WS_TYPE_f32, 4, WS_ROUND_nearest, WS_OP_FTZ);
    expect(0, "cvt.ftz", WS_TYPE_f32, WS_TYPE_f32, 0x80000000);
    run(WS_TYPE_f32, WS_TYPE_f64, 8, WS_ROUND_nearest, WS_OP_FTZ);
    expect(0, "cvt.ftz", WS_TYPE_f32, WS_TYPE_f64, 0x8000000000000000);
    run(WS_TYPE_f32, WS_TYPE_s32, 4, WS_ROUND_down, WS_OP_FTZ | WS_OP_INTEGRAL);
    expect(0, "cvt.rmi.ftz", WS_TYPE_f32, WS_TYPE_s32, 0);
}
