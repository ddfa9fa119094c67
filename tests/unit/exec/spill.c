/* Kernels with more live values than registers: spilling does not change results. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"

enum { COUNT = 64, BODY = 36000 };

static run_row in[RUN_THREADS], out[RUN_THREADS];
static char body[BODY];
static size_t length;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(body + length, BODY - length, format, arguments);
    va_end(arguments);
    assert_true(length < BODY);
}

static void begin(void)
{
    length = 0;
    run_values(in, COUNT);
}

/* Values k x + n, all live at once, changed in a loop (one of `every` in only half of the threads), and added up. */
static void check_values(u32 count, const char *type, u32 bits, bool loop, u32 every)
{
    const u64 mask = UINT64_MAX >> (64 - bits);
    begin();
    add(".reg .%s %%v<%u>, %%s; and.b32 %%r0, %%thread, 1; setp.ne.u32 %%p1, %%r0, 0; mov.u32 %%r1, 0;\n", type, count);
    for (u32 n = 0; n < count; n++)
        add("mad.lo.%s %%v%u,%%%c0,%u,%u;\n", type, n, bits == 64 ? 'x' : 'w', n % 5, n);
    if (loop)
        add("LOOP:\n");
    for (u32 n = 0; n < count; n += every)
        add("@%%p1 add.%s %%v%u,%%v%u,%%v%u;\n", type, n, n, (n + 3) % count);
    if (loop)
        add("add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p2, %%r1, 3; @%%p2 bra LOOP;\n");
    add("mov.%s %%s, 0;\n", type);
    for (u32 n = 0; n < count; n++)
        add("mad.lo.%s %%s,%%v%u,%u,%%s;\n", type, n, n % 3 + 1);
    add(bits == 64 ? "mov.u64 %%y0, %%s;" : "cvt.u64.u32 %%y0, %%s;");
    run_map(body, in, out, COUNT);
    for (u32 thread = 0; thread < COUNT; thread++) {
        u64 value[600], sum = 0;
        for (u32 n = 0; n < count; n++)
            value[n] = in[thread][0] * (n % 5) + n;
        for (u32 round = 0; round < (loop ? 3 : 1); round++)
            for (u32 n = 0; n < count && thread % 2; n += every)
                value[n] += value[(n + 3) % count];
        for (u32 n = 0; n < count; n++)
            sum += value[n] * (n % 3 + 1);
        if (out[thread][0] != (sum & mask))
            fail_msg("%u values of type %s: thread %u has 0x%" PRIx64 ", not 0x%" PRIx64, count, type, thread, out[thread][0],
                     sum & mask);
    }
}

TEST(test_values)
{
    check_values(230, "u32", 32, false, 7); /* none */
    check_values(250, "u32", 32, false, 7);
    check_values(290, "u32", 32, true, 1);
    check_values(150, "u64", 64, false, 1);
    check_values(250, "u32", 32, true, 7);
    check_values(300, "s32", 32, true, 7);
    check_values(130, "u64", 64, false, 7);
    check_values(200, "u64", 64, true, 7);
}

/* Predicates are bits of the input, used as guards, in branches and in logic. */
TEST(test_predicates)
{
    for (u32 count = 14; count <= 100; count += 43) {
        begin();
        add(".reg .pred %%q<%u>; mov.u32 %%r1, 0;\n", count);
        for (u32 n = 0; n < count; n++)
            add("bfe.u32 %%r0,%%w%u,%u,1; setp.ne.u32 %%q%u,%%r0,0;\n", n / 32, n % 32, n);
        add("and.pred %%q0, %%q0, %%q%u; @%%q1 not.pred %%q2, %%q2;\n", count - 1);
        for (u32 n = 0; n < count; n++)
            if (n % 4 == 3)
                add("@!%%q%u bra L%u; add.u32 %%r1,%%r1,%u; membar.cta;\nL%u:\n", n, n, n + 1, n);
            else
                add("@%%q%u add.u32 %%r1,%%r1,%u;\n", n, n + 1);
        add("cvt.u64.u32 %%y0, %%r1;");
        run_map(body, in, out, COUNT);
        for (u32 thread = 0; thread < COUNT; thread++) {
            u64 sum = 0;
            bool set[100];
            for (u32 n = 0; n < count; n++)
                set[n] = in[thread][n / 32] >> n % 32 & 1;
            set[0] = set[0] && set[count - 1];
            set[2] = set[2] != set[1];
            for (u32 n = 0; n < count; n++)
                sum += set[n] ? n + 1 : 0;
            assert_int_equal(out[thread][0], sum);
        }
    }
}
