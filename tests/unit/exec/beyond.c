/* Lenient launches, races and source places combined: in lockstep, with several running blocks. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kernels.h"
#include "warpsweep/frontend.h"

enum { THREADS = 64, WORDS = 128 };

static struct ws_error error;

/* Received reports: the last texts, the first race, and the number of races. */
static struct {
    char note[1000], race[400], first_race[400];
    u32 races;
} told;

static void take_note(void *context, const char *text)
{
    (void)context;
    snprintf(told.note, sizeof told.note, "%s", text);
}

static void take_race(void *context, enum ws_race_kind kind, const char *text)
{
    (void)context;
    (void)kind;
    if (told.races++ == 0)
        snprintf(told.first_race, sizeof told.first_race, "%s", text);
    snprintf(told.race, sizeof told.race, "%s", text);
}

/* Runs blocks of THREADS threads on a buffer of zeros, which are left in buffer. */
static enum ws_status run(const char *name, const char *text, struct ws_frontend_options options, u32 blocks, u32 *buffer)
{
    struct ws_program *program = NULL;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "buffer", .bytes = WORDS * sizeof *buffer, .data = buffer};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {THREADS * blocks, 1, 1}, .local = {THREADS, 1, 1}, .argument_count = 1, .arguments = &argument};
    memset(&told, 0, sizeof told);
    memset(buffer, 0, WORDS * sizeof *buffer);
    options.most_instructions = 20000000;
    EXPECT_DONE(ws_program_load(name, text, strlen(text), &options, &program, &error), &error);
    const enum ws_status status = ws_execute(program, &options, &launch, NULL, NULL, &error);
    ws_program_free(program);
    return status;
}

static struct ws_frontend_options lenient(u32 lockstep)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.if_convert = 0;
    options.lenient = true;
    options.lockstep = lockstep;
    options.note = take_note;
    options.race = take_race;
    return options;
}

/* Blocks wait for each other. Threads from 40 on access memory past the buffer; for the first load, before it. */
TEST(test_blocks)
{
    static const char text[] =
        KERNEL("mov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra COUNT;\nsetp.lt.u32 %p1, %r1, 40;\n@%p1 bra COUNT;\n"
               "ld.global.u32 %r3, [%rd2+1024];\nCOUNT:\nbar.sync 0;\nsetp.ne.u32 %p2, %r1, 0;\n@%p2 bra END;\n"
               "atom.global.add.u32 %r6, [%rd1], 1;\nWAIT:\nld.volatile.global.u32 %r3, [%rd1];\nsetp.ne.u32 %p3, %r3, 3;\n"
               "@%p3 bra WAIT;\nEND:\nbar.sync 0;\nld.global.u32 %r3, [%rd2+2048];\n");
    static const char first[] =
        "kernel k: accesses outside of all memory: loads that read zeros: 240, stores and atomics that were dropped: 0; the "
        "first: k.ptx:21: kernel k, block (1,0,0), thread (40,0,0), pc 11: 4-byte load at global address 0x7000000004a0 ";
    u32 buffer[WORDS];
    for (u32 lockstep = 1; lockstep <= 32; lockstep += 31) {
        EXPECT_DONE(run("k.ptx", text, lenient(lockstep), 3, buffer), &error);
        assert_int_equal(buffer[0], 3);
        if (strncmp(told.note, first, sizeof first - 1) != 0)
            fail_msg("%s", told.note);
    }
}

#define WAIT(store)                                                                                                                \
    KERNEL("WAIT:\nadd.u32 %r5, %r1, 1;\n" store "ld.volatile.shared.u32 %r3, [tile];\n"                                           \
           "setp.eq.u32 %p1, %r3, 0;\n@%p1 bra WAIT;\n")

/* A dropped store changes nothing: a thread that loops with one counts as waiting. */
TEST(test_dropped_in_a_wait)
{
    static const char *const texts[] = {
        WAIT("st.global.u32 [%rd2+1024], %r5;\n"),
        WAIT("st.global.u8 [%rd2+1024], %r5;\n"),
        WAIT("st.global.v2.u32 [%rd1+1024], {%r5, %r5};\n"),
        WAIT("atom.global.add.u32 %r6, [%rd2+1024], 1;\n"),
        WAIT("atom.global.add.f32 %r6, [%rd2+1024], 0f3F800000;\n"),
        WAIT("atom.global.add.f64 %rd6, [%rd1+1024], 0d3FF0000000000000;\n"),
    };
    u32 buffer[WORDS];
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        assert_int_equal(run("k.ptx", texts[n], lenient(32), 1, buffer), WS_STATUS_bad_input);
        if (!strstr(error.message, ": waits for ever for what no other thread does; it loops from line "))
            fail_msg("%s: %s", texts[n], error.message);
    }
}

/* A dropped access races with nothing; accesses next to it do. */
TEST(test_races)
{
    u32 buffer[WORDS];
    assert_int_equal(
        run("k.ptx",
            KERNEL("st.global.u32 [%rd1+1024], %r1;\nld.global.u32 %r3, [%rd1+1024];\n"
                   "atom.global.exch.b32 %r4, [%rd1+1024], %r1;\nadd.u32 %r3, %r3, %r4;\nst.global.u32 [%rd2], %r3;\n"),
            lenient(32), 1, buffer),
        WS_STATUS_ok);
    assert_int_equal(told.races, 0);
    assert_non_null(strstr(told.note, "loads that read zeros: 64, stores and atomics that were dropped: 128; "));
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(buffer[n], 0);
    assert_int_equal(
        run("k.ptx", KERNEL("st.global.u32 [%rd1+1024], %r1;\nst.global.u32 [%rd1+508], %r1;\n"), lenient(32), 1, buffer),
        WS_STATUS_ok);
    assert_int_equal(told.races, 2); /* of lanes, and of warps */
    assert_non_null(strstr(told.race, "store at byte 508 of buffer, after the store of block (0,0,0), thread "));
}

#define VARIABLES(of)                                                                                                              \
    ".version 6.0\n.target sm_70\n.address_size 64\n.global .align 4 .b8 gap[6];\n.global .align 4 .b8 first[256];\n"              \
    ".global .align 4 .b8 second[260];\n.visible .entry k(.param .u64 buffer)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"           \
    "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nmov.u64 %rd2, first;\nmov.u64 %rd3, second;\nadd.s64 %rd2, %rd2, %rd1;\n"   \
    "add.s64 %rd3, %rd3, %rd1;\nadd.u32 %r2, %r1, 1;\nst.global.u32 [%rd3], %r2;\nld.global.u32 %r3, [" of "];\nret;\n}\n"

/* Variables far apart are separate memory. */
TEST(test_races_of_variables)
{
    u32 buffer[WORDS];
    assert_int_equal(run("k.ptx", VARIABLES("%rd2"), lenient(32), 1, buffer), WS_STATUS_ok);
    assert_int_equal(told.races, 0);
    assert_int_equal(run("k.ptx", VARIABLES("%rd3+4"), lenient(32), 1, buffer), WS_STATUS_ok);
    assert_int_equal(told.races, 2);
    assert_non_null(strstr(told.race, "store at byte 128 of second, after the load of block (0,0,0), thread (31,0,0), "));
    assert_string_equal(told.note, "");
}

#define FILES "\t.file\t1 \"dir/k.cl\"\n\t.file\t2 \"u.h\"\n"

/* Messages about a compiled program name source lines. */
TEST(test_places)
{
    struct ws_frontend_options options = lenient(32);
    u32 buffer[WORDS];
    options.compiled = true;
    assert_int_equal(run("k.cl",
                         KERNEL(".loc 1 5 0\nst.shared.u32 [%rd3], %r1;\n.loc 2 7 0\nld.shared.u32 %r3, [%rd3+4];\n"
                                ".loc 1 8 0\nld.global.u32 %r3, [%rd2+1024];\n") FILES,
                         options, 1, buffer),
                     WS_STATUS_ok);
    assert_int_equal(told.races, 2);
    if (strncmp(told.first_race, "u.h:7: kernel k, ", 17) != 0 || !strstr(told.first_race, ", line 5, pc "))
        fail_msg("%s", told.first_race);
    if (strncmp(told.race, "k.cl:5: kernel k, ", 18) != 0 || !strstr(told.race, ", line 7, pc "))
        fail_msg("%s", told.race);
    assert_non_null(strstr(told.note, "; the first: k.cl:8: kernel k, block (0,0,0), thread (0,0,0), pc "));
    assert_int_equal(run("k.cl",
                         KERNEL(".loc 1 5 0\nWAIT:\nld.volatile.shared.u32 %r3, [tile];\nsetp.eq.u32 %p1, %r3, 0;\n.loc 1 6 0\n"
                                "@%p1 bra WAIT;\n") FILES,
                         options, 1, buffer),
                     WS_STATUS_bad_input);
    assert_non_null(strstr(error.message, "k.cl:5: kernel k, block (0,0,0), thread (0,0,0), pc "));
    assert_non_null(strstr(error.message, "it loops from line 5 to line 6, pc "));
}
