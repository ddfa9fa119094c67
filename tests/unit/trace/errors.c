/* Wrong files and wrong contents: the exact words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/trace/container.h"
#include "unit/trace/sample.h"

static const char file[] = "trace_errors.wst";
static const u32 spaces = 1u << WS_SPACE_global | 1u << WS_SPACE_shared;

static int remove_file(void **unused)
{
    (void)unused;
    remove(file);
    return 0;
}

static void check_open(const char *path, enum ws_status status, const char *message)
{
    struct ws_error error = {.message = ""};
    struct ws_trace *trace;
    assert_int_equal(ws_trace_open(path, &trace, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, status);
    assert_null(trace);
    assert_int_equal(ws_trace_open(path, &trace, NULL), status);
}

/* Opens and loads the file; one of the two must fail, with the file's name and the expected message. */
static void check_refused(const char *expected)
{
    struct ws_error error = {.message = ""};
    struct ws_trace *trace;
    struct ws_image *image = NULL;
    enum ws_status status = ws_trace_open(file, &trace, &error);
    if (status == WS_STATUS_ok) {
        status = ws_image_load(trace, 0, 1, spaces, &image, &error);
        assert_null(image);
        assert_int_equal(ws_image_load(trace, 0, 1, spaces, &image, NULL), status);
    }
    ws_trace_close(trace);
    assert_int_equal(status, WS_STATUS_bad_input);
    assert_int_equal(strncmp(error.message, "trace_errors.wst: ", 18), 0);
    assert_string_equal(error.message + 18, expected);
}

TEST_WITH(files_that_are_no_traces, NULL, remove_file)
{
    static const u8 foreign[] = "PK\3\4 something else altogether";
    static const u8 version_8[] = "\x89WST\r\n\x1a\n\10\0\0\0\0\0\0\0 more", version_0[] = "\x89WST\r\n\x1a\n\0\0\0\0\0\0\0\0 more";
    static const u8 only_preamble[] = "\x89WST\r\n\x1a\n\1\0\0\0\0\0\0";
    check_open("no_such.wst", WS_STATUS_no_file, "no_such.wst: cannot be read: No such file or directory");
    check_open(".", WS_STATUS_no_file, ".: is not a regular file");
    bytes_write(file, foreign, 0);
    check_open(file, WS_STATUS_bad_input, "trace_errors.wst: is not a trace: 0 bytes are less than a trace's preamble");
    bytes_write(file, foreign, sizeof foreign);
    check_open(file, WS_STATUS_bad_input, "trace_errors.wst: is not a trace: its first 8 bytes are not a trace's signature");
    bytes_write(file, version_8, sizeof version_8);
    check_open(file, WS_STATUS_bad_input,
               "trace_errors.wst: is a trace of version 8; this program reads versions 1 to 7; build or import it again");
    bytes_write(file, version_0, sizeof version_0);
    check_open(file, WS_STATUS_bad_input,
               "trace_errors.wst: is a trace of version 0; this program reads versions 1 to 7; build or import it again");
    bytes_write(file, only_preamble, sizeof only_preamble);
    check_open(file, WS_STATUS_bad_input, "trace_errors.wst: ends early, at byte 16: it has no trailer");
}

TEST_WITH(a_file_cut_short, NULL, remove_file)
{
    size_t length;
    sample_write(file);
    u8 *const bytes = bytes_read(file, &length);
    bytes_write(file, bytes, 200);
    check_open(file, WS_STATUS_bad_input,
               "trace_errors.wst: ends early, at byte 200: its last 8 bytes are not a trailer's signature");
    bytes[20] ^= 1;
    bytes_write(file, bytes, length);
    check_open(file, WS_STATUS_bad_input, "trace_errors.wst: launch: frame at byte 16 is damaged: its digest differs");
    free(bytes);
}

/* Changes a frame's contents behind valid digests: `length` bytes at `at` are replaced. */
struct change {
    u32 frame, at, length;
    u8 bytes[8];
    const char *message;
};

static void check_changes_of(void (*write)(const char *path), const struct change *changes, size_t count)
{
    struct container container;
    for (size_t n = 0; n < count; n++) {
        const struct change *const change = &changes[n];
        write(file);
        container_read(file, &container);
        assert_true(change->at + change->length <= container.frame[change->frame].length);
        memcpy(container.frame[change->frame].data + change->at, change->bytes, change->length);
        container_write(file, &container);
        container_free(&container);
        check_refused(change->message);
    }
}

static void check_changes(const struct change *changes, size_t count)
{
    check_changes_of(sample_write, changes, count);
}

/* Positions are those of the code in trace_format.c. */
TEST_WITH(code_that_contradicts_itself, NULL, remove_file)
{
    enum { CODE = CONTAINER_CODE, FIRST = 18 };
    static const struct change changes[] = {
        {CODE, 4, 2, {9}, "code: its parts do not fill its frame exactly"},
        {CODE, 10, 2, {255, 255}, "code: its parts do not fill its frame exactly"},
        {CODE, 14, 1, {0}, "code: its parts do not fill its frame exactly"},
        {CODE, FIRST, 1, {8}, "code: machine code of instruction 0 of 6: an offset that is no multiple of 16"},
        {CODE, FIRST + 6, 1, {0x20}, "code: machine code of instruction 0 of 6: more than 21 control bits"},
        {CODE, FIRST + 12, 2, {2}, "code: machine code of instruction 0 of 6: an unknown file of the source"},
        {CODE, FIRST + 14, 1, {25}, "code: its parts do not fill its frame exactly"},
        {CODE, FIRST + 15, 1, {200}, "code: its parts do not fill its frame exactly"},
        {CODE, FIRST + 16, 1, {0}, "code: its parts do not fill its frame exactly"},
        {CODE, FIRST + 22, 1, {4}, "code: machine code of instruction 0 of 6: an unknown role of an operand"},
        {CODE, FIRST + 23, 1, {7}, "code: machine code of instruction 0 of 6: an unknown file of registers"},
        {CODE, FIRST + 24, 1, {4}, "code: machine code of instruction 0 of 6: an unknown source slot"},
        {CODE, FIRST + 25, 1, {17}, "code: machine code of instruction 0 of 6: an operand of 0 or more than 16 words"},
        {CODE, FIRST + 25, 1, {0}, "code: machine code of instruction 0 of 6: an operand of 0 or more than 16 words"},
        {CODE, FIRST + 26, 1, {7}, "code: machine code of instruction 0 of 6: an unknown register, constant bank or counter"},
        {CODE,
         FIRST + 28,
         1,
         {1},
         "code: machine code of instruction 0 of 6: a constant or counter that is no source, or an offset of a register"},
        {CODE,
         FIRST + 32,
         1,
         {0},
         "code: machine code of instruction 0 of 6: a constant or counter that is no source, or an offset of a register"},
    };
    check_changes_of(sample_write_code, changes, sizeof changes / sizeof *changes);
}

/* A writer refuses it as a reader does. */
TEST_WITH(code_of_another_program, NULL, remove_file)
{
    struct ws_launch launch = sample_launch;
    struct ws_machine_code code = sample_code;
    struct ws_trace_writer *writer;
    launch.code = &code;
    code.instruction_count--;
    EXPECT_ERROR(ws_trace_writer_open(file, &launch, &writer, &error), WS_STATUS_bad_input,
                 "trace_errors.wst: machine code of 5 instructions, the program has 6");
    code = sample_code;
    code.file_count = 65536;
    EXPECT_ERROR(ws_trace_writer_open(file, &launch, &writer, &error), WS_STATUS_bad_input,
                 "trace_errors.wst: 65536 source files, a compiler named in 4 bytes: at most 65535 and 4096 are allowed");
}

/* Positions are those of the example in trace_format.c. */
TEST_WITH(launches_that_contradict_themselves, NULL, remove_file)
{
    static const struct change changes[] = {
        {0, 0, 4, {0}, "launch: grid of 0 x 1 x 1: from 1 to 4294967295 in all are allowed"},
        {0, 12, 8, {0, 1, 0, 0, 0, 1, 0, 0}, "launch: block of 256 x 256 x 1: from 1 to 32768 in all are allowed"},
        {0, 0, 4, {3}, "index: sections of 2 blocks, the launch has 3"},
        {0, 32, 4, {7}, "launch: its parts do not fill its frame exactly"},
        {0, 36, 4, {3}, "launch: its parts do not fill its frame exactly"},
        {0, 40, 4, {1, 128}, "launch: warps of 32769 threads: at most 32768 are allowed"},
        {0, 52, 2, {7}, "launch: its parts do not fill its frame exactly"},
        {0, 69, 1, {12}, "launch: instruction 0 of 6 (line 3): unknown class 12"},
        {0, 169, 1, {11}, "launch: a file of version 3 has instructions of version 5"},
        {0, 70, 1, {6}, "launch: instruction 0 of 6 (line 3): unknown memory space 6"},
        {0, 70, 1, {1}, "launch: instruction 0 of 6 (line 3): only loads, stores and atomics have a memory space: space 1"},
        {0, 121, 1, {1}, "launch: instruction 2 of 6 (line 5): a guard on a branch, jump or barrier: flags 1"},
        {0, 123, 2, {6, 0}, "launch: instruction 2 of 6 (line 5): target outside the program: 6"},
        {0, 125, 2, {6, 0}, "launch: instruction 2 of 6 (line 5): reconvergence point outside the program: 6"},
        {0, 89, 1, {8}, "launch: instruction 0 of 6 (line 3): unknown kind 8"},
        {0, 114, 1, {3}, "launch: instruction 1 of 6 (line 4): only arithmetic has a kind of its own: kind 3"},
        {0, 137, 1, {7}, "launch: instruction 2 of 6 (line 5): more source registers than there is room for: 7"},
        {0, 138, 1, {5}, "launch: instruction 2 of 6 (line 5): more destination registers than there is room for: 5"},
        {0, 219, 1, {1}, "launch: segment 0 (address 0x10001, 4096 bytes) does not begin at a multiple of 64 KB"},
        {0, 229, 1, {4}, "launch: segment 1 (address 0x40000, 100 bytes) overlaps the one before or lies below it"},
        {0,
         243,
         8,
         {255, 255, 255, 255, 255, 255, 255, 255},
         "launch: segment 1 (address 0x40000, 18446744073709551615 bytes) passes the end of the address space"},
        {0,
         247,
         1,
         {16},
         "segments up to address 0x1000040064 take 2147487744 granules of 32 bytes; a simulation has room for 1023410176"},
    };
    check_changes(changes, sizeof changes / sizeof *changes);
}

TEST_WITH(instructions_with_flags_that_contradict_them, NULL, remove_file)
{
    static const struct change changes[] = {
        {0, 71, 1, {2}, "launch: instruction 0 of 6 (line 3): unknown flags 2"},
        {0,
         71,
         1,
         {16},
         "launch: instruction 0 of 6 (line 3): a cache operator or an asynchronous copy of another instruction: flags 16"},
        {0,
         71,
         1,
         {96},
         "launch: instruction 0 of 6 (line 3): a cache operator or an asynchronous copy of another instruction: flags 96"},
        {0, 71, 1, {32}, "launch: a file of version 3 has instructions of version 7"},
        {0, 71, 2, {64, 63}, "launch: a file of version 3 has instructions of version 7"},
        {0, 71, 1, {4}, "launch: instruction 0 of 6 (line 3): only a barrier is for part of the block: flags 4"},
        {0, 169, 3, {9, 0, 8}, "launch: instruction 4 of 6 (line 7): only a barrier is for part of the block: flags 8"},
        {0, 169, 4, {9, 0, 4, 16}, "launch: instruction 4 of 6 (line 7): a block has barriers 0 to 15: barrier 16"},
        {0, 169, 6, {9, 0, 4, 15, 0, 0}, "launch: instruction 4 of 6 (line 7): a barrier for no thread: threads 0"},
        {0, 169, 5, {9, 0, 4, 15, 32}, "launch: a file of version 3 has instructions of version 5"},
        {0,
         72,
         1,
         {4},
         "launch: instruction 0 of 6 (line 3): bytes accessed must be 1, 2, 4, 8 or 16, without an access 0, of a wait at most 63: "
         "bytes 4"},
        {0,
         97,
         1,
         {12},
         "launch: instruction 1 of 6 (line 4): bytes accessed must be 1, 2, 4, 8 or 16, without an access 0, of a wait at most 63: "
         "bytes 12"},
    };
    check_changes(changes, sizeof changes / sizeof *changes);
}

TEST_WITH(streams_that_contradict_their_program, NULL, remove_file)
{
    static const struct change changes[] = {
        {1, 1, 1, {5}, "block 0, thread 0, after 1 instructions: more decisions than the table says"},
        {1, 4, 1, {0x16}, "block 0, thread 0, after 1 instructions: unused bits behind its decisions are set"},
        {1, 4, 1, {0x0E}, "block 0, thread 0, after 9 instructions: its streams are shorter than its path"},
        {1, 4, 1, {0x02}, "block 0, thread 0, after 8 instructions: its streams are longer than its path"},
        {1, 7, 1, {0x04}, "block 0, thread 0, after 3 instructions: address outside all segments"},
        {1, 10, 1, {0x10}, "block 0, thread 0, after 10 instructions: address outside shared memory"},
        {1, 10, 1, {0x80}, "block 0, thread 0, after 10 instructions: addresses end inside a number"},
        {0, 173, 1, {4}, "block 0, thread 0, after 9 instructions: its path leaves the program or jumps for ever"},
        {0, 194, 1, {0}, "block 0, thread 0, after 10 instructions: its path leaves the program or jumps for ever"},
        {2, 0, 1, {11}, "block 0, thread 0, after 10 instructions: its path is not what the table says"},
        {2, 2, 1, {2}, "block 0, thread 0, after 10 instructions: more accesses than the table says"},
        {2, 9, 1, {100}, "table: thread 1 of the section claims more than its streams hold"},
        {2, 8, 2, {0xFF, 0x7F}, "table: thread 1 of the section claims more than its streams hold"},
        {2, 0, 1, {0x8A}, "table: does not have exactly 4 threads"},
    };
    check_changes(changes, sizeof changes / sizeof *changes);
}

TEST_WITH(chunks_that_are_not_sound, NULL, remove_file)
{
    static const struct {
        u32 at;
        u8 byte;
        u32 chunk;
    } changes[] = {
        {0, 9, 0},     /* a thread of a block that the section does not have */
        {32, 1, 32},   /* block 0 again, after block 1 */
        {3, 99, 0},    /* residuals beyond the frame's end */
        {33, 127, 32}, /* decisions beyond it */
    };
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) {
        struct container container;
        struct ws_trace *trace;
        struct ws_image *image;
        struct ws_error error;
        char end[80];
        sample_write(file);
        container_read(file, &container);
        container.frame[1].data[changes[n].at] = changes[n].byte;
        container_write(file, &container);
        container_free(&container);
        snprintf(end, sizeof end, ": chunk at byte %u of its contents is not sound", changes[n].chunk);
        assert_int_equal(ws_trace_open(file, &trace, &error), WS_STATUS_ok);
        assert_int_equal(ws_image_load(trace, 0, 1, spaces, &image, &error), WS_STATUS_bad_input);
        assert_non_null(strstr(error.message, end));
        assert_int_equal(strncmp(error.message, "trace_errors.wst: frame at byte ", 32), 0);
        ws_trace_close(trace);
    }
}

/* The program becomes a loop of private accesses without a decision; the first chunk claims 2^64 - 1 of them and holds none. */
TEST_WITH(a_chunk_of_more_accesses_than_bytes, NULL, remove_file)
{
    static const u8 chunk[] = {0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0};
    struct container container;
    struct ws_trace *trace;
    struct ws_image *image;
    u8 streams[256];
    sample_write(file);
    container_read(file, &container);
    container.frame[0].data[91] = WS_SPACE_local;
    container.frame[0].data[115] = WS_CLASS_jump;
    const u32 length = container.frame[1].length;
    assert_true(sizeof chunk + length <= sizeof streams);
    memcpy(streams, chunk, sizeof chunk);
    memcpy(streams + sizeof chunk, container.frame[1].data, length);
    container_set(&container, 1, streams, (u32)sizeof chunk + length);
    container_write(file, &container);
    container_free(&container);
    EXPECT_OK(ws_trace_open(file, &trace, &error));
    EXPECT_ERROR_HAS(ws_image_load(trace, 0, 1, spaces, &image, &error), WS_STATUS_bad_input,
                     ": chunk at byte 0 of its contents is not sound");
    ws_trace_close(trace);
}

TEST_WITH(shards_that_are_not_there, NULL, remove_file)
{
    static const struct {
        u32 shard, of;
        enum ws_status status;
        const char *message;
    } cases[] = {
        {0, 0, WS_STATUS_usage, "trace_errors.wst: shard 0 of 0: shards are numbered from 0"},
        {3, 3, WS_STATUS_usage, "trace_errors.wst: shard 3 of 3: shards are numbered from 0"},
        {2, 3, WS_STATUS_bad_input, "trace_errors.wst: shard 2 of 3 has no block: the trace has 2; take no more shards than that"},
    };
    struct ws_trace *trace;
    sample_write(file);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_error error = {.message = ""};
        struct ws_image *image;
        assert_int_equal(ws_image_load(trace, cases[n].shard, cases[n].of, spaces, &image, &error), cases[n].status);
        assert_string_equal(error.message, cases[n].message);
        assert_null(image);
    }
    ws_trace_close(trace);
}
