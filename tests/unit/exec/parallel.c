/* Blocks on several cores: memory, messages and counts are those of one block after another. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "warpsweep/frontend.h"

enum { THREADS = 64, BLOCKS = 100, WORDS = THREADS * BLOCKS + 64, WORKERS = 4 };

/* r1: number of the thread, r2: of the block, r3: of the thread in the grid; rd1: the buffer, rd2: its element of the thread.
 * The loop makes a launch long enough to be worth several cores. */
#define KERNEL_OF(parameters, body)                                                                                                \
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p" parameters                                    \
    ")\n{\n.reg .pred %p<4>;\n.reg .b32 %r<16>;\n"                                                                                 \
    ".reg .b64 %rd<8>;\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"   \
    "mad.lo.u32 %r3, %r2, 64, %r1;\nmul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd2, %rd1, %rd2;\nmov.u32 %r4, 0;\nmov.u32 %r5, 0;\n"     \
    "LOOP:\nmad.lo.u32 %r5, %r5, 5, %r3;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 200;\n@%p1 bra LOOP;\n" body "ret;\n}\n"
#define KERNEL(body) KERNEL_OF("", body)

static char noted[2000];
static u32 notes;
static void note(void *context, const char *text)
{
    (void)context;
    notes++;
    snprintf(noted, sizeof noted, "%s", text);
}

struct result {
    enum ws_status status;
    struct ws_error error;
    enum ws_execution_end end;
    bool serial;
    u64 instructions;
    u32 notes;
    char noted[2000];
    u32 words[WORDS];
};

static void run(const char *text, u32 workers, u64 most, struct result *result)
{
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof result->words, .data = result->words};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {THREADS * BLOCKS, 1, 1}, .local = {THREADS, 1, 1}, .argument_count = 1, .arguments = &argument};
    ws_frontend_defaults(&options);
    options.workers = workers;
    options.most_instructions = most;
    options.note = note;
    *result = (struct result){0};
    for (u32 n = 0; n < WORDS; n++)
        result->words[n] = n;
    notes = 0;
    noted[0] = 0;
    EXPECT_DONE(ws_program_load("k.ptx", text, strlen(text), &options, &program, &result->error), &result->error);
    result->status = ws_execute(program, &options, &launch, NULL, &result->instructions, &result->error);
    result->end = launch.end;
    result->serial = launch.serial;
    result->notes = notes;
    snprintf(result->noted, sizeof result->noted, "%s", noted);
    ws_program_free(program);
}

/* The same on one core and on several; depend: these were tried and given up. message: part of the error; NULL: there is none. */
static void compare(const char *text, u64 most, bool depend, const char *message)
{
    static struct result one, several;
    run(text, 1, most, &one);
    run(text, WORKERS, most, &several);
    assert_int_equal(one.serial, false);
    if (!depend) /* else they may all have run on one core */
        assert_int_equal(several.serial, false);
    if (message)
        assert_int_equal(several.serial, true);
    assert_int_equal(one.status, several.status);
    assert_int_equal(one.end, several.end);
    assert_int_equal(one.instructions, several.instructions);
    assert_int_equal(one.notes, several.notes);
    assert_string_equal(one.noted, several.noted);
    assert_int_equal(one.status, message ? WS_STATUS_bad_input : WS_STATUS_ok);
    if (message)
        assert_string_equal(one.error.message, several.error.message);
    if (message && !strstr(one.error.message, message))
        fail_msg("%s", one.error.message);
    assert_memory_equal(one.words, several.words, sizeof one.words);
}

TEST(test_independent)
{
    compare(KERNEL("st.global.u32 [%rd2], %r5;\n"), 0, false, NULL);
    compare(KERNEL("ld.global.u32 %r6, [%rd2];\nadd.u32 %r6, %r6, %r5;\nst.global.u32 [%rd2], %r6;\n"), 0, false, NULL);
    /* All read one word that nobody writes, and words behind their own. */
    compare(KERNEL("ld.global.u32 %r6, [%rd1+25700];\nadd.u32 %r6, %r6, %r5;\nst.global.u32 [%rd2], %r6;\n"), 0, false, NULL);
}

/* Each block reads what the one before it wrote, or what the next one will write; all write one word; one of each two. */
TEST(test_dependent)
{
    compare(KERNEL("setp.eq.u32 %p2, %r2, 0;\n@%p2 bra END;\nld.global.u32 %r6, [%rd2+-256];\nadd.u32 %r6, %r6, 1;\n"
                   "st.global.u32 [%rd2], %r6;\nEND:\n"),
            0, true, NULL);
    compare(KERNEL("ld.global.u32 %r6, [%rd2+256];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%rd2], %r6;\n"), 0, true, NULL);
    compare(KERNEL("st.global.u32 [%rd1], %r3;\n"), 0, true, NULL);
    compare(KERNEL("shr.u32 %r6, %r2, 1;\nmul.wide.u32 %rd3, %r6, 4;\nadd.s64 %rd3, %rd1, %rd3;\nst.global.u32 [%rd3], %r2;\n"), 0,
            true, NULL);
    /* Parts of one word. */
    compare(KERNEL("cvt.u64.u32 %rd3, %r2;\nadd.s64 %rd3, %rd1, %rd3;\nst.global.u8 [%rd3], %r2;\n"), 0, true, NULL);
}

/* Only the last block does it. */
TEST(test_faults)
{
    compare(KERNEL("setp.eq.u32 %p2, %r2, 99;\n@%p2 st.global.u32 [%rd2+1000000], %r5;\nst.global.u32 [%rd2], %r5;\n"), 0, true,
            "block (99,0,0), thread (0,0,0)");
    compare(KERNEL("setp.eq.u32 %p2, %r2, 99;\n@%p2 trap;\nst.global.u32 [%rd2], %r5;\n"), 0, true, "executed a trap");
    compare(KERNEL("st.global.u32 [%rd2], %r5;\n"), 4000000, true, "more thread instructions than the limit of 4000000");
    compare(KERNEL("setp.ne.u32 %p2, %r2, 50;\n@%p2 bra END;\nshfl.sync.up.b32 %r6, %r1, 16, 0, 0xffff;\nEND:\n"
                   "st.global.u32 [%rd2], %r5;\n"),
            0, true, NULL);
}

/* The program writes a word that no block accesses, while blocks run of which the last one depends on another. */
static u32 *mapped;
static u32 written;
static bool write_mapped(void *context)
{
    (void)context;
    mapped[WORDS - 1]++;
    written++;
    return true;
}

TEST(test_program_writes)
{
    static const char text[] = KERNEL("mov.u32 %r4, 0;\nLONGER:\nmad.lo.u32 %r5, %r5, 5, %r3;\nadd.u32 %r4, %r4, 1;\n"
                                      "setp.lt.u32 %p1, %r4, 2000;\n@%p1 bra LONGER;\nst.global.u32 [%rd2], %r5;\n"
                                      "setp.eq.u32 %p2, %r2, 99;\n@%p2 st.global.u32 [%rd1+512], %r5;\n");
    static u32 words[WORDS];
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    struct ws_error error = {0};
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof words, .data = words};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {THREADS * BLOCKS, 1, 1}, .local = {THREADS, 1, 1}, .argument_count = 1, .arguments = &argument};
    ws_frontend_defaults(&options);
    options.workers = WORKERS;
    options.go_on = write_mapped;
    mapped = words;
    for (u32 n = 0; n < 2; n++) { /* then on one core */
        u32 last = words[128];
        words[WORDS - 1] = written = 0;
        launch.serial = n > 0; /* else only if several workers got blocks that depend on each other */
        EXPECT_DONE(ws_program_load("k.ptx", text, sizeof text - 1, &options, &program, &error), &error);
        EXPECT_DONE(ws_execute(program, &options, &launch, NULL, NULL, &error), &error);
        ws_program_free(program);
        assert_true(written > 0);
        assert_int_equal(words[WORDS - 1], written);
        if (n > 0)
            assert_int_equal(words[128], last);
    }
}

/* Buffers that overlap in the memory of the program: a block reads by the first what the one before it wrote by the second. */
static void run_overlap(u32 workers, u32 *words)
{
    static const char text[] = KERNEL_OF(", .param .u64 q", "ld.param.u64 %rd3, [q];\nmul.wide.u32 %rd4, %r3, 4;\n"
                                                            "add.s64 %rd3, %rd3, %rd4;\nld.global.u32 %r6, [%rd2];\n"
                                                            "add.u32 %r6, %r6, %r5;\nst.global.u32 [%rd3], %r6;\n");
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    struct ws_error error = {0};
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = THREADS * BLOCKS * 4, .data = words},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = THREADS * BLOCKS * 4, .data = words + THREADS}};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {THREADS * BLOCKS, 1, 1}, .local = {THREADS, 1, 1}, .argument_count = 2, .arguments = arguments};
    ws_frontend_defaults(&options);
    options.workers = workers;
    EXPECT_DONE(ws_program_load("k.ptx", text, sizeof text - 1, &options, &program, &error), &error);
    EXPECT_DONE(ws_execute(program, &options, &launch, NULL, NULL, &error), &error);
    ws_program_free(program);
}

TEST(test_overlap)
{
    static u32 one[WORDS], several[WORDS];
    run_overlap(1, one);
    run_overlap(WORKERS, several);
    assert_memory_equal(one, several, sizeof one);
}

/* Kernels that are not tried. */
TEST(test_serial)
{
    compare(KERNEL("atom.global.add.u32 %r6, [%rd1], 1;\nst.global.u32 [%rd2], %r6;\n"), 0, false, NULL);
    compare(KERNEL("st.volatile.global.u32 [%rd1], %r2;\n"), 0, false, NULL);
}
