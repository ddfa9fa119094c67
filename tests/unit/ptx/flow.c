/* Resulting branches and jumps: peepholes, guarded ends, if-conversion, guarded moves, source lines. */
#include <stdio.h>
#include <string.h>

#include "kit.h"
#include "test.h"

static void expect_plain(const char *body, const char *words)
{
    const struct ws_frontend_options options = kit_plain();
    kit_expect(body, &options, words);
}

static void expect_converted(u32 most, const char *body, const char *words)
{
    struct ws_frontend_options options = kit_plain();
    options.if_convert = most;
    kit_expect(body, &options, words);
}

/* ---- Peepholes ---- */

TEST(test_ends)
{
    expect_plain("", "exit");
    expect_plain("ret;", "exit");
    expect_plain("mov.u32 %r1, 1; ret; mov.u32 %r2, 2;", "mov exit");
    expect_plain("@%p1 ret; mov.u32 %r1, 1;", "!branch>2:- exit mov exit");
    expect_plain("@!%p1 exit; mov.u32 %r1, 1; ret;", "?branch>2:- exit mov exit");
    expect_plain("@%p1 bar.sync 0; exit;", "!branch>2:2 bar exit");
    expect_plain("trap;", "trap");
}

TEST(test_jumps)
{
    expect_plain("bra A; A: bra.uni B; B: exit;", "exit");
    expect_plain("bra B; A: neg.s32 %r1, %r1; exit; B: not.b32 %r1, %r1; bra A;", "jump>3 neg exit not jump>1");
    expect_plain("A: bra A;", "jump>0");
    expect_plain("bra C; A: bra B; B: bra A; C: exit;", "exit");
}

/* @p bra X; bra Y is one branch where X or Y follows, and two instructions where neither does. */
TEST(test_pairs)
{
    expect_plain("@%p1 bra A; bra.uni B; A: neg.s32 %r1, %r1; B: exit;", "!branch>2:2 neg exit");
    expect_plain("@%p1 bra B; bra.uni A; A: neg.s32 %r1, %r1; B: exit;", "?branch>2:2 neg exit");
    expect_plain("@!%p1 bra A; bra.uni B; A: neg.s32 %r1, %r1; B: exit;", "?branch>2:2 neg exit");
    expect_plain("bra C; A: neg.s32 %r1, %r1; exit; B: not.b32 %r1, %r1; exit; C: @%p1 bra A; bra.uni B;",
                 "jump>5 neg exit not exit ?branch>1:- jump>3");
    expect_plain("@%p1 bra A; A: exit;", "exit");
}

TEST(test_dead_code)
{
    expect_plain("bra B; A: neg.s32 %r1, %r1; bra A; B: exit;", "exit");
}

TEST(test_reconvergence)
{
    expect_plain("A: @%p1 bra B; neg.s32 %r1, %r1; bra C; B: not.b32 %r1, %r1; C: @%p2 bra A; exit;",
                 "?branch>3:4 neg jump>4 not ?branch>0:5 exit");
}

/* ---- If-conversion ---- */

TEST(test_one_sided)
{
    static const char body[] = "@%p1 bra A; neg.s32 %r1, %r1; not.b32 %r2, %r2; A: exit;";
    expect_converted(2, body, "!neg !not exit");
    expect_converted(1, body, "?branch>3:3 neg not exit");
    expect_converted(0, body, "?branch>3:3 neg not exit");
    expect_converted(2, "@!%p1 bra A; neg.s32 %r1, %r1; A: exit;", "?neg exit");
    expect_converted(1, "bra B; A: neg.s32 %r1, %r1; bra C; B: @%p1 bra A; C: exit;", "?neg exit");
}

TEST(test_two_sided)
{
    static const char body[] = "@%p1 bra A; neg.s32 %r1, %r1; bra B; A: not.b32 %r1, %r1; B: exit;";
    expect_converted(1, body, "!neg ?not exit");
    expect_converted(0, body, "?branch>3:4 neg jump>4 not exit");
    expect_converted(1, "@%p1 bra A; neg.s32 %r1, %r1; neg.s32 %r1, %r1; bra B; A: not.b32 %r1, %r1; B: exit;",
                     "?branch>4:5 neg neg jump>5 not exit");
}

/* Operations that must not carry a guard, already have one, or define it. */
TEST(test_unconverted)
{
    expect_converted(4, "@%p1 bra A; bar.sync 0; A: exit;", "?branch>2:2 bar exit");
    expect_converted(4, "@%p1 bra A; membar.gl; A: exit;", "?branch>2:2 fence exit");
    expect_converted(4, "@%p1 bra A; atom.global.add.u32 %r1, [%d1], 1; A: exit;", "?branch>2:2 atom_add exit");
    expect_converted(4, "@%p1 bra A; ld.volatile.global.u32 %r1, [%d1]; A: exit;", "?branch>2:2 ld exit");
    expect_converted(4, "@%p1 bra A; @%p2 neg.s32 %r1, %r1; A: exit;", "?branch>2:2 ?neg exit");
    expect_converted(4, "@%p1 bra A; setp.eq.s32 %p1, %r1, %r2; A: exit;", "?branch>2:2 setp exit");
    expect_converted(4, "@%p1 bra A; neg.s32 %r1, %r1; exit; A: exit;", "?branch>3:- neg exit exit");
    expect_converted(4, "A: neg.s32 %r1, %r1; @%p1 bra A; exit;", "neg ?branch>0:2 exit");
    expect_converted(4, "@%p2 bra B; @%p1 bra A; B: neg.s32 %r1, %r1; A: exit;", "?branch>2:3 ?branch>3:3 neg exit");
}

/* An inner hammock is converted. The outer one then is not, because its operations have guards. */
TEST(test_nested)
{
    expect_converted(4, "@%p1 bra A; neg.s32 %r1, %r1; @%p2 bra B; not.b32 %r1, %r1; B: add.s32 %r1, %r1, 1; A: exit;",
                     "?branch>4:4 neg !not add exit");
    expect_converted(4, "@%p1 bra A; neg.s32 %r1, %r1; A: @%p2 bra B; not.b32 %r1, %r1; B: exit;", "!neg !not exit");
}

TEST(test_guarded_instructions)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program =
        kit_load_body("setp.eq.u32 %p1, %r1, 0; @%p1 add.s32 %r2, %r1, %r3; st.global.u32 [%d1], %r2;", &options);
    const struct ws_instruction *guarded = &program->kernels[0].program[1];
    assert_int_equal(guarded->flags, WS_GUARDED);
    assert_int_equal(guarded->reads, 3);
    assert_int_equal(guarded->writes, 1);
    assert_int_equal(guarded->src[2], 240);
    assert_int_equal(program->kernels[0].program[0].dst[0], 240);
    assert_int_equal(program->kernels[0].program[0].flags, 0);
    ws_program_free(program);
}

/* ---- Guarded moves ---- */

static void expect_move(const char *body, u32 n, const char *words, u8 flags, u8 reads)
{
    struct ws_frontend_options options = kit_plain();
    options.guarded_moves = true;
    kit_expect(body, &options, words);
    struct ws_program *program = kit_load_body(body, &options);
    const struct ws_kernel *kernel = &program->kernels[0];
    if (kernel->ops[n].opcode == WS_OP_cmov) {
        assert_int_equal(kernel->ops[n].flags, flags);
        assert_int_equal(kernel->program[n].flags, WS_GUARDED);
        assert_int_equal(kernel->program[n].reads, reads);
        assert_int_equal(kernel->program[n].class_, WS_CLASS_int);
    }
    ws_program_free(program);
}

TEST(test_moves)
{
    static const char first[] = "selp.b32 %r1, %r1, %r2, %p1; st.global.v2.u32 [%d1], {%r1, %r2};";
    static const char second[] = "selp.b32 %r1, %r2, %r1, %p1; st.global.v2.u32 [%d1], {%r1, %r2};";
    static const char dying[] = "selp.b32 %r3, %r2, %r1, %p1; st.global.v2.u32 [%d1], {%r3, %r2};";
    static const char both_live[] = "selp.b32 %r3, %r1, %r2, %p1; st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r3};";
    expect_move(first, 0, "cmov st exit", WS_OP_NOT_SOURCE, 2);
    expect_move(second, 0, "cmov st exit", 0, 2);
    expect_move(dying, 0, "cmov st exit", 0, 2);
    expect_move(both_live, 0, "selp st exit", 0, 0);
    expect_move("selp.f64 %e1, %e1, 0d0000000000000000, %p1; st.global.f64 [%d1], %e1;", 0, "cmov st exit", WS_OP_NOT_SOURCE, 1);
    expect_move("selp.b32 %r1, 1, 2, %p1; st.global.u32 [%d1], %r1;", 0, "selp st exit", 0, 0);
    expect_plain(first, "selp st exit");
}

/* ---- Cache operators and asynchronous copies ---- */

static void expect_flags(const char *body, u32 pc, u32 flags, u32 bytes)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load_body(body, &options);
    const struct ws_kernel *kernel = &program->kernels[0];
    if (kernel->program[pc].flags != flags || kernel->program[pc].bytes != bytes)
        fail_msg("%s: instruction %u has flags %u and %u bytes, not %u and %u", body, pc, kernel->program[pc].flags,
                 kernel->program[pc].bytes, flags, bytes);
    ws_program_free(program);
}

TEST(test_loads_that_bypass_l1)
{
    static const char *const bypassing[] = {"ld.global.cg.u32", "ld.global.cv.u32",          "ld.volatile.global.u32",
                                            "ld.volatile.u32",  "ld.relaxed.gpu.global.u32", "ld.acquire.sys.global.u32"};
    static const char *const others[] = {"ld.global.u32",    "ld.global.ca.u32",          "ld.global.cs.u32",
                                         "ld.global.nc.u32", "ld.relaxed.cta.global.u32", "ld.volatile.local.u32",
                                         "ld.const.u32"};
    char body[100];
    for (size_t n = 0; n < sizeof bypassing / sizeof *bypassing; n++) {
        snprintf(body, sizeof body, "%s %%r1, [%%d1]; st.global.cg.u32 [%%d1], %%r1;", bypassing[n]);
        expect_flags(body, 0, WS_BYPASS, 4);
        expect_flags(body, 1, 0, 4);
    }
    for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
        snprintf(body, sizeof body, "%s %%r1, [%%d1]; st.global.u32 [%%d1], %%r1;", others[n]);
        expect_flags(body, 0, 0, 4);
    }
}

/* A copy of a part is one marked load, guarded, and one marked store; before them, operations that access no memory. */
static void expect_part(const char *size, u32 before)
{
    char body[200];
    snprintf(body, sizeof body, "cp.async.cg.shared.global [%%r1], [%%d1], %s;", size);
    expect_plain(body, before ? "selp setp ?ld st exit" : "setp ?ld st exit");
    expect_flags(body, before + 1, WS_ASYNC | WS_BYPASS | WS_GUARDED, 16);
    expect_flags(body, before + 2, WS_ASYNC, 16);
}

TEST(test_groups_of_copies)
{
    static const char copies[] = "cp.async.ca.shared.global [%r1], [%d1], 8; cp.async.cg.shared.global [%r1], [%d1], 16, 16; "
                                 "cp.async.commit_group; @%p1 cp.async.wait_group 3; cp.async.wait_group 100; cp.async.wait_all;";
    static const u8 flags[] = {WS_ASYNC, WS_ASYNC, WS_ASYNC | WS_BYPASS, WS_ASYNC, WS_ASYNC, WS_AWAITS | WS_GUARDED, WS_AWAITS,
                               WS_ASYNC, WS_AWAITS};
    static const u8 bytes[] = {8, 8, 16, 16, 0, 3, 63, 0, 0};
    for (u32 n = 0; n < sizeof flags; n++)
        expect_flags(copies, n, flags[n], bytes[n]);
    static const char *const parts[] = {"16, %r2", "16, 8", "16, %p1"};
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
        expect_part(parts[n], n == 2);
    expect_flags("cp.async.bulk.commit_group; fence.acq_rel.gpu;", 0, 0, 0);
    expect_flags("cp.async.bulk.commit_group; fence.acq_rel.gpu;", 1, 0, 0);
}

/* ---- Lines ---- */

static void expect_lines(const char *body, u32 first, u32 second, u32 third)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load_body(body, &options);
    const struct ws_kernel *kernel = &program->kernels[0];
    assert_int_equal(kernel->program[0].line, first);
    assert_int_equal(kernel->program[1].line, second);
    assert_int_equal(kernel->program[2].line, third);
    assert_int_equal(kernel->ops[0].line, 8);
    ws_program_free(program);
}

TEST(test_lines)
{
    expect_lines("neg.s32 %r1, %r1;\nneg.s32 %r1, %r1;\n\nexit;", 8, 9, 11);
    expect_lines("neg.s32 %r1, %r1;\n.loc 1 70 5\nneg.s32 %r1, %r1;\n.loc 1 71 5, function_name $L, inlined_at 1 3 4\nexit;", 0, 70,
                 71);
}
