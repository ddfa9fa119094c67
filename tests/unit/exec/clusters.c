/* Clusters of several blocks: numbers, shared memory of others, their barrier, mbarriers, multicast. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "warpsweep/frontend.h"

enum { THREADS = 32, MOST_BLOCKS = 16, WORDS = 2 * THREADS };

static u32 in[WORDS], out[MOST_BLOCKS][WORDS];

/* Runs a body in blocks x rows blocks; %o is the address of the block's WORDS words, %t the thread, %b the block. */
static enum ws_status run(const char *attributes, const char *body, const u32 cluster[3], u32 blocks, u32 rows,
                          struct ws_error *error)
{
    static char text[20000];
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof in, .data = in},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out}};
    struct ws_ndrange launch = {.kernel = "k",
                                .global = {blocks * THREADS, rows, 1},
                                .local = {THREADS, 1, 1},
                                .argument_count = 2,
                                .arguments = arguments,
                                .cluster = {cluster[0], cluster[1], cluster[2]}};
    for (u32 n = 0; n < WORDS; n++)
        in[n] = n * 2654435761u;
    memset(out, 0xAA, sizeof out);
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) %s\n{\n"
             ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<20>, %%t, %%b, %%rank; .reg .b64 %%d<9>, %%o, %%in;\n"
             ".shared .align 128 .b32 box[64]; .shared .align 8 .b64 gate;\n"
             "mov.u32 %%t, %%tid.x; mov.u32 %%b, %%nctaid.x; mov.u32 %%r0, %%ctaid.y; mul.lo.u32 %%b, %%b, %%r0; mov.u32 %%r0, "
             "%%ctaid.x;\n"
             "add.u32 %%b, %%b, %%r0; mov.u32 %%rank, %%cluster_ctarank; ld.param.u64 %%o, [out]; mul.wide.u32 %%d0, %%b, 256;\n"
             "add.u64 %%o, %%o, %%d0; mul.wide.u32 %%d0, %%t, 4; add.u64 %%o, %%o, %%d0; ld.param.u64 %%in, [in];\n"
             "mov.u32 %%r1, box; shl.b32 %%r2, %%t, 2; add.u32 %%r1, %%r1, %%r2; setp.eq.u32 %%p1, %%t, 0;\n%s\nret; }\n",
             attributes, body);
    ws_frontend_defaults(&options);
    options.most_instructions = 1000000;
    enum ws_status status = ws_program_load("k.ptx", text, strlen(text), &options, &program, error);
    if (status == WS_STATUS_ok)
        status = ws_execute(program, &options, &launch, NULL, NULL, error);
    ws_program_free(program);
    return status;
}

static void run_well(const char *attributes, const char *body, u32 x, u32 y, u32 blocks, u32 rows)
{
    struct ws_error error;
    const u32 cluster[] = {x, y, x ? 1 : 0};
    if (run(attributes, body, cluster, blocks, rows, &error) != WS_STATUS_ok)
        fail_msg("%s\nin: %s", error.message, body);
}

static void run_badly(const char *attributes, const char *body, u32 x, u32 y, u32 blocks, const char *text)
{
    struct ws_error error;
    const u32 cluster[] = {x, y, x ? 1 : 0};
    if (run(attributes, body, cluster, blocks, 2, &error) == WS_STATUS_ok)
        fail_msg("accepted: %s", body);
    if (!strstr(error.message, text))
        fail_msg("\"%s\" does not contain \"%s\"", error.message, text);
}

#define SYNC "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"

/* Rank and cluster of each block: x fastest. */
TEST(test_numbers)
{
    run_well(
        "",
        "mov.u32 %r3, %cluster_nctarank; mad.lo.u32 %r3, %r3, 100, %rank; st.global.u32 [%o], %r3; mov.u32 %r4, %clusterid.y;\n"
        "mov.u32 %r5, %nclusterid.x; mov.u32 %r6, %clusterid.x; mad.lo.u32 %r4, %r4, %r5, %r6; mov.pred %p2, "
        "%is_explicit_cluster;\n"
        "selp.u32 %r7, 10, 0, %p2; add.u32 %r4, %r4, %r7; st.global.u32 [%o+128], %r4;",
        2, 2, 4, 4);
    for (u32 b = 0; b < 16; b++) {
        assert_int_equal(out[b][5], 400 + b % 2 + b / 4 % 2 * 2);
        assert_int_equal(out[b][THREADS + 5], 10 + b % 4 / 2 + b / 8 * 2);
    }
    run_well("", "mov.pred %p2, %is_explicit_cluster; selp.u32 %r7, 10, 0, %p2; st.global.u32 [%o], %r7;" SYNC, 0, 0, 2, 1);
    assert_int_equal(out[1][0], 0);
}

/* Each block reads the next rank's box, and adds to that of rank 0, by mapped and by generic addresses. */
TEST(test_shared)
{
    run_well(
        ".reqnctapercluster 2, 2, 1",
        "mad.lo.u32 %r3, %b, 100, %t; st.shared.u32 [%r1], %r3;" SYNC "add.u32 %r4, %rank, 1; and.b32 %r4, %r4, 3;\n"
        "mapa.shared::cluster.u32 %r5, %r1, %r4; ld.shared::cluster.u32 %r6, [%r5]; st.global.u32 [%o], %r6;\n"
        "getctarank.shared::cluster.u32 %r7, %r5; setp.ne.u32 %p2, %r7, %r4; @%p2 trap; getctarank.shared::cluster.u32 %r7, %r1;\n"
        "setp.ne.u32 %p2, %r7, %rank; @%p2 trap;" SYNC "cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; mapa.u64 %d2, %d1, 0;\n"
        "atom.add.u32 %r8, [%d2], %r3; isspacep.shared %p3, %d2; @!%p3 trap; getctarank.u64 %r9, %d2; setp.ne.u32 %p2, %r9, 0;\n"
        "@%p2 trap;" SYNC "ld.shared.u32 %r9, [%r1]; st.global.u32 [%o+128], %r9;",
        0, 0, 4, 4);
    for (u32 b = 0; b < 16; b++)
        for (u32 t = 0; t < THREADS; t++) {
            const u32 first = b - b % 2 - b / 4 % 2 * 4, rank = b % 2 + b / 4 % 2 * 2, next = (rank + 1) % 4;
            const u32 own = b * 100 + t, all = 4 * t + 100 * (first + first + 1 + first + 4 + first + 5);
            assert_int_equal(out[b][t], (first + next % 2 + next / 2 * 4) * 100 + t);
            assert_int_equal(out[b][THREADS + t], rank == 0 ? own + all : own);
        }
}

/* Arriving and waiting apart; blocks that end early; threads that end. */
TEST(test_barrier)
{
    run_well("",
             "@%p1 st.shared.u32 [box], 7; barrier.cluster.arrive.release; setp.gt.u32 %p2, %t, 29; @%p2 ret; "
             "barrier.cluster.wait.acquire;\n"
             "setp.eq.u32 %p3, %rank, 1; mapa.shared::cluster.u32 %r5, %r1, 0; sub.u32 %r5, %r5, %r2; ld.shared.u32 %r6, [%r5];\n"
             "st.global.u32 [%o], %r6; barrier.cluster.arrive; @%p3 ret; barrier.cluster.wait; st.global.u32 [%o+128], 5;",
             2, 1, 4, 1);
    for (u32 b = 0; b < 4; b++) {
        assert_int_equal(out[b][29], 7);
        assert_int_equal(out[b][30], 0xAAAAAAAA);
        assert_int_equal(out[b][THREADS + 3], b % 2 ? 0xAAAAAAAA : 5);
    }
}

/* A box and an mbarrier of the other block: stores that arrive there, and an arrival from afar. */
TEST(test_mbarriers)
{
    run_well("",
             "@%p1 mbarrier.init.shared.b64 [gate], 33;" SYNC
             "xor.b32 %r3, %rank, 1; mov.u32 %r4, gate; mapa.shared::cluster.u32 %r5, %r4, %r3;\n"
             "mapa.shared::cluster.u32 %r6, %r1, %r3; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 128; mad.lo.u32 %r7, "
             "%b, 100, %t;\n"
             "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r6], %r7, [%r5];\n"
             "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];\n"
             "W: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra W; ld.shared.u32 %r8, [%r1]; st.global.u32 [%o], "
             "%r8;" SYNC,
             2, 1, 4, 1);
    for (u32 b = 0; b < 4; b++)
        for (u32 t = 0; t < THREADS; t++)
            assert_int_equal(out[b][t], (b ^ 1) * 100 + t);
}

/* Each block copies a half of the input to both; one mask names one block only, and blocks beyond the cluster. */
TEST(test_multicast)
{
    run_well(
        "",
        "@%p1 mbarrier.init.shared.b64 [gate], 1;" SYNC "shl.b32 %r3, %rank, 7; mov.u32 %r4, box; add.u32 %r4, %r4, %r3;\n"
        "cvt.u64.u32 %d1, %r3; add.u64 %d1, %in, %d1; mov.u16 %h1, 3; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [gate], 256;\n"
        "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%r4], [%d1], "
        "128, "
        "[gate], %h1, %d1;\n"
        "W: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0; @!%p2 bra W; ld.shared.u32 %r8, [%r1]; st.global.u32 [%o], %r8;\n"
        "ld.shared.u32 %r8, [%r1+128]; st.global.u32 [%o+128], %r8;" SYNC,
        2, 1, 4, 1);
    for (u32 b = 0; b < 4; b++)
        assert_memory_equal(out[b], in, sizeof in);
    run_well("",
             "@%p1 mbarrier.init.shared.b64 [gate], 1;" SYNC "setp.eq.and.u32 %p3, %rank, 0, %p1; mov.u16 %h1, 0xFFFE;\n"
             "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [box], [%in], 128, [gate], "
             "%h1;\n" SYNC "ld.shared.u32 %r8, [%r1]; st.global.u32 [%o], %r8;",
             2, 1, 2, 1);
    for (u32 t = 0; t < THREADS; t++) {
        assert_int_equal(out[0][t], 0);
        assert_int_equal(out[1][t], in[t]);
    }
}

TEST(test_errors)
{
    run_badly("", "", 3, 1, 4, "4 blocks in x are not a multiple of the 3 blocks of a cluster");
    run_badly(".reqnctapercluster 2", "", 4, 1, 4, "clusters of 4 x 1 x 1 blocks, the kernel requires 2 x 1 x 1");
    run_badly("", "", 8, 4, 8, "clusters have at most 16 blocks");
    run_badly(".reqnctapercluster 17", "", 0, 0, 17, "clusters of 17 x 1 x 1 blocks: expected 1 to 16 in all");
    run_badly("",
              "setp.eq.u32 %p3, %rank, 1; @%p3 bra W; " SYNC
              "ret; W: ld.volatile.shared.u32 %r3, [box]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W;",
              2, 1, 2, "waits for ever at the barrier of its cluster");
    run_badly("", "mapa.shared::cluster.u32 %r5, %r1, 2; ld.shared.u32 %r6, [%r5];", 2, 1, 2, "lies outside");
}

/* Blocks of clusters along y lie a row of the grid apart. */
TEST(test_wide_grids)
{
    run_badly(
        "", SYNC, 1, 2, 513,
        "kernel k: clusters of 1 x 2 x 1 blocks in a grid of 513 x 2 x 1: 1026 blocks would be there at once, at most 1024 are");
}
