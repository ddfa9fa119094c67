/* The bytes of a small trace, as the example of docs/trace-format.md works them out. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "unit/trace/container.h"
#include "unit/trace/sample.h"

static const char file[] = "trace_format.wst";
static const u32 spaces = 1u << WS_SPACE_global | 1u << WS_SPACE_shared;

static const u8 head[] = {
    2,    0,    0,    0,    1,    0,    0,    0,    1,   0, 0, 0,             /* grid */
    2,    0,    0,    0,    1,    0,    0,    0,    1,   0, 0, 0,             /* block */
    4,    0,    0,    0,    64,   0,    0,    0,    6,   0, 0, 0, 2, 0, 0, 0, /* registers, shared bytes, instructions, segments */
    32,   0,    0,    0,                                                      /* lockstep */
    0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01,                           /* digest */
    6,    0,    's',  'a',  'm',  'p',  'l',  'e',                            /* kernel */
    7,    0,    'b',  'y',  ' ',  'h',  'a',  'n',  'd',                      /* source */
};

static const u8 program[6][25] = {
    {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3},  /* guarded int, of kind mad */
    {4, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4},  /* load */
    {7, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5},  /* branch to 1, reconverging at 3 */
    {5, 2, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6},  /* store */
    {8, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7},  /* jump to 5 */
    {10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8}, /* exit */
};

static const u8 tail[] = {
    0, 0, 1, 0, 0, 0, 0, 0, 0,   16, 0, 0, 0, 0, 0, 0, /* segments */
    0, 0, 4, 0, 0, 0, 0, 0, 100, 0,  0, 0, 0, 0, 0, 0,
};

enum { LAUNCH = sizeof head + sizeof program + sizeof tail, AT_LOCKSTEP = 40, AT_KIND = 20, AFTER_KIND = 4, PROGRAM = 6 };

static u8 *put(u8 *to, const void *from, size_t length)
{
    memcpy(to, from, length);
    return to + length;
}

/* The launch's frame in a version of the format; returns its length. */
static u32 launch_bytes(u32 version, u8 launch[LAUNCH])
{
    const size_t lockstep = version < 3 ? 4 : 0; /* missing bytes */
    u8 *end = put(launch, head, AT_LOCKSTEP);
    end = put(end, head + AT_LOCKSTEP + lockstep, sizeof head - AT_LOCKSTEP - lockstep);
    for (u32 n = 0; n < PROGRAM; n++) {
        end = put(end, program[n], AT_KIND);
        if (version > 1)
            end = put(end, program[n] + AT_KIND, 1);
        end = put(end, program[n] + AT_KIND + 1, AFTER_KIND);
    }
    return (u32)(put(end, tail, sizeof tail) - launch);
}

static const u8 streams[] = {
    0, 4, 4, 6, 0x06, 0x80, 0x80, 0x02, 2, 2, 0, /* block 0, thread 0 */
    1, 5, 5, 5, 0x0E, 0x20, 2,    2,    0, 2,    /* thread 1 */
    2, 4, 4, 6, 0x07, 0x80, 0x80, 0x02, 2, 2, 0, /* block 1, thread 0 */
    3, 5, 5, 5, 0x0F, 0x20, 2,    2,    0, 2,    /* thread 1 */
};

static const u8 table[] = {
    10, 4, 3, 1, 0, 0, 0, /* block 0, thread 0 */
    12, 5, 4, 1, 0, 0, 0, /* thread 1 */
    10, 4, 3, 1, 0, 0, 0, /* block 1, thread 0 */
    12, 5, 4, 1, 0, 0, 0, /* thread 1 */
};

TEST(contents_are_those_of_the_example)
{
    struct container container;
    u8 launch[LAUNCH];
    assert_int_equal(launch_bytes(3, launch), LAUNCH);
    sample_write(file);
    container_read(file, &container);
    assert_int_equal(container.version, 3);
    assert_int_equal(container.sections, 1);
    assert_int_equal(container.section[0].blocks, 2);
    assert_int_equal(container.section[0].frames, 2);
    assert_int_equal(container.frame[0].length, sizeof launch);
    assert_memory_equal(container.frame[0].data, launch, sizeof launch);
    assert_int_equal(container.frame[1].length, sizeof streams);
    assert_memory_equal(container.frame[1].data, streams, sizeof streams);
    assert_int_equal(container.frame[2].length, sizeof table);
    assert_memory_equal(container.frame[2].data, table, sizeof table);
    container_free(&container);
    unlink(file);
}

/* The same trace in older versions: without the lockstep width, and in version 1 without instruction kinds. */
static void read_older(u32 version)
{
    struct container container;
    struct ws_trace *trace;
    struct ws_image *image;
    u8 launch[LAUNCH];
    sample_write(file);
    container_read(file, &container);
    container.version = version;
    const u32 length = launch_bytes(version, launch);
    assert_int_equal(length, LAUNCH - 4 - (version == 1 ? PROGRAM : 0));
    container_set(&container, 0, launch, length);
    container_write(file, &container);
    container_free(&container);
    EXPECT_OK(ws_trace_open(file, &trace, &error));
    for (u32 pc = 0; pc < SAMPLE_INSTRUCTIONS; pc++) {
        struct ws_instruction expected = sample_program[pc];
        if (version == 1)
            expected.kind = WS_KIND_other;
        assert_memory_equal(&ws_trace_launch(trace)->program[pc], &expected, sizeof expected);
    }
    assert_int_equal(ws_trace_launch(trace)->lockstep, 0);
    assert_int_equal(ws_trace_launch(trace)->digest, 0x0123456789ABCDEF);
    assert_int_equal(ws_trace_check(file, NULL), WS_STATUS_ok);
    assert_int_equal(ws_image_load(trace, 0, 1, spaces, &image, NULL), WS_STATUS_ok);
    assert_int_equal(image->thread_instructions, 44);
    ws_image_free(image);
    ws_trace_close(trace);
    unlink(file);
}

TEST(older_versions_are_read)
{
    read_older(1);
    read_older(2);
}

/* Registers given by the launch follow lockstep in a file of version 4, and simulations use them. */
TEST(given_registers_are_version_4)
{
    enum { GIVEN = 0x01020304, AFTER_LOCKSTEP = AT_LOCKSTEP + 4 };
    static const u8 given[] = {4, 3, 2, 1};
    struct container container;
    struct ws_trace *trace;
    struct ws_image *image;
    u8 launch[LAUNCH];
    launch_bytes(3, launch);
    sample_write_given(file, GIVEN);
    container_read(file, &container);
    assert_int_equal(container.version, 4);
    assert_int_equal(container.frame[0].length, LAUNCH + sizeof given);
    assert_memory_equal(container.frame[0].data, launch, AFTER_LOCKSTEP);
    assert_memory_equal(container.frame[0].data + AFTER_LOCKSTEP, given, sizeof given);
    assert_memory_equal(container.frame[0].data + AFTER_LOCKSTEP + sizeof given, launch + AFTER_LOCKSTEP, LAUNCH - AFTER_LOCKSTEP);
    container_free(&container);
    assert_int_equal(ws_trace_check(file, NULL), WS_STATUS_ok);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    assert_int_equal(ws_trace_launch(trace)->registers, 4);
    assert_int_equal(ws_trace_launch(trace)->given_registers, GIVEN);
    assert_int_equal(ws_image_load(trace, 0, 1, spaces, &image, NULL), WS_STATUS_ok);
    assert_int_equal(image->registers, GIVEN);
    ws_image_free(image);
    ws_trace_close(trace);
    unlink(file);
}

static void expect_program(const struct ws_instruction expected[SAMPLE_INSTRUCTIONS])
{
    struct ws_trace *trace;
    assert_int_equal(ws_trace_check(file, NULL), WS_STATUS_ok);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    assert_memory_equal(ws_trace_launch(trace)->program, expected, SAMPLE_INSTRUCTIONS * sizeof *expected);
    ws_trace_close(trace);
    unlink(file);
}

/* A matrix product requires version 5, includes the field of version 4, and may have a guard. */
TEST(products_of_matrices_are_version_5)
{
    enum { AFTER_LOCKSTEP = AT_LOCKSTEP + 4, GIVEN = 4, AT_PROGRAM = sizeof head + GIVEN };
    struct ws_instruction changed[SAMPLE_INSTRUCTIONS];
    struct container container;
    memcpy(changed, sample_program, sizeof changed);
    changed[0].class_ = WS_CLASS_tensor;
    changed[0].kind = WS_KIND_other;
    sample_write_program(file, changed);
    container_read(file, &container);
    assert_int_equal(container.version, 5);
    assert_int_equal(container.frame[0].length, LAUNCH + GIVEN);
    assert_memory_equal(container.frame[0].data + AFTER_LOCKSTEP, "\0\0\0\0", GIVEN);
    assert_int_equal(container.frame[0].data[AT_PROGRAM], 11);
    assert_int_equal(container.frame[0].data[AT_PROGRAM + 2], WS_GUARDED);
    container_free(&container);
    expect_program(changed);
}

/* So does a barrier for part of the block: its number is stored in place of the bytes, its threads in place of the target. */
TEST(barriers_for_part_of_a_block_are_version_5)
{
    enum { AT_BARRIER = sizeof head + 4 + 4 * 25 };
    static const u8 barrier[6] = {9, 0, WS_NAMED | WS_ARRIVES, 15, 0x20, 0x01};
    struct ws_instruction changed[SAMPLE_INSTRUCTIONS];
    struct container container;
    memcpy(changed, sample_program, sizeof changed);
    changed[4].class_ = WS_CLASS_barrier;
    changed[4].flags = WS_NAMED | WS_ARRIVES;
    changed[4].bytes = 15;
    changed[4].target = 0x120;
    sample_write_program(file, changed);
    container_read(file, &container);
    assert_int_equal(container.version, 5);
    assert_memory_equal(container.frame[0].data + AT_BARRIER, barrier, sizeof barrier);
    container_free(&container);
    expect_program(changed);
}

/* Cache operators and asynchronous copies require version 7: flags, and for a wait its number of groups. */
TEST(copies_are_version_7)
{
    enum { AT_PROGRAM = sizeof head + 4, EACH = 25 };
    struct ws_instruction changed[SAMPLE_INSTRUCTIONS];
    struct container container;
    memcpy(changed, sample_program, sizeof changed);
    changed[0].flags |= WS_AWAITS;
    changed[0].bytes = 3;
    changed[1].flags |= WS_BYPASS | WS_ASYNC;
    changed[3].flags |= WS_ASYNC;
    sample_write_program(file, changed);
    container_read(file, &container);
    assert_int_equal(container.version, 7);
    assert_memory_equal(container.frame[0].data + AT_PROGRAM + 2, "\x41\3", 2);
    assert_int_equal(container.frame[0].data[AT_PROGRAM + EACH + 2], 48);
    assert_int_equal(container.frame[0].data[AT_PROGRAM + 3 * EACH + 2], 32);
    container_free(&container);
    expect_program(changed);
}

/* Machine code requires version 6: a separate frame after the launch's; simulations have the same image. */
TEST(machine_code_is_version_6)
{
    static const u8 code[] = {
        86,   0,    0,    0,    4,    0,    'c',  'c', ' ', '1', 1, 0, 4, 0, 'k', '.', 'c',  'u', /* architecture, compiler, file */
        16,   0,    0,    0,    0xF1, 0xFF, 0x1F, 0,   7,   0,   0, 0, 1, 0, 2,   3,   'I',  'M', 'A', 2,
        'a',  'd',                                                                                        /* two operands */
        2,    2,    3,    1,    3,    0,    0,    0,   0,   0,   1, 5, 3, 2, 4,   0,   0x60, 1,   0,   0, /* @P3, c[4][0x160]*2 */
        32,   0,    0,    0,    0xE2, 7,    0,    0,   0,   0,   0, 0, 0, 0, 0,   3,   'L',  'D', 'G', 0, /* */
        48,   0,    0,    0,    0xE5, 7,    0,    0,   0,   0,   0, 0, 0, 0, 0,   3,   'B',  'R', 'A', 0, /* */
        64,   0,    0,    0,    0xE1, 7,    0,    0,   0,   0,   0, 0, 0, 0, 0,   3,   'S',  'T', 'S', 0, /* */
        80,   0,    0,    0,    0xE5, 7,    0,    0,   0,   0,   0, 0, 0, 0, 0,   3,   'B',  'R', 'A', 0, /* */
        0xFF, 0xFF, 0xFF, 0xFF, 0xF1, 7,    0,    0,   0,   0,   0, 0, 0, 0, 0,   0,   0, /* marks missing machine code */
    };
    struct container container;
    struct ws_trace *trace;
    struct ws_image *image;
    sample_write_code(file);
    container_read(file, &container);
    assert_int_equal(container.version, 6);
    assert_int_equal(container.frame[CONTAINER_CODE].length, sizeof code);
    assert_memory_equal(container.frame[CONTAINER_CODE].data, code, sizeof code);
    container_free(&container);
    assert_int_equal(ws_trace_check(file, NULL), WS_STATUS_ok);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    const struct ws_machine_instruction *const first = ws_trace_launch(trace)->code->instructions;
    const struct ws_sass_control control = ws_sass_control_of(first->control), none = ws_sass_control_of(WS_CODE_NO_CONTROL);
    assert_int_equal(first->operands[1].offset, 0x160);
    assert_memory_equal(&control, (&(struct ws_sass_control){1, 0, 7, 7, 63, 15}), sizeof control);
    assert_memory_equal(&none, (&(struct ws_sass_control){1, 0, 7, 7, 0, 0}), sizeof none);
    assert_int_equal(ws_image_load(trace, 0, 1, spaces, &image, NULL), WS_STATUS_ok);
    assert_int_equal(image->thread_instructions, 44);
    assert_int_equal(image->word_count, 2 * (32 + 5 * 32));
    ws_image_free(image);
    ws_trace_close(trace);
    unlink(file);
}

/* Both groups of the image: blocks of two threads, in lanes 0 and 1. */
TEST(image_is_that_of_the_example)
{
    struct ws_trace *trace;
    struct ws_image *image;
    sample_write(file);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    assert_int_equal(ws_image_load(trace, 0, 1, spaces, &image, NULL), WS_STATUS_ok);
    assert_int_equal(image->blocks, 2);
    assert_int_equal(image->groups_per_block, 1);
    assert_int_equal(image->word_count, 2 * (32 + 5 * 32));
    assert_int_equal(image->thread_instructions, 44);
    for (u32 block = 0; block < 2; block++) {
        const u32 *const decisions = image->words + image->groups[block].decisions;
        const u32 *const accesses = image->words + image->groups[block].accesses;
        assert_int_equal(decisions[0], 0x06 | block);
        assert_int_equal(decisions[1], 0x0E | block);
        const u32 expected[2][5] = {{0, 0, 0, 0, 0}, {2, 2, 2, 2, 2}};
        for (u32 n = 0; n < 5; n++)
            for (u32 lane = 0; lane < 2; lane++)
                assert_int_equal(accesses[n * 32 + lane], expected[lane][n]);
    }
    ws_image_free(image);
    assert_int_equal(ws_image_load(trace, 1, 2, 1u << WS_SPACE_shared, &image, NULL), WS_STATUS_ok);
    assert_int_equal(image->blocks, 1);
    assert_int_equal(image->word_count, 32 + 32);
    assert_int_equal(image->program[1].flags, 0);
    assert_int_equal(image->program[3].flags, WS_ADDRESSED);
    assert_int_equal(image->words[image->groups[0].decisions], 0x07);
    assert_int_equal(image->words[image->groups[0].accesses + 1], 2);
    ws_image_free(image);
    ws_trace_close(trace);
    unlink(file);
}
