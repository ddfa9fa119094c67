/* The race detector: races that it reports, their kinds, and accesses that do not race. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kernels.h"
#include "warpsweep/frontend.h"

static struct ws_error error;

/* Reports: number of pairs of each kind, and the last text. */
struct told {
    u32 count[WS_RACES];
    char text[400];
};

static void hear(void *context, enum ws_race_kind kind, const char *text)
{
    struct told *const told = context;
    told->count[kind]++;
    snprintf(told->text, sizeof told->text, "%s", text);
}

/* Runs blocks of 64 threads on a buffer of 256 words: 128 with one value, then 0, 1, 2, ... */
static struct told run(const char *text, u32 lockstep, u32 blocks, u32 value)
{
    struct told told = {.text = ""};
    u32 buffer[256] = {0};
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "buffer", .bytes = sizeof buffer, .data = buffer};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {64 * blocks, 1, 1}, .local = {64, 1, 1}, .argument_count = 1, .arguments = &argument};
    for (u32 n = 0; n < 128; n++)
        buffer[n] = value, buffer[128 + n] = n;
    ws_frontend_defaults(&options);
    options.if_convert = 0;
    options.lockstep = lockstep;
    options.race = hear;
    options.context = &told;
    if (ws_program_load("k.ptx", text, strlen(text), &options, &program, &error) != WS_STATUS_ok ||
        ws_execute(program, &options, &launch, NULL, NULL, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    ws_program_free(program);
    return told;
}

/* Whether exactly these kinds were reported, a set of 1 << kind. */
static void expect(const char *text, u32 blocks, u32 kinds)
{
    const struct told told = run(text, 32, blocks, 0);
    for (u32 kind = 0; kind < WS_RACES; kind++)
        if ((told.count[kind] > 0) != (kinds >> kind & 1))
            fail_msg("%u of kind %u; %s; of %s", told.count[kind], kind, told.text, text);
}

enum {
    INSTRUCTION = 1 << WS_RACE_instruction,
    WARP = 1 << WS_RACE_warp,
    BLOCK = 1 << WS_RACE_block,
    GRID = 1 << WS_RACE_grid,
    ATOMIC = 1 << WS_RACE_atomic
};

#define STORE_OWN "st.shared.u32 [%rd3], %r1;\n"
#define LOAD_NEXT "ld.shared.u32 %r3, [%rd3+4];\n"
#define OUTPUT    "st.global.u32 [%rd2], %r3;\n"
#define BARRIER   "bar.sync 0;\n"

static void hear_note(void *context, const char *text)
{
    struct told *const told = context;
    told->count[0]++;
    snprintf(told->text, sizeof told->text, "%s", text);
}

/* The hint of a launch without a detector: the number of notes. */
static u32 hints(const char *text, u32 blocks)
{
    struct told told = {.text = ""};
    u32 buffer[256] = {0};
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "buffer", .bytes = sizeof buffer, .data = buffer};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {64 * blocks, 1, 1}, .local = {64, 1, 1}, .argument_count = 1, .arguments = &argument};
    ws_frontend_defaults(&options);
    options.hint_races = true;
    options.note = hear_note;
    options.context = &told;
    if (ws_program_load("k.ptx", text, strlen(text), &options, &program, &error) != WS_STATUS_ok ||
        ws_execute(program, &options, &launch, NULL, NULL, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    ws_program_free(program);
    if (told.count[0])
        assert_non_null(strstr(told.text, "kernel k: values may depend on the order of warps: no barrier separates the"));
    return told.count[0];
}

/* One hint for any number of races between warps; none with barriers, or where other means may order. */
TEST(test_hint)
{
    assert_int_equal(hints(KERNEL(STORE_OWN LOAD_NEXT OUTPUT), 1), 1);
    assert_int_equal(hints(KERNEL(STORE_OWN LOAD_NEXT OUTPUT), 3), 1);
    assert_int_equal(hints(KERNEL(LOAD_NEXT STORE_OWN "ld.shared.u32 %r3, [%rd3+8];\n" OUTPUT), 1), 1); /* two in one access */
    assert_int_equal(hints(KERNEL(STORE_OWN BARRIER LOAD_NEXT OUTPUT), 2), 0);
    assert_int_equal(hints(KERNEL(STORE_OWN "ld.shared.u32 %r3, [%rd3];\n" OUTPUT), 2), 0);
    assert_int_equal(hints(KERNEL(STORE_OWN "atom.shared.add.u32 %r3, [%rd3+4], 1;\n" OUTPUT), 1), 0);
}

/* Neighbours in a warp; thread 31 and its neighbour in the next warp. */
TEST(test_shared_memory)
{
    expect(KERNEL(STORE_OWN LOAD_NEXT), 1, WARP | BLOCK);
    expect(KERNEL(STORE_OWN BARRIER LOAD_NEXT), 2, 0);
    expect(KERNEL(LOAD_NEXT BARRIER STORE_OWN), 2, 0);
    expect(KERNEL(STORE_OWN BARRIER LOAD_NEXT STORE_OWN BARRIER), 1, 0); /* it changes nothing */
    expect(KERNEL(STORE_OWN BARRIER LOAD_NEXT "st.shared.u32 [%rd3], %r3;\n"), 1, WARP | BLOCK);
    expect(KERNEL(STORE_OWN "ld.shared.u32 %r3, [%rd3];\n"), 2, 0);
}

/* A barrier of a whole warp orders its threads only. A barrier of fewer threads, or a shuffle, orders nothing. */
TEST(test_barriers_of_warps)
{
    expect(KERNEL(STORE_OWN "bar.warp.sync -1;\n" LOAD_NEXT), 1, BLOCK);
    expect(KERNEL(LOAD_NEXT "bar.warp.sync -1;\n" STORE_OWN), 1, BLOCK);
    expect(KERNEL(STORE_OWN "bar.warp.sync -1;\n" LOAD_NEXT STORE_OWN), 1, BLOCK);
    expect(KERNEL("bar.warp.sync -1;\n" STORE_OWN LOAD_NEXT), 1, WARP | BLOCK);
    expect(KERNEL(STORE_OWN "shfl.sync.idx.b32 %r4, %r1, 0, 31, -1;\n" LOAD_NEXT), 1, WARP | BLOCK);
    expect(KERNEL(STORE_OWN "setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.warp.sync -1;\n" LOAD_NEXT), 1, WARP | BLOCK);
    expect(KERNEL(STORE_OWN "and.b32 %r4, %r1, 31;\nsetp.lt.u32 %p1, %r4, 16;\n@%p1 bar.warp.sync 65535;\n" LOAD_NEXT), 1,
           WARP | BLOCK);
}

/* Warp-synchronous code races within its warp only; executed thread by thread, it is a race of the block. */
TEST(test_reduction)
{
    const struct told lockstep = run(REDUCTION, 32, 1, 1), alone = run(REDUCTION, 1, 1, 1);
    for (u32 kind = 0; kind < WS_RACES; kind++) {
        assert_int_equal(lockstep.count[kind] > 0, kind == WS_RACE_warp);
        assert_int_equal(alone.count[kind] > 0, kind == WS_RACE_block);
    }
}

TEST(test_global_memory)
{
    expect(KERNEL(LOAD_NEXT OUTPUT), 2, 0); /* both blocks store zeros */
    expect(KERNEL("mov.u32 %r4, %ctaid.x;\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%rd2], %r4;\n"), 1, 0);
    expect(KERNEL("mov.u32 %r4, %ctaid.x;\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%rd2], %r4;\n"), 2, GRID);
    expect(KERNEL("ld.global.u32 %r3, [%rd2];\nadd.u32 %r3, %r3, 1;\n" OUTPUT), 2, GRID);
    expect(KERNEL("ld.global.u32 %r3, [%rd2+512];\n" OUTPUT), 2, 0);
    expect(KERNEL("ld.global.u32 %r3, [%rd2+4];\nadd.u32 %r3, %r3, 1;\n" OUTPUT), 1, WARP | BLOCK);
}

/* Lanes that store to one word together: any value may remain, unless all are equal. */
TEST(test_one_word)
{
    expect(KERNEL("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra DONE;\nst.shared.u32 [tile], %r1;\nDONE:\n"), 1, INSTRUCTION);
    expect(KERNEL("st.shared.u32 [tile], 5;\n"), 1, 0);
    expect(KERNEL("st.shared.u32 [tile], 5;\nld.shared.u32 %r3, [tile];\n"), 1, WARP | BLOCK);
    expect(KERNEL("st.shared.u32 [tile], 5;\n" BARRIER "ld.shared.u32 %r3, [tile];\n"), 1, 0);
}

/* The first store changes nothing; after the second it would have. */
TEST(test_store_of_the_same)
{
    expect(KERNEL("setp.ge.u32 %p1, %r1, 32;\nselp.u32 %r2, 1, 0, %p1;\nst.shared.u32 [tile], %r2;\n"), 1, BLOCK);
}

/* Warp 0 loads; so do all threads of warp 1, one of which then stores. */
TEST(test_reader_of_another_warp)
{
    static const char text[] =
        KERNEL("ld.shared.u32 %r3, [tile];\nsetp.ne.u32 %p1, %r1, 40;\n@%p1 bra DONE;\nst.shared.u32 [tile], 5;\nDONE:\n");
    expect(text, 1, WARP | BLOCK);
    expect(KERNEL("setp.ge.u32 %p1, %r1, 32;\n@!%p1 bra DONE;\nld.shared.u32 %r3, [tile];\nsetp.ne.u32 %p1, %r1, 40;\n"
                  "@%p1 bra DONE;\nst.shared.u32 [tile], 5;\nDONE:\n"),
           1, WARP);
}

/* The last loading thread stores; others loaded, too. */
TEST(test_reader_that_stores)
{
    expect(KERNEL("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra DONE;\nld.shared.u32 %r3, [tile];\nsetp.ne.u32 %p1, %r1, 31;\n"
                  "@%p1 bra DONE;\nst.shared.u32 [tile], 5;\nDONE:\n"),
           1, WARP);
    expect(KERNEL("ld.global.u32 %r3, [%rd1];\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r2, %r2, 64, %r1;\nsetp.ne.u32 %p1, %r2, 127;\n"
                  "@%p1 bra DONE;\nst.global.u32 [%rd1], 5;\nDONE:\n"),
           2, WARP | BLOCK | GRID);
}

TEST(test_atomics)
{
    expect(KERNEL("atom.shared.add.u32 %r3, [tile], 1;\n"), 1, 0); /* its result is unused */
    expect(KERNEL("atom.shared.add.u32 %r3, [tile], 1;\n" OUTPUT), 1, ATOMIC);
    expect(KERNEL("atom.shared.max.u32 %r3, [tile], %r1;\n"), 1, 0);
    expect(KERNEL("atom.shared.exch.b32 %r3, [tile], %r1;\n"), 1, ATOMIC);
    expect(KERNEL("atom.shared.add.u32 %r3, [tile], 1;\natom.shared.or.b32 %r3, [tile], 4;\n"), 1, ATOMIC);
    expect(KERNEL("atom.shared.add.u32 %r3, [tile], 1;\n" BARRIER "ld.shared.u32 %r4, [tile];\n"), 1, 0);
    expect(KERNEL("atom.shared.add.u32 %r3, [tile], 1;\nld.shared.u32 %r4, [tile];\n"), 1, WARP | BLOCK);
    expect(KERNEL("atom.global.add.u32 %r3, [%rd1], 1;\n"), 2, 0);
    expect(KERNEL("atom.global.add.f32 %r3, [%rd1], 0f3F800000;\n"), 2, ATOMIC);
}

/* Bytes of one word are separate memory, and so are words of a vector; generic addresses are the same memory. */
TEST(test_pieces)
{
    expect(KERNEL("cvt.u64.u32 %rd5, %r1;\nmov.u64 %rd6, tile;\nadd.s64 %rd5, %rd5, %rd6;\nadd.u32 %r2, %r1, 1;\n"
                  "st.shared.u8 [%rd5], %r2;\nld.shared.u8 %r3, [%rd5];\n"),
           1, 0);
    expect(KERNEL("and.b64 %rd5, %rd3, -8;\nst.shared.v2.u32 [%rd5], {%r1, 1};\n"), 1, INSTRUCTION);
    expect(KERNEL("cvta.shared.u64 %rd5, %rd3;\nst.u32 [%rd5], %r1;\n" LOAD_NEXT), 1, WARP | BLOCK);
}

TEST(test_text)
{
    const struct told told = run(KERNEL("setp.ge.u32 %p1, %r1, 2;\n@%p1 bra DONE;\n" STORE_OWN LOAD_NEXT "DONE:\n"), 32, 1, 0);
    assert_int_equal(told.count[WS_RACE_warp], 1);
    assert_string_equal(told.text,
                        "k.ptx:19: kernel k, block (0,0,0), thread (0,0,0), pc 9: load at byte 4 of shared memory, after "
                        "the store of block (0,0,0), thread (1,0,0), line 18, pc 8: threads of one warp, ordered by "
                        "lockstep alone");
}
