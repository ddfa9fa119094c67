/* Warp-wide instructions against a plain model of 32 lanes: participants, results, and waits. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"
#include "warpsweep/trace.h"

enum { LANES = 32, THREADS = 3 * LANES + 18 /* the last warp is partial */ };

static run_row in[THREADS], out[THREADS];

/* Results of a lane. lanes: participants; x: inputs of all. */
typedef void model(u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS]);

static bool takes_part(u32 lanes, u32 lane)
{
    return lane < LANES && lanes >> lane & 1;
}

static u32 lanes_in(u32 warp)
{
    return warp == THREADS / LANES ? (1u << THREADS % LANES) - 1 : UINT32_MAX;
}

/* The lanes on the thread's side of the branch: every third thread of the block, or the others. */
static u32 side_of(u32 thread)
{
    u32 lanes = 0;
    const u32 warp = thread / LANES;
    for (u32 n = 0; n < LANES; n++)
        if (((LANES * warp + n) % 3 == 0) == (thread % 3 == 0))
            lanes |= 1u << n;
    return lanes & lanes_in(warp);
}

static void compare(const char *body, model *expected, bool diverged)
{
    for (u32 n = 0; n < THREADS; n++) {
        run_row y = {0};
        const u32 warp = n / LANES;
        expected(n % LANES, diverged ? side_of(n) : lanes_in(warp), in + warp * LANES, y);
        for (u32 word = 0; word < RUN_WORDS; word++)
            if (out[n][word] != y[word])
                fail_msg("%s\nthread %u: y%u is 0x%" PRIx64 ", not 0x%" PRIx64, body, n, word, out[n][word], y[word]);
    }
}

/* Runs the body in all lanes, and on both sides of a branch. %r31 is the mask of participants. */
static void check(const char *body, model *expected)
{
    static char text[8000];
    run_values(in, THREADS);
    snprintf(text, sizeof text, "mov.u32 %%r31, -1;\n%s", body);
    run_map(text, in, out, THREADS);
    compare(body, expected, false);
    snprintf(text, sizeof text,
             "rem.u32 %%r30, %%thread, 3; setp.eq.u32 %%p30, %%r30, 0; vote.ballot.b32 %%r31, %%p30;\n@%%p30 bra THIRD;\n"
             "not.b32 %%r31, %%r31;\n%s\nbra MEET;\nTHIRD:\n%s\nMEET:",
             body, body);
    run_map(text, in, out, THREADS);
    compare(body, expected, true);
}

/* ---- shfl ---- */

static bool bit_of(u32 value, u32 bit)
{
    return value >> bit & 1;
}

enum mode { UP, DOWN, BFLY, IDX };

/* In the PTX ISA's terms. Segments have CUDA's width 32 - c[12:8], or any other mask. */
static void shuffled(enum mode mode, u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS])
{
    const u32 b = x[lane][1] & 31, clamp = x[lane][2] & 31, segment = x[lane][2] >> 8 & 31;
    int lowest = 0, highest = 0, from = 0;
    for (u32 bit = 0; bit < 5; bit++) {
        const bool kept = segment >> bit & 1, own = lane >> bit & 1;
        lowest += (kept && own) << bit;
        highest += (kept ? own : bit_of(clamp, bit)) << bit;
        if (mode == IDX)
            from += (kept ? own : bit_of(b, bit)) << bit;
        if (mode == BFLY)
            from += (own != (b >> bit & 1)) << bit;
    }
    if (mode == UP)
        from = (int)lane - (int)b;
    if (mode == DOWN)
        from = (int)lane + (int)b;
    const bool valid = mode == UP ? from >= highest : from <= highest;
    const u32 source = valid && from >= 0 && takes_part(lanes, (u32)from) ? (u32)from : lane;
    y[0] = (u32)x[source][0];
    y[1] = valid;
}

#define SHUFFLE(name, mode)                                                                                                        \
    static void name(u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS])                                                            \
    {                                                                                                                              \
        shuffled(mode, lane, lanes, x, y);                                                                                         \
    }
SHUFFLE(up, UP)
SHUFFLE(down, DOWN)
SHUFFLE(bfly, BFLY)
SHUFFLE(idx, IDX)

#define LEAVE_PAIR "cvt.u64.u32 %y0, %r0; selp.u64 %y1, 1, 0, %p1;"

TEST(test_shuffles)
{
    check("shfl.sync.up.b32 %r0|%p1, %w0, %w1, %w2, %r31; " LEAVE_PAIR, up);
    check("shfl.sync.down.b32 %r0|%p1, %w0, %w1, %w2, %r31; " LEAVE_PAIR, down);
    check("shfl.sync.bfly.b32 %r0|%p1, %w0, %w1, %w2, %r31; " LEAVE_PAIR, bfly);
    check("shfl.sync.idx.b32 %r0|%p1, %w0, %w1, %w2, %r31; " LEAVE_PAIR, idx);
    check("shfl.up.b32 %r0|%p1, %w0, %w1, %w2; " LEAVE_PAIR, up);
    check("shfl.down.b32 %r0|%p1, %w0, %w1, %w2; " LEAVE_PAIR, down);
    check("shfl.bfly.b32 %r0|%p1, %w0, %w1, %w2; " LEAVE_PAIR, bfly);
    check("mov.u32 %r0, %w0; shfl.idx.b32 %r0|%p1, %r0, %w1, %w2; " LEAVE_PAIR, idx);
}

/* The sum of a warp as CUDA's __shfl_xor_sync writes it. */
TEST(test_sum)
{
    run_values(in, THREADS);
    run_map("mov.u32 %r1, 16; mov.u32 %r0, %w0;\nLOOP: shfl.sync.bfly.b32 %r2, %r0, %r1, 31, -1; add.u32 %r0, %r0, %r2;\n"
            "shr.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra LOOP; cvt.u64.u32 %y0, %r0;",
            in, out, THREADS);
    for (u32 n = 0; n < THREADS / LANES * LANES; n++) {
        u32 sum = 0;
        for (u32 lane = 0; lane < LANES; lane++)
            sum += (u32)in[n / LANES * LANES + lane][0];
        assert_int_equal(out[n][0], sum);
    }
}

/* ---- vote ---- */

/* all, any, uni as bits of y0, the ballot in y1. Lanes vote by bit 0 of x0. */
static void votes(u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS])
{
    u32 yes = 0, no = 0;
    for (u32 n = 0; n < LANES; n++)
        if (takes_part(lanes, n) && x[n][0] & 1)
            yes |= 1u << n;
        else if (takes_part(lanes, n))
            no |= 1u << n;
    (void)lane;
    y[0] = (u64)(no == 0) | (u64)(yes != 0) << 1 | (u64)(no == 0 || yes == 0) << 2;
    y[1] = yes;
    y[2] = no;
}

#define VOTE(sync, mask)                                                                                                           \
    "and.b32 %r0, %w0, 1; setp.ne.u32 %p0, %r0, 0; vote" sync ".all.pred %p1, %p0" mask "; vote" sync ".any.pred %p2, %p0" mask    \
    "; vote" sync ".uni.pred %p3, %p0" mask "; selp.u64 %d1, 1, 0, %p1; selp.u64 %d2, 2, 0, %p2; selp.u64 %d3, 4, 0, %p3;\n"       \
    "or.b64 %y0, %d1, %d2; or.b64 %y0, %y0, %d3; vote" sync ".ballot.b32 %r0, %p0" mask "; cvt.u64.u32 %y1, %r0;\n"                \
    "vote" sync ".ballot.b32 %r0, !%p0" mask "; cvt.u64.u32 %y2, %r0;"

/* With equal votes: bit 0 of x0 is that of the first lane. */
static void unanimous(u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS])
{
    const bool yes = x[0][1] & 1;
    (void)lane;
    y[0] = yes ? 7 : 4;
    y[1] = yes ? lanes : 0;
    y[2] = yes ? 0 : lanes;
}

TEST(test_votes)
{
    check(VOTE(".sync", ", %r31"), votes);
    check(VOTE("", ""), votes);
    run_values(in, THREADS);
    run_map("shfl.idx.b32 %w0, %w1, 0, 31;\n" VOTE(".sync", ", -1"), in, out, THREADS);
    compare("unanimous", unanimous, false);
}

/* ---- match, redux, elect, activemask ---- */

static void matches(u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS])
{
    u32 same = 0, same_wide = 0;
    for (u32 n = 0; n < LANES; n++) {
        same |= takes_part(lanes, n) && (x[n][0] & 3) == (x[lane][0] & 3) ? 1u << n : 0;
        same_wide |= takes_part(lanes, n) && x[n][1] == x[lane][1] ? 1u << n : 0;
    }
    y[0] = same;
    y[1] = same_wide;
    y[2] = same == lanes ? lanes | UINT64_C(1) << 32 : 0;
    y[3] = lanes | UINT64_C(1) << 32;
}

TEST(test_matches)
{
    check("and.b32 %r0, %w0, 3; match.any.sync.b32 %r1, %r0, %r31; match.any.sync.b64 %r2, %x1, %r31; cvt.u64.u32 %y0, %r1;\n"
          "cvt.u64.u32 %y1, %r2; match.all.sync.b32 %r3|%p1, %r0, %r31; selp.u32 %r4, 1, 0, %p1; mov.b64 %y2, {%r3, %r4};\n"
          "mov.u64 %d0, 5; match.all.sync.b64 %r3|%p1, %d0, %r31; selp.u32 %r4, 1, 0, %p1; mov.b64 %y3, {%r3, %r4};",
          matches);
}

static void reductions(u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS])
{
    u32 sum = 0, least = UINT32_MAX, most = 0, both = UINT32_MAX, either = 0, odd = 0;
    int32_t least_signed = INT32_MAX, most_signed = INT32_MIN;
    (void)lane;
    for (u32 n = 0; n < LANES; n++) {
        if (!takes_part(lanes, n))
            continue;
        const u32 value = (u32)x[n][0];
        sum += value;
        least = value < least ? value : least;
        most = value > most ? value : most;
        least_signed = (int32_t)value < least_signed ? (int32_t)value : least_signed;
        most_signed = (int32_t)value > most_signed ? (int32_t)value : most_signed;
        both &= value;
        either |= value;
        odd ^= value;
    }
    y[0] = (u64)sum << 32 | least;
    y[1] = (u64)most << 32 | (u32)least_signed;
    y[2] = (u64)(u32)most_signed << 32 | both;
    y[3] = (u64)either << 32 | odd;
}

TEST(test_reductions)
{
    check("redux.sync.add.s32 %r0, %w0, %r31; redux.sync.min.u32 %r1, %w0, %r31; mov.b64 %y0, {%r1, %r0};\n"
          "redux.sync.max.u32 %r0, %w0, %r31; redux.sync.min.s32 %r1, %w0, %r31; mov.b64 %y1, {%r1, %r0};\n"
          "redux.sync.max.s32 %r0, %w0, %r31; redux.sync.and.b32 %r1, %w0, %r31; mov.b64 %y2, {%r1, %r0};\n"
          "redux.sync.or.b32 %r0, %w0, %r31; redux.sync.xor.b32 %r1, %w0, %r31; mov.b64 %y3, {%r1, %r0};",
          reductions);
}

static void present(u32 lane, u32 lanes, run_row *x, u64 y[RUN_WORDS])
{
    u32 first = 0;
    (void)x;
    while (!takes_part(lanes, first))
        first++;
    y[0] = lanes;
    y[1] = first;
    y[2] = lane == first;
}

TEST(test_presence)
{
    check("activemask.b32 %r0; elect.sync %r1|%p1, %r31; cvt.u64.u32 %y0, %r0; cvt.u64.u32 %y1, %r1; selp.u64 %y2, 1, 0, %p1;",
          present);
    check("activemask.b32 %r0; elect.sync _|%p1, %r31; cvt.u64.u32 %y0, %r0; @%p1 activemask.b32 %r2; bfind.u32 %r1, %r2;\n"
          "shfl.sync.idx.b32 %r1, %r1, 0, 31, %r31; elect.sync %r1|%p1, %r31; cvt.u64.u32 %y1, %r1; selp.u64 %y2, 1, 0, %p1;",
          present);
}

/* ---- Waiting ---- */

/* A thread passes its value to its neighbour in shared memory: one side stores before its barrier, the other loads after its own.
 */
TEST(test_sides)
{
    run_values(in, THREADS);
    run_map(".shared .align 4 .b8 tile[1024];\nmov.u32 %r1, tile; mad.lo.u32 %r1, %thread, 4, %r1; and.b32 %r2, %thread, 1;\n"
            "setp.eq.u32 %p1, %r2, 0; @%p1 bra TAKE;\nst.shared.u32 [%r1], %w0; bar.warp.sync -1; ld.shared.u32 %r3, [%r1+-4];\n"
            "bra DONE;\nTAKE: st.shared.u32 [%r1], %w0; bar.warp.sync 0xFFFFFFFF; ld.shared.u32 %r3, [%r1+4];\n"
            "DONE: cvt.u64.u32 %y0, %r3;",
            in, out, THREADS);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(out[n][0], (u32)in[n ^ 1][0]);
}

/* Lanes leave a loop one after another, after (lane number + 1) rounds, and wait behind it as often as the others wait in it: 40
 * times in all. Lanes behind the loop must not wait at the reconvergence point of the loop's lanes. */
TEST(test_loops)
{
    run_values(in, THREADS);
    run_map("mov.u32 %r1, 0; mov.u32 %r4, 0; mov.u32 %r9, %laneid;\nLOOP: bar.warp.sync -1; add.u32 %r1, %r1, 1; setp.le.u32 %p1, "
            "%r1, %r9;\n"
            "@%p1 bra LOOP;\nAGAIN: setp.eq.u32 %p2, %r1, 40; @%p2 bra DONE; bar.warp.sync -1; add.u32 %r1, %r1, 1; add.u32 %r4, "
            "%r4, 1; bra AGAIN;\n"
            "DONE: cvt.u64.u32 %y0, %r1; vote.sync.ballot.b32 %r3, %p2, -1; cvt.u64.u32 %y1, %r3; cvt.u64.u32 %y2, %r4;",
            in, out, THREADS);
    for (u32 n = 0; n < THREADS; n++) {
        assert_int_equal(out[n][0], 40);
        assert_int_equal(out[n][1], lanes_in(n / LANES));
        assert_int_equal(out[n][2], 40 - (n % LANES + 1));
    }
}

/* Lanes with other masks, or that have ended, do not participate. */
TEST(test_groups)
{
    run_values(in, THREADS);
    run_map("mov.u32 %r9, %laneid; shr.u32 %r1, %r9, 3; shl.b32 %r1, %r1, 3; shl.b32 %r2, 255, %r1;\n"
            "redux.sync.add.u32 %r3, 1, %r2; cvt.u64.u32 %y0, %r3; st.global.u64 [%out], %y0;\nand.b32 %r4, %r9, 1;\n"
            "setp.ne.u32 %p1, %r4, 0; @%p1 exit;\nredux.sync.add.u32 %r3, 1, %r2; cvt.u64.u32 %y1, %r3;\n",
            in, out, THREADS);
    for (u32 n = 0; n < THREADS; n++) {
        const u32 all = n / 8 == THREADS / 8 ? THREADS % 8 : 8;
        assert_int_equal(out[n][0], all);
        assert_int_equal(out[n][1], n % 2 ? 0xAAAAAAAAAAAAAAAA : (all + 1) / 2);
    }
}

/* Lockstep warps of 64 act as two of 32. */
TEST(test_sixty_four)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.lockstep = 64;
    run_values(in, THREADS);
    EXPECT_OK(run_body("", "mov.u32 %r31, -1;\n" VOTE(".sync", ", %r31"), &options, in, out, THREADS, &error));
    compare("64", votes, false);
}

TEST(test_refusals)
{
    run_refused("", "bar.warp.sync -1;", 1, 32,
                "a warp-wide instruction needs warps of 32 threads in lockstep, not of 1 (--lockstep 32 or 64)");
    run_refused("", "activemask.b32 %r0;", 16, 32, "needs warps of 32 threads in lockstep, not of 16");
    run_refused("", "elect.sync %r1|%p1, 7;", 32, 32,
                "thread (3,0,0), pc 18: is not in the member mask of its warp-wide instruction");
    run_refused("", "setp.lt.u32 %p1, %thread, 4; @%p1 bra A; bar.sync 0; bra B; A: bar.warp.sync -1; B:", 32, 32,
                "thread (0,0,0), pc 22: waits at a warp-wide instruction for thread (4,0,0), which waits at line 32, pc 20");
    run_refused("", "setp.lt.u32 %p1, %thread, 4; @%p1 bra A;\nelect.sync %r1|%p2, -1; bra B;\nA: elect.sync %r1|%p2, -1; B:", 32,
                32, "thread (4,0,0), pc 20: waits at a warp-wide instruction for thread (0,0,0), which waits at line 34, pc 22");
}

/* ---- Barriers for part of a block ---- */

/* Warp 0 produces for warp 1 and continues at once; warps 2 and 3 synchronize three times; the partial warp counts as a whole. */
TEST(test_partial_barriers)
{
    static const char body[] =
        ".shared .align 4 .b8 tile[1024];\nmov.u32 %r1, tile; mad.lo.u32 %r1, %thread, 4, %r1; mov.u32 %r9, %warpid;\n"
        "setp.eq.u32 %p0, %r9, 0; setp.eq.u32 %p1, %r9, 1; st.shared.u32 [%r1], 0; mov.u32 %r4, 0; bar.sync 0;\n"
        "@%p0 bra PRODUCE; @%p1 bra CONSUME;\nLOOP: st.shared.u32 [%r1], %r4; bar.sync 2, 64; xor.b32 %r5, %thread, 32;\n"
        "mov.u32 %r6, tile; mad.lo.u32 %r5, %r5, 4, %r6; ld.shared.u32 %r7, [%r5]; bar.sync 2, 64; add.u32 %r4, %r4, 1;\n"
        "setp.lt.u32 %p2, %r4, 3; @%p2 bra LOOP; cvt.u64.u32 %y0, %r7; bra END;\n"
        "PRODUCE: add.u32 %r2, %thread, 100; st.shared.u32 [%r1], %r2; bar.arrive 1, 64; bra END;\n"
        "CONSUME: barrier.cta.sync 1, 64; ld.shared.u32 %r3, [%r1+-128]; cvt.u64.u32 %y0, %r3;\nEND: bar.sync 0;";
    run_values(in, THREADS);
    run_map(body, in, out, THREADS);
    for (u32 n = 0; n < THREADS; n++)
        if (n / LANES == 1)
            assert_int_equal(out[n][0], n - LANES + 100);
        else if (n / LANES == 3 || (n / LANES == 2 && n % LANES < THREADS % LANES)) /* others read past the block */
            assert_int_equal(out[n][0], 2);
    run_refused("", "bar.sync 1, 64;", 32, 96, "waits for ever at a barrier for part of the block: too few threads come");
    run_refused("", "bar.sync 1, 16;", 32, 64,
                "comes to a barrier that is there for another number of threads, or for fewer, or for none");
    run_refused("", "bar.arrive 1, 96; bar.sync 1, 64;", 32, 32, "comes to a barrier that is there for another number of threads");
    run_refused("", "setp.ge.u32 %p1, %thread, 32; @%p1 exit; bar.sync 1, 64;", 32, 96,
                "waits for ever at a barrier for part of the block: too few threads come");
    run_refused("", "add.u32 %r1, %thread, 64; sub.u32 %r1, %r1, %thread; bar.sync 1, %r1;", 32, 96,
                "waits at a barrier that is not for all threads of the block");
}

/* ---- The same in the trace ---- */

static char noted[1000];

static void note(void *context, const char *text)
{
    (void)context;
    snprintf(noted, sizeof noted, "%s", text);
}

/* The trace program of a body in two blocks of 96 threads; noted: the note about it. */
static void trace_program(const char *body, struct ws_instruction *program, u32 count)
{
    static const char path[] = "exec_named.wst";
    char text[1000];
    struct ws_frontend_options options;
    struct ws_ndrange launch = {.kernel = "k", .global = {192, 1, 1}, .local = {96, 1, 1}};
    struct ws_program *loaded;
    struct ws_trace *trace;
    struct ws_error error = {0};
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { .reg .b32 %%r<4>; .reg .pred %%p<4>; %s ret; }", body);
    ws_frontend_defaults(&options);
    options.note = note;
    noted[0] = 0;
    if (ws_program_load("k.ptx", text, strlen(text), &options, &loaded, &error) != WS_STATUS_ok ||
        ws_trace_build(loaded, &options, &launch, path, NULL, &error) != WS_STATUS_ok)
        fail_msg("%s: %s", body, error.message);
    ws_program_free(loaded);
    assert_int_equal(ws_trace_open(path, &trace, NULL), WS_STATUS_ok);
    assert_true(ws_trace_launch(trace)->instructions >= count);
    memcpy(program, ws_trace_launch(trace)->program, count * sizeof *program);
    ws_trace_close(trace);
    remove(path);
}

static void expect_barrier(const struct ws_instruction *instruction, u32 flags, u32 number, u32 threads)
{
    assert_int_equal(instruction->class_, WS_CLASS_barrier);
    assert_int_equal(instruction->flags, flags);
    assert_int_equal(instruction->bytes, flags ? number : 0);
    if (flags)
        assert_int_equal(instruction->target, threads);
}

/* Barrier number, threads, and whether it waits; a barrier of the whole block needs none. If one is not constant, none is kept, and
 * a note says so. */
TEST(test_barriers_of_a_trace)
{
    struct ws_instruction program[4];
    trace_program("bar.arrive 1, 192; bar.sync 1, 192; bar.sync 0; bar.sync 15, 96;", program, 4);
    expect_barrier(&program[0], WS_NAMED | WS_ARRIVES, 1, 192);
    expect_barrier(&program[1], WS_NAMED, 1, 192);
    expect_barrier(&program[2], 0, 0, 0);
    expect_barrier(&program[3], WS_NAMED, 15, 96);
    assert_string_equal(noted, "");
    trace_program("barrier.sync 2, 32; bar.sync 3, 96;", program, 2);
    expect_barrier(&program[0], WS_NAMED, 2, 32);
    expect_barrier(&program[1], 0, 0, 0);
    trace_program("mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 5; bar.sync %r1, 32; bar.sync 3, 32;", program, 4);
    assert_int_equal(program[2].class_, WS_CLASS_int);
    assert_int_equal(program[3].class_, WS_CLASS_int);
    assert_string_equal(
        noted, "kernel k: in the trace its barriers for part of the block wait for nobody: their numbers are no constants");
}

/* bar.red over all threads that have not ended; those below 20 have. */
TEST(test_reducing_barriers)
{
    run_values(in, THREADS);
    run_map(
        "setp.lt.u32 %p9, %thread, 20; @%p9 exit; and.b32 %r0, %thread, 3; setp.eq.u32 %p1, %r0, 1; setp.ge.u32 %p2, %thread, 20;\n"
        "bar.red.popc.u32 %r1, 0, %p1; barrier.cta.red.popc.aligned.u32 %r2, 0, 128, !%p1; bar.red.and.pred %p3, 1, %p1;\n"
        "bar.red.and.pred %p4, 0, %p2; bar.red.or.pred %p5, 0, %p1; barrier.red.or.pred %p6, 0, !%p2; selp.u32 %r3, 1, 0, %p3;\n"
        "@%p4 add.u32 %r3, %r3, 2; @%p5 add.u32 %r3, %r3, 4; @%p6 add.u32 %r3, %r3, 8; mov.b64 %y0, {%r1, %r2}; cvt.u64.u32 %y1, "
        "%r3;",
        in, out, THREADS);
    u32 yes = 0;
    for (u32 n = 20; n < THREADS; n++)
        yes += n % 4 == 1;
    for (u32 n = 20; n < THREADS; n++) {
        assert_int_equal(out[n][0], yes | (u64)(THREADS - 20 - yes) << 32);
        assert_int_equal(out[n][1], 2 + 4);
    }
}

/* Diverged lanes of a warp synchronize at such a barrier, in lockstep and one after another. */
TEST(test_parted_barriers)
{
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    for (options.lockstep = 1; options.lockstep <= 64; options.lockstep *= 8) {
        if (run_body("",
                     ".shared .align 4 .b8 s[512]; mov.u32 %r1, s; mad.lo.u32 %r1, %thread, 4, %r1; and.b32 %r2, %thread, 1;\n"
                     "setp.ge.u32 %p2, %thread, 32; @%p2 bra B; setp.eq.u32 %p1, %r2, 0; @%p1 bra A; st.shared.u32 [%r1], %thread; "
                     "bar.sync 3, 32; ld.shared.u32 %r3, "
                     "[%r1+-4]; bra B;\n"
                     "A: st.shared.u32 [%r1], %thread; bar.sync 3, 32; ld.shared.u32 %r3, [%r1+4];\nB: cvt.u64.u32 %y0, %r3; "
                     "bar.sync 0;",
                     &options, in, out, 64, &error) != WS_STATUS_ok)
            fail_msg("lockstep %u: %s", options.lockstep, error.message);
        for (u32 n = 0; n < 32; n++)
            assert_int_equal(out[n][0], n ^ 1);
    }
}

/* ---- clock ---- */

/* The clock counts the thread's instructions: two more than between two reads of it, in 32 or 64 bits, with or without lockstep. */
TEST(test_clock)
{
    static const char body[] =
        "mov.u32 %r1, %clock; add.u32 %r2, %r1, 0; mov.u64 %d1, %clock64; mov.u64 %d2, %globaltimer;\n"
        "mov.u32 %r3, 0;\nLOOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %thread; @%p1 bra LOOP;\n"
        "mov.u64 %d3, %clock64; cvt.u64.u32 %y0, %r1; sub.u64 %y1, %d1, %y0; sub.u64 %y2, %d2, %d1;\n"
        "sub.u64 %y3, %d3, %d2; mov.u32 %r4, %clock_hi; mov.u32 %r5, %globaltimer_hi; add.u32 %r4, %r4, %r5;\n"
        "cvt.u64.u32 %d4, %r4; add.u64 %y3, %y3, %d4; mov.u32 %r1, %globaltimer_lo; sub.u32 %r1, %r1, %r1;";
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    for (options.lockstep = 1; options.lockstep <= 32; options.lockstep *= 4) {
        EXPECT_OK(run_body("", body, &options, in, out, THREADS, &error));
        for (u32 n = 0; n < THREADS; n++) {
            assert_int_equal(out[n][0], out[0][0]);
            assert_int_equal(out[n][1], 2);
            assert_int_equal(out[n][2], 1);
            assert_int_equal(out[n][3], 2 + 3 * (n > 1 ? n : 1));
        }
    }
}

/* The upper half reads from the lower half, whose mask does not have it: GPUs execute that. */
TEST(test_outsiders)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.note = note;
    run_values(in, LANES);
    EXPECT_OK(run_body(
        "", "mov.u32 %r9, %laneid; add.u32 %r9, %r9, 100;\nshfl.sync.up.b32 %r1, %r9, 16, 0, 0xffff;\ncvt.u64.u32 %y0, %r1;\n",
        &options, in, out, LANES, &error));
    for (u32 n = 0; n < LANES; n++)
        assert_int_equal(out[n][0], 100 + n % 16);
    assert_non_null(strstr(noted, "thread (16,0,0), pc "));
    if (!strstr(noted, ": is not in the member mask of its shfl or vote, which is undefined in PTX"))
        fail_msg("%s", noted);
}

/* Each warp reads the result of warp 0 just after the barrier; warp 0 overwrites it after a loop, without another barrier. */
TEST(test_after_barrier)
{
    static const char body[] =
        ".shared .align 4 .b8 tile[4];\nmov.u32 %r1, tile; setp.eq.u32 %p1, %thread, 0; @%p1 st.shared.u32 [%r1], 7;\n"
        "bar.sync 0; ld.shared.u32 %r2, [%r1]; cvt.u64.u32 %y0, %r2; mov.u32 %r3, 0;\n"
        "LOOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 100; @%p2 bra LOOP;\n@%p1 st.shared.u32 [%r1], 9;\n";
    run_values(in, THREADS);
    run_map(body, in, out, THREADS);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(out[n][0], 7);
}

/* Each thread adds its number to what one of them has, in one instruction after the other: all read before one stores. */
TEST(test_overwritten_at_once)
{
    static const char body[] =
        ".shared .align 4 .b8 tile[512];\nmov.u32 %r1, tile; mul.lo.u32 %r2, %thread, 4; add.u32 %r2, %r1, %r2;\n"
        "add.u32 %r3, %thread, 100; st.shared.u32 [%r2], %r3; bar.sync 0;\n"
        "ld.shared.u32 %r4, [%r1+20]; add.u32 %r4, %r4, %thread; st.shared.u32 [%r2], %r4; bar.sync 0;\n"
        "ld.shared.u32 %r5, [%r2]; cvt.u64.u32 %y0, %r5;\n";
    run_values(in, THREADS);
    run_map(body, in, out, THREADS);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(out[n][0], 105 + n);
}

/* Reads from a lane that has ended, from one that the block does not have, and from one outside of the mask: its own value, and a
 * message. A vote of ended lanes is defined: they give nothing (PTX ISA, vote.sync: threads that have not ended). */
TEST(test_absent_lanes)
{
    static const struct {
        const char *leave, *mask, *text;
        u32 threads, lane;
    } cases[] = {
        {"setp.gt.u32 %p1, %laneid, 19; @%p1 bra END;\n", "-1", "its shfl reads from lane 20, which has ended: undefined", 32, 4},
        {"", "-1", "its shfl reads from lane 18, which the block does not have: undefined", 18, 2},
        {"setp.gt.u32 %p1, %laneid, 17; @%p1 bra END;\n", "0x3ffff",
         "its shfl reads from lane 18, which is not in its member mask: undefined", 32, 2}};
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.note = note;
    for (u32 n = 0; n < sizeof cases / sizeof *cases; n++) {
        char body[600];
        snprintf(body, sizeof body,
                 "mov.u32 %%r9, %%laneid; add.u32 %%r9, %%r9, 100;\n%sshfl.sync.down.b32 %%r1, %%r9, 16, 31, %s;\n"
                 "cvt.u64.u32 %%y0, %%r1;\nEND:\n",
                 cases[n].leave, cases[n].mask);
        noted[0] = 0;
        run_values(in, LANES);
        EXPECT_OK(run_body("", body, &options, in, out, cases[n].threads, &error));
        assert_int_equal(out[0][0], 116);
        assert_int_equal(out[cases[n].lane][0], 100 + cases[n].lane);
        if (!strstr(noted, cases[n].text))
            fail_msg("%s", noted);
    }
    noted[0] = 0;
    EXPECT_OK(run_body("", "setp.gt.u32 %p1, %laneid, 19; @%p1 exit;\nvote.sync.ballot.b32 %r1, 1, -1;\ncvt.u64.u32 %y0, %r1;\n",
                       &options, in, out, LANES, &error));
    assert_int_equal(out[0][0], 0xFFFFF);
    assert_string_equal(noted, "");
}
