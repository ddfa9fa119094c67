/* Other constructs of PTX: constant expressions, scopes, vectors, lists of targets, function pointers, printf. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"

enum { COUNT = 64 };

static run_row in[RUN_THREADS], out[RUN_THREADS];
static char printed[20000];

static void keep(void *context, const char *text)
{
    (void)context;
    assert_true(strlen(printed) + strlen(text) < sizeof printed);
    strcat(printed, text);
}

static void run(const char *module, const char *body)
{
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    options.print = keep;
    printed[0] = '\0';
    run_values(in, COUNT);
    for (u32 n = 0; n < COUNT; n++)
        in[n][3] = n;
    if (run_body(module, body, &options, in, out, COUNT, &error) != WS_STATUS_ok)
        fail_msg("%s\nin: %s%s", error.message, module, body);
}

/* ---- Constants ---- */

TEST(test_constants)
{
    static const struct {
        const char *text;
        u64 value;
    } rows[] = {
        {"1+2*3", 7},
        {"(1 + 2) * 3", 9},
        {"-(4)", (u64)-4},
        {"7 / -2", (u64)-3},
        {"-7 % 3", (u64)-1},
        {"1 << 4 | 3", 19},
        {"0xF0 & ~0x30 ^ 1", 0xC1},
        {"-8 >> 1", (u64)-4},
        {"0xFFFFFFFFFFFFFFF8 >> 1", 0x7FFFFFFFFFFFFFFC},
        {"(.u64) -8 >> 1", 0x7FFFFFFFFFFFFFFC},
        {"-1 < 0", 1},
        {"-1 < 0U", 0},
        {"3 >= 3 && 2 != 2 || 5 == 5", 1},
        {"!5 + !0", 1},
        {"1 > 2 ? 10 : 3 <= 4 ? 20 : 30", 20},
        {"2 - 3 - 4", (u64)-5},
        {"2 - 3 + 4", 3},
        {"+5", 5},
        {"10 / 3U", 3},
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        char body[200];
        snprintf(body, sizeof body, "mov.u64 %%y0, %s;\nadd.s64 %%y1, 0, %s;", rows[n].text, rows[n].text);
        run("", body);
        if (out[0][0] != rows[n].value || out[0][1] != rows[n].value)
            fail_msg("%s is %" PRId64 ", not %" PRId64, rows[n].text, (int64_t)out[0][0], (int64_t)rows[n].value);
    }
    run(".global .u32 table[2*2] = {1+1, 3<<1, (8), -1};", "mov.u64 %d0, table; ld.global.u32 %r0, [table+4*1]; ld.global.u32 %r1, "
                                                           "[%d0+(1+1)*4]; mov.b64 %y0, {%r0, %r1};");
    assert_int_equal(out[0][0], 6 | UINT64_C(8) << 32);
    run_refused("", "mov.u32 %r0, 5/0;", 32, 32, "a constant is divided by zero");
    run_refused("", "mov.u16 %h0, 1<<16;", 32, 32, "1<<16 does not fit into 16 bits");
    run_refused("", "mov.u32 %r0, (3;", 32, 32, "expected ')', found ';'");
}

/* ---- Scopes and vectors ---- */

/* Each scope has its own LOOP; the inner one continues after the outer one's label. */
TEST(test_labels)
{
    run("", "mov.u32 %r0, 0; mov.u32 %r1, 0;\nLOOP: add.u32 %r0, %r0, 1;\n{ .reg .pred p; LOOP: add.u32 %r1, %r1, 1;\n"
            "rem.u32 %r2, %r1, 5; setp.ne.u32 p, %r2, 0; @p bra LOOP; { setp.eq.u32 p, %r0, 4; @p bra OUT; } }\nbra LOOP;\n"
            "OUT: mov.b64 %y0, {%r0, %r1};");
    assert_int_equal(out[0][0], 4 | UINT64_C(20) << 32);
    /* three scopes use it before the outermost one places it */
    run("", "mov.u64 %y0, 1; setp.eq.u32 %p1, %thread, 99; @%p1 bra OUT;\n{ @%p1 bra OUT; { bra OUT; } }\nmov.u64 %y0, 2;\nOUT:");
    assert_int_equal(out[0][0], 1);
    run_refused("", "{ bra A; } { A: mov.u32 %r0, 1; }", 32, 32, "label 'A' stands nowhere");
    run_refused("", "{ A: mov.u32 %r0, 1; A: mov.u32 %r0, 1; }", 32, 32, "label 'A' stands twice");
}

TEST(test_vectors)
{
    run(".const[3] .u32 c[4] = {11, 22, 33, 44};\n.global .attribute(.managed) .align 16 .u32 g[4];",
        ".reg .v4 .u32 v; .reg .v2 .b32 p; ld.const[3].v4.u32 v, [c]; add.u32 v.y, v.x, v.w; mov.u32 p.x, v.r; mov.u32 p.y, v.g;\n"
        "st.global.v4.u32 [g], v; ld.global.u32 %r0, [g+4]; mov.b64 %y0, {p.x, p.y}; cvt.u64.u32 %y1, %r0;");
    assert_int_equal(out[0][0], 11 | UINT64_C(55) << 32);
    assert_int_equal(out[0][1], 55);
    run_refused("", ".reg .v2 .u32 v; mov.u32 %r0, v.z;", 32, 32, "expected an element of a vector, found '.z'");
    run_refused("", ".reg .v2 .u32 v; mov.u32 %r0, v;", 32, 32, "expected an element of a vector, found ';'");
    run_refused("", ".reg .v2 .u16 v; ld.global.v2.f32 v, [%d0];", 32, 32, "expected a vector of 32 bits, found 'v' of 16 bits");
}

/* ---- Addresses ---- */

TEST(test_addresses)
{
    run(".const .u32 c[3] = {5, 6, 7};\n.global .u32 g[2] = {8, 9};\n"
        ".global .u64 p[4] = {g, generic(g)+4, c+4, generic(c) + 2*4};\n.const .u64 q = p+8;",
        "ld.const.u64 %d0, [q]; ld.global.u64 %d1, [%d0]; ld.u32 %r1, [%d1]; ld.global.u64 %d2, [%d0+8]; ld.u32 %r2, [%d2];\n"
        "ld.global.u64 %d3, [p+24]; ld.const.u32 %r3, [%d3]; ld.global.u64 %d4, [p]; ld.global.u32 %r4, [%d4];\n"
        "mov.b64 %y0, {%r1, %r2}; mov.b64 %y1, {%r3, %r4};");
    assert_int_equal(out[0][0], 9 | UINT64_C(6) << 32);
    assert_int_equal(out[0][1], 7 | UINT64_C(8) << 32);
}

/* ---- Targets ---- */

TEST(test_indexed_branches)
{
    static const u32 chosen[] = {1, 2, 1, 3, 3, 4, 5};
    run("",
        "rem.u32 %r0, %thread, 7; setp.lt.u32 %p1, %thread, 60;\nTS: .branchtargets A, B, A, C, C, D, E;\n@%p1 brx.idx %r0, TS;\n"
        "mov.u64 %y0, 99; bra END;\nA: mov.u64 %y0, 1; bra END;\nB: mov.u64 %y0, 2; bra END;\nC: mov.u64 %y0, 3; bra END;\n"
        "D: mov.u64 %y0, 4; bra END;\nE: mov.u64 %y0, 5;\nEND:");
    for (u32 n = 0; n < COUNT; n++)
        assert_int_equal(out[n][0], n >= 60 ? 99 : chosen[n % 7]);
    run_refused("", "TS: .branchtargets A;\nTS: .branchtargets A;\nA:", 32, 32, "'TS' is declared twice");
    run_refused("", "P: .callprototype _ ();\nbrx.idx %r0, P;", 32, 32, "'P' has no labels");
}

static const char functions[] =
    ".func (.param .u32 r) twice(.param .u32 a) { .reg .u32 x; ld.param.u32 x, [a]; add.u32 x, x, x; st.param.u32 [r], x; ret; }\n"
    ".func (.param .u32 r) other(.param .u32 a);\n.func (.param .u32 r) third(.param .u32 a);\n"
    ".func (.param .u32 r) wide(.param .u64 a) { .reg .u64 x; ld.param.u64 x, [a]; st.param.u32 [r], 1; ret; }\n"
    ".alias other, square;\n.global .u64 table[4] = {twice, square, wide, third};\n"
    ".func (.param .u32 r) square(.param .u32 a) { .reg .u32 x; ld.param.u32 x, [a]; mul.lo.u32 x, x, x; st.param.u32 [r], x; ret; "
    "}\n"
    ".func (.reg .u32 r) third(.reg .u32 a) { add.u32 r, a, 1000; ret; }\n";

TEST(test_pointers)
{
    static char module[2000];
    /* square must be declared before the table uses it */
    snprintf(module, sizeof module, ".func (.param .u32 r) square(.param .u32 a);\n%s", functions);
    run(module, "PROTO: .callprototype (.param .u32 _) _ (.param .u32 _);\nand.b32 %r0, %thread, 1; mul.wide.u32 %d0, %r0, 8;\n"
                "mov.u64 %d1, table; add.u64 %d0, %d0, %d1; ld.global.u64 %d2, [%d0]; .param .u32 a; .param .u32 r;\n"
                "st.param.u32 [a], %thread; call (r), %d2, (a), PROTO; ld.param.u32 %r1, [r]; cvt.u64.u32 %y0, %r1;\n"
                "st.param.u32 [a], 12; call.uni (r), other, (a); ld.param.u32 %r1, [r]; cvt.u64.u32 %y1, %r1;\n"
                "FS: .calltargets third, square; mov.u64 %d2, third; call (%r2), %d2, (%thread), FS; cvt.u64.u32 %y2, %r2;");
    for (u32 n = 0; n < COUNT; n++) {
        assert_int_equal(out[n][0], n % 2 ? n * n : 2 * n);
        assert_int_equal(out[n][1], 144);
        assert_int_equal(out[n][2], n + 1000);
    }
    run_refused(module,
                "PROTO: .callprototype (.param .u32 _) _ (.param .u32 _);\nmov.u64 %d2, 12345; call (%r2), %d2, (%r1), PROTO;", 32,
                32, "executed a trap");
    run_refused(module, "call (%r2), %d2, (%r1), NOWHERE;", 32, 32,
                "'NOWHERE' is declared nowhere before as a list of targets or a prototype");
    run_refused("", "call (%r2), %d2, (%r1);", 32, 32, "executed a trap");
}

/* Copies of 16 bytes, of partly read 8, and of 4 in every other thread; cache hints. */
TEST(test_copies)
{
    run("", ".shared .align 16 .b8 tile[2048]; mov.u32 %r0, tile; mad.lo.u32 %r0, %thread, 32, %r0; and.b32 %r1, %thread, 1; "
            "setp.eq.u32 %p1, %r1, 1;\n"
            "st.shared.u32 [%r0+24], 77; rem.u32 %r2, %thread, 9; cp.async.cg.shared::cta.global.L2::128B [%r0], [%in], 16;\n"
            "cp.async.ca.shared.global [%r0+16], [%in+8], 8, %r2; @%p1 cp.async.ca.shared.global [%r0+24], [%in+16], 4; "
            "cp.async.commit_group;\n"
            "cp.async.wait_group 0; cp.async.wait_all; ld.shared::cta.v2.u64 {%y0, %y1}, [%r0]; ld.shared.u64 %y2, [%r0+16]; "
            "ld.shared.u32 %r3, [%r0+24];\n"
            "ld.global.L1::evict_last.L2::128B.u32 %r4, [%in+16]; sub.u32 %r4, %r3, %r4; cvt.u64.u32 %y3, %r4;");
    for (u32 n = 0; n < COUNT; n++) {
        const u64 given = n % 9;
        assert_int_equal(out[n][0], in[n][0]);
        assert_int_equal(out[n][1], in[n][1]);
        assert_int_equal(out[n][2], given == 8 ? in[n][1] : in[n][1] & ((UINT64_C(1) << 8 * given) - 1));
        assert_int_equal((u32)out[n][3], n % 2 ? 0 : 77 - (u32)in[n][2]);
    }
    run_refused("", "ld.shared::other.u32 %r0, [%r1];", 32, 32, ".shared::other is not supported");
    run_refused("", "cp.async.ca.shared.global [%r0], [%in], 12;", 32, 32, "cp.async copies 4, 8 or 16 bytes");
}

/* Thread n copies bytes of a size in a register to sixteen bytes that are not 0; bytes beyond the size are zeros. */
static void expect_copied(const char *copy, u32 all, const u32 *given)
{
    char body[1000];
    snprintf(body, sizeof body,
             ".shared .align 16 .b8 tile[1024]; mov.u32 %%r0, tile; mad.lo.u32 %%r0, %%thread, 16, %%r0; mov.u64 %%d0, -1;\n"
             "st.shared.v2.u64 [%%r0], {%%d0, %%d0}; cvt.u32.u64 %%r1, %%x3; and.b32 %%r2, %%r1, 1; setp.eq.u32 %%p1, %%r2, 1;\n"
             "shr.u32 %%r1, %%r1, 1; setp.eq.u32 %%p2, %%r1, 0; %s cp.async.wait_all; ld.shared.v2.u64 {%%y0, %%y1}, [%%r0];",
             copy);
    run("", body);
    for (u32 n = 0; n < COUNT; n++) {
        u8 expected[16];
        memset(expected, 0xFF, sizeof expected);
        if (given[n] != UINT32_MAX) {
            memset(expected, 0, all);
            memcpy(expected, in[n], ws_min(given[n], all));
        }
        if (memcmp(out[n], expected, sizeof expected) != 0)
            fail_msg("%s: thread %u, %u bytes: %016" PRIx64 " %016" PRIx64, copy, n, given[n], out[n][0], out[n][1]);
    }
}

TEST(test_parts_of_copies)
{
    u32 sizes[COUNT], guarded[COUNT], others[COUNT], ignored[COUNT], both[COUNT];
    for (u32 n = 0; n < COUNT; n++) {
        const u32 half = n / 2;
        sizes[n] = half;
        guarded[n] = n % 2 ? half : UINT32_MAX;
        others[n] = n % 2 ? UINT32_MAX : half;
        ignored[n] = half == 0 ? 0 : 16;
        both[n] = n % 2 ? UINT32_MAX : ignored[n];
    }
    expect_copied("cp.async.cg.shared.global [%r0], [%in], 16, %r1;", 16, sizes);
    expect_copied("cp.async.ca.shared.global [%r0], [%in], 8, %r1;", 8, sizes);
    expect_copied("cp.async.ca.shared.global [%r0], [%in], 4, %r1;", 4, sizes);
    expect_copied("@%p1 cp.async.cg.shared.global [%r0], [%in], 16, %r1;", 16, guarded);
    expect_copied("@!%p1 cp.async.cg.shared.global [%r0], [%in], 16, %r1;", 16, others);
    expect_copied("cp.async.cg.shared.global [%r0], [%in], 16, %p2;", 16, ignored);
    expect_copied("@!%p1 cp.async.cg.shared.global [%r0], [%in], 16, %p2;", 16, both);
    /* Nothing beyond the size is read: half of the threads have no valid source. */
    run("", ".shared .align 16 .b8 tile[1024]; mov.u32 %r0, tile; mad.lo.u32 %r0, %thread, 16, %r0; and.b32 %r1, %thread, 1;\n"
            "cvt.u64.u32 %d0, %r1; shl.b64 %d0, %d0, 40; add.u64 %d0, %in, %d0; xor.b32 %r1, %r1, 1; shl.b32 %r1, %r1, 2;\n"
            "cp.async.cg.shared.global [%r0], [%d0], 16, %r1; cp.async.wait_all; ld.shared.v2.u64 {%y0, %y1}, [%r0];");
    for (u32 n = 0; n < COUNT; n++) {
        assert_int_equal(out[n][0], n % 2 ? 0 : (u32)in[n][0]);
        assert_int_equal(out[n][1], 0);
    }
    run_refused("",
                "mov.u32 %r1, 12; .shared .align 16 .b8 tile[16]; mov.u32 %r0, tile;\n"
                "cp.async.cg.shared.global [%r0], [%in+8], 16, %r1;",
                32, 32, "16-byte load");
}

TEST(test_shared_sizes)
{
    run("", ".shared .align 4 .b8 tile[100]; mov.u32 %r0, tile; mov.u32 %r1, %total_smem_size; mov.u32 %r2, %dynamic_smem_size;\n"
            "cvt.u64.u32 %y0, %r1; cvt.u64.u32 %y1, %r2; st.shared.u32 [%r0], 1;");
    assert_int_equal(out[0][0], 100);
    assert_int_equal(out[0][1], 0);
}

TEST(test_assertions)
{
    run_refused(".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);",
                "prefetch.global.L2 [%in+8]; .param .b64 a; .param .b32 b; setp.eq.u32 %p1, %thread, 3; @%p1 call __assertfail, "
                "(a, a, b, a, a);",
                32, 32, "thread (3,0,0), pc 30: fails an assertion: ");
}

/* A kernel may call another, with its own parameters. */
TEST(test_kernels)
{
    run(".visible .entry other(.param .u64 p, .param .u32 q) { .reg .u64 a; .reg .u32 b; .reg .pred c; ld.param.u64 a, [p];\n"
        "ld.param.u32 b, [q]; setp.eq.u32 c, b, 3; @c ret; st.global.u32 [a], b; ret; }",
        "add.u64 %d0, %out, 0; .param .u64 p; .param .u32 q; st.param.u64 [p], %in; st.param.u32 [q], %thread; call other, (p, "
        "q);\n"
        "ld.global.u64 %y0, [%in];");
    for (u32 n = 0; n < COUNT; n++)
        assert_int_equal(out[n][0], n == 3 ? in[n][0] : (in[n][0] >> 32 << 32 | n));
}

/* ---- printf ---- */

TEST(test_printf)
{
    run(".const .align 1 .b8 f[40] = {37, 100, 32, 37, 53, 46, 50, 102, 124, 37, 108, 120, 32, 37, 115, 37, 37, 37, 99, 10, 0};\n"
        ".const .b8 s[4] = {104, 105, 33, 0};\n.extern .func (.param .b32 r) printf (.param .b64 a);\n",
        "setp.ge.u32 %p1, %thread, 2; @%p1 bra END;\nmov.u64 %d0, f; mov.u64 %d1, s; neg.s32 %r1, %thread;\n"
        "{ .param .b64 p0; st.param.b64 [p0], %d0; .param .b32 p1; st.param.b32 [p1], %r1; .param .b64 p2; st.param.f64 [p2], "
        "0d4008000000000000;\n"
        ".param .b64 p3; st.param.b64 [p3], 0xABCDEF0123; .param .b64 p4; st.param.b64 [p4], %d1; .param .b32 p5; st.param.b32 "
        "[p5], 88;\n"
        ".param .b32 r; call.uni (r), printf, (p0, p1, p2, p3, p4, p5); ld.param.b32 %r0, [r]; }\ncvt.u64.u32 %y0, %r0;\nEND:");
    assert_string_equal(printed, "0  3.00|abcdef0123 hi!%X\n-1  3.00|abcdef0123 hi!%X\n");
    assert_int_equal(out[0][0], 5);
    /* CUDA: arguments in a variable of the thread */
    run(".global .align 1 .b8 f[14] = {37, 117, 58, 37, 108, 108, 100, 44, 37, 42, 100, 10, 0};\n"
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n",
        ".local .align 8 .b8 depot[24];\nsetp.ne.u32 %p1, %thread, 33; @%p1 bra END; mov.u64 %d0, f; cvta.global.u64 %d0, %d0; "
        "mov.u64 %d1, depot;\n"
        "st.local.u32 [%d1], 0xFFFFFFFF; st.local.u64 [%d1+8], -5; st.local.u32 [%d1+16], 4; st.local.u32 [%d1+20], 7; "
        "cvta.local.u64 %d1, %d1;\n"
        "{ .param .b64 p0; st.param.b64 [p0], %d0; .param .b64 p1; st.param.b64 [p1], %d1; .param .b32 r;\n"
        "call.uni (r), vprintf, (p0, p1); ld.param.b32 %r0, [r]; }\ncvt.u64.u32 %y0, %r0;\nEND:");
    assert_string_equal(printed, "4294967295:-5,   7\n");
    assert_int_equal(out[33][0], 3);
    /* OpenCL: vectors, one argument of 16 bytes */
    run(".const .align 1 .b8 f[10] = {37, 118, 52, 104, 108, 102, 59, 0};\n.extern .func (.param .b32 r) printf (.param .b64 a);\n",
        "setp.ne.u32 %p1, %thread, 1; @%p1 bra END; mov.u64 %d0, f; .param .b64 p0; st.param.b64 [p0], %d0; .param .align 16 .b8 "
        "p1[16];\n"
        "st.param.v4.f32 [p1], {0f3F800000, 0f40000000, 0f40400000, 0f3F000000}; .param .b32 r; call.uni (r), printf, (p0, "
        "p1);\nEND:");
    assert_string_equal(printed, "1.000000,2.000000,3.000000,0.500000;");
    /* as clang 16 has it: one argument for all, in which the second number lies at 4 */
    run(".const .align 1 .b8 f[7] = {37, 100, 32, 37, 102, 59, 0};\n"
        ".extern .func (.param .b32 r) printf (.param .b64 a, .param .align 8 .b8 printf_vararg[]);\n",
        "setp.ne.u32 %p1, %thread, 1; @%p1 bra END; mov.u64 %d0, f; .param .b64 p0; st.param.b64 [p0], %d0; .param .align 8 .b8 "
        "p1[12];\n"
        "st.param.b32 [p1+0], 7; st.param.b32 [p1+4], 0; st.param.b32 [p1+8], 0x40080000; .param .b32 r; call.uni (r), printf, "
        "(p0, p1);\nEND:");
    assert_string_equal(printed, "7 3.000000;");
    run_refused(".extern .func (.param .b32 r) other (.param .b64 a, .param .b8 rest[]);",
                ".param .b64 p; .param .b32 r; call.uni (r), other, (p, p);", 32, 32, "parameter 'rest' must have 1 to 4096 bytes");
    run_refused(".extern .func (.param .b32 r) printf (.param .b64 a);",
                ".param .b64 p; st.param.b64 [p], 64; .param .b32 r; call.uni (r), printf, (p);", 32, 32,
                "prints what lies outside of the memory that may be accessed");
    run_refused(".extern .func (.param .b32 r) printf (.param .b32 a);", ".param .b32 p; .param .b32 r; call.uni (r), printf, (p);",
                32, 32, "expected an address as an argument of 'printf'");
}

/* A register, or range, in an inner scope hides exactly the outer ones with its name. */
TEST(test_scopes)
{
    run("",
        ".reg .b32 %a<4>; .reg .b32 %b, %c1, %e7; mov.u32 %a1, 1; mov.u32 %a3, 2; mov.u32 %b, 3; mov.u32 %c1, 4; mov.u32 %e7, 50;\n"
        "{ .reg .b32 %a; .reg .b32 %b<3>; .reg .b32 %c<2>; .reg .b32 %e<5>; mov.u32 %a, 5; mov.u32 %b1, 6; mov.u32 %c1, 7;\n"
        "add.u32 %a1, %a1, %a; add.u32 %a3, %a3, %b1; add.u32 %b, %b, %c1; add.u32 %e7, %e7, 1;\n"
        "{ .reg .b32 %a<2>; mov.u32 %a1, 100; add.u32 %a3, %a3, %a1; } }\n"
        "cvt.u64.u32 %y0, %a1; cvt.u64.u32 %y1, %a3; mov.b64 %y2, {%b, %c1}; cvt.u64.u32 %y3, %e7;");
    assert_int_equal(out[0][0], 6);
    assert_int_equal(out[0][1], 108);
    assert_int_equal(out[0][2], (UINT64_C(4) << 32) | 10);
    assert_int_equal(out[0][3], 51);
}

/* Braces around one element. */
TEST(test_single_elements)
{
    run("", "{ .local .b8 at[16]; mov.u64 %d1, at; st.local.b32 [ %d1 + 0 ], { %w3 }; ld.local.u32 { %r1 }, [%d1];\n"
            "cvt.u64.u32 %y0, %r1; mov.b64 %y1, {%x3}; mov.b64 {%y2}, %x3; mov.u64 %y3, %gridid; }");
    for (u32 n = 0; n < COUNT; n++) {
        for (u32 word = 0; word < 3; word++)
            assert_int_equal(out[n][word], n);
        assert_int_equal(out[n][3], 0);
    }
    run_refused("", "st.local.b32 [%d1], {%r1, %r2};", 32, 32, "expected '}', found ','");
}

/* Cache policies, as Triton emits them. */
TEST(test_policies)
{
    run("", "{ .reg .b64 %c; createpolicy.fractional.L2::evict_first.b64 %c, 1.0; createpolicy.fractional.L2::evict_last.b64 %c;\n"
            "ld.global.L1::evict_first.L2::cache_hint.v2.b32 {%r1, %r2}, [%in + 24], %c;\n"
            "st.global.L2::cache_hint.b32 [%out], {%r1}, %c; mov.b64 %y0, {%r1, %r2}; }");
    for (u32 n = 0; n < COUNT; n++)
        assert_int_equal(out[n][0], n);
    run_refused("", "ld.global.L2::cache_hint.b32 %r1, [%in];", 32, 32, "expected ',', found ';'");
}
