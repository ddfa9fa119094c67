/* Instructions that the loader composes of others (parse/composed.c), tensor maps, heap and recursion, from their PTX to their
 * results. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"
#include "warpsweep/tensor_map.h"

static run_row in[RUN_THREADS], out[RUN_THREADS];

/* Outputs of a body, computed from its inputs. */
typedef void model(const u64 x[RUN_WORDS], u64 y[RUN_WORDS]);

static void run(const char *module, const char *body, u32 threads)
{
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    run_values(in, threads);
    if (run_body(module, body, &options, in, out, threads, &error) != WS_STATUS_ok)
        fail_msg("%s\nin: %s", error.message, body);
}

static void check(const char *body, model *expected)
{
    run("", body, RUN_THREADS);
    for (u32 n = 0; n < RUN_THREADS; n++) {
        run_row y = {0};
        expected(in[n], y);
        for (u32 word = 0; word < RUN_WORDS; word++)
            if (out[n][word] != y[word])
                fail_msg("%s\nof 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 " leaves 0x%" PRIx64
                         " in y%u, not 0x%" PRIx64,
                         body, in[n][0], in[n][1], in[n][2], in[n][3], out[n][word], word, y[word]);
    }
}

static void nothing(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    (void)x, (void)y;
}

static void same(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    for (u32 n = 0; n < RUN_WORDS; n++)
        y[n] = x[n];
}

static void reversed(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    for (u32 n = 0; n < RUN_WORDS; n++)
        y[n] = x[RUN_WORDS - 1 - n];
}

/* ---- 32 bytes and 128 bits ---- */

TEST(test_accesses)
{
    check("ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%in]; mov.b64 %y0, {%r0,%r1}; mov.b64 %y1, {%r2,%r3};\n"
          "mov.b64 %y2, {%r4,%r5}; mov.b64 %y3, {%r6,%r7};",
          same);
    check("st.global.v4.b64 [%in], {%x3,%x2,%x1,%x0}; ld.global.L2::cache_hint.v4.u64 {%y0,%y1,%y2,%y3}, [%in], %x0;", reversed);
    check("ld.global.v4.b64 {%in,%y1,%y2,%y3}, [%in]; mov.b64 %y0, %in;", same); /* overwrites its address */
    check("ld.global.v8.f32 {_,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%in]; mov.b32 %r1, %f7; mov.b32 %r0, %f6; mov.b64 %y3, {%r0,%r1};\n"
          "mov.b64 %y0, %x0; mov.b64 %y1, %x1; mov.b64 %y2, %x2;",
          same);
    run_refused("", "ld.global.v8.b16 {%h0,%h1,%h2,%h3,%h4,%h5,%h6,%h7}, [%in];", 32, 1, "vectors of eight are for 32-bit numbers");
    run_refused("", "ld.global.v8.b32 {%r0,%r1,%r2,%r3}, [%in];", 32, 1, "expected ','");
}

TEST(test_wide_registers)
{
    check(".reg .b128 %q<4>, %t; mov.b128 %q3, {%x1,%x0}; mov.b128 %q1, {%x3,%x2}; mov.b128 %t, %q3; st.global.b128 [%in+16], %t;\n"
          "st.relaxed.sys.global.b128 [%in], %q1; ld.global.b128 %q2, [%in]; mov.b128 {%y0,_}, %q2; mov.b128 {%y1,%y2}, %q2;\n"
          "mov.b128 {%y1,%y2}, %q2; mov.b128 {%d0,%y1}, %q2; ld.global.b128 %q0, [%in+16]; mov.b128 {%y2,%y3}, %q0;",
          reversed);
    run_refused("", ".reg .b128 %q; mov.b128 %q, %x0;", 32, 1, "expected a register of 128 bits");
}

/* The first comparison succeeds, the second one if x2 = x3. */
static void swapped(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    const bool equal = x[2] == x[3];
    y[0] = x[0];
    y[1] = x[1];
    y[2] = equal ? x[0] : x[3];
    y[3] = equal ? x[1] : x[2];
}

TEST(test_wide_atomics)
{
    check(".reg .b128 %a, %b, %c, %o; mov.b128 %a, {%x0,%x1}; mov.b128 %b, {%x3,%x2}; mov.b128 %c, {%x2,%x3};\n"
          "atom.global.cas.b128 %o, [%in], %a, %b; mov.b128 {%y0,%y1}, %o;\n" /* now b */
          "atom.acq_rel.gpu.global.cas.b128 %o, [%in], %c, %a; atom.global.exch.b128 %o, [%in], %c; mov.b128 {%y2,%y3}, %o;",
          swapped);
}

/* ---- Vectors of halves: against the same operation on registers ---- */

TEST(test_vector_atomics)
{
    static const struct {
        const char *body;
    } rows[] = {
        {"atom.global.v2.f16x2.add.noftz {%r0,%r1}, [%in], {%w2,%w3}; ld.global.v2.b32 {%r2,%r3}, [%in];\n"
         "mov.b64 {%r4,%r5}, %x0; xor.b32 %r0, %r0, %r4; xor.b32 %r1, %r1, %r5;\n"
         "add.rn.f16x2 %r4, %r4, %w2; add.rn.f16x2 %r5, %r5, %w3; xor.b32 %r2, %r2, %r4; xor.b32 %r3, %r3, %r5;\n"
         "mov.b64 %y0, {%r0,%r1}; mov.b64 %y1, {%r2,%r3};"},
        {"mov.b64 {%r4,%r5}, %x0; mov.b64 {%r6,%r7}, %x1; red.global.v4.bf16x2.max.noftz [%in], {%w2,%w3,%w2,%w3};\n"
         "ld.global.v4.b32 {%r0,%r1,%r2,%r3}, [%in]; max.bf16x2 %r4, %r4, %w2; max.bf16x2 %r5, %r5, %w3; max.bf16x2 %r6, %r6, "
         "%w2;\n"
         "max.bf16x2 %r7, %r7, %w3; xor.b32 %r0, %r0, %r4; xor.b32 %r1, %r1, %r5; xor.b32 %r2, %r2, %r6; xor.b32 %r3, %r3, %r7;\n"
         "mov.b64 %y0, {%r0,%r1}; mov.b64 %y1, {%r2,%r3};"},
        {"mov.b64 {%h0,%h1,%h2,%h3}, %x0; mov.b64 {%h4,%h5,%h6,%h7}, %x1; mov.b64 {%h8,%h9,%h10,%h11}, %x2;\n"
         "atom.global.v8.f16.min.noftz {%h16,%h17,%h18,%h19,%h20,%h21,%h22,%h23}, [%in], {%h8,%h9,%h10,%h11,%h11,%h10,%h9,%h8};\n"
         "mov.b64 %d0, {%h16,%h17,%h18,%h19}; mov.b64 %d1, {%h20,%h21,%h22,%h23}; xor.b64 %y0, %d0, %x0; xor.b64 %y1, %d1, %x1;\n"
         "min.f16 %h0, %h0, %h8; min.f16 %h3, %h3, %h11; min.f16 %h7, %h7, %h8; ld.global.v4.b16 {%h16,_,_,%h19}, [%in];\n"
         "ld.global.b16 %h23, [%in+14]; xor.b16 %h0, %h0, %h16; xor.b16 %h3, %h3, %h19; xor.b16 %h7, %h7, %h23;\n"
         "mov.b64 %y2, {%h0,%h3,%h7,%h7};"},
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++)
        check(rows[n].body, nothing);
}

/* ---- Logic, mixed precision ---- */

static void looked_up(const u64 x[RUN_WORDS], u64 y[RUN_WORDS])
{
    const u32 a = (u32)x[0], b = (u32)x[1], c = (u32)x[2], value = (a & b) ^ c; /* table 0x6A */
    y[0] = value;
    y[1] = value && x[3] & 1;
    y[2] = value || !(x[3] & 1);
}

TEST(test_logic)
{
    check("and.b64 %d0, %x3, 1; setp.ne.u64 %p1, %d0, 0; lop3.and.b32 %r0|%p2, %w0, %w1, %w2, 0x6A, %p1; cvt.u64.u32 %y0, %r0;\n"
          "lop3.or.b32 _|%p3, %w0, %w1, %w2, 0x6A, !%p1; selp.u64 %y1, 1, 0, %p2; selp.u64 %y2, 1, 0, %p3;",
          looked_up);
}

TEST(test_mixed)
{
    check("mov.b32 {%h0,%h1}, %w0; mov.b32 %f0, %w1; cvt.f32.f16 %f1, %h0; cvt.f32.bf16 %f2, %h1;\n"
          "add.rz.f32.f16 %f3, %h0, %f0; add.rz.f32 %f4, %f1, %f0; mov.b32 %r0, %f3; mov.b32 %r1, %f4; xor.b32 %r0, %r0, %r1;\n"
          "sub.f32.bf16 %f3, %h1, %f0; sub.f32 %f4, %f2, %f0; mov.b32 %r2, %f3; mov.b32 %r3, %f4; xor.b32 %r2, %r2, %r3;\n"
          "cvt.f32.bf16 %f1, %h0; fma.rn.sat.f32.bf16 %f3, %h0, %h1, %f0; fma.rn.sat.f32 %f4, %f1, %f2, %f0;\n"
          "mov.b32 %r4, %f3; mov.b32 %r5, %f4; xor.b32 %r4, %r4, %r5; mov.b64 %y0, {%r0,%r2}; mov.b64 %y1, {%r4,%r4};",
          nothing);
}

/* Threads store and add to the box of another one, and its mbarrier counts the bytes. */
TEST(test_async)
{
    enum { THREADS = 64 };
    run(".shared .align 8 .b64 gate; .shared .align 16 .b32 box[256];\n",
        "setp.eq.u32 %p1, %thread, 0; @%p1 mbarrier.init.shared.b64 [gate], 1; bar.sync 0;\n"
        "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 1280; mov.u32 %r9, gate; xor.b32 %r1, %thread, 1; shl.b32 %r2, %r1, "
        "4;\n"
        "mov.u32 %r3, box; add.u32 %r2, %r2, %r3;\n"
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r2], {%thread,%w0,%w1,%w2}, [%r9];\n"
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r2+4], 3, [gate];\n"
        "AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra AGAIN;\n"
        "shl.b32 %r4, %thread, 4; add.u32 %r4, %r4, %r3; ld.shared.v4.b32 {%r5,%r6,%r7,%r8}, [%r4];\n"
        "cvt.u64.u32 %y0, %r5; cvt.u64.u32 %y1, %r6; cvt.u64.u32 %y2, %r7; cvt.u64.u32 %y3, %r8;",
        THREADS);
    for (u32 n = 0; n < THREADS; n++) {
        assert_int_equal(out[n][0], n ^ 1);
        assert_int_equal(out[n][1], (u32)((u32)in[n ^ 1][0] + 3));
        assert_int_equal(out[n][2], (u32)in[n ^ 1][1]);
        assert_int_equal(out[n][3], (u32)in[n ^ 1][2]);
    }
}

/* ---- Tensor maps ---- */

enum { MAP_ROWS = sizeof(struct ws_tensor_map) / sizeof(run_row) };

static struct ws_tensor_map map_of(const run_row *rows)
{
    struct ws_tensor_map map;
    memcpy(&map, rows, sizeof map);
    return map;
}

/* The map is in the rows of the first threads; %d0 is its address, %y its bytes. */
static enum ws_status change_map(const char *body, struct ws_error *error)
{
    static char text[4000];
    struct ws_frontend_options options;
    const struct ws_tensor_map map = {
        .magic = WS_TENSOR_MAGIC, .rank = 2, .sizes = {7, 7}, .box = {8, 8}, .steps = {1, 1, 1, 1, 1}};
    memcpy(in, &map, sizeof map);
    ws_frontend_defaults(&options);
    snprintf(text, sizeof text,
             "shl.b32 %%r0, %%thread, 5; cvt.u64.u32 %%d0, %%r0; sub.u64 %%d0, %%in, %%d0; setp.eq.u32 %%p1, %%thread, 0;\n%s\n"
             "bar.sync 0; ld.global.v4.b64 {%%y0,%%y1,%%y2,%%y3}, [%%in];",
             body);
    return run_body(".shared .align 128 .b8 box[128];\n", text, &options, in, out, MAP_ROWS, error);
}

TEST(test_tensor_maps)
{
    struct ws_error error;
    const char *const bodies[] = {
        "@%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%d0], 4096;\n"
        "@%p1 tensormap.replace.tile.global_dim.global.b1024.b32 [%d0], 1, 77;\n"
        "@%p1 tensormap.replace.tile.global_stride.b1024.b64 [%d0], 0, 160; @%p1 tensormap.replace.tile.rank.global.b1024.b32 "
        "[%d0], 2;\n"
        "@%p1 tensormap.replace.tile.box_dim.global.b1024.b32 [%d0], 2, 9; @%p1 tensormap.replace.tile.elemtype.global.b1024.b32 "
        "[%d0], 10;\n"
        "@%p1 tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%d0], 3; @%p1 "
        "tensormap.replace.tile.fill_mode.global.b1024.b32 [%d0], 1;",
        "mov.u32 %r1, box; add.u32 %r2, %r1, %r0; st.shared.v4.b32 [%r2], {%w0,%w0,%w0,%w0}; ld.global.v4.b32 {%r3,%r4,%r5,%r6}, "
        "[%in];\n"
        "st.shared.v4.b32 [%r2], {%r3,%r4,%r5,%r6}; ld.global.v4.b32 {%r3,%r4,%r5,%r6}, [%in+16]; st.shared.v4.b32 [%r2+16], "
        "{%r3,%r4,%r5,%r6}; bar.sync 0; mov.u64 %d1, box;\n"
        "@%p1 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%d1], 4096;\n"
        "@%p1 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%d1], 1, 77;\n"
        "@%p1 tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%d1], 0, 160;\n"
        "@%p1 tensormap.replace.tile.rank.shared::cta.b1024.b32 [box], 2; @%p1 "
        "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [box], 2, 9;\n"
        "@%p1 tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [box], 10;\n"
        "@%p1 tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [box], 3;\n"
        "@%p1 tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [box], 1; bar.sync 0;\n"
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d0], [%d1], 128;"};
    for (u32 n = 0; n < sizeof bodies / sizeof *bodies; n++) {
        if (change_map(bodies[n], &error) != WS_STATUS_ok)
            fail_msg("%s", error.message);
        const struct ws_tensor_map map = map_of((const run_row *)out);
        assert_int_equal(map.address, 4096);
        assert_int_equal(map.sizes[0], 7);
        assert_int_equal(map.sizes[1], 76);
        assert_int_equal(map.strides[0], 160);
        assert_int_equal(map.rank, 3);
        assert_int_equal(map.box[2], 9);
        assert_int_equal(map.element, WS_TENSOR_bf16);
        assert_int_equal(map.element_bytes, 2);
        assert_int_equal(map.swizzle, WS_TENSOR_SWIZZLE_128);
        assert_int_equal(map.nan, 1);
    }
    assert_int_not_equal(change_map("@%p1 tensormap.replace.tile.interleave_layout.global.b1024.b32 [%d0], 1;", &error),
                         WS_STATUS_ok);
    assert_int_not_equal(change_map("tensormap.replace.tile.global_dim.global.b1024.b32 [%d0], 5, 1;", &error), WS_STATUS_ok);
    assert_int_not_equal(change_map("tensormap.replace.tile.rank.global.b1024.b32 [%out], 1;", &error), WS_STATUS_ok);
}

/* ---- Functions that call themselves ---- */

static u64 fibonacci(u64 n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static u64 ackermann(u64 m, u64 n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

/* Parameters of both kinds, two calls, a predicate that is needed again. */
#define FIBONACCI                                                                                                                  \
    ".func (.param .b64 r) fib (.param .b64 n) { .reg .b64 %n, %a, %b; .reg .pred %p, %q; ld.param.b64 %n, [n];\n"                 \
    "setp.lt.u64 %p, %n, 2; @%p bra LEAF; and.b64 %a, %n, 1; setp.ne.u64 %q, %a, 0; sub.u64 %a, %n, 1;\n"                          \
    "{ .param .b64 x; .param .b64 y; st.param.b64 [x], %a; call (y), fib, (x); ld.param.b64 %b, [y]; } @%q add.u64 %b, %b, 1; "    \
    "sub.u64 %a, %n, 2;\n"                                                                                                         \
    "{ .param .b64 x; .param .b64 y; st.param.b64 [x], %a; call (y), fib, (x); ld.param.b64 %a, [y]; } add.u64 %b, %b, %a;\n"      \
    "@%q sub.u64 %b, %b, 1; st.param.b64 [r], %b; ret; LEAF: st.param.b64 [r], %n; ret; }\n"
#define ACKERMANN                                                                                                                  \
    ".func (.reg .u64 r) ack (.reg .u64 m, .reg .u64 n) { .reg .u64 a, b; .reg .pred p; setp.ne.u64 p, m, 0; @p bra SOME;\n"       \
    "add.u64 r, n, 1; ret; SOME: sub.u64 a, m, 1; setp.ne.u64 p, n, 0; @!p call (r), ack, (a, 1); @!p ret;\n"                      \
    "sub.u64 b, n, 1; call (b), ack, (m, b); call (r), ack, (a, b); ret; }\n"

TEST(test_recursion)
{
    enum { THREADS = 40 };
    run(FIBONACCI ACKERMANN,
        "{ .param .b64 x; .param .b64 y; rem.u32 %r0, %thread, 12; cvt.u64.u32 %d0, %r0; st.param.b64 [x], %d0; call (y), fib, "
        "(x);\n"
        "ld.param.b64 %y0, [y]; }\nand.b64 %d1, %d0, 1; and.b64 %d2, %d0, 3; call (%y1), ack, (%d1, %d2); call (%y2), ack, (2, "
        "%d1);",
        THREADS);
    for (u32 n = 0; n < THREADS; n++) {
        assert_int_equal(out[n][0], fibonacci(n % 12));
        assert_int_equal(out[n][1], ackermann(n % 12 & 1, n % 12 & 3));
        assert_int_equal(out[n][2], ackermann(2, n % 12 & 1));
    }
}

/* Each call has its own array, whose address it passes on: sum of n + (n - 1) + ... in two mutually recursive functions. */
TEST(test_frames)
{
    enum { THREADS = 33 };
    run(".func odd (.param .b64 n, .param .b64 to);\n"
        ".func even (.param .b64 n, .param .b64 to) { .reg .b64 %n, %t, %a, %b; .reg .pred %p; .local .align 8 .b64 box[3];\n"
        "ld.param.b64 %n, [n]; ld.param.b64 %t, [to]; setp.eq.u64 %p, %n, 0; @%p bra LEAF; mov.u64 %a, box; st.local.u64 [box+16], "
        "%n;\n"
        "cvta.local.u64 %b, %a; sub.u64 %a, %n, 1; { .param .b64 x; .param .b64 y; st.param.b64 [x], %a; st.param.b64 [y], %b; "
        "call odd, (x, y); }\n"
        "ld.u64 %a, [%b]; ld.local.u64 %b, [box+16]; add.u64 %a, %a, %b; st.u64 [%t], %a; ret; LEAF: st.u64 [%t], 0; ret; }\n"
        ".func odd (.param .b64 n, .param .b64 to) { .reg .b64 %n, %t; ld.param.b64 %n, [n]; ld.param.b64 %t, [to];\n"
        "{ .param .b64 x; .param .b64 y; .reg .b64 %a, %b; .local .b64 own; mov.u64 %b, own; cvta.local.u64 %b, %b; mov.u64 %a, "
        "%n;\n"
        "st.param.b64 [x], %a; st.param.b64 [y], %b; call even, (x, y); ld.u64 %a, [%b]; st.u64 [%t], %a; } ret; }\n",
        "{ .local .b64 result; .param .b64 x; .param .b64 y; mov.u64 %d0, result; cvta.local.u64 %d0, %d0; cvt.u64.u32 %d1, "
        "%thread;\n"
        "st.param.b64 [x], %d1; st.param.b64 [y], %d0; call even, (x, y); ld.local.u64 %y0, [result]; }",
        THREADS);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(out[n][0], n * (n + 1) / 2);
}

TEST(test_stack_overflow)
{
    run_refused(FIBONACCI,
                "{ .param .b64 x; .param .b64 y; st.param.b64 [x], 1000000; call (y), fib, (x); ld.param.b64 %y0, [y]; }", 32, 4,
                "calls itself too deep: the stack of functions that call themselves has 64 KB");
    run_refused(".func f (.param .align 8 .b8 s[16]) { .reg .b64 %a; mov.b64 %a, s; cvta.local.u64 %a, %a; st.u64 [%a], 1; call f, "
                "(s); }\n",
                "{ .param .align 8 .b8 s[16]; call f, (s); }", 32, 1, "uses the address of a parameter");
}

/* ---- malloc and free ---- */

#define HEAP                                                                                                                       \
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n"                                 \
    ".func (.reg .u64 p) take (.reg .u64 n) { .param .b64 x; .param .b64 y; st.param.b64 [x], n; call (y), malloc, (x); "          \
    "ld.param.b64 p, [y]; }\n"                                                                                                     \
    ".func give (.reg .u64 p) { .param .b64 x; st.param.b64 [x], p; call free, (x); }\n"

/* Blocks of all threads are apart; a freed block is given again; too large ones are not. */
TEST(test_heap)
{
    enum { THREADS = 100 };
    run(HEAP,
        "cvt.u64.u32 %d0, %thread; add.u64 %d1, %d0, 1; shl.b64 %d1, %d1, 3; call (%d2), take, (%d1); add.u64 %d3, %d2, %d1;\n"
        "st.u64 [%d2], %d0; st.u64 [%d3-8], %d0; bar.sync 0; ld.u64 %y0, [%d2]; ld.u64 %y1, [%d3-8]; call give, (%d2); bar.sync "
        "0;\n"
        "setp.ne.u32 %p1, %thread, 7; @%p1 bra END; call (%d4), take, (24); call give, (%d4); call (%d5), take, (20);\n"
        "sub.u64 %y2, %d5, %d4; call (%y3), take, (17000000); call give, (0); END:",
        THREADS);
    for (u32 n = 0; n < THREADS; n++) {
        assert_int_equal(out[n][0], n);
        assert_int_equal(out[n][1], n);
        assert_int_equal(out[n][2], 0);
        assert_int_equal(out[n][3], 0);
    }
    run_refused(HEAP, "call (%d0), take, (8); call give, (%d0); call give, (%d0);", 32, 1,
                "frees an address that malloc did not return");
    run_refused(HEAP, "call give, (%in);", 32, 1, "frees an address that malloc did not return");
}
