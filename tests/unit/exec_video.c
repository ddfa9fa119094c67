/* Video instructions in every combination of types against arithmetic on single numbers, as the PTX ISA words them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/ptx_run.h"

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
    return strcmp(function, "shl") == 0 ? (i64)((u64)a << amount) : a >> amount;
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
        u64 packed = 0, sum = (u32)in[n][2];
        for (u32 i = 0; i < form->count; i++) {
            const i64 exact = compute(form->function, number(in[n][0], i, bits, form->a), number(in[n][1], i, bits, form->b),
                                      strstr(form->words, ".wrap") != NULL);
            const i64 value = fit(exact, bits, form->d, saturates);
            packed |= ((u64)value & (UINT64_MAX >> (64 - bits))) << i * bits;
            sum += (u64)(form->count > 1 ? exact : value); /* several are added as they are */
        }
        u64 expected = accumulates ? (u32)sum : packed;
        const i64 value = number(packed, 0, 32, form->d), c = number(in[n][2], 0, 32, form->d);
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

static void test_several(void **state)
{
    static const char *const functions[] = {"add", "sub", "avrg", "absdiff", "min", "max"}, *const words[] = {"", ".sat", ".add"};
    (void)state;
    run_values(in, COUNT);
    for (u32 n = 0; n < 6; n++)
        for (u32 w = 0; w < 3; w++)
            for (u32 count = 2; count <= 4; count += 2)
                check_types((struct form){.function = functions[n], .words = words[w], .count = count});
}

/* Results that fit no byte or half of the type are added whole; as NVIDIA's compiler computes them for sm_86. */
static void test_whole_sums(void **state)
{
    static const struct {
        const char *instruction;
        u32 a, b, sum;
    } cases[] = {{"vadd4.u32.u32.s32.add", 0xFF, 1, 0x100},
                 {"vabsdiff4.s32.s32.s32.add", 0x80, 0x7F, 0xFF},
                 {"vmax4.s32.u32.s32.add", 0xFF, 0, 0xFF},
                 {"vadd2.u32.u32.u32.add", 0xFFFF, 1, 0x10000}};
    (void)state;
    for (u32 n = 0; n < sizeof cases / sizeof *cases; n++) {
        char body[200];
        snprintf(body, sizeof body, "%s %%r0, %u, %u, 0; cvt.u64.u32 %%y0, %%r0;", cases[n].instruction, cases[n].a, cases[n].b);
        run_map(body, in, out, 1);
        assert_int_equal(out[0][0], cases[n].sum);
    }
}

static void test_single(void **state)
{
    static const char *const functions[] = {"add", "sub", "absdiff", "min", "max"};
    static const char *const words[] = {"", ".sat", ".add", ".min", ".max", ".sat.add"};
    (void)state;
    run_values(in, COUNT);
    for (u32 n = 0; n < 5; n++)
        for (u32 w = 0; w < 6; w++)
            check_types((struct form){.function = functions[n], .words = words[w], .count = 1});
}

static void test_shifts(void **state)
{
    static const char *const functions[] = {"shl", "shr"}, *const words[] = {".clamp", ".clamp.add", ".wrap.add"};
    (void)state;
    run_values(in, COUNT);
    for (u32 n = 0; n < 2; n++)
        for (u32 w = 0; w < 3; w++)
            for (u32 t = 0; t < 4; t++)
                check(&(struct form){.function = functions[n], .words = words[w], .count = 1, .d = t & 1, .a = t >> 1});
}

/* Bytes and halves of sources. */
static void test_parts(void **state)
{
    (void)state;
    run_values(in, COUNT);
    run_map("vsub.s32.s32.u32 %r0, %w0.b3, %w1.h1; vadd.u32.u32.s32 %r1, %w0.h0, %w1.b0; cvt.u64.u32 %y0, %r0;\n"
            "cvt.u64.u32 %y1, %r1;",
            in, out, COUNT);
    for (u32 n = 0; n < COUNT; n++) {
        assert_int_equal(out[n][0], (u32)(u64)(number(in[n][0], 3, 8, 1) - number(in[n][1], 1, 16, 0)));
        assert_int_equal(out[n][1], (u32)(u64)(number(in[n][0], 0, 16, 0) + number(in[n][1], 0, 8, 1)));
    }
}

static void test_refused(void **state)
{
    (void)state;
    run_refused("", "vadd4.u32.u32.u32 %r0.b0, %w0, %w1, %w2;", 32, 32, "'vadd4' of a part of its result is not supported");
    run_refused("", "vadd4.u32.u32.u32 %r0, %w0.b4567, %w1, %w2;", 32, 32, "found '.b4567', supported are .b0 to .b3");
    run_refused("", "vset.u32.u32.lt %r0, %w0, %w1;", 32, 32, "'vset.u32.u32.lt' is not supported: no such instruction");
    run_refused("", "vavrg.u32.u32.u32 %r0, %w0, %w1;", 32, 32, "no such instruction");
    run_refused("", "vadd2.u32.u32.u32.max %r0, %w0, %w1, %w2;", 32, 32, "this form of 'vadd2' is not supported");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_several), cmocka_unit_test(test_whole_sums),
                                       cmocka_unit_test(test_single),  cmocka_unit_test(test_shifts),
                                       cmocka_unit_test(test_parts),   cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
