/* The bytes of a small trace, as the example of docs/trace-format.md works them out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/trace_container.h"
#include "unit/trace_sample.h"

static const char file[] = "trace_format.wst";

static const u8 launch[] = {
    2,    0,    0,    0,    1,    0,    0,    0,    1,   0,  0, 0,             /* grid */
    2,    0,    0,    0,    1,    0,    0,    0,    1,   0,  0, 0,             /* block */
    4,    0,    0,    0,    64,   0,    0,    0,    6,   0,  0, 0, 2, 0, 0, 0, /* registers, shared bytes, instructions, segments */
    0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01,                            /* digest */
    6,    0,    's',  'a',  'm',  'p',  'l',  'e',                             /* kernel */
    7,    0,    'b',  'y',  ' ',  'h',  'a',  'n',  'd',                       /* source */
    0,    0,    1,    0,    0,    0,    0,    0,    0,   0,  0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    3,    0,    0,    0, /* guarded int */
    4,    1,    0,    4,    0,    0,    0,    0,    0,   0,  0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    4,    0,    0,    0, /* load */
    7,    0,    0,    0,    1,    0,    3,    0,    0,   0,  0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    5,    0,    0,    0, /* branch to 1, reconverging at 3 */
    5,    2,    0,    8,    0,    0,    0,    0,    0,   0,  0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    6,    0,    0,    0, /* store */
    8,    0,    0,    0,    5,    0,    0,    0,    0,   0,  0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    7,    0,    0,    0, /* jump to 5 */
    10,   0,    0,    0,    0,    0,    0,    0,    0,   0,  0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    8,    0,    0,    0,                               /* exit */
    0,    0,    1,    0,    0,    0,    0,    0,    0,   16, 0, 0, 0, 0, 0, 0, /* segments */
    0,    0,    4,    0,    0,    0,    0,    0,    100, 0,  0, 0, 0, 0, 0, 0,
};

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

static void contents_are_those_of_the_example(void **unused)
{
    struct container container;
    (void)unused;
    sample_write(file);
    container_read(file, &container);
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

/* Both groups of the image: blocks of two threads, in lanes 0 and 1. */
static void image_is_that_of_the_example(void **unused)
{
    struct ws_trace *trace;
    struct ws_image *image;
    (void)unused;
    sample_write(file);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    assert_int_equal(ws_image_load(trace, 0, 1, WS_REPLAYED_SPACES, &image, NULL), WS_STATUS_ok);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_are_those_of_the_example),
        cmocka_unit_test(image_is_that_of_the_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
