/* Memory contents of arguments and buffers of launch files: structs, pointers, shared buffers, variables. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/config_files.h"
#include "unit/launch/kit.h"

#define LAUNCH "kernel: k\nglobal: [1]\nlocal: [1]\n"

static void expect_ok(struct launch_kit *kit)
{
    if (launch_kit_run(kit) != WS_STATUS_ok)
        fail_msg("%s", kit->error.message);
}

/* ---- Layout, compared with C ---- */

struct inner {
    u8 flag;
    u16 taps[3];
    double d;
};

struct outer {
    int8_t first;
    double second;
    struct inner third;
    float fourth __attribute__((vector_size(16)));
    void *fifth;
    u8 last;
};

static const char struct_yaml[] =
    "buffers:\n  b: {type: u32, count: 4}\n" LAUNCH "arguments:\n  - struct:\n"
    "    - {name: first, scalar: i8, value: -1}\n    - {scalar: f64, value: 2.5}\n"
    "    - struct: [{scalar: u8, value: 1}, {array: u16, value: [7, 8, 9]}, {scalar: f64, value: 4}]\n"
    "    - {vector: f32, value: [1, 2, 3, 4]}\n    - {buffer: b, offset: 3}\n"
    "    - {scalar: u8, value: 200}\n"
    "  - {vector: i16, value: [1, -2, 3]}\n  - {struct: [{buffer: null}, {scalar: u8, value: 1}]}\n";

TEST(test_layout)
{
    struct launch_kit kit;
    struct ws_ndrange *launch;
    struct outer value;
    launch_kit_begin(&kit, ".entry k() { ret; }", struct_yaml);
    assert_int_equal(ws_launch_file_next(kit.file, &launch, &kit.error), WS_STATUS_ok);
    assert_int_equal(launch->arguments[0].bytes, sizeof value);
    memcpy(&value, launch->arguments[0].data, sizeof value);
    assert_int_equal(value.first, -1);
    assert_true(value.second == 2.5 && value.third.d == 4);
    assert_int_equal(value.third.flag, 1);
    assert_int_equal(value.third.taps[2], 9);
    assert_true(value.fourth[0] == 1 && value.fourth[3] == 4);
    assert_ptr_equal(value.fifth, (const u32 *)launch_kit_buffer(&kit, "b") + 3);
    assert_int_equal(value.last, 200);
    assert_int_equal(launch->arguments[0].pointer_count, 1);
    assert_int_equal(launch->arguments[0].pointers[0], offsetof(struct outer, fifth));
    assert_int_equal(launch->arguments[1].bytes, 8);
    assert_memory_equal(launch->arguments[1].data, ((const int16_t[]){1, -2, 3, 0}), 8);
    assert_string_equal(launch->arguments[1].type, "i16x3");
    assert_int_equal(launch->arguments[2].bytes, 16);
    launch_kit_end(&kit);
}

/* ---- Pointers ---- */

/* out[i] = *p for the three pointers of a table, ~0 for the NULL pointer. */
static const char chase_ptx[] =
    ".entry k(.param .align 8 .b8 k_param_0[16], .param .u64 k_param_1) {\n"
    ".reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d<6>;\n"
    "ld.param.u64 %d1, [k_param_0+8]; ld.param.u64 %d2, [k_param_1]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d3, %r1, 8; add.u64 %d1, %d1, %d3; ld.global.u64 %d4, [%d1];\n"
    "mul.wide.u32 %d3, %r1, 4; add.u64 %d2, %d2, %d3; mov.u32 %r2, -1;\n"
    "setp.eq.u64 %p, %d4, 0; @%p bra done; ld.global.u32 %r2, [%d4]; done: st.global.u32 [%d2], %r2; ret; }";

/* The same in the second launch, when the table already holds kernel addresses. */
TEST(test_pointers)
{
    struct launch_kit kit;
    launch_kit_begin(&kit, chase_ptx,
                     "buffers:\n  table: {type: u64, count: 4, pointers: [v, null, {at: 24, buffer: v, offset: 2}]}\n"
                     "  v: {type: u32, count: 3, fill: {values: [10, 11, 12]}}\n  out: {type: u32, count: 4}\n"
                     "launches:\n  - repeat: 2\n    launches:\n    - {write: out, fill: zero}\n"
                     "    - {kernel: k, global: [4], local: [4], arguments: "
                     "[{struct: [{scalar: i32, value: 1}, {buffer: table}]}, {buffer: out}]}\n");
    expect_ok(&kit);
    assert_memory_equal(launch_kit_buffer(&kit, "out"), ((const u32[]){10, UINT32_MAX, UINT32_MAX, 12}), 16);
    launch_kit_end(&kit);
}

/* A circular list of three nodes, each a buffer with a struct: three steps lead back to the first. */
TEST(test_struct_buffers)
{
    struct launch_kit kit;
    launch_kit_begin(
        &kit,
        ".entry k(.param .u64 k_param_0, .param .u64 k_param_1) {\n.reg .b32 %r<3>; .reg .b64 %d<4>;\n"
        "ld.param.u64 %d1, [k_param_0]; ld.param.u64 %d2, [k_param_1];\n"
        "ld.global.u64 %d1, [%d1+8]; ld.global.u64 %d1, [%d1+8]; ld.global.u32 %r1, [%d1];\n"
        "st.global.u32 [%d2], %r1; ld.global.u64 %d1, [%d1+8]; ld.global.u32 %r1, [%d1];\n"
        "st.global.u32 [%d2+4], %r1; ret; }",
        "buffers:\n  a: {struct: [{scalar: u32, value: 1}, {buffer: b}]}\n"
        "  b: {struct: [{scalar: u32, value: 2}, {buffer: c}]}\n  c: {struct: [{scalar: u32, value: 3}, {buffer: a}]}\n"
        "  out: {type: u32, count: 2}\n" LAUNCH "arguments: [{buffer: a}, {buffer: out}]\n");
    expect_ok(&kit);
    assert_memory_equal(launch_kit_buffer(&kit, "out"), ((const u32[]){3, 1}), 8);
    launch_kit_end(&kit);
}

/* Addresses are stable between launches: a kernel may store them. */
TEST(test_kept_pointers)
{
    struct launch_kit kit;
    launch_kit_begin(&kit,
                     ".entry keep(.param .u64 keep_param_0, .param .u64 keep_param_1) {\n.reg .b64 %d<4>;\n"
                     "ld.param.u64 %d1, [keep_param_0]; ld.param.u64 %d2, [keep_param_1]; st.global.u64 [%d1], %d2; ret; }\n"
                     ".entry k(.param .u64 k_param_0) {\n.reg .b64 %d<4>;\n"
                     "ld.param.u64 %d1, [k_param_0]; ld.global.u64 %d1, [%d1]; st.global.u64 [%d1], 77; ret; }",
                     "buffers:\n  place: {type: u64, count: 1}\n  other: {type: u64, count: 2}\nlaunches:\n"
                     "  - {kernel: keep, global: [1], local: [1], arguments: [{buffer: place}, {buffer: other, offset: 1}]}\n"
                     "  - {kernel: k, global: [1], local: [1], arguments: [{buffer: place}]}\n");
    expect_ok(&kit);
    assert_memory_equal(launch_kit_buffer(&kit, "other"), ((const u64[]){0, 77}), 16);
    launch_kit_end(&kit);
}

/* ---- One buffer, no buffer ---- */

/* a[1] = b[0] + (c is NULL) after a[0] += 5 */
TEST(test_same_buffer)
{
    struct launch_kit kit;
    launch_kit_begin(&kit,
                     ".entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2) {\n"
                     ".reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d<4>;\n"
                     "ld.param.u64 %d1, [k_param_0]; ld.param.u64 %d2, [k_param_1]; ld.param.u64 %d3, [k_param_2];\n"
                     "ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 5; st.global.u32 [%d1], %r1; ld.global.u32 %r1, [%d2];\n"
                     "setp.eq.u64 %p, %d3, 0; selp.u32 %r2, 100, 0, %p; add.u32 %r1, %r1, %r2; st.global.u32 [%d1+4], %r1; ret; }",
                     "buffers:\n  a: {type: u32, count: 2, fill: {values: [1, 2]}}\n" LAUNCH
                     "arguments: [{buffer: a}, {buffer: a}, {buffer: null}]\n");
    expect_ok(&kit);
    assert_memory_equal(launch_kit_buffer(&kit, "a"), ((const u32[]){6, 106}), 8);
    launch_kit_end(&kit);
}

/* ---- Dynamic shared memory ---- */

static const char dynamic_ptx[] = ".extern .shared .align 4 .b8 dyn[];\n"
                                  ".entry k(.param .u64 k_param_0) {\n.reg .b32 %r<5>; .reg .b64 %d<4>;\n"
                                  "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u64 %d1, dyn; cvt.u64.u32 %d2, %r2;\n"
                                  "add.u64 %d1, %d1, %d2; st.shared.u32 [%d1], %r1; bar.sync 0; xor.b32 %r3, %r2, 28;\n"
                                  "mov.u64 %d1, dyn; cvt.u64.u32 %d3, %r3; add.u64 %d1, %d1, %d3; ld.shared.u32 %r4, [%d1];\n"
                                  "ld.param.u64 %d1, [k_param_0]; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r4; ret; }";

static enum ws_status run_dynamic(struct launch_kit *kit, u32 bytes)
{
    char yaml[300];
    snprintf(yaml, sizeof yaml, "kernel: k\nglobal: [8]\nlocal: [8]\nshared: %u\narguments: [{name: out, buffer: u32, count: 8}]\n",
             bytes);
    launch_kit_begin(kit, dynamic_ptx, yaml);
    return launch_kit_run(kit);
}

TEST(test_dynamic_shared)
{
    struct launch_kit kit;
    assert_int_equal(run_dynamic(&kit, 32), WS_STATUS_ok);
    assert_memory_equal(launch_kit_buffer(&kit, "out"), ((const u32[]){7, 6, 5, 4, 3, 2, 1, 0}), 32);
    launch_kit_end(&kit);
    assert_int_equal(run_dynamic(&kit, 28), WS_STATUS_bad_input);
    assert_non_null(strstr(kit.error.message, "4-byte store at shared address 0x1c lies outside"));
    launch_kit_end(&kit);
}

/* ---- Variables ---- */

static const char variables_ptx[] = ".const .align 4 .b8 coef[8];\n.global .align 4 .u32 counter;\n"
                                    ".entry k(.param .u64 k_param_0) {\n.reg .b32 %r<4>; .reg .b64 %d<2>;\n"
                                    "ld.const.u32 %r1, [coef+4]; ld.global.u32 %r2, [counter]; add.u32 %r3, %r1, %r2;\n"
                                    "st.global.u32 [counter], %r3; ld.param.u64 %d1, [k_param_0]; st.global.u32 [%d1], %r3; ret; }";

/* .global variables keep their values until the next launch, .const ones are constant. */
TEST(test_variables)
{
    struct launch_kit kit;
    launch_kit_begin(
        &kit, variables_ptx,
        "variables:\n  coef: {type: u32, count: 2, fill: {values: [3, 10]}}\n  counter: {type: u32, fill: {values: [100]}}\n"
        "buffers:\n  out: {type: u32, count: 1}\nlaunches:\n"
        "  - {repeat: 3, launches: [{kernel: k, global: [1], local: [1], arguments: [{buffer: out}]}]}\n");
    expect_ok(&kit);
    assert_int_equal(kit.launches, 3);
    assert_memory_equal(launch_kit_buffer(&kit, "out"), ((const u32[]){130}), 4);
    launch_kit_end(&kit);
}

TEST(test_wrong_variables)
{
    struct launch_kit kit;
    launch_kit_begin(&kit, variables_ptx,
                     "variables:\n  coeff: {type: u32, count: 2}\n" LAUNCH "arguments: [{buffer: u32, count: 1}]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(kit.error.message,
                        "kit.yaml:2: found 'coeff', the program's variables are counter, coef (did you mean 'coef'?)");
    launch_kit_end(&kit);
    launch_kit_begin(&kit, variables_ptx,
                     "variables:\n  coef: {type: u32, count: 3}\n" LAUNCH "arguments: [{buffer: u32, count: 1}]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(kit.error.message, "kit.yaml:2: found 12 bytes, the program's variable coef has 8");
    launch_kit_end(&kit);
}

/* Variables that refer to buffers: textures (as before PTX 1.5, too) and a pointer; also in the second launch. */
static const char textures_ptx[] =
    ".global .texref t;\n.tex .u32 old;\n.global .u64 p;\n"
    ".entry k(.param .u64 k_param_0) {\n.reg .b32 %r<9>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [k_param_0]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;\n"
    "tex.1d.v4.u32.s32 {%r2, %r5, %r6, %r7}, [t, {%r1}]; tex.2d.v4.u32.s32 {%r3, %r5, %r6, %r7}, [old, {%r1, 1}];\n"
    "ld.global.u64 %d3, [p]; ld.global.u32 %r4, [%d3]; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4;\n"
    "ld.global.u32 %r3, [%d1]; add.u32 %r2, %r2, %r3; st.global.u32 [%d1], %r2; ret; }";

TEST(test_texture_variables)
{
    struct launch_kit kit;
    launch_kit_begin(&kit, textures_ptx,
                     "variables:\n  t: {image: 1d, size: [3], order: r, format: u32, fill: {values: [1, 2, 3]}}\n"
                     "  old: {image: plane}\n  p: {buffer: v, offset: 1}\n"
                     "buffers:\n  plane: {image: 2d, size: [3, 2], order: r, format: u32, fill: {values: [0, 0, 0, 10, 20, 30]}}\n"
                     "  v: {type: u32, count: 2, fill: {values: [7, 100]}}\n  out: {type: u32, count: 3}\n"
                     "launches:\n  - {repeat: 2, launches: [{kernel: k, global: [3], local: [3], arguments: [{buffer: out}]}]}\n");
    expect_ok(&kit);
    assert_int_equal(kit.launches, 2);
    assert_memory_equal(launch_kit_buffer(&kit, "out"), ((const u32[]){222, 244, 266}), 12);
    launch_kit_end(&kit);
}

TEST(test_wrong_texture)
{
    struct launch_kit kit;
    launch_kit_begin(&kit, textures_ptx,
                     "variables:\n  t: {type: u32, count: 1}\n" LAUNCH "arguments: [{buffer: u32, count: 1}]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(kit.error.message, "kit.yaml:2: found 4 bytes, the program's variable t has 8");
    launch_kit_end(&kit);
}

/* ---- Global offset ---- */

TEST(test_offset)
{
    struct launch_kit kit;
    launch_kit_begin(&kit, ".entry k() { ret; }", "kernel: k\nglobal: [4]\nlocal: [4]\noffset: [0, 3]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(kit.error.message,
                        "kernel k: global offset 0, 3, 0, but the kernel reads none (%envreg3 to %envreg5); OpenCL C is compiled "
                        "with it where the launch file has it");
    launch_kit_end(&kit);
}

/* ---- What is refused ---- */

TEST(test_refused)
{
    static const char *const cases[][2] = {
        {"buffers:\n  u32: {type: u32, count: 1}\n",
         "bad.yaml:2: buffers.u32: found 'u32' as the name of a buffer, which is a type"},
        {"buffers:\n  a: {count: 1}\n", "bad.yaml:2: buffers.a: the key 'type' is missing"},
        {"buffers:\n  a: {type: u32, fill: iota}\n", "bad.yaml:2: buffers.a: the key 'count' is missing"},
        {"buffers:\n  a: {struct: [{buffer: b}]}\n",
         "bad.yaml:2: buffers.a.struct[0].buffer: found 'b', allowed are the file's buffers: a, null"},
        {"buffers:\n  a: {type: u32, count: 3, pointers: [a, null]}\n",
         "bad.yaml:2: buffers.a.pointers[1]: found a pointer at byte 8, which ends outside of the buffer's 12 bytes"},
        {"buffers:\n  a: {type: u64, count: 3, pointers: [{at: 8, buffer: a}, {at: 12, buffer: a}]}\n",
         "bad.yaml:2: buffers.a.pointers[1].at: found '12', allowed is a whole number from 16 to 24"},
        {"buffers:\n  a: {type: u64, count: 3}\narguments: [{buffer: a, offset: 3}]\n",
         "bad.yaml:3: arguments[0].offset: found '3', allowed is a whole number from 0 to 2"},
        {"buffers:\n  a: {type: u64, count: 3}\narguments: [{buffer: a, fill: iota}]\n",
         "bad.yaml:3: arguments[0].fill: unknown key 'fill', allowed are name, buffer, offset"},
        {"arguments: [{buffer: null, offset: 1}]\n", "bad.yaml:1: arguments[0].offset: found '1', the null pointer has no offset"},
        {"arguments: [{vector: f32, value: [1, 2, 3, 4, 5]}]\n",
         "bad.yaml:1: arguments[0].value: found 5 components, allowed are 2, 3, 4, 8, 16"},
        {"arguments: [{struct: []}]\n", "bad.yaml:1: arguments[0].struct: found no members, allowed is at least 1"},
        {"arguments: [{struct: [{shared: 4}]}]\n",
         "bad.yaml:1: arguments[0].struct[0]: one of the keys scalar, vector, array, struct, buffer is missing"},
        {"arguments: [{scalar: i32, value: {start: 0, plus: 1}}]\n",
         "bad.yaml:1: arguments[0].value: a value that changes is for launches within a loop (launches with repeat or until)"},
        {"variables:\n  t: {image: a}\nbuffers:\n  a: {type: u32, count: 1}\n  b: {image: 1d, size: [1], order: r, format: u8}\n",
         "bad.yaml:2: variables.t.image: found 'a', allowed are 1d, 1d_array, 1d_buffer, 2d, 2d_array, 3d, b"},
        {"variables:\n  p: {buffer: b}\nbuffers:\n  a: {type: u32, count: 1}\n",
         "bad.yaml:2: variables.p.buffer: found 'b', allowed are the file's buffers: a, null"},
        {"variables:\n  p: {buffer: null, count: 2}\n",
         "bad.yaml:2: variables.p.count: unknown key 'count', allowed are buffer, offset"},
        {"options: -O3\n", "bad.yaml:1: options: found '-O3', allowed are -D, -U, -I, -cl-std=, -cl-fast-relaxed-math, "
                           "-cl-unsafe-math-optimizations, -cl-finite-math-only, -cl-mad-enable, -cl-no-signed-zeros, "
                           "-cl-denorms-are-zero, -cl-single-precision-constant, -cl-opt-disable, -std=, -w, -Werror, -arch=, "
                           "-use_fast_math"},
        {"options: -D\n", "bad.yaml:1: options: found '-D' without a value"},
    };
    for (u32 n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char text[1000];
        snprintf(text, sizeof text, "%s" LAUNCH, cases[n][0]);
        launch_kit_refused(text, cases[n][1]);
    }
}

TEST(test_options)
{
    static const char *const expected[] = {"-DA=1", "-DB=a b", "-Iinclude", "-I/abs", "-cl-std=CL2.0", "-UX", NULL};
    struct launch_kit kit;
    launch_kit_begin(&kit, ".entry k() { ret; }", "options: -D A=1 -D'B=a b' -I include -I/abs -cl-std=CL2.0 -U X\n" LAUNCH);
    const char *const *const options = ws_launch_file_options(kit.file);
    for (u32 n = 0; expected[n]; n++)
        assert_string_equal(options[n], expected[n]);
    assert_null(options[6]);
    launch_kit_end(&kit);
}

TESTS(files_enter, files_leave)
