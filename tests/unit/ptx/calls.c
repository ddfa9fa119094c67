/* Expansion of calls: parameters become moves or local memory, and results are correct. */
#include <stdio.h>
#include <string.h>

#include "kit.h"
#include "test.h"

/* Runs kernel k(.param .u64 out) of the text on one thread; *words: contents of out. */
static void run(const char *text, u32 *words, u32 count)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load(text, &options);
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "out", .bytes = count * sizeof *words, .data = words};
    struct ws_ndrange launch = {.kernel = "k", .source = "kit", .argument_count = 1, .arguments = &argument};
    for (u32 n = 0; n < 3; n++)
        launch.global[n] = launch.local[n] = 1;
    EXPECT_OK(ws_execute(program, &options, &launch, NULL, NULL, &error));
    ws_program_free(program);
}

static void expect_words(const char *text, const char *words)
{
    char found[4000];
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load(text, &options);
    kit_words(&program->kernels[0], found, sizeof found);
    assert_string_equal(found, words);
    ws_program_free(program);
}

static const char sum[] = ".func (.param .b32 r) sum(.param .b32 a, .param .b32 b)\n"
                          "{ .reg .b32 %r<4>; ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b]; add.s32 %r3, %r1, %r2;\n"
                          "st.param.b32 [r+0], %r3; ret; }\n"
                          ".entry k(.param .u64 out)\n"
                          "{ .reg .b64 %d<2>; .reg .b32 %r<4>; ld.param.u64 %d1, [out];\n"
                          "{ .param .b32 p0; st.param.b32 [p0+0], 30; .param .b32 p1; st.param.b32 [p1+0], 12; .param .b32 v;\n"
                          "call.uni (v), sum, (p0, p1); ld.param.b32 %r1, [v+0]; }\n"
                          "{ .param .b32 p0; st.param.b32 [p0+0], %r1; .param .b32 p1; st.param.b32 [p1+0], -2; .param .b32 v;\n"
                          "call.uni (v), sum, (p0, p1); ld.param.b32 %r2, [v+0]; }\n"
                          "st.global.v2.u32 [%d1], {%r1, %r2}; ret; }\n";

/* Parameters are moves, calls and returns leave nothing. */
TEST(test_moves)
{
    u32 words[2] = {0};
    expect_words(sum, "mov mov mov mov mov add mov mov mov mov mov mov add mov mov st exit");
    run(sum, words, 2);
    assert_int_equal(words[0], 42);
    assert_int_equal(words[1], 40);
}

/* Debugging labels in the middle of a call, as clang 15 writes them for lines of the source. */
TEST(test_labels)
{
    static const char text[] =
        ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r1, [a]; st.param.b32 [r], %r1; ret; }\n"
        ".func g() { ret; }\n"
        ".entry k(.param .u64 out) { .reg .b64 %d; .reg .b32 %r<2>; ld.param.u64 %d, [out];\n"
        ".param .b32 p; st.param.b32 [p], 7; .param .b32 v;\n"
        "call.uni (v), \n$L__tmp3:\n$L__tmp4:\nf, \n(\np\n);\ncall.uni \n$L__tmp5:\ng, \n(\n);\n"
        "ld.param.u32 %r1, [v]; st.global.u32 [%d], %r1; }\n";
    u32 word = 0;
    run(text, &word, 1);
    assert_int_equal(word, 7);
}

/* Narrow values are cut and extended as memory would. */
TEST(test_narrow)
{
    static const char text[] =
        ".func (.param .b32 r) f(.param .b8 a) { .reg .b32 %r<2>; ld.param.s8 %r1, [a]; st.param.b32 [r], %r1; ret; }\n"
        ".entry k(.param .u64 out) { .reg .b64 %d; .reg .b32 %r<3>; ld.param.u64 %d, [out]; mov.u32 %r1, 0x1F0;\n"
        ".param .b8 p; st.param.b8 [p], %r1; .param .b32 v; call (v), f, (p); ld.param.u32 %r2, [v]; st.global.u32 [%d], %r2; }\n";
    u32 word = 0;
    run(text, &word, 1);
    assert_int_equal(word, 0xFFFFFFF0);
}

/* A struct whose address moves through registers still becomes moves; an indexed one is in local memory. */
static const char indexed[] =
    ".func (.param .b32 r) at(.param .align 4 .b8 s[16], .param .b32 i)\n"
    "{ .reg .b64 %d<5>; .reg .b32 %r<3>; mov.b64 %d1, s; ld.param.u32 %r1, [i]; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2;\n"
    "ld.param.u32 %r2, [%d3]; st.param.b32 [r], %r2; ret; }\n"
    ".entry k(.param .u64 out)\n"
    "{ .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [out]; .param .align 4 .b8 s[16];\n"
    "st.param.v4.b32 [s], {5, 6, 7, 8}; .param .b32 i; st.param.b32 [i], 2; .param .b32 v; call (v), at, (s, i);\n"
    "ld.param.b32 %r, [v]; st.global.u32 [%d], %r; }\n";

TEST(test_structures)
{
    static const char moved[] = ".func (.param .b32 r) second(.param .align 8 .b8 s[16])\n"
                                "{ .reg .b64 %d<3>; .reg .b32 %r<4>; mov.b64 %d2, s; mov.u64 %d1, %d2;\n"
                                "ld.param.v2.u32 {%r1, %r2}, [%d1+8]; sub.s32 %r3, %r1, %r2; st.param.b32 [r], %r3; ret; }\n"
                                ".entry k(.param .u64 out)\n"
                                "{ .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [out]; .param .align 8 .b8 s[16];\n"
                                "st.param.b64 [s], 1; st.param.b32 [s+8], 50; st.param.b32 [s+12], 8; .param .b32 v;\n"
                                "call (v), second, (s); ld.param.b32 %r, [v]; st.global.u32 [%d], %r; }\n";
    u32 word = 0;
    expect_words(moved, "mov mov mov mov mov mov sub mov mov st exit");
    run(moved, &word, 1);
    assert_int_equal(word, 42);
    run(indexed, &word, 1);
    assert_int_equal(word, 7);
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load(indexed, &options);
    assert_int_equal(program->kernels[0].local_bytes, 16);
    ws_program_free(program);
}

/* A cell stored in two halves and loaded whole is in memory, too. */
TEST(test_overlap)
{
    static const char text[] =
        ".func (.param .b64 r) f(.param .b64 a) { .reg .b64 %d; ld.param.u64 %d, [a]; st.param.b64 [r], %d; }\n"
        ".entry k(.param .u64 out) { .reg .b64 %d<3>; ld.param.u64 %d1, [out]; .param .b64 p;\n"
        "st.param.b32 [p], 3; st.param.b32 [p+4], 4; .param .b64 v; call (v), f, (p);\n"
        "ld.param.u64 %d2, [v]; st.global.u64 [%d1], %d2; }\n";
    u32 words[2] = {0};
    run(text, words, 2);
    assert_int_equal(words[0], 3);
    assert_int_equal(words[1], 4);
}

/* The address of one parameter as the value of another, which is in a register or in memory. */
TEST(test_stored_address)
{
    static const char text[] =
        ".func (.param .b64 r) f(.param .b64 a) { .reg .b64 %d; ld.param.u64 %d, [a]; st.param.b64 [r], %d; }\n"
        ".entry k(.param .u64 out) { .reg .b64 %d<3>; .reg .b32 %r; ld.param.u64 %d0, [out];\n"
        ".param .b32 s; st.param.b32 [s], 7; .param .b32 t; st.param.b32 [t], 42;\n"
        ".param .b64 p; st.param.b64 [p], t; .param .b64 v; call (v), f, (p); ld.param.b64 %d1, [v];\n"
        "ld.local.u32 %r, [%d1]; st.global.u32 [%d0], %r;\n"
        ".param .b64 q[2]; mov.b64 %d2, q; st.param.b64 [q+8], t; ld.local.u64 %d1, [%d2+8];\n"
        "ld.local.u32 %r, [%d1]; st.global.u32 [%d0+4], %r; }\n";
    u32 words[2] = {0};
    run(text, words, 2);
    assert_int_equal(words[0], 42);
    assert_int_equal(words[1], 42);
}

/* Registers and constants as arguments, a guarded call, a guarded return, a result in a register. */
TEST(test_registers)
{
    static const char text[] =
        ".func (.reg .u32 r) limit(.reg .u32 a, .reg .u32 most)\n"
        "{ .reg .pred p; mov.u32 r, a; setp.le.u32 p, a, most; @p ret; mov.u32 r, most; ret; }\n"
        ".entry k(.param .u64 out) { .reg .b64 %d; .reg .u32 x, y, z; .reg .pred p; ld.param.u64 %d, [out]; mov.u32 x, 9;\n"
        "call (y), limit, (x, 7); call (x), limit, (3, 7); mov.u32 z, 1; setp.eq.u32 p, y, 8; @p call (z), limit, (0, 0);\n"
        "st.global.u32 [%d], x; st.global.u32 [%d+4], y; st.global.u32 [%d+8], z; }\n";
    u32 words[3] = {0};
    run(text, words, 3);
    assert_int_equal(words[0], 3);
    assert_int_equal(words[1], 7);
    assert_int_equal(words[2], 1);
}

/* Labels, registers and private variables of a function are separate at every call; calls nest. */
TEST(test_nesting)
{
    static const char text[] =
        ".func (.param .b32 r) power(.param .b32 base, .param .b32 times)\n"
        "{ .local .b32 box; .reg .b64 %d; .reg .b32 %r<4>; .reg .pred p; ld.param.u32 %r1, [base]; ld.param.u32 %r2, [times];\n"
        "st.local.u32 [box], 1;\n"
        "L: setp.eq.u32 p, %r2, 0; @p bra END; ld.local.u32 %r3, [box]; mul.lo.u32 %r3, %r3, %r1; st.local.u32 [box], %r3;\n"
        "sub.u32 %r2, %r2, 1; bra L; END: ld.local.u32 %r3, [box]; st.param.b32 [r], %r3; ret; }\n"
        ".func (.param .b32 r) both(.param .b32 a)\n"
        "{ .reg .b32 %r<4>; ld.param.u32 %r1, [a];\n"
        "{ .param .b32 p; st.param.b32 [p], %r1; .param .b32 t; st.param.b32 [t], 2; .param .b32 v; call (v), power, (p, t);\n"
        "ld.param.b32 %r2, [v]; }\n"
        "{ .param .b32 p; st.param.b32 [p], %r1; .param .b32 t; st.param.b32 [t], 3; .param .b32 v; call (v), power, (p, t);\n"
        "ld.param.b32 %r3, [v]; }\n"
        "add.u32 %r1, %r2, %r3; st.param.b32 [r], %r1; ret; }\n"
        ".entry k(.param .u64 out) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [out];\n"
        ".param .b32 p; st.param.b32 [p], 5; .param .b32 v; call (v), both, (p); ld.param.b32 %r, [v]; st.global.u32 [%d], %r; }\n";
    u32 word = 0;
    run(text, &word, 1);
    assert_int_equal(word, 25 + 125);
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load(text, &options);
    assert_int_equal(program->kernels[0].local_bytes, 4);
    ws_program_free(program);
}

/* Uncalled functions may have any contents. */
TEST(test_dead)
{
    expect_words(".func f() { frobnicate.x9 %r, {; } }\n.extern .func g;\n.entry k() { exit; }", "exit");
}

/* A function whose address is an initial value before its definition, as nvcc writes tables of functions and of virtual ones. */
TEST(test_table_of_functions)
{
    static const char text[] =
        ".func (.param .b32 r) less(.param .b32 a);\n.func (.param .b32 r) twice(.param .b32 a);\n"
        ".global .u64 table[2] = {less, twice};\n"
        ".func (.param .b32 r) less(.param .b32 a)\n"
        "{ .reg .b32 %r<3>; ld.param.u32 %r1, [a]; sub.u32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }\n"
        ".func (.param .b32 r) twice(.param .b32 a)\n"
        "{ .reg .b32 %r<3>; ld.param.u32 %r1, [a]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }\n"
        ".entry k(.param .u64 out) { .reg .b64 %d<3>; .reg .b32 %r<3>; ld.param.u64 %d1, [out];\n"
        "{ ld.global.u64 %d2, [table]; .param .b32 p; st.param.b32 [p], 21; .param .b32 v;\n"
        "of : .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (v), %d2, (p), of; ld.param.b32 %r1, [v]; }\n"
        "{ ld.global.u64 %d2, [table+8]; .param .b32 p; st.param.b32 [p], 21; .param .b32 v;\n"
        "as : .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (v), %d2, (p), as; ld.param.b32 %r2, [v]; }\n"
        "st.global.v2.u32 [%d1], {%r1, %r2}; }\n";
    u32 words[2] = {0};
    run(text, words, 2);
    assert_int_equal(words[0], 20);
    assert_int_equal(words[1], 42);
}

/* ---- Parameters and variables of kernels ---- */

TEST(test_kernel_parameters)
{
    static const char text[] =
        ".global .align 16 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8}; .const .f32 half = 0f3F000000;\n"
        ".shared .b8 unused[999]; .extern .shared .b8 more[];\n"
        ".entry k(.param .u64 .ptr .global .align 4 a, .param .b8 b, .param .align 8 .b8 c[12], .param .f64 d)\n"
        "{ .shared .align 8 .b8 box[10]; .reg .b64 %d<6>; .reg .b32 %r<3>; ld.param.s8 %r1, [b];\n"
        "mov.b64 %d1, c; ld.param.u32 %r2, [%d1+8]; mov.u64 %d2, table; mov.u64 %d3, half;\n"
        "mov.u64 %d4, more; mov.u64 %d5, box+4; st.shared.u8 [box], %r1; }\n";
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load(text, &options);
    const struct ws_kernel *kernel = &program->kernels[0];
    static const u32 offsets[] = {0, 8, 16, 32}, bytes[] = {8, 1, 12, 8};
    assert_int_equal(kernel->parameter_count, 4);
    assert_int_equal(kernel->parameter_bytes, 40);
    for (u32 n = 0; n < 4; n++) {
        assert_int_equal(kernel->parameters[n].offset, offsets[n]);
        assert_int_equal(kernel->parameters[n].bytes, bytes[n]);
        assert_int_equal(kernel->parameters[n].pointer, n == 0);
    }
    assert_int_equal(kernel->parameters[0].space, WS_SPACE_global);
    assert_string_equal(kernel->parameters[2].name, "c");
    assert_int_equal(kernel->shared_bytes, 10);
    static const struct ws_input inputs[] = {
        {WS_INPUT_parameter, WS_TYPE_s8, 4, 0, 0, 8, 0},     {WS_INPUT_parameter, WS_TYPE_u32, 4, 0, 0, 24, 0},
        {WS_INPUT_address, 0, 0, WS_SPACE_global, 0, 0, 1},  {WS_INPUT_address, 0, 0, WS_SPACE_constant, 0, 0, 1},
        {WS_INPUT_address, 0, 0, WS_SPACE_shared, 0, 16, 0}, {WS_INPUT_address, 0, 0, WS_SPACE_shared, 0, 4, 0},
        {WS_INPUT_address, 0, 0, WS_SPACE_shared, 0, 0, 0}};
    assert_int_equal(kernel->input_count, 7);
    for (u32 n = 0; n < 7; n++) {
        assert_int_equal(kernel->inputs[n].kind, inputs[n].kind);
        assert_int_equal(kernel->inputs[n].type, inputs[n].type);
        assert_int_equal(kernel->inputs[n].width, inputs[n].width);
        assert_int_equal(kernel->inputs[n].space, inputs[n].space);
        assert_int_equal(kernel->inputs[n].value, inputs[n].value);
        assert_int_equal(kernel->inputs[n].variable, inputs[n].variable);
    }
    assert_int_equal(program->global.bytes, 8);
    assert_int_equal(program->global.initial[7], 8);
    assert_int_equal(program->constant.bytes, 4);
    assert_int_equal(program->constant.initial[3], 0x3F);
    ws_program_free(program);
}

/* Address offsets beyond the possible range are not followed: the executor refuses such a load. */
TEST(test_far_address)
{
    expect_words(".entry k(.param .u64 out) { .reg .b64 %d<3>; .reg .b32 %r;\n"
                 "mov.b64 %d1, out+2147483647; add.s64 %d2, %d1, 1; ld.param.u32 %r, [%d2]; }\n",
                 "mov add ld exit");
}

TEST(test_kernels)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load(".entry b() { exit; } .func f() {} .entry a() {}", &options);
    const char *const *names = ws_program_kernels(program);
    struct ws_kernel_info info;
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "b");
    assert_null(names[2]);
    EXPECT_OK(ws_program_kernel(program, "b", &info, &error));
    assert_int_equal(info.instructions, 1);
    EXPECT_ERROR(ws_program_kernel(program, "f", &info, &error), WS_STATUS_bad_input,
                 "kit: there is no kernel 'f'; there are a, b");
    ws_program_free(program);
}

/* Missing sizes are 1; a hint changes nothing. */
TEST(test_block_sizes)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program =
        kit_load(".entry a() .reqntid 8, 4 { exit; }\n.entry b() .maxntid 16, 2, 3 .minnctapersm 2 { exit; }\n"
                 ".entry c() { exit; }",
                 &options);
    const struct ws_kernel *const kernels = program->kernels;
    assert_memory_equal(kernels[0].block, ((const u32[]){8, 4, 1}), sizeof kernels[0].block);
    assert_int_equal(kernels[0].most_threads, 0);
    assert_memory_equal(kernels[1].block, ((const u32[]){0, 0, 0}), sizeof kernels[1].block);
    assert_int_equal(kernels[1].most_threads, 96);
    assert_int_equal(kernels[2].most_threads, 0);
    ws_program_free(program);
}

/* Errors of a kernel, in its text or after parsing, are reported when it is requested, and do not affect the others. */
TEST(test_siblings_of_errors)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load(".entry a() {\nexit x; }\n.entry b() { exit; }\n.entry c() {\ncall a; }", &options);
    struct ws_kernel_info info;
    EXPECT_OK(ws_program_kernel(program, "b", &info, &error));
    assert_int_equal(info.instructions, 1);
    EXPECT_ERROR(ws_program_kernel(program, "a", &info, &error), WS_STATUS_bad_input, "kit:2: expected ';', found 'x'");
    EXPECT_ERROR(ws_program_kernel(program, "c", &info, &error), WS_STATUS_bad_input,
                 "kit:2: expected ';', found 'x' (in 'a', which line 5 calls)");
    ws_program_free(program);
}
