/* Operands: edges of each kind of value, and random ones. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "frontend/exec/arithmetic/ieee.h"
#include "ptx_values/values.h"

static const u64 integers[] = {0,
                               1,
                               UINT64_MAX,
                               0x80000000,
                               0x7FFFFFFF,
                               0x8000000000000000,
                               0x7FFFFFFFFFFFFFFF,
                               2,
                               UINT64_MAX - 1,
                               0x80000001,
                               0xFFFFFFFF,
                               0x100000000,
                               0x7F,
                               0x80,
                               0xFF,
                               0x7FFF,
                               0x8000,
                               0xFFFF,
                               0x10000,
                               0x7FFFFF,
                               0x800000,
                               0xFFFFFF,
                               0x1000001,
                               0x80FF7F01,
                               0x8000FFFF,
                               0x7FFF8001,
                               0x55555555AAAAAAAA,
                               0x8000000000000001,
                               0xFFFFFFFF00000000,
                               0x1FFFFFFFFFFFFF,
                               0x20000000000001,
                               0x7FFFFFBF,
                               0x7FFFFFC0,
                               0x1234567,
                               10,
                               UINT64_MAX - 127};
static const u64 amounts[] = {0,  1,  31, 32, 33,  63,  64,  255,        256,        UINT32_MAX, 0x80000000, 8,
                              15, 16, 17, 24, 127, 128, 263, 0x00010001, 0x80000005, 7,          23,         65};
static const u64 selectors[] = {0x3210, 0x7654, 0xFEDC, 0x0123, 0, 0xFFFF, 0x8888, 0x12345678, 0xF0E1, 1, 2, 3};
static const u64 predicates[] = {0, 1};
static const double numbers[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 0x1p-149,
                                 -0x1.fffffcp-127,
                                 0x1p31,
                                 0.5,
                                 -0.5,
                                 1.5,
                                 -2.5,
                                 0.1,
                                 -1e-10,
                                 2.0,
                                 3.0,
                                 -0x1p31,
                                 0x1.fffffep30,
                                 0x1p32,
                                 0x1.fffffep31,
                                 0x1p63,
                                 -0x1p63,
                                 0x1p64,
                                 -0x1.000002p63,
                                 127.5,
                                 -128.5,
                                 255.5,
                                 32767.5,
                                 -32768.5,
                                 65535.5,
                                 0x1.fffffffcp30,
                                 0x1p126,
                                 0x1.8p126,
                                 0x1p127,
                                 0x1p-126,
                                 -0x1p-149,
                                 0x1.fffffep127,
                                 -0x1.fffffep127,
                                 0x1p-127,
                                 65504.0,
                                 65519.0,
                                 65520.0,
                                 0x1p-14,
                                 0x1.ffcp-15,
                                 0x1p-24,
                                 0x1p-25,
                                 0x1.8p-25,
                                 1.0 + 0x1p-11,
                                 1.0 + 0x3p-11,
                                 1.0 + 0x1p-8,
                                 1.0 + 0x3p-8,
                                 0x1.000002p0,
                                 0x1.fffffep-1,
                                 1.0 + 0x1p-24,
                                 1.0 + 0x3p-24,
                                 1.0 + 0x1.000001p-24,
                                 0x1.fffffefp127,
                                 0x1.ffffffp127,
                                 -0x1p128,
                                 0x1p-150,
                                 -0x1.8p-150,
                                 0x1p-1074,
                                 -0x1p-1022,
                                 0x1.fffffffffffffp1023,
                                 0x1.ffffffffffffep-1023,
                                 0x1.fffffffffffffp62,
                                 4294967295.5,
                                 3.14159274,
                                 1e30};
static const u64 nans32[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFA12345, 0x7FFFFFFF, 0xFFFFFFFF};
static const u64 nans64[] = {0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000,
                             0x7FF0000000000001, 0xFFF4123456789ABC, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF};
static const u64 halves[] = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x7C01,
                             0xFFFF, 0x7FFF, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x3800, 0x3E00,
                             0xC100, 0x3C01, 0x3BFF, 0x57F8, 0x5BFC, 0x7800, 0x2E66, 0x1400};
static const u64 brains[] = {0x0000, 0x8000, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7F81,
                             0xFFFF, 0x7FFF, 0x0001, 0x807F, 0x0080, 0x7F7F, 0xFF7F, 0x3F00, 0x3FC0,
                             0xC020, 0x3F81, 0x3F7F, 0x42FF, 0x4F00, 0x5F00, 0xCF00, 0x3DCC};

enum { NUMBERS = sizeof numbers / sizeof *numbers, NANS = sizeof nans32 / sizeof *nans32 };

u64 values_hash(const char *text)
{
    u64 hash = 14695981039346656037u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (u8)*text) * 1099511628211u;
    return hash ^ hash >> 29;
}

/* Edge n of floating point: NaNs and infinities are every fourth of the first ones. */
static u64 float_edge(u32 bits, u32 n)
{
    const bool odd = n % 4 == 3 && n / 4 < NANS;
    const u32 index = odd ? n / 4 : n - (n / 4 < NANS ? n / 4 : NANS);
    if (odd)
        return bits == 32 ? nans32[index] : nans64[index];
    return bits == 32 ? ws_raw_f32((float)numbers[index]) : ws_bits_f64(numbers[index]);
}

struct edges {
    const u64 *values;
    u32 count;
};

static struct edges edges_of(char kind)
{
#define EDGES(array) ((struct edges){array, sizeof array / sizeof *array})
    switch (kind) {
    case 'i':
        return EDGES(integers);
    case 'n':
        return EDGES(amounts);
    case 's':
        return EDGES(selectors);
    case 'p':
        return EDGES(predicates);
    case 'h':
        return EDGES(halves);
    case 'g':
        return EDGES(brains);
    default:
        return (struct edges){NULL, NUMBERS + NANS};
    }
#undef EDGES
}

static u64 edge(struct value_type type, u32 n, u64 *random)
{
    const struct edges edges = edges_of(type.kind);
    if (!edges.values)
        return float_edge(type.bits, n % edges.count);
    const bool pair = (type.kind == 'h' || type.kind == 'g') && type.bits == 32;
    const u64 value = edges.values[n % edges.count];
    return pair ? value | edges.values[ws_random(random) % edges.count] << 16 : value & UINT64_MAX >> (64 - type.bits);
}

/* A number with a moderate exponent: keeps sums and products finite and balanced. */
static u64 moderate(struct value_type type, u64 random)
{
    const double value = ldexp(1.0 + (double)(random >> 12) * 0x1p-52, (int)(random % 9) - 4) * (random & 512 ? -1 : 1);
    return type.bits == 32 ? ws_raw_f32((float)value) : ws_bits_f64(value);
}

static u64 draw(struct value_type type, u32 n, u64 *random)
{
    const u64 choice = ws_random(random), value = ws_random(random);
    const u64 mask = type.kind == 'p' ? 1 : UINT64_MAX >> (64 - type.bits);
    if (n == 0 ? choice % 3 : choice % 8)
        return edge(type, (u32)(choice >> 32), random);
    return type.kind == 'f' && choice & 16 ? moderate(type, value) : (type.kind == 'n' ? value % 70 : value) & mask;
}

/* Forms with one source get its edges in order, then random numbers. */
static void make_case(const struct form *form, u32 n, u32 count, u64 *random, struct value_case *one)
{
    for (u32 s = 0; s < form->sources; s++)
        one->source[s] = draw(form->source[s], n, random);
    if (form->sources == 1 && n < count - count / 4)
        one->source[0] = edge(form->source[0], n, random);
    if (form->sources > 1 && n % 8 == 7)
        one->source[1] = one->source[0] & UINT64_MAX >> (64 - form->source[1].bits);
}

void values_make_cases(struct values *values, u64 seed, u32 count)
{
    for (size_t f = 0; f < values->form_count; f++) {
        struct form *const form = &values->forms[f];
        u64 random = seed ^ values_hash(form->text);
        form->first = values->case_count;
        form->count = count;
        for (u32 n = 0; n < count; n++)
            make_case(form, n, count, &random, values_add_case(values));
    }
}
