/* Arguments against the kernel's parameters: names and types, if PTX or the source gives them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/frontend.h"

#define HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"

/* As clang writes it for OpenCL C, without the lines that give names and types. */
static const char numbered[] =
    HEAD ".entry k(.param .u64 .ptr .global .align 4 k_param_0, .param .u32 k_param_1, .param .f32 k_param_2,\n"
         "  .param .align 8 .b8 k_param_3[8], .param .f64 k_param_4, .param .b32 k_param_5, .param .u64 k_param_6) { ret; }\n";
static const char pragmas[] = ".pragma \"kernel_arg k 0 out float __attribute__((ext_vector_type(4)))*\";\n"
                              ".pragma \"kernel_arg k 1 n int\", \"nounroll\";\n"
                              ".pragma \"kernel_arg k 2 x float\";\n"
                              ".pragma \"kernel_arg k 3 v float2\";\n"
                              ".pragma \"kernel_arg k 4 - double\";\n"
                              ".pragma \"kernel_arg k 5 s pair_t\";\n"
                              ".pragma \"kernel_arg k 6 m ulong\";\n"
                              ".pragma \"kernel_arg other 1 wrong float\";\n";
static const char named[] = HEAD ".entry k(.param .u64 .ptr .global .align 4 out, .param .s32 n, .param .f32 x,\n"
                                 "  .param .align 8 .b8 v[8], .param .f64 d, .param .b32 s, .param .u64 k_param_6) { ret; }\n";

static struct ws_error error;

/* Lines of a launch file, one argument each. */
static const char *const right[] = {
    "{name: out, buffer: f32, count: 8}",        "{name: n, scalar: i32, value: -1}", "{name: x, scalar: f32, value: 2}",
    "{name: v, scalar: u64, value: 5}",          "{scalar: f64, value: 2}",           "{name: s, scalar: f32, value: 2}",
    "{scalar: u64, value: 18446744073709551615}"};
enum { ARGUMENTS = sizeof right / sizeof *right };

/* Launches with line as the argument of that number, on line 5 + number of launch.yaml. */
static enum ws_status launch_with(const char *ptx, const char *more, u32 number, const char *line)
{
    char text[4000];
    struct ws_frontend_options options;
    struct ws_program *program;
    struct ws_launch_file *file;
    struct ws_ndrange *launch;
    size_t length = (size_t)snprintf(text, sizeof text, "kernel: k\nglobal: [1]\nlocal: [1]\narguments:\n");
    for (u32 n = 0; n < ARGUMENTS; n++)
        length += (size_t)snprintf(text + length, sizeof text - length, "  - %s\n", n == number ? line : right[n]);
    files_write("launch.yaml", text);
    length = (size_t)snprintf(text, sizeof text, "%s%s", ptx, more);
    ws_frontend_defaults(&options);
    if (ws_program_load("k.ptx", text, length, &options, &program, &error) != WS_STATUS_ok ||
        ws_launch_file_load("launch.yaml", 1, &file, &error) != WS_STATUS_ok ||
        ws_launch_file_next(file, &launch, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    const enum ws_status status = ws_execute(program, &options, launch, NULL, NULL, &error);
    ws_launch_file_free(file);
    ws_program_free(program);
    return status;
}

static void expect_fine(const char *ptx, const char *more, u32 number, const char *line)
{
    if (launch_with(ptx, more, number, line) != WS_STATUS_ok)
        fail_msg("%s: %s", line, error.message);
}

struct wrong {
    u32 number;
    const char *line, *message;
};

static void expect_refused(const char *ptx, const char *more, const struct wrong *wrong, size_t count)
{
    char message[600];
    for (size_t n = 0; n < count; n++) {
        snprintf(message, sizeof message, "launch.yaml:%u: kernel k, argument %u (%s", 5 + wrong[n].number, wrong[n].number,
                 wrong[n].message);
        if (launch_with(ptx, more, wrong[n].number, wrong[n].line) != WS_STATUS_bad_input)
            fail_msg("%s is taken", wrong[n].line);
        assert_string_equal(error.message, message);
    }
}
#define EXPECT_REFUSED(ptx, more, wrong) expect_refused(ptx, more, wrong, sizeof(wrong) / sizeof *(wrong))

/* The types of PTX alone: floating point or not. */
TEST(test_types_of_ptx)
{
    static const struct wrong wrong[] = {
        {1, "{scalar: f32, value: 3}", "k_param_1): f32 found, the parameter is .u32; allowed is i32 and u32"},
        {2, "{scalar: i32, value: 3}", "k_param_2): i32 found, the parameter is .f32; allowed is f32"},
        {4, "{scalar: i64, value: 3}", "k_param_4): i64 found, the parameter is .f64; allowed is f64"},
        {4, "{buffer: f32, count: 1}", "k_param_4): a buffer found, the parameter is .f64, which takes a scalar"},
        {6, "{scalar: f64, value: 3}", "k_param_6): f64 found, the parameter is .u64; allowed is i64 and u64"},
    };
    expect_fine(numbered, "", 0, right[0]);
    expect_fine(numbered, "", 0, "{name: anything, buffer: i32, count: 1}");
    expect_fine(numbered, "", 1, "{scalar: u32, value: 4294967295}");
    expect_fine(numbered, "", 3, "{scalar: f64, value: 1}");
    expect_fine(numbered, "", 5, "{scalar: i32, value: 1}");
    expect_fine(numbered, "", 6, "{buffer: i32, count: 1}");
    EXPECT_REFUSED(numbered, "", wrong);
}

/* Types of OpenCL C, from the compiler's pragmas. */
TEST(test_types_of_source)
{
    static const struct wrong wrong[] = {
        {0, "{buffer: i32, count: 1}",
         "out): a buffer of i32 found, the parameter is float __attribute__((ext_vector_type(4)))*; allowed is f32, and u8 for its "
         "bytes"},
        {0, "{buffer: f64, count: 1}",
         "out): a buffer of f64 found, the parameter is float __attribute__((ext_vector_type(4)))*; allowed is f32, and u8 for its "
         "bytes"},
        {1, "{scalar: f32, value: 3}", "n): f32 found, the parameter is int; allowed is i32 and u32"},
        {1, "{scalar: u32, value: 2147483648}",
         "n): found too large a number as u32, which the parameter's type int does not hold"},
        {2, "{scalar: u32, value: 3}", "x): u32 found, the parameter is float; allowed is f32"},
        {3, "{scalar: f64, value: 3}",
         "v): f64 found, the parameter is float2; allowed are a vector of f32, and one integer of its bits"},
        {3, "{vector: i32, value: [1, 2]}",
         "v): i32x2 found, the parameter is float2; allowed are a vector of f32, and one integer of its bits"},
        {3, "{struct: [{scalar: f64, value: 1}]}",
         "v): a struct found, the parameter is float2; allowed are a vector of f32, and one integer of its bits"},
        {6, "{vector: u32, value: [1, 2]}", "m): u32x2 found, the parameter is ulong; allowed is i64 and u64"},
        {1, "{struct: [{scalar: i32, value: 1}]}", "n): a struct found, the parameter is int; allowed is i32 and u32"},
        {4, "{scalar: u64, value: 3}", "k_param_4): u64 found, the parameter is double; allowed is f64"},
        {5, "{buffer: u32, count: 3}", "s): a buffer found, the parameter is pair_t, which takes a scalar"},
        {6, "{scalar: i64, value: -1}", "m): found a negative number as i64, which the parameter's type ulong does not hold"},
        {6, "{buffer: u32, count: 3}", "m): a buffer found, the parameter is ulong, which takes a scalar"},
    };
    expect_fine(numbered, pragmas, 0, right[0]);
    expect_fine(numbered, pragmas, 0, "{name: out, buffer: u8, count: 16}");
    expect_fine(numbered, pragmas, 1, "{scalar: u32, value: 2147483647}");
    expect_fine(numbered, pragmas, 3, "{vector: f32, value: [1, 2]}");
    expect_fine(numbered, pragmas, 3, "{scalar: u64, value: 3}");
    expect_fine(numbered, pragmas, 5, "{struct: [{scalar: u32, value: 3}]}");
    expect_fine(numbered, pragmas, 4, "{name: anything, scalar: f64, value: 1}");
    expect_fine(numbered, pragmas, 6, "{scalar: i64, value: 9223372036854775807}");
    EXPECT_REFUSED(numbered, pragmas, wrong);
}

/* Names given by the source or PTX; numbered ones are not names. */
TEST(test_names)
{
    static const struct wrong of_source[] = {
        {1, "{name: x, scalar: i32, value: 3}",
         "n): found the name 'x', allowed is 'n'; the kernel's arguments are out, n, x, v, k_param_4, s, m"},
        {6, "{name: k_param_6, scalar: u64, value: 3}",
         "m): found the name 'k_param_6', allowed is 'm'; the kernel's arguments are out, n, x, v, k_param_4, s, m"},
    };
    static const struct wrong of_ptx[] = {
        {0, "{name: put, buffer: f32, count: 8}",
         "out): found the name 'put', allowed is 'out'; the kernel's arguments are out, n, x, v, d, s, k_param_6"},
    };
    expect_fine(named, "", 6, "{name: anything, scalar: u64, value: 1}");
    expect_fine(named, "", 0, "{buffer: f32, count: 8}");
    EXPECT_REFUSED(numbered, pragmas, of_source);
    EXPECT_REFUSED(named, "", of_ptx);
}

/* Malformed pragmas of this kind are errors; others are ignored. */
TEST(test_pragmas)
{
    static const char *const bad[] = {"kernel_arg k",         "kernel_arg k 0",           "kernel_arg k 0 a",
                                      "kernel_arg k x a int", "kernel_arg k 70000 a int", "kernel_arg  0 a int"};
    struct ws_frontend_options options;
    struct ws_program *program;
    char text[1000];
    ws_frontend_defaults(&options);
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        const size_t length = (size_t)snprintf(text, sizeof text, "%s.pragma \"%s\";\n", numbered, bad[n]);
        assert_int_equal(ws_program_load("k.ptx", text, length, &options, &program, &error), WS_STATUS_bad_input);
        assert_string_equal(error.message, "k.ptx:6: expected \"kernel_arg KERNEL NUMBER NAME TYPE\"");
    }
    expect_fine(numbered, ".pragma \"kernel_argument\", \"\";\n", 0, right[0]);
}

TESTS(files_enter, files_leave)
