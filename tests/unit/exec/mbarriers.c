/* mbarriers: waiting threads see what others stored before arriving, in every phase; a wait costs turns, not instructions. */
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"

enum { THREADS = 96 };

static run_row in[THREADS], out[THREADS];

#define SHARED ".shared .align 8 .b64 gate; .shared .b32 box[96];\n"
#define BEGIN(count)                                                                                                               \
    "setp.eq.u32 %p1, %thread, 0; @%p1 mbarrier.init.shared::cta.b64 [gate], " count "; bar.sync 0;\n"                             \
    "shl.b32 %r1, %thread, 2; mov.u32 %r2, box; add.u32 %r1, %r1, %r2; rem.u32 %r3, %thread, 96;\n"
/* Three times as many, modulo 96: what another warp's thread stored. */
#define OTHER "add.u32 %r4, %thread, 37; rem.u32 %r4, %r4, 96; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r2;\n"

static void run(const char *body)
{
    run_values(in, THREADS);
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    options.most_instructions = 100000; /* a wait by spinning takes more */
    if (run_body(SHARED, body, &options, in, out, THREADS, &error) != WS_STATUS_ok)
        fail_msg("%s\nin: %s", error.message, body);
}

/* Three phases by their states; a counter prevents detection of the loop as a wait. */
TEST(test_phases)
{
    run(BEGIN("96") OTHER "mov.u32 %r9, 0; mov.u32 %r8, 0;\n"
                          "NEXT: mad.lo.u32 %r5, %thread, 10, %r9; st.shared.u32 [%r1], %r5;\n"
                          "mbarrier.arrive.shared.b64 %d1, [gate];\n"
                          "AGAIN: add.u32 %r8, %r8, 1; mbarrier.test_wait.shared.b64 %p2, [gate], %d1; @!%p2 bra AGAIN;\n"
                          "ld.shared.u32 %r6, [%r4]; add.u32 %r7, %r7, %r6; bar.sync 0;\n"
                          "add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 3; @%p3 bra NEXT;\n"
                          "cvt.u64.u32 %y0, %r7; ld.shared.u64 %y1, [gate];");
    for (u32 n = 0; n < THREADS; n++) {
        assert_int_equal(out[n][0], 30 * ((n + 37) % 96) + 3);
        assert_int_equal(out[n][1], (UINT64_C(3) << 61) | 96 << 20 | 96);
    }
}

/* By parity, with a count, through a generic address; a thread that leaves is not expected in the next phase. */
TEST(test_parity)
{
    run(BEGIN("192") OTHER
        "mov.u64 %d2, gate; cvta.shared.u64 %d3, %d2; st.shared.u32 [%r1], %thread; setp.lt.u32 %p4, %thread, 95;\n"
        "@%p4 mbarrier.arrive.noComplete.release.cta.b64 _, [%d3], 2; @!%p4 mbarrier.arrive_drop.b64 _, [%d3], 2;\n"
        "AGAIN: add.u32 %r8, %r8, 1; mbarrier.try_wait.parity.acquire.cta.b64 %p2, [%d3], 0, 1000; @!%p2 bra AGAIN;\n"
        "ld.shared.u32 %r6, [%r4]; cvt.u64.u32 %y0, %r6; bar.sync 0; ld.shared.u64 %y1, [gate];\n"
        "mbarrier.pending_count.b64 %r5, %y1; cvt.u64.u32 %y2, %r5; bar.sync 0; @%p1 mbarrier.inval.shared.b64 [gate];");
    for (u32 n = 0; n < THREADS; n++) {
        assert_int_equal(out[n][0], (n + 37) % 96);
        assert_int_equal(out[n][1], (UINT64_C(1) << 61) | 190 << 20 | 190);
        assert_int_equal(out[n][2], 190);
    }
}

/* A copy has arrived once it has executed. */
TEST(test_copies)
{
    run(BEGIN("96") OTHER "cp.async.ca.shared.global [%r1], [%in], 4; cp.async.mbarrier.arrive.shared.b64 [gate];\n"
                          "cp.async.mbarrier.arrive.noinc.shared.b64 [gate];\n"
                          "AGAIN: mbarrier.test_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra AGAIN;\n"
                          "ld.shared.u32 %r6, [%r4]; cvt.u64.u32 %y0, %r6;");
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(out[n][0], (u32)in[(n + 37) % 96][0]);
}

TEST(test_refused)
{
    run_refused(SHARED,
                "mbarrier.init.shared.b64 [gate], 2; mbarrier.arrive.shared.b64 %d1, [gate];\n"
                "AGAIN: mbarrier.test_wait.shared.b64 %p2, [gate], %d1; @!%p2 bra AGAIN;",
                32, 1, "waits for ever for what no other thread does");
}

/* A phase ends when the last expected byte has come, after the last arrival. */
TEST(test_transactions)
{
    run(BEGIN("96") "setp.lt.u32 %p4, %thread, 1; @%p4 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [gate], 96; bar.sync 0;\n"
                    "mbarrier.arrive.shared.b64 %d1, [gate]; bar.sync 0; mbarrier.test_wait.shared.b64 %p2, [gate], %d1;\n"
                    "selp.u64 %y0, 1, 0, %p2; bar.sync 0; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [gate], 1;\n"
                    "bar.sync 0; mbarrier.test_wait.shared.b64 %p2, [gate], %d1; selp.u64 %y1, 1, 0, %p2; bar.sync 0;\n"
                    "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [gate], 2; bar.sync 0;\n"
                    "ld.shared.u64 %y2, [gate]; bar.sync 0; mbarrier.complete_tx.shared.b64 [gate], 2; bar.sync 0;\n"
                    "ld.shared.u64 %y3, [gate];");
    for (u32 n = 0; n < THREADS; n++) {
        assert_int_equal(out[n][0], 0);
        assert_int_equal(out[n][1], 1);
        assert_int_equal(out[n][2], (UINT64_C(1) << 61) | UINT64_C(192) << 40 | 96 << 20);
        assert_int_equal(out[n][3], (UINT64_C(2) << 61) | 96 << 20 | 96);
    }
}
