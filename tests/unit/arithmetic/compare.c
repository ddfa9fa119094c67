/* setp, set, selp and slct: every comparison in every type, given as the set of relations (less, equal, greater, unordered) for
 * which it holds. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kit.h"

enum { COUNT = 600 };
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static const u32 holds[] = {
    [WS_COMPARE_eq] = EQUAL,
    [WS_COMPARE_ne] = LESS | GREATER,
    [WS_COMPARE_lt] = LESS,
    [WS_COMPARE_le] = LESS | EQUAL,
    [WS_COMPARE_gt] = GREATER,
    [WS_COMPARE_ge] = GREATER | EQUAL,
    [WS_COMPARE_equ] = EQUAL | UNORDERED,
    [WS_COMPARE_neu] = LESS | GREATER | UNORDERED,
    [WS_COMPARE_ltu] = LESS | UNORDERED,
    [WS_COMPARE_leu] = LESS | EQUAL | UNORDERED,
    [WS_COMPARE_gtu] = GREATER | UNORDERED,
    [WS_COMPARE_geu] = GREATER | EQUAL | UNORDERED,
    [WS_COMPARE_num] = LESS | EQUAL | GREATER,
    [WS_COMPARE_nan] = UNORDERED,
};

static const struct kind {
    enum ws_type type;
    u32 bits;
    bool negative, real;
} kinds[] = {{WS_TYPE_u16, 16, false, false}, {WS_TYPE_u32, 32, false, false}, {WS_TYPE_u64, 64, false, false},
             {WS_TYPE_s16, 16, true, false},  {WS_TYPE_s32, 32, true, false},  {WS_TYPE_s64, 64, true, false},
             {WS_TYPE_f32, 32, true, true},   {WS_TYPE_f64, 64, true, true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static u64 tuples[COUNT][4], results[COUNT];

static u32 relation_of_reals(double a, double b)
{
    return isunordered(a, b) ? UNORDERED : isless(a, b) ? LESS : isgreater(a, b) ? GREATER : EQUAL;
}

static u32 relation(const struct kind *kind, u64 a, u64 b)
{
    float narrow[2];
    double wide[2];
    const u32 low[2] = {(u32)a, (u32)b};
    if (kind->real && kind->bits == 32) {
        memcpy(narrow, low, sizeof narrow);
        return relation_of_reals((double)narrow[0], (double)narrow[1]);
    }
    if (kind->real) {
        memcpy(&wide[0], &a, sizeof a);
        memcpy(&wide[1], &b, sizeof b);
        return relation_of_reals(wide[0], wide[1]);
    }
    const u64 half = kind->negative ? UINT64_C(1) << (kind->bits - 1) : 0; /* two's complement, shifted to begin at 0 */
    return (a ^ half) < (b ^ half) ? LESS : (a ^ half) > (b ^ half) ? GREATER : EQUAL;
}

/* The bits of edge values also serve as floating-point numbers: zeros, subnormals and NaN are among them. Equal pairs and
 * infinities are added. */
static void fill_tuples(const struct kind *kind)
{
    const u64 infinity = kind->bits == 32 ? 0x7F800000 : 0x7FF0000000000000;
    kit_tuples(kind->bits, tuples, COUNT);
    for (u32 n = 0; n < COUNT; n += 7)
        tuples[n][1] = tuples[n][0];
    for (u32 n = 3; n < COUNT && kind->real; n += 11)
        tuples[n][n % 2] = infinity;
    for (u32 n = 0; n < COUNT; n++)
        tuples[n][2] = n & 1;
}

static struct ws_op comparison(const struct kind *kind, u32 compare)
{
    struct ws_op op = kit_operation(WS_OP_setp, kind->type, 1);
    op.compare = (u8)compare;
    return op;
}

static void run(struct ws_op op, u32 sources)
{
    kit_map(op, sources, (const u64(*)[4])tuples, COUNT, results);
}

TEST(test_comparisons)
{
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
        fill_tuples(kind);
        for (u32 compare = 0; compare < (kind->real ? WS_COMPARE_nan + 1 : WS_COMPARE_equ); compare++) {
            run(comparison(kind, compare), 2);
            for (u32 n = 0; n < COUNT; n++)
                if (results[n] != ((holds[compare] & relation(kind, tuples[n][0], tuples[n][1])) != 0))
                    fail_msg("comparison %u, type %u: (0x%" PRIx64 ", 0x%" PRIx64 ") gives %" PRIu64, compare, kind->type,
                             tuples[n][0], tuples[n][1], results[n]);
        }
    }
}

static bool combined(u32 combine, bool result, bool other)
{
    static const u32 tables[] = {[WS_COMBINE_and] = 8, [WS_COMBINE_or] = 14, [WS_COMBINE_xor] = 6}; /* bit 2 result + other */
    return tables[combine] >> (2 * result + other) & 1;
}

TEST(test_combined)
{
    const struct kind *const kind = &kinds[4];
    fill_tuples(kind);
    for (u32 combine = WS_COMBINE_and; combine <= WS_COMBINE_xor; combine++)
        for (u32 negated = 0; negated < 2; negated++) {
            struct ws_op op = comparison(kind, WS_COMPARE_le);
            op.combine = (u8)combine;
            op.flags = negated ? WS_OP_NOT_SOURCE : 0;
            run(op, 3);
            for (u32 n = 0; n < COUNT; n++) {
                const bool less = (relation(kind, tuples[n][0], tuples[n][1]) & (LESS | EQUAL)) != 0;
                assert_int_equal(results[n], combined(combine, less, tuples[n][2] != negated));
            }
        }
}

/* The second destination of setp is the negated comparison, combined as well. */
TEST(test_second_destination)
{
    struct kit kit;
    u64 out[2] = {7, 7};
    kit_begin(&kit);
    const u16 base = kit_pointer(&kit, 0);
    struct ws_op *const op = kit_op(&kit, WS_OP_setp, WS_TYPE_u32);
    op->compare = WS_COMPARE_lt;
    op->combine = WS_COMBINE_or;
    memcpy(op->src, (const u16[]){kit_constant(&kit, 5), kit_constant(&kit, 5), kit_constant(&kit, 0)}, 3 * sizeof(u16));
    op->dst[0] = 1;
    op->dst[1] = 2;
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 0, 1);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 8, 2);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out};
    struct ws_ndrange launch = {.global = {1, 1, 1}, .local = {1, 1, 1}, .argument_count = 1, .arguments = &argument};
    EXPECT_OK(kit_run(&kit, &launch, NULL, &error));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 1);
}

TEST(test_set)
{
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
        fill_tuples(kind);
        static const struct {
            enum ws_type type;
            u64 yes;
        } destinations[] = {{WS_TYPE_u32, 0xFFFFFFFF}, {WS_TYPE_s32, 0xFFFFFFFF}, {WS_TYPE_f32, 0x3F800000}};
        for (u32 i = 0; i < 3; i++) {
            struct ws_op op = kit_operation(WS_OP_set, destinations[i].type, 4);
            op.from = (u8)kind->type;
            op.compare = WS_COMPARE_gt;
            run(op, 2);
            for (u32 n = 0; n < COUNT; n++)
                assert_int_equal(results[n], relation(kind, tuples[n][0], tuples[n][1]) == GREATER ? destinations[i].yes : 0);
        }
    }
}

/* With .ftz a subnormal equals zero. */
TEST(test_flushed)
{
    const u64 subnormal[1][4] = {{0x00000001, 0x80000000}};
    u64 result = 9;
    struct ws_op op = comparison(&kinds[6], WS_COMPARE_eq);
    kit_map(op, 2, subnormal, 1, &result);
    assert_int_equal(result, 0);
    op.flags = WS_OP_FTZ;
    kit_map(op, 2, subnormal, 1, &result);
    assert_int_equal(result, 1);
}

TEST(test_selection)
{
    const u64 by_predicate[2][4] = {{11, 22, 1}, {11, 22, 0}};
    const u64 by_integer[3][4] = {{11, 22, 0}, {11, 22, 0x7FFFFFFF}, {11, 22, 0x80000000}};
    const u64 by_real[5][4] = {{11, 22, 0}, {11, 22, 0x80000000}, {11, 22, 0xBF800000}, {11, 22, 0x7FFFFFFF}, {11, 22, 0x80000001}};
    u64 out[5];
    kit_map(kit_operation(WS_OP_selp, WS_TYPE_u64, 8), 3, by_predicate, 2, out);
    assert_int_equal(out[0], 11);
    assert_int_equal(out[1], 22);
    struct ws_op op = kit_operation(WS_OP_slct, WS_TYPE_u32, 4);
    op.from = WS_TYPE_s32;
    kit_map(op, 3, by_integer, 3, out);
    assert_int_equal(out[0], 11);
    assert_int_equal(out[1], 11);
    assert_int_equal(out[2], 22);
    op.from = WS_TYPE_f32;
    kit_map(op, 3, by_real, 5, out);
    const u64 expected[] = {11, 11, 22, 22, 22};
    assert_memory_equal(out, expected, sizeof expected);
    op.flags = WS_OP_FTZ;
    kit_map(op, 3, by_real, 5, out);
    assert_int_equal(out[4], 11);
}
