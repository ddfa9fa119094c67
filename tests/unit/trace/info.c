/* trace info on kernels with hand-computed results. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/recorder.h"
#include "test.h"

static const char file[] = "trace_info.wst";
static const struct ws_segment segment = {.base = 0x100000, .bytes = 1 << 20};

#define PLAIN                                                                                                                      \
    {                                                                                                                              \
        .class_ = WS_CLASS_int                                                                                                     \
    }
#define BRANCH(to, reconverge_)                                                                                                    \
    {                                                                                                                              \
        .class_ = WS_CLASS_branch, .target = (to), .reconverge = (reconverge_)                                                     \
    }
#define EXIT                                                                                                                       \
    {                                                                                                                              \
        .class_ = WS_CLASS_exit                                                                                                    \
    }

enum { MOST_INSTRUCTIONS = 64 };

/* Thread instructions by program counter of the last info_of. */
static struct ws_pc_count by_pc[MOST_INSTRUCTIONS];

/* Records one block; record is called for every thread. */
static struct ws_trace_info info_of(const struct ws_instruction *program, u32 instructions, u32 threads,
                                    void (*record)(struct ws_recorder *recorder, u32 thread))
{
    const struct ws_launch launch = {.kernel = "k",
                                     .source = "trace_info",
                                     .grid = {1, 1, 1},
                                     .block = {threads, 1, 1},
                                     .instructions = instructions,
                                     .program = program,
                                     .segments = 1,
                                     .segment = &segment};
    struct ws_trace_writer *writer;
    struct ws_trace *trace;
    struct ws_trace_info info;
    struct stat about;
    assert_int_equal(ws_trace_writer_open(file, &launch, &writer, NULL), WS_STATUS_ok);
    struct ws_recorder *const recorders = ws_recorders_begin(writer, 0);
    assert_non_null(recorders);
    for (u32 n = 0; n < threads; n++)
        record(&recorders[n], n);
    assert_int_equal(ws_recorders_end(writer, NULL, NULL), WS_STATUS_ok);
    assert_int_equal(ws_trace_writer_close(writer, NULL), WS_STATUS_ok);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    assert_true(instructions <= MOST_INSTRUCTIONS);
    memset(by_pc, 0xFF, sizeof by_pc);
    assert_int_equal(ws_trace_info(trace, &info, by_pc, NULL), WS_STATUS_ok);
    ws_trace_close(trace);
    assert_int_equal(stat(file, &about), 0);
    assert_int_equal(info.file_bytes, about.st_size);
    assert_int_equal(info.threads, threads);
    assert_int_equal(info.blocks, 1);
    unlink(file);
    return info;
}

static void check_ratio(double found, double dividend, double divisor)
{
    assert_true(fabs(found - dividend / divisor) < 1e-12);
}

static void nothing(struct ws_recorder *recorder, u32 thread)
{
    (void)recorder;
    (void)thread;
}

/* 40 threads: a full warp and one of 8; no access to global memory. */
TEST(straight_code)
{
    static const struct ws_instruction program[] = {PLAIN, PLAIN, EXIT};
    const struct ws_trace_info info = info_of(program, 3, 40, nothing);
    assert_int_equal(info.thread_instructions, 120);
    assert_int_equal(info.class_instructions[WS_CLASS_int], 80);
    assert_int_equal(info.class_instructions[WS_CLASS_exit], 40);
    assert_int_equal(info.accesses, 0);
    assert_int_equal(info.footprint_bytes, 0);
    check_ratio(info.mean_active_lanes, 120, 6);
    check_ratio(info.bytes_per_instruction, (double)info.file_bytes, 120);
    assert_true(isnan(info.lines_per_access));
}

static void half_taken(struct ws_recorder *recorder, u32 thread)
{
    assert_true(ws_record_decision(recorder, thread < 16));
}

/* Of 32 threads 16 take the branch: 0 with 32, 1 and 2 with 16, 3 with 16, 4 and 5 with 32. */
TEST(paths_meet_again)
{
    static const struct ws_instruction program[] = {BRANCH(3, 4), PLAIN, {.class_ = WS_CLASS_jump, .target = 4},
                                                    PLAIN,        PLAIN, EXIT};
    const struct ws_trace_info info = info_of(program, 6, 32, half_taken);
    assert_int_equal(info.decisions, 32);
    assert_int_equal(info.thread_instructions, 32 + 2 * 16 + 16 + 64);
    check_ratio(info.mean_active_lanes, 144, 6);
    static const u64 threads[] = {32, 16, 16, 16, 32, 32};
    for (u32 pc = 0; pc < 6; pc++) {
        assert_int_equal(by_pc[pc].thread_instructions, threads[pc]);
        assert_int_equal(by_pc[pc].warp_instructions, 1);
        assert_int_equal(by_pc[pc].accesses, 0);
    }
}

/* The same if they reconverge only at the end: instructions 4 and 5 run twice with 16. */
TEST(paths_that_do_not_meet)
{
    static const struct ws_instruction program[] = {
        BRANCH(3, WS_PC_NONE), PLAIN, {.class_ = WS_CLASS_jump, .target = 4}, PLAIN, PLAIN, EXIT};
    check_ratio(info_of(program, 6, 32, half_taken).mean_active_lanes, 144, 8);
}

static void as_often_as_its_number(struct ws_recorder *recorder, u32 thread)
{
    for (u32 turn = 0; turn < thread; turn++)
        assert_true(ws_record_decision(recorder, 1));
    assert_true(ws_record_decision(recorder, 0));
}

/* Thread n runs the loop n + 1 times: 32, 31, ... 1 lanes, two instructions per round; all reconverge at the exit. */
TEST(loop_of_different_lengths)
{
    static const struct ws_instruction program[] = {PLAIN, BRANCH(0, 2), EXIT};
    const struct ws_trace_info info = info_of(program, 3, 32, as_often_as_its_number);
    assert_int_equal(info.class_instructions[WS_CLASS_branch], 32 * 33 / 2);
    check_ratio(info.mean_active_lanes, 2 * 32 * 33 / 2 + 32, 2 * 32 + 1);
}

/* Each branch splits one thread off, and none reconverge before the end: the deepest stack. */
static void alone_each(struct ws_recorder *recorder, u32 thread)
{
    for (u32 n = 0; n < 31; n++) {
        assert_true(ws_record_decision(recorder, thread > n));
        if (thread <= n)
            break;
    }
}

TEST(nested_as_deep_as_it_goes)
{
    struct ws_instruction program[32 + 32] = {0};
    for (u32 n = 0; n < 31; n++) {
        program[2 * n] = (struct ws_instruction)BRANCH((u16)(2 * n + 2), (u16)(63 - n % 2));
        program[2 * n + 1] = (struct ws_instruction){.class_ = WS_CLASS_jump, .target = 62};
    }
    program[62] = (struct ws_instruction)PLAIN;
    program[63] = (struct ws_instruction)EXIT;
    const struct ws_trace_info info = info_of(program, 64, 32, alone_each);
    assert_int_equal(info.thread_instructions, (32 * 33 / 2 - 1) + 31 + 32 + 32);
}

static void guarded_loads(struct ws_recorder *recorder, u32 thread)
{
    assert_true(ws_record_access(recorder, segment.base + 4 * thread)); /* 32 x 4 bytes: one line */
    assert_true(ws_record_decision(recorder, thread % 2));
    if (thread % 2)
        assert_true(ws_record_access(recorder, segment.base + 4096 + 256 * thread)); /* a line each */
    assert_true(ws_record_decision(recorder, 0));
}

/* One access of 1 line, a guarded one of 16 threads and lines, and one without an active thread. */
TEST(guards_and_lines)
{
    static const struct ws_instruction program[] = {
        {.class_ = WS_CLASS_load, .space = WS_SPACE_global, .bytes = 4},
        {.class_ = WS_CLASS_store, .space = WS_SPACE_global, .bytes = 4, .flags = WS_GUARDED},
        {.class_ = WS_CLASS_atomic, .space = WS_SPACE_global, .bytes = 4, .flags = WS_GUARDED},
        EXIT};
    const struct ws_trace_info info = info_of(program, 4, 32, guarded_loads);
    assert_int_equal(info.guarded, 64);
    assert_int_equal(info.guarded_off, 48);
    assert_int_equal(info.accesses, 32 + 16);
    assert_int_equal(info.footprint_bytes, 4 * 32 + 16 * 32);
    check_ratio(info.lines_per_access, 1 + 16, 2);
    check_ratio(info.mean_active_lanes, 128, 4);
}
