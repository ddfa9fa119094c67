/* Lockstep execution: visibility between threads, reconvergence, and waits. */
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "unit/exec/kernels.h"
#include "warpsweep/frontend.h"

static struct ws_error error;

static enum ws_status run_on(const char *text, u32 lockstep, u32 threads, u32 blocks, u32 *buffer, u32 words)
{
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "buffer", .bytes = 4ull * words, .data = buffer};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {threads * blocks, 1, 1}, .local = {threads, 1, 1}, .argument_count = 1, .arguments = &argument};
    ws_frontend_defaults(&options);
    options.if_convert = 0;
    options.lockstep = lockstep;
    options.most_instructions = 100000000;
    EXPECT_DONE(ws_program_load("k.ptx", text, strlen(text), &options, &program, &error), &error);
    const enum ws_status status = ws_execute(program, &options, &launch, NULL, NULL, &error);
    ws_program_free(program);
    return status;
}

static void run(const char *text, u32 lockstep, u32 threads, u32 *buffer, u32 words)
{
    if (run_on(text, lockstep, threads, 1, buffer, words) != WS_STATUS_ok)
        fail_msg("lockstep %u: %s", lockstep, error.message);
}

TEST(test_reduction)
{
    for (u32 lockstep = 1; lockstep <= 64; lockstep *= 2) {
        u32 ones[128];
        for (u32 n = 0; n < 128; n++)
            ones[n] = 1;
        run(REDUCTION, lockstep, 64, ones, 128);
        if (lockstep == 1)
            assert_int_equal(ones[0], 14); /* each sum includes threads that have not added anything yet */
        if (lockstep >= 32)
            assert_int_equal(ones[0], 128);
    }
}

/* Accesses of one basic block: all lanes load before any lane stores; a store by all precedes the next by any. */
TEST(test_order_of_accesses)
{
    static const char loads[] = KERNEL("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nadd.u32 %r2, %r1, 100;\n"
                                       "ld.shared.u32 %r3, [%rd3+-4];\nst.shared.u32 [%rd3], %r2;\n"
                                       "st.global.u32 [%rd2], %r3;\nDONE:\n");
    static const char stores[] = KERNEL("st.shared.u32 [%rd3], 1;\nst.shared.u32 [%rd3+4], 2;\nld.shared.u32 %r3, [%rd3];\n"
                                        "st.global.u32 [%rd2], %r3;\n");
    u32 out[32] = {0};
    run(loads, 32, 32, out, 32);
    for (u32 n = 0; n < 32; n++)
        assert_int_equal(out[n], 0);
    run(loads, 1, 32, out, 32);
    for (u32 n = 2; n < 32; n++)
        assert_int_equal(out[n], 100 + n - 1);
    run(stores, 32, 32, out, 32);
    for (u32 n = 0; n < 32; n++)
        assert_int_equal(out[n], n == 0 ? 1 : 2);
}

/* Lanes that take a branch run first. All reconverge after it, and each sees its neighbour's effects. A thread's result is ten
 * times its neighbour's side, 1 or 2, plus the last value of a word written by both sides: by the side that runs last. */
TEST(test_divergence)
{
    static const char text[] =
        KERNEL("and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\nmov.u64 %rd5, tile;\n@%p1 bra EVEN;\n"
               "mov.u32 %r3, 1;\nst.shared.u32 [%rd3], %r3;\nst.shared.u32 [%rd5+256], %r3;\nbra MEET;\nEVEN:\n"
               "mov.u32 %r3, 2;\nst.shared.u32 [%rd3], %r3;\nst.shared.u32 [%rd5+256], %r3;\nMEET:\n"
               "xor.b32 %r4, %r1, 1;\nmul.wide.u32 %rd6, %r4, 4;\nadd.s64 %rd6, %rd5, %rd6;\n"
               "ld.shared.u32 %r5, [%rd6];\nld.shared.u32 %r6, [%rd5+256];\nmad.lo.u32 %r5, %r5, 10, %r6;\n"
               "st.global.u32 [%rd2], %r5;\n");
    u32 out[32];
    run(text, 32, 32, out, 32);
    for (u32 n = 0; n < 32; n++)
        assert_int_equal(out[n], n % 2 ? 21 : 11);
}

/* A loop of t + 1 rounds, each adding the value of the next higher thread. Lanes that have left wait after it. */
TEST(test_loop)
{
    static const char text[] =
        KERNEL("mov.u32 %r2, 0;\nLOOP:\nadd.u32 %r2, %r2, 1;\nst.shared.u32 [%rd3], %r2;\n"
               "ld.shared.u32 %r3, [%rd3+4];\nsetp.le.u32 %p1, %r2, %r1;\n@%p1 bra LOOP;\n"
               "ld.shared.u32 %r4, [%rd3+4];\nmad.lo.u32 %r4, %r4, 1000, %r3;\nst.global.u32 [%rd2], %r4;\n");
    u32 out[32];
    run(text, 32, 32, out, 32);
    for (u32 n = 0; n < 32; n++) /* of the round in which it leaves, the neighbour has stored the same; in the end one more */
        assert_int_equal(out[n], n == 31 ? 0 : (n + 2) * 1000 + n + 1);
}

/* Lanes diverge, some end, the others wait at a barrier and continue together. */
TEST(test_barrier)
{
    static const char text[] =
        KERNEL("setp.lt.u32 %p1, %r1, 5;\n@%p1 bra GONE;\nand.b32 %r2, %r1, 3;\nsetp.eq.u32 %p2, %r2, 0;\n"
               "@%p2 bra FOURTH;\nadd.u32 %r3, %r1, 100;\nbra WAIT;\nFOURTH:\nadd.u32 %r3, %r1, 200;\nWAIT:\n"
               "st.shared.u32 [%rd3], %r3;\nbar.sync 0;\nld.shared.u32 %r4, [%rd3+4];\n"
               "st.global.u32 [%rd2], %r4;\nGONE:\n");
    for (u32 lockstep = 1; lockstep <= 64; lockstep += 21) {
        u32 out[70] = {0};
        run(text, lockstep, 70, out, 70);
        for (u32 n = 0; n < 69; n++)
            assert_int_equal(out[n], n < 5 ? 0 : n + 1 + ((n + 1) % 4 ? 100 : 200));
    }
}

/* Threads below `first` wait for a word that a later thread writes, and copy it. */
#define WAITS(first)                                                                                                               \
    KERNEL("setp.ge.u32 %p1, %r1, " #first ";\n@%p1 bra WRITE;\nWAIT:\nld.volatile.shared.u32 %r3, [tile];\n"                      \
           "setp.eq.u32 %p2, %r3, 0;\n@%p2 bra WAIT;\nbra COPY;\nWRITE:\nmov.u32 %r3, 7;\nst.volatile.shared.u32 [tile], %r3;\n"   \
           "COPY:\nst.global.u32 [%rd2], %r3;\n")

/* A waiting warp yields its turn to the others. */
TEST(test_waiting_warps)
{
    static const char text[] = WAITS(60);
    for (u32 lockstep = 1; lockstep <= 16; lockstep *= 4) {
        u32 out[64] = {0};
        run(text, lockstep, 64, out, 64);
        for (u32 n = 0; n < 64; n++)
            assert_int_equal(out[n], 7);
    }
}

/* Two warps alternate: each waits for the other's number and stores the next one, up to 20. */
TEST(test_ping_pong)
{
    static const char text[] = KERNEL("shr.u32 %r2, %r1, 5;\nWAIT:\nld.volatile.shared.u32 %r3, [tile];\nand.b32 %r4, %r3, 1;\n"
                                      "setp.ne.u32 %p1, %r4, %r2;\n@%p1 bra WAIT;\nadd.u32 %r3, %r3, 1;\n"
                                      "st.volatile.shared.u32 [tile], %r3;\nsetp.lt.u32 %p2, %r3, 20;\n@%p2 bra WAIT;\n"
                                      "st.global.u32 [%rd2], %r3;\n");
    u32 out[64] = {0};
    run(text, 32, 64, out, 64);
    assert_int_equal(out[0], 21);
    assert_int_equal(out[32], 20);
}

/* In lockstep, a lane that waits for one that waits for it after the loop waits for ever, as on hardware before Volta. */
TEST(test_waiting_lanes)
{
    static const char text[] =
        KERNEL("setp.eq.u32 %p1, %r1, 0;\nLOCK:\natom.shared.cas.b32 %r3, [tile], 0, 1;\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 bra LOCK;\n"
               "ld.shared.u32 %r4, [tile+4];\nadd.u32 %r4, %r4, 1;\nst.shared.u32 [tile+4], %r4;\nst.global.u32 [%rd2], %r4;\n"
               "atom.shared.exch.b32 %r3, [tile], 0;\n");
    u32 out[32] = {0};
    run(text, 1, 32, out, 32);
    for (u32 n = 0; n < 32; n++)
        assert_int_equal(out[n], n + 1);
    assert_int_equal(run_on(text, 32, 32, 1, out, 32), WS_STATUS_bad_input);
    assert_string_equal(error.message, "k.ptx:18: kernel k, block (0,0,0), thread (1,0,0), pc 7: waits for ever for what no other "
                                       "thread does; it loops from line 18 to line 20, pc 7 to 9, and other threads of "
                                       "its warp wait for it in lockstep; if one of them would end the wait, --lockstep 1 lets it");
}

/* A wait that no thread can end is detected at once, with any number of threads. */
TEST(test_nobody_comes)
{
    static const char text[] = WAITS(1000);
    u32 out[64];
    for (u32 lockstep = 1; lockstep <= 32; lockstep += 31) {
        assert_int_equal(run_on(text, lockstep, 64, 1, out, 64), WS_STATUS_bad_input);
        assert_string_equal(error.message,
                            "k.ptx:19: kernel k, block (0,0,0), thread (0,0,0), pc 8: waits for ever for what no other "
                            "thread does; it loops from line 19 to line 21, pc 8 to 10");
    }
}

/* A waiting loop that counts rounds might end: others get their turns. */
TEST(test_counting_wait)
{
    static const char text[] = KERNEL("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra WRITE;\nWAIT:\nadd.u32 %r5, %r5, 1;\n"
                                      "ld.volatile.shared.u32 %r3, [tile];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra WAIT;\nbra COPY;\n"
                                      "WRITE:\nmov.u32 %r3, 7;\nst.volatile.shared.u32 [tile], %r3;\nCOPY:\n"
                                      "st.global.u32 [%rd2], %r3;\n");
    u32 out[33] = {0};
    run(text, 32, 33, out, 33);
    for (u32 n = 0; n < 33; n++)
        assert_int_equal(out[n], 7);
}

/* A barrier of all blocks (Xiao and Feng, Inter-Block GPU Communication via Fast Barrier Synchronization, 2010): thread 0 of each
 * counts up buffer[0] and waits until it is 5. Before it, each thread of a block stores block + 1; after it, it reads the next
 * block's word, and its own in shared memory. The loop before it makes more decisions than a recorder holds. */
static const char grid_barrier[] =
    KERNEL("mov.u32 %r2, %ctaid.x;\nadd.u32 %r5, %r2, 1;\nmul.wide.u32 %rd5, %r2, 256;\nadd.s64 %rd6, %rd2, %rd5;\n"
           "st.global.u32 [%rd6+256], %r5;\nst.shared.u32 [%rd3], %r5;\nmov.u32 %r3, 0;\nLOOP:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 "
           "%p3, %r3, 3000;\n"
           "ld.global.u32 %r8, [%rd6+256];\n@%p3 bra LOOP;\n"
           "bar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MEET;\natom.global.add.u32 %r6, [%rd1], 1;\n"
           "WAIT:\nld.volatile.global.u32 %r3, [%rd1];\nsetp.ne.u32 %p2, %r3, 5;\n@%p2 bra WAIT;\nMEET:\nbar.sync 0;\n"
           "add.u32 %r2, %r2, 1;\nrem.u32 %r2, %r2, 5;\nmul.wide.u32 %rd7, %r2, 256;\nadd.s64 %rd7, %rd2, %rd7;\n"
           "ld.global.u32 %r4, [%rd7+256];\nld.shared.u32 %r7, [%rd3];\nmad.lo.u32 %r4, %r4, 10, %r7;\n"
           "st.global.u32 [%rd6+1536], %r4;\n");

enum { BLOCKS = 5, WORDS = 64 * (1 + 2 * BLOCKS) };

static void check_blocks(const u32 *buffer)
{
    for (u32 n = 0; n < 64 * BLOCKS; n++) {
        assert_int_equal(buffer[64 + n], n / 64 + 1);
        assert_int_equal(buffer[64 * (1 + BLOCKS) + n], ((n / 64 + 1) % BLOCKS + 1) * 10 + n / 64 + 1);
    }
}

/* If blocks wait for later ones, these start. */
TEST(test_waiting_blocks)
{
    for (u32 lockstep = 1; lockstep <= 32; lockstep += 31) {
        u32 buffer[WORDS] = {0};
        EXPECT_DONE(run_on(grid_barrier, lockstep, 64, BLOCKS, buffer, WORDS), &error);
        check_blocks(buffer);
    }
    u32 buffer[WORDS] = {0};
    assert_int_equal(run_on(grid_barrier, 32, 64, BLOCKS - 1, buffer, WORDS), WS_STATUS_bad_input);
    assert_string_equal(error.message, "k.ptx:33: kernel k, block (0,0,0), thread (0,0,0), pc 21: waits for ever for what no other "
                                       "thread does; it loops from line 33 to line 35, pc 21 to 23, and other threads of its warp "
                                       "wait for it in lockstep; if one of them would end the wait, --lockstep 1 lets it");
}

/* Their trace has them in order, with complete paths. */
TEST(test_trace_of_waiting_blocks)
{
    static const char path[] = "exec_lockstep.wst";
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    u32 buffer[WORDS] = {0};
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "buffer", .bytes = sizeof buffer, .data = buffer};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {64 * BLOCKS, 1, 1}, .local = {64, 1, 1}, .argument_count = 1, .arguments = &argument};
    struct ws_trace *trace = NULL;
    struct ws_trace_info info;
    u64 instructions = 0;
    ws_frontend_defaults(&options);
    if (ws_program_load("k.ptx", grid_barrier, strlen(grid_barrier), &options, &program, &error) != WS_STATUS_ok ||
        ws_trace_build(program, &options, &launch, path, &instructions, &error) != WS_STATUS_ok ||
        ws_trace_open(path, &trace, &error) != WS_STATUS_ok || ws_trace_info(trace, &info, NULL, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    check_blocks(buffer);
    assert_int_equal(info.thread_instructions, instructions);
    for (u32 block = 0; block < BLOCKS; block++) { /* the last accesses: of the next block's words, of the block's own results */
        struct ws_image *image;
        EXPECT_DONE(ws_image_load(trace, block, BLOCKS, 1u << WS_SPACE_global, &image, &error), &error);
        const u32 *const first = image->words + image->groups[1].accesses + 1; /* of thread 33, which does not wait */
        const u32 last = 3001;
        assert_int_equal((i32)(first[0] - first[32 * last]), 8 * ((i32)block - (i32)((block + 1) % BLOCKS)));
        assert_int_equal(first[32 * (last + 1)] - first[0], 8 * BLOCKS);
        ws_image_free(image);
    }
    ws_trace_close(trace);
    ws_program_free(program);
    unlink(path);
}
