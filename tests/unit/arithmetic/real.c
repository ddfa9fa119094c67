/* Floating point: arithmetic to nearest against the host, directed roundings against the sign of the exact error, and the rules
 * that PTX adds: canonical NaN, .ftz, .sat, min and max, special functions. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kit.h"

enum { COUNT = KIT_THREADS };

static u64 tuples[COUNT][4], results[COUNT];

static float f32_of(u64 bits)
{
    const u32 low = (u32)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double f64_of(u64 bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static u64 bits_of_f32(float value)
{
    u32 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static u64 bits_of_f64(double value)
{
    u64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static u64 next_random(void)
{
    static u64 state = 0xDA942042E4DD58B5;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* All pairs of special values first; then special ones, numbers of like size, and any bits. */
static void fill_tuples(enum ws_type type)
{
    static const float edges[] = {0.0f,     -0.0f,  1.0f,    -1.0f,    FLT_MAX,   -FLT_MAX, FLT_MIN,
                                  -FLT_MIN, 1e-45f, -1e-40f, INFINITY, -INFINITY, NAN};
    enum { EDGES = sizeof edges / sizeof edges[0], PAIRS = EDGES * EDGES };
    for (u32 n = 0; n < COUNT; n++)
        for (u32 i = 0; i < 4; i++) {
            const u32 pair = i == 0 ? n % EDGES : n / EDGES % EDGES;
            const float edge = edges[i < 2 && n < PAIRS ? pair : next_random() % EDGES];
            const double number = ((double)(next_random() >> 11) * 0x1p-53 - 0.5) * (double)(1u << next_random() % 12);
            const bool special = n < PAIRS || n % 8 == i, any = n % 3 == 0;
            const double value = special ? (double)edge : number;
            tuples[n][i] = type == WS_TYPE_f32 ? bits_of_f32((float)value) : bits_of_f64(value);
            if (any && !special)
                tuples[n][i] = type == WS_TYPE_f32 ? (u32)next_random() : next_random();
        }
}

static void run(struct ws_op op, u32 sources)
{
    kit_map(op, sources, (const u64(*)[4])tuples, COUNT, results);
}

static struct ws_op operation(enum ws_opcode opcode, enum ws_type type)
{
    return kit_operation(opcode, type, type == WS_TYPE_f32 ? 4 : 8);
}

/* The host's result, rounded to nearest, and the sign of the exact value minus it. */
struct reference {
    const char *name;
    enum ws_opcode opcode;
    u32 sources;
    float (*f32)(float a, float b, float c);
    double (*f64)(double a, double b, double c);
    int (*lacks32)(double a, double b, double c, double r);
    int (*lacks64)(double a, double b, double c, double r); /* NULL: not known */
};

#define HOST(name, expression32, expression64)                                                                                     \
    static float name##32(float a, float b, float c)                                                                               \
    {                                                                                                                              \
        (void)a, (void)b, (void)c;                                                                                                 \
        const volatile float r = (expression32);                                                                                   \
        return r;                                                                                                                  \
    }                                                                                                                              \
    static double name##64(double a, double b, double c)                                                                           \
    {                                                                                                                              \
        (void)a, (void)b, (void)c;                                                                                                 \
        const volatile double r = (expression64);                                                                                  \
        return r;                                                                                                                  \
    }
HOST(add, a + b, a + b)
HOST(sub, a - b, a - b)
HOST(mul, a *b, a *b)
HOST(div, a / b, a / b)
HOST(rcp, 1.0f / a, 1.0 / a)
HOST(fma, fmaf(a, b, c), fma(a, b, c))
HOST(sqrt, sqrtf(a), sqrt(a))

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

/* The sign of a + b - r: the rounded sum, then what it lost (Knuth's two-sum). */
static int sum_lacks(double a, double b, double r)
{
    const volatile double sum = a + b, b_part = sum - a, a_part = sum - b_part;
    const volatile double lost = (a - a_part) + (b - b_part);
    return sum != r ? sign(sum - r) : sign(lost);
}

static int infinite_lacks(double r)
{
    return r > 0 ? -1 : 1;
}

#define LACKS(name, expression)                                                                                                    \
    static int name(double a, double b, double c, double r)                                                                        \
    {                                                                                                                              \
        (void)a, (void)b, (void)c;                                                                                                 \
        return isinf(r) ? infinite_lacks(r) : (expression);                                                                        \
    }
LACKS(add_lacks, sum_lacks(a, b, r))
LACKS(sub_lacks, sum_lacks(a, -b, r))
LACKS(mul_lacks32, sign(a *b - r))
LACKS(mul_lacks64, sign(fma(a, b, -r)))
LACKS(fma_lacks32, sum_lacks(a *b, c, r))
LACKS(div_lacks, sign(-fma(r, b, -a)) * sign(b))
LACKS(rcp_lacks, sign(-fma(r, a, -1)) * sign(a))
LACKS(sqrt_lacks, sign(-fma(r, r, -a)))

static const struct reference references[] = {
    {"add", WS_OP_add, 2, add32, add64, add_lacks, add_lacks},     {"sub", WS_OP_sub, 2, sub32, sub64, sub_lacks, sub_lacks},
    {"mul", WS_OP_mul, 2, mul32, mul64, mul_lacks32, mul_lacks64}, {"div", WS_OP_div, 2, div32, div64, div_lacks, div_lacks},
    {"rcp", WS_OP_rcp, 1, rcp32, rcp64, rcp_lacks, rcp_lacks},     {"fma", WS_OP_fma, 3, fma32, fma64, fma_lacks32, NULL},
    {"mad", WS_OP_mad, 3, fma32, fma64, fma_lacks32, NULL},        {"sqrt", WS_OP_sqrt, 1, sqrt32, sqrt64, sqrt_lacks, sqrt_lacks},
};

static void expect_f32(const char *name, u32 n, float value)
{
    const u64 expected = value != value ? 0x7FFFFFFF : bits_of_f32(value);
    if (results[n] != expected)
        fail_msg("%s.f32 (%a, %a, %a) gives 0x%" PRIx64 ", not 0x%" PRIx64, name, (double)f32_of(tuples[n][0]),
                 (double)f32_of(tuples[n][1]), (double)f32_of(tuples[n][2]), results[n], expected);
}

static void expect_f64(const char *name, u32 n, double value)
{
    const bool same = value != value ? isnan(f64_of(results[n])) : results[n] == bits_of_f64(value);
    if (!same)
        fail_msg("%s.f64 (%a, %a, %a) gives %a, not %a", name, f64_of(tuples[n][0]), f64_of(tuples[n][1]), f64_of(tuples[n][2]),
                 f64_of(results[n]), value);
}

static void test_nearest(void **state)
{
    const struct reference *const reference = *state;
    fill_tuples(WS_TYPE_f32);
    run(operation(reference->opcode, WS_TYPE_f32), reference->sources);
    for (u32 n = 0; n < COUNT; n++)
        expect_f32(reference->name, n, reference->f32(f32_of(tuples[n][0]), f32_of(tuples[n][1]), f32_of(tuples[n][2])));
    fill_tuples(WS_TYPE_f64);
    run(operation(reference->opcode, WS_TYPE_f64), reference->sources);
    for (u32 n = 0; n < COUNT; n++)
        expect_f64(reference->name, n, reference->f64(f64_of(tuples[n][0]), f64_of(tuples[n][1]), f64_of(tuples[n][2])));
}

/* Which neighbour of the nearest value a directed rounding takes: -1 the one below, 1 the one above. */
static int neighbour(u32 rounding, bool negative, int lacks)
{
    const bool down = rounding == WS_ROUND_down || (rounding == WS_ROUND_zero && !negative);
    if (down)
        return lacks < 0 ? -1 : 0;
    return lacks > 0 ? 1 : 0;
}

/* Exact results, zeros, and infinities from infinite operands are equal in all rounding modes, except that an exact zero sum is
 * negative when rounding down. */
static bool rounds(const u64 *tuple, u32 sources, double (*value)(u64), double r)
{
    bool finite = !isnan(r);
    for (u32 i = 0; i < sources; i++)
        finite = finite && isfinite(value(tuple[i]));
    return finite && r != 0;
}

static double f32_as_double(u64 bits)
{
    return (double)f32_of(bits);
}

static void check_directed_f32(const struct reference *reference, u32 rounding)
{
    struct ws_op op = operation(reference->opcode, WS_TYPE_f32);
    op.rounding = (u8)rounding;
    run(op, reference->sources);
    for (u32 n = 0; n < COUNT; n++) {
        const float a = f32_of(tuples[n][0]), b = f32_of(tuples[n][1]), c = f32_of(tuples[n][2]);
        const float r = reference->f32(a, b, c);
        const bool by_zero = (reference->opcode == WS_OP_div && b == 0) || (reference->opcode == WS_OP_rcp && a == 0);
        if (!rounds(tuples[n], reference->sources, f32_as_double, (double)r) || by_zero)
            continue;
        const int way = neighbour(rounding, r < 0, reference->lacks32((double)a, (double)b, (double)c, (double)r));
        expect_f32(reference->name, n, way ? nextafterf(r, (float)way * INFINITY) : r);
    }
}

/* Whether the error of a result of this magnitude is representable in double precision. */
static bool is_tame(double value)
{
    return value == 0 || (fabs(value) > 1e-250 && fabs(value) < 1e250);
}

static void check_directed_f64(const struct reference *reference, u32 rounding)
{
    struct ws_op op = operation(reference->opcode, WS_TYPE_f64);
    op.rounding = (u8)rounding;
    run(op, reference->sources);
    for (u32 n = 0; n < COUNT; n++) {
        const double a = f64_of(tuples[n][0]), b = f64_of(tuples[n][1]), c = f64_of(tuples[n][2]);
        const double r = reference->f64(a, b, c);
        const bool by_zero = (reference->opcode == WS_OP_div && b == 0) || (reference->opcode == WS_OP_rcp && a == 0);
        const bool lossy = !is_tame(r) || !is_tame(a) || !is_tame(b);
        if (!rounds(tuples[n], reference->sources, f64_of, r) || by_zero || lossy)
            continue;
        const int way = neighbour(rounding, r < 0, reference->lacks64(a, b, c, r));
        expect_f64(reference->name, n, way ? nextafter(r, way * HUGE_VAL) : r);
    }
}

static void test_directed(void **state)
{
    const struct reference *const reference = *state;
    for (u32 rounding = WS_ROUND_zero; rounding <= WS_ROUND_up; rounding++) {
        fill_tuples(WS_TYPE_f32);
        check_directed_f32(reference, rounding);
        fill_tuples(WS_TYPE_f64);
        if (reference->lacks64)
            check_directed_f64(reference, rounding);
    }
}

static float flushed(float value)
{
    return fabsf(value) < FLT_MIN && value != 0 ? copysignf(0, value) : value;
}

static void test_flush_and_saturate(void **state)
{
    const struct reference *const reference = *state;
    struct ws_op op = operation(reference->opcode, WS_TYPE_f32);
    op.flags = WS_OP_FTZ;
    fill_tuples(WS_TYPE_f32);
    run(op, reference->sources);
    for (u32 n = 0; n < COUNT; n++)
        expect_f32(
            reference->name, n,
            flushed(reference->f32(flushed(f32_of(tuples[n][0])), flushed(f32_of(tuples[n][1])), flushed(f32_of(tuples[n][2])))));
    op.flags = WS_OP_SAT;
    run(op, reference->sources);
    for (u32 n = 0; n < COUNT; n++) {
        const float r = reference->f32(f32_of(tuples[n][0]), f32_of(tuples[n][1]), f32_of(tuples[n][2]));
        expect_f32(reference->name, n, isnan(r) || r <= 0 ? 0 : r > 1 ? 1 : r);
    }
}

/* PTX ISA table: the sine of a subnormal number is zero, with or without .ftz. */
static double flushed_sin(double value)
{
    return fabs(value) < 0x1p-126 ? copysign(0.0, value) : sin(value);
}

/* Against the double-precision functions of the C library: relative error, or absolute error for values near zero. */
TEST(test_special_functions)
{
    static const struct {
        const char *name;
        enum ws_opcode opcode;
        double (*exact)(double);
    } functions[] = {{"ex2", WS_OP_ex2, exp2}, {"lg2", WS_OP_lg2, log2},   {"sin", WS_OP_sin, flushed_sin},
                     {"cos", WS_OP_cos, cos},  {"tanh", WS_OP_tanh, tanh}, {"sqrt", WS_OP_sqrt, sqrt}};
    fill_tuples(WS_TYPE_f32);
    for (u32 i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        struct ws_op op = operation(functions[i].opcode, WS_TYPE_f32);
        op.flags = WS_OP_APPROX;
        run(op, 1);
        for (u32 n = 0; n < COUNT; n++) {
            const double exact = functions[i].exact((double)f32_of(tuples[n][0])), ours = (double)f32_of(results[n]);
            const bool near = fabs(exact - ours) <= (exact == 0 ? 0 : 1e-45) + fabs(exact) * 1.5e-7 || exact == ours ||
                              (double)(float)exact == ours;
            if (isnan(exact) ? results[n] != 0x7FFFFFFF : !near)
                fail_msg("%s(%a) gives %a, not %a", functions[i].name, (double)f32_of(tuples[n][0]), ours, exact);
        }
    }
}

TEST(test_reciprocal_root)
{
    const u64 inputs[][4] = {{bits_of_f32(4)}, {bits_of_f32(0)}, {bits_of_f32(-0.0f)}, {bits_of_f32(-1)}, {bits_of_f32(INFINITY)}};
    const u64 doubles[][4] = {{bits_of_f64(4)}, {bits_of_f64(0)}, {bits_of_f64(0.0625)}};
    u64 roots[5];
    kit_map(operation(WS_OP_rsqrt, WS_TYPE_f32), 1, inputs, 5, roots);
    assert_int_equal(roots[0], bits_of_f32(0.5f));
    assert_int_equal(roots[1], bits_of_f32(INFINITY));
    assert_int_equal(roots[2], bits_of_f32(-INFINITY));
    assert_int_equal(roots[3], 0x7FFFFFFF);
    assert_int_equal(roots[4], bits_of_f32(0));
    kit_map(operation(WS_OP_rsqrt, WS_TYPE_f64), 1, doubles, 3, roots);
    assert_int_equal(roots[0], bits_of_f64(0.5));
    assert_int_equal(roots[1], bits_of_f64(INFINITY));
    assert_int_equal(roots[2], bits_of_f64(4));
}

/* rcp and rsqrt.approx.ftz.f64 read and give the upper 32 bits of a number. */
TEST(test_gross_reciprocals)
{
    const u64 inputs[][4] = {{bits_of_f64(3)},
                             {bits_of_f64(4) | 0xFFFFFFFF},
                             {bits_of_f64(-0x1p-1030)},
                             {bits_of_f64(0x1p1023)},
                             {bits_of_f64(INFINITY)}};
    u64 results64[5];
    kit_map(operation(WS_OP_rcp_gross, WS_TYPE_f64), 1, inputs, 5, results64);
    assert_int_equal(results64[0], bits_of_f64(1.0 / 3) & ~(u64)UINT32_MAX);
    assert_int_equal(results64[1], bits_of_f64(0.25));
    assert_int_equal(results64[2], bits_of_f64(-INFINITY));
    assert_int_equal(results64[3], bits_of_f64(0));
    assert_int_equal(results64[4], bits_of_f64(0));
    kit_map(operation(WS_OP_rsqrt_gross, WS_TYPE_f64), 1, inputs, 5, results64);
    assert_int_equal(results64[0], bits_of_f64(1 / sqrt(3)) & ~(u64)UINT32_MAX);
    assert_int_equal(results64[1], bits_of_f64(0.5));
    assert_int_equal(results64[2], bits_of_f64(-INFINITY));
}

/* copysign moves a sign between any bits, those of a NaN too. */
TEST(test_copied_sign)
{
    const u64 narrow[][4] = {
        {0xBF800000, 0x7FC00000}, {0x3F800000, 0xFF812345}, {0xFFC00000, 0x00000001}, {0x7F812345, 0x80000000}};
    const u64 narrow_results[] = {0xFFC00000, 0x7F812345, 0x80000001, 0};
    const u64 wide[][4] = {{0xBFF0000000000000, 0x7FF8000000000001}, {0x7FF8000000000000, 0xFFF0000000000000}};
    const u64 wide_results[] = {0xFFF8000000000001, 0x7FF0000000000000};
    u64 out[4];
    kit_map(operation(WS_OP_copysign, WS_TYPE_f32), 2, narrow, 4, out);
    assert_memory_equal(out, narrow_results, sizeof narrow_results);
    kit_map(operation(WS_OP_copysign, WS_TYPE_f64), 2, wide, 2, out);
    assert_memory_equal(out, wide_results, sizeof wide_results);
}

/* div.approx: a divisor beyond 2^126 has the reciprocal 0, so that infinity divided by it is NaN. Values of NVIDIA's compiler. */
TEST(test_large_divisors)
{
    const u64 inputs[][4] = {{0x3F800000, 0x7F000000}, {0x3F800000, 0x7E800001}, {0x3F800000, 0x7E800000}, {0xBF800000, 0x7F000000},
                             {0x7F000000, 0x7F000000}, {0x7F800000, 0x7F000000}, {0x3F800000, 0x7F800000}, {0xFF800000, 0x3F800000},
                             {0xFF800000, 0xFE800001}, {0x40C00000, 0x40000000}};
    const u64 expected[] = {0, 0, 0x00800000, 0x80000000, 0, 0x7FFFFFFF, 0, 0xFF800000, 0x7FFFFFFF, 0x40400000};
    u64 out[10];
    for (u32 flags = 0; flags <= WS_OP_FTZ; flags += WS_OP_FTZ) {
        struct ws_op op = operation(WS_OP_div_approx, WS_TYPE_f32);
        op.flags = (u8)flags;
        kit_map(op, 2, inputs, 10, out);
        assert_memory_equal(out, expected, sizeof expected);
    }
}

/* A NaN loses against a number, and -0 is below +0; abs, neg and copysign change only the sign. */
TEST(test_signs)
{
    const float zero = 0.0f, minus = -0.0f, nan = NAN;
    const struct {
        enum ws_opcode opcode;
        float a, b, result;
    } cases[] = {
        {WS_OP_min, 1, 2, 1},        {WS_OP_min, zero, minus, minus}, {WS_OP_min, minus, zero, minus},
        {WS_OP_min, nan, 2, 2},      {WS_OP_min, 2, nan, 2},          {WS_OP_min, nan, nan, nan},
        {WS_OP_max, 1, 2, 2},        {WS_OP_max, minus, zero, zero},  {WS_OP_max, zero, minus, zero},
        {WS_OP_max, nan, -3, -3},    {WS_OP_max, -3, nan, -3},        {WS_OP_max, nan, nan, nan},
        {WS_OP_copysign, -1, 5, -5}, {WS_OP_copysign, 1, -5, 5},      {WS_OP_copysign, minus, 0, minus},
        {WS_OP_abs, -2, 0, 2},       {WS_OP_abs, minus, 0, zero},     {WS_OP_neg, 2, 0, -2},
        {WS_OP_neg, zero, 0, minus},
    };
    for (u32 n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const u32 sources = cases[n].opcode == WS_OP_abs || cases[n].opcode == WS_OP_neg ? 1 : 2;
        const u64 narrow[1][4] = {{bits_of_f32(cases[n].a), bits_of_f32(cases[n].b)}};
        const u64 wide[1][4] = {{bits_of_f64((double)cases[n].a), bits_of_f64((double)cases[n].b)}};
        u64 result;
        kit_map(operation(cases[n].opcode, WS_TYPE_f32), sources, narrow, 1, &result);
        assert_int_equal(result, isnan(cases[n].result) ? 0x7FFFFFFF : bits_of_f32(cases[n].result));
        kit_map(operation(cases[n].opcode, WS_TYPE_f64), sources, wide, 1, &result);
        assert_true(isnan(cases[n].result) ? isnan(f64_of(result)) : result == bits_of_f64((double)cases[n].result));
    }
}

int main(void)
{
    for (u32 n = 0; n < sizeof references / sizeof references[0]; n++) {
        void *const reference = (void *)(uintptr_t)&references[n];
        test_add((struct CMUnitTest){references[n].name, test_nearest, NULL, NULL, reference});
        test_add((struct CMUnitTest){"directed", test_directed, NULL, NULL, reference});
        test_add((struct CMUnitTest){"ftz, sat", test_flush_and_saturate, NULL, NULL, reference});
    }
    return test_run(NULL, NULL);
}
