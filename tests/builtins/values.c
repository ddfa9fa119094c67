#include "builtins/values.h"

#include <math.h>
#include <string.h>

#define INTEGER(name, bits, sign, least, most)                                                                                     \
    {                                                                                                                              \
        name, bits, sign, false, 0, 0, least, most                                                                                 \
    }
#define REAL(name, bits, mantissa, least, most)                                                                                    \
    {                                                                                                                              \
        name, bits, true, true, mantissa, least, -(most), most                                                                     \
    }
const struct type types[TYPES] = {
    INTEGER("char", 8, true, INT8_MIN, INT8_MAX),     INTEGER("uchar", 8, false, 0, UINT8_MAX),
    INTEGER("short", 16, true, INT16_MIN, INT16_MAX), INTEGER("ushort", 16, false, 0, UINT16_MAX),
    INTEGER("int", 32, true, INT32_MIN, INT32_MAX),   INTEGER("uint", 32, false, 0, UINT32_MAX),
    INTEGER("long", 64, true, INT64_MIN, INT64_MAX),  INTEGER("ulong", 64, false, 0, UINT64_MAX),
    REAL("float", 32, 24, -126, 0x1.fffffep127L),     REAL("double", 64, 53, -1022, 0x1.fffffffffffffp1023L),
    INTEGER("int", 32, true, INT32_MIN, INT32_MAX),   REAL("half", 16, 11, -14, 65504.0L),
};
real pool[TYPES][OPERANDS][TUPLES];

/* ---- Operands ---- */

static uint64_t state = 45;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

enum { MOST_EDGES = 64 };

static size_t integer_edges(const struct type *type, real *edges)
{
    const real all[] = {0,
                        1,
                        2,
                        3,
                        7,
                        31,
                        32,
                        33,
                        type->bits - 1,
                        type->bits,
                        type->most,
                        type->most - 1,
                        floorl(type->most / 2),
                        floorl(type->most / 2) + 1,
                        type->least,
                        type->least + 1,
                        -1,
                        -2,
                        -33,
                        100,
                        floorl(type->most / 3),
                        -floorl(type->most / 2)};
    size_t count = 0;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        if (all[n] >= type->least && all[n] <= type->most)
            edges[count++] = all[n];
    return count;
}

static size_t real_edges(const struct type *type, real *edges)
{
    const real tiny = ldexpl(1, type->least_exponent), ulp = ldexpl(1, 1 - type->mantissa), pi = round_to(PI, type, TO_EVEN);
    const real all[] = {0,
                        1,
                        0.5L,
                        1.5L,
                        2.5L,
                        3,
                        pi,
                        10,
                        1 + ulp,
                        1 - ulp / 2,
                        tiny,
                        tiny * ulp,
                        tiny * (1 - ulp),
                        100.25L,
                        1 / ulp,
                        1.5L / ulp,
                        type->most,
                        INFINITY,
                        round_to(0.1L, type, TO_EVEN),
                        2,
                        63.5L,
                        round_to(1e-3L, type, TO_EVEN)};
    size_t count = 0;
    edges[count++] = NAN;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        edges[count++] = all[n];
        edges[count++] = -all[n];
    }
    return count;
}

static size_t count_edges(real *edges)
{
    const real all[] = {0,  1,    -1,  2,   -2,   3,   -3,    4,    5,    -7,    10,        -24,      31,
                        63, -126, 127, 150, -150, 200, -1022, 1023, 1100, -1100, INT32_MAX, INT32_MIN};
    memcpy(edges, all, sizeof all);
    return sizeof all / sizeof *all;
}

static real random_value(enum type_id id)
{
    const struct type *const type = &types[id];
    const uint64_t bits = draw(), short_bits = bits >> draw() % 64;
    if (id == T_count)
        return (real)(bits % 41) - 20;
    if (!type->is_real) {
        uint8_t bytes[8];
        memcpy(bytes, &short_bits, sizeof bytes);
        const real x = load(bytes, type);
        return type->is_signed && bits & 1 && x != type->least ? 0 - x : x;
    }
    const real mantissa = 1 + (real)(bits >> 12) / 0x1p52L;
    const int exponent = (int)(draw() % 4 == 0 ? draw() % (uint64_t)(-2 * type->least_exponent) + (uint64_t)0
                                               : (uint64_t)(-type->least_exponent) - 6 + draw() % 12) +
                         type->least_exponent;
    return round_to(ldexpl(draw() & 1 ? -mantissa : mantissa, exponent), type, TO_ZERO);
}

static void fill_pool(enum type_id id)
{
    real edges[MOST_EDGES];
    const struct type *const type = &types[id];
    const size_t count = id == T_count ? count_edges(edges) : type->is_real ? real_edges(type, edges) : integer_edges(type, edges);
    for (size_t n = 0; n < TUPLES; n++)
        for (size_t k = 0; k < OPERANDS; k++)
            pool[id][k][n] = n < 2 * count && k == 0              ? edges[n % count]
                             : draw() % 100 < (n < 400 ? 85 : 10) ? edges[draw() % count]
                                                                  : random_value(id);
}

void fill_pools(void)
{
    for (enum type_id id = 0; id < TYPES; id++)
        fill_pool(id);
}

/* ---- Numbers ---- */

static real to_integer(real x, enum rounding rounding)
{
    return rounding == TO_ZERO ? truncl(x) : rounding == UP ? ceill(x) : rounding == DOWN ? floorl(x) : rintl(x);
}

real round_to(real x, const struct type *type, enum rounding rounding)
{
    if (x == 0 || !isfinite(x))
        return x;
    int exponent = ilogbl(x);
    if (exponent < type->least_exponent)
        exponent = type->least_exponent;
    const int last = exponent - type->mantissa + 1;
    const real y = copysignl(ldexpl(to_integer(ldexpl(x, -last), rounding), last), x);
    if (fabsl(y) <= type->most)
        return y;
    const bool away = rounding == TO_EVEN || rounding == (x > 0 ? UP : DOWN);
    return copysignl(away ? INFINITY : type->most, x);
}

static real load_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const real x = exponent == 31 ? (mantissa ? NAN : INFINITY)
                   : exponent     ? ldexpl(1024 + mantissa, exponent - 25)
                                  : ldexpl(mantissa, -24);
    return bits >> 15 ? -x : x;
}

static uint16_t store_half(real x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    x = fabsl(x);
    if (isnan(x))
        return 0x7E00;
    if (isinf(x))
        return sign | 0x7C00;
    if (x < 0x1p-14L)
        return sign | (uint16_t)ldexpl(x, 24);
    return (uint16_t)(sign | (((ilogbl(x) + 14) << 10) + (int)ldexpl(x, 10 - ilogbl(x))));
}

real load(const uint8_t *bytes, const struct type *type)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, (size_t)type->bits / 8);
    float f;
    double d;
    memcpy(&f, &bits, sizeof f);
    memcpy(&d, &bits, sizeof d);
    if (type->is_real && type->bits == 16)
        return load_half((uint16_t)bits);
    if (type->is_real && type->bits == 32)
        return f;
    if (type->is_real)
        return d;
    const int unused = 64 - type->bits;
    return type->is_signed ? (real)((int64_t)(bits << unused) >> unused) : (real)bits;
}

void store(uint8_t *bytes, const struct type *type, real x)
{
    const float f = (float)x;
    const double d = (double)x;
    const uint16_t h = type->is_real && type->bits == 16 ? store_half(x) : 0;
    const uint64_t bits = type->is_real ? 0 : (uint64_t)(wide)x;
    const void *const from = !type->is_real     ? (const void *)&bits
                             : type->bits == 16 ? (const void *)&h
                             : type->bits == 32 ? (const void *)&f
                                                : (const void *)&d;
    memcpy(bytes, from, (size_t)type->bits / 8);
}

real ulps(real found, real expected, real scale, const struct type *type)
{
    if (isnan(found) || isnan(expected))
        return isnan(found) && isnan(expected) ? 0 : INFINITY;
    if (found == expected)
        return 0;
    if (isinf(expected))
        return INFINITY;
    const real beyond = ldexpl(1, 2 - type->least_exponent);
    found = fmaxl(-beyond, fminl(found, beyond));
    expected = fmaxl(-beyond, fminl(expected, beyond));
    const real most = fmaxl(fabsl(expected), scale);
    const int exponent = most == 0 ? type->least_exponent : ilogbl(most);
    const int last = (exponent < type->least_exponent       ? type->least_exponent
                      : exponent > 1 - type->least_exponent ? 1 - type->least_exponent
                                                            : exponent) -
                     type->mantissa + 1;
    return ldexpl(fabsl(found - expected), -last);
}
