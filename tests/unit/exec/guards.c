/* Accesses outside of their buffer or variable: detected for any wrong index, or counted in a lenient launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/frontend.h"

/* Copies a[t] at a + offset, 16 bytes, to b[t], in the second of two loads; then adds variables: b[t].x += first[t / 2] + second[t
 * / 2] + third[3]. */
static const char text[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                           ".global .align 4 .u32 first[4] = {1, 2, 3, 4};\n"
                           ".const .align 4 .u32 second[4] = {10, 20, 30, 40};\n"
                           ".global .align 4 .u32 third[4] = {100, 100, 100, 100};\n"
                           ".entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2, .param .u64 k_param_3)\n"
                           "{\n"
                           "  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<19>;\n"
                           "  ld.param.u64 %rd1, [k_param_0]; ld.param.u64 %rd2, [k_param_1];\n"
                           "  ld.param.u64 %rd3, [k_param_2]; ld.param.u64 %rd4, [k_param_3];\n"
                           "  mov.u32 %r1, %tid.x;\n"
                           "  mul.wide.u32 %rd5, %r1, 16;\n"
                           "  add.s64 %rd1, %rd1, %rd5; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd5;\n"
                           "  mov.u32 %r6, 0;\n"
                           "AGAIN: ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];\n"
                           "  add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 2; @%p1 bra AGAIN;\n"
                           "  shr.u32 %r6, %r1, 1; mul.wide.u32 %rd6, %r6, 4; add.s64 %rd6, %rd6, %rd4;\n"
                           "  mov.u64 %rd7, first; add.s64 %rd7, %rd7, %rd6;\n"
                           "  mov.u64 %rd8, second; add.s64 %rd8, %rd8, %rd6;\n"
                           "  ld.global.u32 %r7, [%rd7]; add.u32 %r2, %r2, %r7;\n"
                           "  ld.const.u32 %r8, [%rd8]; add.u32 %r2, %r2, %r8;\n"
                           "  ld.global.u32 %r8, [third+12]; add.u32 %r2, %r2, %r8;\n"
                           "  st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};\n"
                           "  atom.global.add.u32 %r2, [%rd1], 1;\n"
                           "  ret;\n"
                           "}\n";

enum { THREADS = 8, WORDS = 4 * THREADS };

typedef int64_t i64;

static struct ws_error error;
static struct ws_frontend_options options;
static u32 a[WORDS], b[WORDS];
static char noted[1000];
static u32 notes;

static void note(void *context, const char *line)
{
    (void)context;
    notes++;
    snprintf(noted, sizeof noted, "%s", line);
}

/* Runs the kernel with offsets in bytes: of a, and of first and second. */
static enum ws_status run(i64 offset, i64 variable, bool lenient, const char *path)
{
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .name = "a", .bytes = sizeof a, .data = a},
                                      {.kind = WS_ARGUMENT_BUFFER, .name = "b", .bytes = sizeof b, .data = b},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof offset, .data = &offset},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof variable, .data = &variable}};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {THREADS, 1, 1}, .local = {THREADS, 1, 1}, .argument_count = 4, .arguments = arguments};
    struct ws_program *program;
    for (u32 n = 0; n < WORDS; n++)
        a[n] = 1000 + n, b[n] = 5;
    notes = 0;
    noted[0] = 0;
    ws_frontend_defaults(&options);
    options.lenient = lenient;
    options.note = note;
    EXPECT_DONE(ws_program_load("g.ptx", text, sizeof text - 1, &options, &program, &error), &error);
    const enum ws_status status = ws_trace_build(program, &options, &launch, path, NULL, &error);
    ws_program_free(program);
    return status;
}

static void expect_outside(i64 offset, i64 variable, const char *what, const char *nearest)
{
    assert_int_equal(run(offset, variable, false, "g.wst"), WS_STATUS_bad_input);
    if (!strstr(error.message, what) || !strstr(error.message, nearest))
        fail_msg("%lld, %lld: %s", (long long)offset, (long long)variable, error.message);
    assert_int_equal(b[0], 5);
}

/* No 32-bit index into 16-byte elements reaches another buffer: neither at the traced address of b (0x20000 from a), nor at the
 * farthest. */
TEST(test_other_buffers)
{
    static const i64 bytes = 16;
    static const struct {
        i64 offset;
        const char *nearest;
    } wrong[] = {
        {sizeof a, "; right past the end of a, 128 bytes at 0x700000000000"},
        {-16, "; 16 bytes before a, 128 bytes at 0x700000000000"},
        {0x20000, "; 130944 bytes past the end of a, "},
        {INT32_MAX * bytes, "; 34359738224 bytes past the end of a, "},
        {INT32_MIN * bytes, "; 34359738368 bytes before a, "},
        {UINT32_MAX * bytes, "; 68719476592 bytes past the end of a, "},
        {(i64)UINT32_MAX * -bytes, "bytes before a, "},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        expect_outside(wrong[n].offset, 0, "g.ptx:16: kernel k, block (0,0,0), thread (0,0,0), pc ", wrong[n].nearest);
}

/* The nearest buffer is the intended one: b follows a. */
TEST(test_before_the_second)
{
    const i64 between = INT64_C(128) << 30;
    expect_outside(between, 0, "16-byte load at global address 0x702000000000 ",
                   "; 65536 bytes before b, 128 bytes at 0x702000010000");
}

/* Variables of a module are as far apart. */
TEST(test_variables)
{
    expect_outside(0, 16, "4-byte load at global address ", "; right past the end of first, 16 bytes at ");
    expect_outside(0, -4, "4-byte load at global address ", "; 4 bytes before first, 16 bytes at ");
    assert_int_equal(run(0, 0, false, "g.wst"), WS_STATUS_ok);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(b[4 * n], 1000 + 4 * n + 11 * (n / 2 + 1) + 100);
}

/* A lenient launch: the last thread is beyond a. Its load reads zeros, its atomic is dropped, everything else is unchanged. */
TEST(test_lenient)
{
    struct ws_trace *trace;
    struct ws_trace_info info;
    EXPECT_DONE(run(16, 0, true, "lenient.wst"), &error);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(b[4 * n], (n + 1 < THREADS ? 1000 + 4 * (n + 1) : 0) + 11 * (n / 2 + 1) + 100);
    assert_int_equal(b[WORDS - 1], 0);
    for (u32 n = 0; n < WORDS; n++)
        assert_int_equal(a[n], 1000 + n + (n >= 4 && n % 4 == 0));
    assert_int_equal(notes, 1);
    assert_string_equal(
        noted,
        "kernel k: accesses outside of all memory: loads that read zeros: 2, stores and atomics that were dropped: 1; the first: "
        "g.ptx:16: kernel k, block (0,0,0), thread (7,0,0), pc 10: 16-byte load at global address "
        "0x700000000080 lies outside of the memory that may be accessed; right past the end of a, 128 bytes "
        "at 0x700000000000");
    assert_int_equal(ws_trace_open("lenient.wst", &trace, &error), WS_STATUS_ok);
    EXPECT_DONE(ws_trace_info(trace, &info, NULL, &error), &error);
    ws_trace_close(trace);
}

/* Each access is counted, also a repeated one, and those to constant memory and distant addresses. */
TEST(test_lenient_everywhere)
{
    EXPECT_DONE(run(INT64_MAX - 15, 1 << 20, true, "lenient.wst"), &error);
    assert_non_null(strstr(noted, ": loads that read zeros: 32, stores and atomics that were dropped: 8; "));
    for (u32 n = 0; n < WORDS; n++) {
        assert_int_equal(b[n], n % 4 ? 0 : 100);
        assert_int_equal(a[n], 1000 + n);
    }
}

/* Without such accesses a lenient launch gives the same file, without a note. */
TEST(test_lenient_for_nothing)
{
    char *files[2];
    size_t lengths[2];
    assert_int_equal(run(0, 0, false, "strict.wst"), WS_STATUS_ok);
    assert_int_equal(run(0, 0, true, "lenient.wst"), WS_STATUS_ok);
    assert_int_equal(notes, 0);
    assert_int_equal(ws_file_read("strict.wst", 1 << 20, &files[0], &lengths[0], &error), WS_STATUS_ok);
    assert_int_equal(ws_file_read("lenient.wst", 1 << 20, &files[1], &lengths[1], &error), WS_STATUS_ok);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(files[0], files[1], lengths[0]);
    free(files[0]);
    free(files[1]);
}

/* A misaligned access stays an error. */
TEST(test_lenient_misaligned)
{
    assert_int_equal(run(8, 0, true, "lenient.wst"), WS_STATUS_bad_input);
    assert_non_null(strstr(error.message, "is misaligned"));
}

TESTS(files_enter, files_leave)
