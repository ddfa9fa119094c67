/* Video instructions in every combination of types against arithmetic on single numbers, as the PTX ISA words them. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"

typedef int64_t i64;

enum { COUNT = RUN_THREADS };

static run_row in[COUNT], out[COUNT];

static const char *const types[] = {"u32", "s32"};

/* Number n of so many bits of a word. */
static i64 number(u64 word, u32 n, u32 bits, u32 is_signed)
{
    const i64 field = (i64)((word >> n * bits) % ((u64)1 << bits));
    return is_signed && field >= (i64)1 << (bits - 1) ? field - ((i64)1 << bits) : field;
}

static i64 least_of(i64 a, i64 b)
{
    return a < b ? a : b;
}

static i64 compute(const char *function, i64 a, i64 b, bool wraps)
{
    const i64 amount = wraps ? b & 31 : least_of(b, 32);
    if (strcmp(function, "add") == 0)
        return a + b;
    if (strcmp(function, "sub") == 0)
        return a - b;
    if (strcmp(function, "avrg") == 0)
        return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    if (strcmp(function, "absdiff") == 0)
        return a > b ? a - b : b - a;
    if (strcmp(function, "min") == 0)
        return least_of(a, b);
    if (strcmp(function, "max") == 0)
        return a > b ? a : b;
    if (strcmp(function, "shl") == 0)
        return (i64)((u64)a << amount);
    if (strcmp(function, "shr") == 0)
        return a >> amount;
    return a == b ? strchr(function, 'e') != NULL && function[0] != 'n'
                  : function[0] == 'n' || (function[0] == 'l' ? a < b : a > b);
}

static i64 fit(i64 value, u32 bits, u32 is_signed, bool saturates)
{
    const i64 most = ((i64)1 << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    if (!saturates)
        return number((u64)value, 0, bits, is_signed);
    return value < least ? least : value > most ? most : value;
}

struct form {
    const char *function, *words; /* behind the types */
    u32 count, d, a, b;           /* types */
};

static void check(const struct form *form)
{
    char body[300];
    const char *const third = form->count > 1 || strstr(form->words, "add") || strstr(form->words, "m") ? ", %w2" : "";
    const bool accumulates = strstr(form->words, ".add"), saturates = strstr(form->words, ".sat");
    snprintf(body, sizeof body, "v%s%s.%s.%s.%s%s %%r0, %%w0, %%w1%s; cvt.u64.u32 %%y0, %%r0;", form->function,
             form->count == 1   ? ""
             : form->count == 2 ? "2"
                                : "4",
             types[form->d], types[form->a], types[form->b], form->words,
             strstr(form->words, ".clamp") && !accumulates ? "" : third);
    run_map(body, in, out, COUNT);
    const u32 bits = 32 / form->count;
    for (u32 n = 0; n < COUNT; n++) {
        u64 packed = 0, sum = (u32)in[n][2], last = 0;
        for (u32 i = 0; i < form->count; i++) {
            const i64 exact = compute(form->function, number(in[n][0], i, bits, form->a), number(in[n][1], i, bits, form->b),
                                      strstr(form->words, ".wrap") != NULL);
            const i64 value = fit(exact, bits, form->d, saturates);
            packed |= ((u64)value & (UINT64_MAX >> (64 - bits))) << i * bits;
            last = (u64)(saturates ? value : exact);
            sum += (u64)(form->count > 1 ? exact : value); /* several are added as they are */
        }
        u64 expected = accumulates ? (u32)sum : packed;
        const i64 value = number(last, 0, 33, 1), c = number(in[n][2], 0, 32, form->d);
        if (strstr(form->words, ".min"))
            expected = (u32)(u64)least_of(value, c);
        if (strstr(form->words, ".max"))
            expected = (u32)(u64)(value > c ? value : c);
        if (out[n][0] != expected)
            fail_msg("%s: thread %u, %#llx %#llx %#llx: found %#llx, expected %#llx", body, n, (unsigned long long)in[n][0],
                     (unsigned long long)in[n][1], (unsigned long long)in[n][2], (unsigned long long)out[n][0],
                     (unsigned long long)expected);
    }
}

static void check_types(struct form form)
{
    for (u32 n = 0; n < 8; n++) {
        form.d = n & 1;
        form.a = n >> 1 & 1;
        form.b = n >> 2;
        check(&form);
    }
}

TEST(test_several)
{
    static const char *const functions[] = {"add", "sub", "avrg", "absdiff", "min", "max"}, *const words[] = {"", ".sat", ".add"};
    run_values(in, COUNT);
    for (u32 n = 0; n < 6; n++)
        for (u32 w = 0; w < 3; w++)
            for (u32 count = 2; count <= 4; count += 2)
                check_types((struct form){.function = functions[n], .words = words[w], .count = count});
}

/* Results that fit no byte or half of the type are added whole, as NVIDIA's compiler does for sm_86. */
TEST(test_whole_sums)
{
    static const struct {
        const char *instruction;
        u32 a, b, sum;
    } cases[] = {{"vadd4.u32.u32.s32.add", 0xFF, 1, 0x100},
                 {"vabsdiff4.s32.s32.s32.add", 0x80, 0x7F, 0xFF},
                 {"vmax4.s32.u32.s32.add", 0xFF, 0, 0xFF},
                 {"vadd2.u32.u32.u32.add", 0xFFFF, 1, 0x10000}};
    for (u32 n = 0; n < sizeof cases / sizeof *cases; n++) {
        char body[200];
        snprintf(body, sizeof body, "%s %%r0, %u, %u, 0; cvt.u64.u32 %%y0, %%r0;", cases[n].instruction, cases[n].a, cases[n].b);
        run_map(body, in, out, 1);
        assert_int_equal(out[0][0], cases[n].sum);
    }
}

TEST(test_single)
{
    static const char *const functions[] = {"add", "sub", "absdiff", "min", "max"};
    static const char *const words[] = {"", ".sat", ".add", ".min", ".max", ".sat.add", ".sat.min"};
    run_values(in, COUNT);
    for (u32 n = 0; n < 5; n++)
        for (u32 w = 0; w < sizeof words / sizeof *words; w++)
            check_types((struct form){.function = functions[n], .words = words[w], .count = 1});
}

TEST(test_shifts)
{
    static const char *const functions[] = {"shl", "shr"}, *const words[] = {".clamp", ".clamp.add", ".wrap.add"};
    run_values(in, COUNT);
    for (u32 n = 0; n < 2; n++)
        for (u32 w = 0; w < 3; w++)
            for (u32 t = 0; t < 4; t++)
                check(&(struct form){.function = functions[n], .words = words[w], .count = 1, .d = t & 1, .a = t >> 1});
}

/* Bytes and halves of sources. */
TEST(test_parts)
{
    run_values(in, COUNT);
    run_map("vsub.s32.s32.u32 %r0, %w0.b3, %w1.h1; vadd.u32.u32.s32 %r1, %w0.h0, %w1.b0; cvt.u64.u32 %y0, %r0;\n"
            "cvt.u64.u32 %y1, %r1;",
            in, out, COUNT);
    for (u32 n = 0; n < COUNT; n++) {
        assert_int_equal(out[n][0], (u32)(u64)(number(in[n][0], 3, 8, 1) - number(in[n][1], 1, 16, 0)));
        assert_int_equal(out[n][1], (u32)(u64)(number(in[n][0], 0, 16, 0) + number(in[n][1], 0, 8, 1)));
    }
}

/* Which numbers of both sources are selected, and which of the result are written or added. */
TEST(test_selections)
{
    static const struct {
        const char *name, *function, *operands;
        u32 count, d, a, b, from_a[4], from_b[4], mask;
    } cases[] = {
        {"vadd4.u32.s32.u32", "add", "%r0.b20, %w0.b7015, %w1.b3364, %w2", 4, 0, 1, 0, {5, 1, 0, 7}, {4, 6, 3, 3}, 5},
        {"vsub4.s32.u32.s32.sat", "sub", "%r0.b3, %w0, %w1.b0123, %w2", 4, 1, 0, 1, {0, 1, 2, 3}, {3, 2, 1, 0}, 8},
        {"vabsdiff4.u32.s32.s32.add", "absdiff", "%r0.b210, %w0.b4567, %w1, %w2", 4, 0, 1, 1, {7, 6, 5, 4}, {4, 5, 6, 7}, 7},
        {"vadd2.s32.s32.u32.add", "add", "%r0.h1, %w0.h03, %w1, %w2", 2, 1, 1, 0, {3, 0}, {2, 3}, 2},
        {"vmin2.u32.u32.s32", "min", "%r0.h0, %w0, %w1.h11, %w2", 2, 0, 0, 1, {0, 1}, {1, 1}, 1},
        {"vset4.u32.s32.lt", "lt", "%r0, %w0.b3210, %w1, %w2", 4, 0, 0, 1, {0, 1, 2, 3}, {4, 5, 6, 7}, 15},
        {"vset4.s32.s32.ge.add", "ge", "%r0.b31, %w0, %w1.b7777, %w2", 4, 0, 1, 1, {0, 1, 2, 3}, {7, 7, 7, 7}, 10},
        {"vset2.u32.u32.ne", "ne", "%r0.h10, %w0, %w1, %w2", 2, 0, 0, 0, {0, 1}, {2, 3}, 3},
        {"vset2.s32.u32.gt.add", "gt", "%r0, %w0, %w1, %w2", 2, 0, 1, 0, {0, 1}, {2, 3}, 3},
    };
    run_values(in, COUNT);
    for (u32 c = 0; c < sizeof cases / sizeof *cases; c++) {
        char body[200];
        snprintf(body, sizeof body, "%s %s; cvt.u64.u32 %%y0, %%r0;", cases[c].name, cases[c].operands);
        run_map(body, in, out, COUNT);
        const u32 bits = 32 / cases[c].count;
        const bool saturates = strstr(cases[c].name, ".sat"), adds = strstr(cases[c].name, ".add");
        for (u32 n = 0; n < COUNT; n++) {
            const u64 both = (u32)in[n][0] | in[n][1] << 32;
            u64 packed = (u32)in[n][2], sum = packed;
            for (u32 i = 0; i < cases[c].count; i++) {
                const i64 exact = compute(cases[c].function, number(both, cases[c].from_a[i], bits, cases[c].a),
                                          number(both, cases[c].from_b[i], bits, cases[c].b), false);
                const u64 part = (((u64)1 << bits) - 1) << i * bits;
                if (cases[c].mask >> i & 1) {
                    packed = (packed & ~part) | ((u64)fit(exact, bits, cases[c].d, saturates) << i * bits & part);
                    sum += (u64)exact;
                }
            }
            if (out[n][0] != (u32)(adds ? sum : packed))
                fail_msg("%s: thread %u: found %#llx, expected %#llx", body, n, (unsigned long long)out[n][0],
                         (unsigned long long)(u32)(adds ? sum : packed));
        }
    }
}

/* A byte or half of the result; the other bits come from the third source. */
TEST(test_merged)
{
    run_values(in, COUNT);
    run_map(
        "vadd.u32.u32.u32 %r0.b1, %w0, %w1, %w2; vsub.s32.s32.s32.sat %r1.h1, %w0.h0, %w1, %w2;\n"
        "vset.u32.s32.le %r2.b3, %w0, %w1.b2, %w2; vshl.u32.u32.u32.wrap %r3.h0, %w0, %w1, %w2; mov.b64 %y0, {%r0, %r1};\n"
        "mov.b64 %y1, {%r2, %r3}; vset.s32.s32.eq %r0, %w0, %w0; vset.u32.u32.gt.add %r1, %w0, %w1, %w2; mov.b64 %y2, {%r0, %r1};\n"
        "vset.u32.u32.gt.max %r0, %w0, %w1, 0; vset.u32.u32.gt.min %r1, %w0, %w1, 7; mov.b64 %y3, {%r0, %r1};",
        in, out, COUNT);
    for (u32 n = 0; n < COUNT; n++) {
        const u32 a = (u32)in[n][0], b = (u32)in[n][1], c = (u32)in[n][2];
        const i64 difference = fit(number(a, 0, 16, 1) - number(b, 0, 32, 1), 16, 1, true);
        assert_int_equal((u32)out[n][0], (c & 0xFFFF00FF) | ((a + b) & 0xFF) << 8);
        assert_int_equal(out[n][0] >> 32, (c & 0xFFFF) | (u32)(difference & 0xFFFF) << 16);
        assert_int_equal((u32)out[n][1], (c & 0xFFFFFF) | (u32)((i64)a <= number(b, 2, 8, 1)) << 24);
        assert_int_equal(out[n][1] >> 32, (c & 0xFFFF0000) | (((u64)a << (b & 31)) & 0xFFFF));
        assert_int_equal((u32)out[n][2], 1);
        assert_int_equal(out[n][2] >> 32, (u32)(c + (a > b)));
        assert_int_equal((u32)out[n][3], a > b);
        assert_int_equal(out[n][3] >> 32, a > b);
    }
}

__extension__ typedef __int128 wide;

static u32 limited(wide value, bool saturates, bool is_signed)
{
    const wide least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    return (u32)(!saturates ? value : value < least ? least : value > most ? most : value);
}

/* The third source of a difference is below 2^31: beyond that its complement of 32 bits has another sign. */
TEST(test_products)
{
    run_values(in, COUNT);
    for (u32 n = 0; n < COUNT; n++)
        in[n][3] = (u32)in[n][2] >> 1;
    run_map("vmad.u32.u32.u32 %r0, %w0, %w1, %w2; vmad.s32.s32.u32.sat.shr7 %r1, %w0, %w1.h1, %w2; mov.b64 %y0, {%r0, %r1};\n"
            "vmad.s32.u32.u32.sat %r0, -%w0, %w1, %w2; vmad.s32.u32.u32.sat.shr15 %r1, %w0, %w1, -%w3; mov.b64 %y1, {%r0, %r1};\n"
            "vmad.u32.u32.u32.po.sat %r0, %w0.b3, %w1, %w2; vmad.s32.s32.s32.shr15 %r1, %w0, -%w1, %w2; mov.b64 %y2, {%r0, %r1};\n"
            "vmad.u32.u32.u32.sat.shr15 %r0, -%w0, -%w1, %w2; vmad.s32.s32.s32.sat %r1, %w0.b0, -5, %w2; mov.b64 %y3, {%r0, %r1};",
            in, out, COUNT);
    for (u32 n = 0; n < COUNT; n++) {
        const u32 a = (u32)in[n][0], b = (u32)in[n][1], c = (u32)in[n][2], d = (u32)in[n][3];
        const wide sa = (int32_t)a, sb = (int32_t)b, sc = (int32_t)c;
        assert_int_equal((u32)out[n][0], (u32)(a * b + c));
        assert_int_equal(out[n][0] >> 32, limited((sa * (b >> 16) + sc) >> 7, true, true));
        assert_int_equal((u32)out[n][1], limited(sc - (wide)a * b, true, true));
        assert_int_equal(out[n][1] >> 32, limited(((wide)a * b - d) >> 15, true, true));
        assert_int_equal((u32)out[n][2], limited((wide)(a >> 24) * b + c + 1, true, false));
        assert_int_equal(out[n][2] >> 32, limited((sc - sa * sb) >> 15, false, true));
        assert_int_equal((u32)out[n][3], limited(((wide)a * b + c) >> 15, true, false));
        assert_int_equal(out[n][3] >> 32, limited((wide)number(a, 0, 8, 1) * -5 + sc, true, true));
    }
}

TEST(test_refused)
{
    run_refused("", "vadd4.u32.u32.u32 %r0.b02, %w0, %w1, %w2;", 32, 32,
                "found '.b02', a part of a result is .b and numbers of bytes, highest first");
    run_refused("", "vadd2.u32.u32.u32 %r0.b0, %w0, %w1, %w2;", 32, 32,
                "found '.b0', a part of a result is .h and numbers of halves");
    run_refused("", "vadd4.u32.u32.u32 %r0, %w0.b8765, %w1, %w2;", 32, 32, "found '.b8765', a part of a source is .b and numbers");
    run_refused("", "vadd4.u32.u32.u32 %r0, %w0.b10, %w1, %w2;", 32, 32, "found '.b10', a part of a source is .b and numbers");
    run_refused("", "vadd.u32.u32.u32 %r0, %w0.b4, %w1;", 32, 32, "found '.b4', a part of a source is .b0 to .b3, .h0 and .h1");
    run_refused("", "vadd.u32.u32.u32.add %r0.b0, %w0, %w1, %w2;", 32, 32, "either merged into a part of the result or combined");
    run_refused("", "vset.u32.u32.lo %r0, %w0, %w1;", 32, 32, "this form of 'vset' is not supported");
    run_refused("", "vmad.s32.u32.u32.po %r0, %w0, -%w1, %w2;", 32, 32, "vmad negates the product or the third source");
    run_refused("", "vmad.s32.u32.u32 %r0, %w0, -%w1, -%w2;", 32, 32, "vmad negates the product or the third source");
    run_refused("", "vavrg.u32.u32.u32 %r0, %w0, %w1;", 32, 32, "no such instruction");
    run_refused("", "vadd2.u32.u32.u32.max %r0, %w0, %w1, %w2;", 32, 32, "this form of 'vadd2' is not supported");
}
