/* From PTX text to a readable trace file: addresses of all spaces, digests, and no file after a failed launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/frontend.h"

#define HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"

/* Thread t of block b: through generic addresses, out[n] = shared word t + private word + constant, n = 8 b + t. */
static const char generic[] = HEAD ".const .align 4 .b8 table[4] = {5, 0, 0, 0};\n"
                                   ".visible .entry generic(.param .u64 out)\n"
                                   "{\n"
                                   "  .reg .b32 %r<9>;\n"
                                   "  .reg .b64 %rd<12>;\n"
                                   "  .shared .align 4 .b8 tile[32];\n"
                                   "  .local .align 4 .b8 depot[4];\n"
                                   "  ld.param.u64 %rd1, [out];\n"
                                   "  mov.u32 %r1, %tid.x;\n"
                                   "  mov.u32 %r2, %ctaid.x;\n"
                                   "  mov.u64 %rd2, tile;\n"
                                   "  cvta.shared.u64 %rd3, %rd2;\n"
                                   "  mul.wide.u32 %rd4, %r1, 4;\n"
                                   "  add.s64 %rd5, %rd3, %rd4;\n"
                                   "  st.u32 [%rd5], %r1;\n"
                                   "  mov.u64 %rd6, depot;\n"
                                   "  cvta.local.u64 %rd7, %rd6;\n"
                                   "  mul.lo.u32 %r3, %r1, 100;\n"
                                   "  st.u32 [%rd7], %r3;\n"
                                   "  bar.sync 0;\n"
                                   "  ld.u32 %r4, [%rd5];\n"
                                   "  ld.u32 %r5, [%rd7];\n"
                                   "  ld.const.u32 %r6, [table];\n"
                                   "  add.u32 %r7, %r4, %r5;\n"
                                   "  add.u32 %r7, %r7, %r6;\n"
                                   "  mad.lo.u32 %r8, %r2, 8, %r1;\n"
                                   "  mul.wide.u32 %rd8, %r8, 4;\n"
                                   "  add.s64 %rd9, %rd1, %rd8;\n"
                                   "  st.global.u32 [%rd9], %r7;\n"
                                   "  ret;\n"
                                   "}\n";

/* out[n] = word t of the shared tile, through a register that wraps at 32 bits: -4 + 8. */
static const char wrapping[] = HEAD ".visible .entry generic(.param .u64 out)\n"
                                    "{\n"
                                    "  .reg .b32 %r<9>;\n"
                                    "  .reg .b64 %rd<4>;\n"
                                    "  .shared .align 4 .b8 tile[36];\n"
                                    "  ld.param.u64 %rd1, [out];\n"
                                    "  mov.u32 %r1, %tid.x;\n"
                                    "  mov.u32 %r2, %ctaid.x;\n"
                                    "  mov.u32 %r3, tile;\n"
                                    "  add.s32 %r3, %r3, -4;\n"
                                    "  st.shared.u32 [%r3+8], 7;\n"
                                    "  ld.shared.u32 %r4, [%r3+8];\n"
                                    "  mad.lo.u32 %r5, %r2, 8, %r1;\n"
                                    "  mul.wide.u32 %rd2, %r5, 4;\n"
                                    "  add.s64 %rd3, %rd1, %rd2;\n"
                                    "  st.global.u32 [%rd3], %r4;\n"
                                    "  ret;\n"
                                    "}\n";

enum { THREADS = 8, BLOCKS = 3 };

static struct ws_error failure;
static struct ws_frontend_options options;

static struct ws_program *load(const char *text)
{
    struct ws_program *program = NULL;
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_program_load("test.ptx", text, strlen(text), &options, &program, &error));
    return program;
}

static enum ws_status build(const struct ws_program *program, u32 *out, u64 bytes, const char *path, u64 *instructions)
{
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "out", .bytes = bytes, .data = out};
    struct ws_ndrange launch = {.kernel = "generic",
                                .source = "here",
                                .global = {THREADS * BLOCKS, 1, 1},
                                .local = {THREADS, 1, 1},
                                .argument_count = 1,
                                .arguments = &argument};
    return ws_trace_build(program, &options, &launch, path, instructions, &failure);
}

/* The digest of the launch in a trace file. */
static u64 digest_of(const char *path)
{
    struct ws_trace *trace;
    EXPECT_OK(ws_trace_open(path, &trace, &error));
    const u64 digest = ws_trace_launch(trace)->digest;
    ws_trace_close(trace);
    return digest;
}

TEST(test_generic_addresses)
{
    struct ws_program *const program = load(generic);
    u32 out[THREADS * BLOCKS] = {0};
    u64 instructions = 0;
    EXPECT_OK(build(program, out, sizeof out, "generic.wst", &instructions));
    for (u32 n = 0; n < THREADS * BLOCKS; n++)
        assert_int_equal(out[n], n % THREADS * 101 + 5);
    ws_program_free(program);

    struct ws_trace *trace;
    struct ws_trace_info info;
    struct ws_image *image;
    EXPECT_OK(ws_trace_open("generic.wst", &trace, &error));
    EXPECT_OK(ws_trace_info(trace, &info, NULL, &error));
    const struct ws_launch *const launch = ws_trace_launch(trace);
    assert_string_equal(launch->kernel, "generic");
    assert_string_equal(launch->source, "here");
    assert_int_equal(launch->grid[0], BLOCKS);
    assert_int_equal(launch->block[0], THREADS);
    assert_int_equal(launch->shared_bytes, 32);
    assert_int_equal(info.threads, THREADS * BLOCKS);
    assert_int_equal(info.thread_instructions, instructions);
    assert_int_equal(info.accesses, 6 * THREADS * BLOCKS);
    /* 1 granule of shared memory, 24 threads x 16 bytes of private memory, 96 bytes of the buffer. */
    assert_int_equal(info.footprint_bytes, 32 + 12 * 32 + 3 * 32);
    EXPECT_OK(ws_image_load(trace, 0, 1, 1u << WS_SPACE_global, &image, &error));
    ws_image_free(image);
    /* One access per thread. Constant memory holds the parameter, the buffer and the table, each at a multiple of 256 bytes. */
    EXPECT_OK(ws_image_load(trace, 0, 1, 1u << WS_SPACE_constant, &image, &error));
    assert_int_equal(image->word_count, BLOCKS * WS_LANES);
    for (u32 block = 0; block < BLOCKS; block++)
        for (u32 thread = 0; thread < THREADS; thread++)
            assert_int_equal(image->words[image->groups[block].accesses + thread], 512 / 4);
    ws_image_free(image);
    ws_trace_close(trace);
}

/* Addresses of shared memory have 32 bits: value and recorded address are those of byte 4 of the tile, which is the block's first.
 */
TEST(test_wrapping_addresses)
{
    struct ws_program *const program = load(wrapping);
    u32 out[THREADS * BLOCKS] = {0};
    struct ws_trace *trace;
    struct ws_image *image;
    if (build(program, out, sizeof out, "wrapping.wst", NULL) != WS_STATUS_ok)
        fail_msg("%s", failure.message);
    for (u32 n = 0; n < THREADS * BLOCKS; n++)
        assert_int_equal(out[n], 7);
    ws_program_free(program);
    EXPECT_OK(ws_trace_open("wrapping.wst", &trace, &error));
    EXPECT_OK(ws_image_load(trace, 0, 1, 1u << WS_SPACE_shared, &image, &error));
    assert_int_equal(image->word_count, 2 * BLOCKS * WS_LANES);
    for (u32 block = 0; block < BLOCKS; block++)
        for (u32 thread = 0; thread < THREADS; thread++)
            for (u32 access = 0; access < 2; access++)
                assert_int_equal(image->words[image->groups[block].accesses + access * WS_LANES + thread], 1);
    ws_image_free(image);
    ws_trace_close(trace);
}

/* Another input gives another digest; equal inputs give equal files. */
TEST(test_digests)
{
    struct ws_program *const program = load(generic);
    u32 out[THREADS * BLOCKS] = {0};
    EXPECT_OK(build(program, out, sizeof out, "a.wst", NULL));
    const u64 first = digest_of("a.wst");
    memset(out, 0, sizeof out);
    EXPECT_OK(build(program, out, sizeof out, "a.wst", NULL));
    assert_int_equal(digest_of("a.wst"), first);
    memset(out, 0, sizeof out);
    out[3] = 1;
    EXPECT_OK(build(program, out, sizeof out, "a.wst", NULL));
    assert_int_not_equal(digest_of("a.wst"), first);
    ws_program_free(program);
}

/* A fault in the second block: the message, and no file. */
TEST(test_failing_launch)
{
    struct ws_program *const program = load(generic);
    u32 out[THREADS + 2] = {0};
    assert_int_equal(build(program, out, sizeof out, "failed.wst", NULL), WS_STATUS_bad_input);
    assert_string_equal(
        failure.message,
        "test.ptx:32: kernel generic, block (1,0,0), thread (2,0,0), pc 21: 4-byte store at global address 0x700000000028 "
        "lies outside of the memory that may be accessed; right past the end of out, 40 bytes at 0x700000000000");
    assert_int_equal(access("failed.wst", F_OK), -1);
    ws_program_free(program);
}

TESTS(files_enter, files_leave)
