/* Launches that do not fit their kernel, and faults of kernels: each message word for word. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kit.h"

static struct ws_error error;
static u32 data[16];

/* A kernel with a buffer "p" of 64 bytes; thread is its slot of tid.x. */
static void begin(struct kit *kit, u16 *base, u16 *thread)
{
    kit_begin(kit);
    *base = kit_pointer(kit, 0);
    *thread = kit_special(kit, WS_SPECIAL_tid_x);
}

/* Blocks of 4 x 2 threads, 3 of them. */
static void expect_fault(struct kit *kit, struct ws_trace_writer *writer, enum ws_status status, const char *message)
{
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof data, .data = data};
    struct ws_ndrange launch = {.global = {12, 2, 1}, .local = {4, 2, 1}, .argument_count = 1, .arguments = &argument};
    assert_int_equal(kit_run(kit, &launch, writer, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, message);
}

static u16 scaled(struct kit *kit, u16 dst, u16 a, u64 factor, u16 c)
{
    struct ws_op *const op = kit_op(kit, WS_OP_mad_lo, WS_TYPE_u64);
    memcpy(op->src, (const u16[]){a, kit_constant(kit, factor), c}, 3 * sizeof(u16));
    op->dst[0] = dst;
    return dst;
}

TEST(test_outside)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    scaled(&kit, 0, thread, 32, base);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u32, 0, 4, thread);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:11: kernel k, block (0,0,0), thread (2,0,0), pc 1: 4-byte store at global address 0x700000000044 lies outside of "
        "the memory that may be accessed; 4 bytes past the end of p, 64 bytes at 0x700000000000");
}

/* The last word fits; a vector access includes all its elements. */
TEST(test_vector)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit_access(&kit, WS_OP_ld, WS_SPACE_generic, WS_TYPE_u32, base, 60, 0);
    kit_access(&kit, WS_OP_ld, WS_SPACE_generic, WS_TYPE_u32, base, 56, 0)->count = 4;
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:11: kernel k, block (0,0,0), thread (0,0,0), pc 1: 16-byte load at generic address 0x700000000038 is misaligned; "
        "its last 8 bytes past the end of p, 64 bytes at 0x700000000000");
}

/* An aligned word of which only the first half exists, after the step has accessed the buffer. */
TEST(test_half_word)
{
    struct kit kit;
    u16 base, thread;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "odd", .bytes = 6, .data = data};
    struct ws_ndrange launch = {.global = {2, 1, 1}, .local = {2, 1, 1}, .argument_count = 1, .arguments = &argument};
    begin(&kit, &base, &thread);
    scaled(&kit, 0, thread, 4, base);
    kit_access(&kit, WS_OP_ld, WS_SPACE_global, WS_TYPE_u32, 0, 0, 1);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    assert_int_equal(kit_run(&kit, &launch, NULL, &error), WS_STATUS_bad_input);
    assert_string_equal(
        error.message,
        "kit:11: kernel k, block (0,0,0), thread (1,0,0), pc 1: 4-byte load at global address 0x700000000004 lies outside "
        "of the memory that may be accessed; its last 2 bytes past the end of odd, 6 bytes at 0x700000000000");
}

TEST(test_before)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit_access(&kit, WS_OP_atom_add, WS_SPACE_global, WS_TYPE_u32, base, -4, thread);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:10: kernel k, block (0,0,0), thread (0,0,0), pc 0: 4-byte atomic at global address 0x6ffffffffffc lies outside of "
        "the memory that may be accessed; 4 bytes before p, 64 bytes at 0x700000000000");
}

TEST(test_misaligned)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit_access(&kit, WS_OP_ld, WS_SPACE_global, WS_TYPE_u32, base, 2, 0);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:10: kernel k, block (0,0,0), thread (0,0,0), pc 0: 4-byte load at global address 0x700000000002 is misaligned; "
        "byte 2 of p, 64 bytes at 0x700000000000");
}

TEST(test_shared)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit.kernel.shared_bytes = 8;
    scaled(&kit, 0, thread, 4, thread);
    kit_access(&kit, WS_OP_ld, WS_SPACE_shared, WS_TYPE_u8, 0, 0, 1);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:11: kernel k, block (0,0,0), thread (2,0,0), pc 1: 1-byte load at shared address 0xa lies outside of the memory "
        "that may be accessed; 2 bytes past the end of shared memory, 8 bytes at 0x0");
}

/* Windows exist only in the generic space; constant memory is read-only. */
TEST(test_windows)
{
    static u8 initial[4];
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit.kernel.shared_bytes = 8;
    kit_access(&kit, WS_OP_ld, WS_SPACE_global, WS_TYPE_u32, kit_constant(&kit, 0x7FFF00000000), 0, 1);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:10: kernel k, block (0,0,0), thread (0,0,0), pc 0: 4-byte load at global address 0x7fff00000000 lies outside of "
        "the memory that may be accessed; 17587891077056 bytes past the end of p, 64 bytes at 0x700000000000");
    begin(&kit, &base, &thread);
    kit.program.constant = (struct ws_module_image){.bytes = 4, .initial = initial};
    const u16 variable = kit_constant(&kit, 0);
    kit.inputs[variable - KIT_REGISTERS] = (struct ws_input){.kind = WS_INPUT_address, .space = WS_SPACE_constant};
    kit_access(&kit, WS_OP_ld, WS_SPACE_generic, WS_TYPE_u32, variable, 0, 1);
    kit_access(&kit, WS_OP_st, WS_SPACE_generic, WS_TYPE_u32, variable, 0, 1);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:11: kernel k, block (0,0,0), thread (0,0,0), pc 1: 4-byte store at generic address 0x702000010000 lies in memory "
        "that may only be read; byte 0 of the constant variables, 4 bytes at 0x702000010000");
}

/* Parameters are readable through their window, not writable. */
TEST(test_parameter_window)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    const u16 parameters = kit_constant(&kit, 0x7FFF80000000);
    kit_access(&kit, WS_OP_ld, WS_SPACE_generic, WS_TYPE_u32, parameters, 0, 1);
    kit_access(&kit, WS_OP_st, WS_SPACE_generic, WS_TYPE_u32, parameters, 4, 1);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:11: kernel k, block (0,0,0), thread (0,0,0), pc 1: 4-byte store at generic address 0x7fff80000004 lies in memory "
        "that may only be read; byte 4 of the parameters, 8 bytes at 0x7fff80000000");
}

/* Something changes in every round of a loop, so it may end. */
static void count_up(struct kit *kit)
{
    struct ws_op *const count = kit_op(kit, WS_OP_add, WS_TYPE_u32);
    memcpy(count->src, (const u16[]){5, kit_constant(kit, 1)}, 2 * sizeof(u16));
    count->dst[0] = 5;
}

TEST(test_limit)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit.most_instructions = 60000;
    count_up(&kit);
    kit_op(&kit, WS_OP_jump, WS_TYPE_none)->target = 0;
    expect_fault(&kit, NULL, WS_STATUS_bad_input,
                 "kit:10: kernel k, block (0,0,0), thread (0,0,0), pc 0: more thread instructions than the limit of 60000");
}

/* The first instruction executes once, the next two for ever. */
TEST(test_endless_loop)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit.most_instructions = UINT64_MAX;
    kit.most_thread_instructions = 900000;
    kit_op(&kit, WS_OP_fence, WS_TYPE_none);
    count_up(&kit);
    kit_op(&kit, WS_OP_jump, WS_TYPE_none)->target = 1;
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:11: kernel k, block (0,0,0), thread (0,0,0), pc 1: more instructions of one thread than the limit of 900000; it "
        "loops from line 11 to line 12, pc 1 to 2");
}

static unsigned asked;

static bool never_again(void *context)
{
    (void)context;
    return asked++ == 0;
}

/* A thread is interrupted between two turns, with or without a trace. */
TEST(test_interrupted_loop)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit.go_on = never_again;
    kit.most_instructions = UINT64_MAX;
    asked = 0;
    count_up(&kit);
    kit_op(&kit, WS_OP_jump, WS_TYPE_none)->target = 0;
    expect_fault(&kit, NULL, WS_STATUS_interrupted, "kernel k: interrupted");
    assert_int_equal(asked, 2);
}

TEST(test_trap)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    struct ws_op *const test = kit_op(&kit, WS_OP_setp, WS_TYPE_u32);
    memcpy(test->src, (const u16[]){kit_special(&kit, WS_SPECIAL_ctaid_x), kit_constant(&kit, 2)}, 2 * sizeof(u16));
    test->dst[0] = 0;
    struct ws_op *const branch = kit_op(&kit, WS_OP_branch, WS_TYPE_none);
    branch->guard = 0;
    branch->target = 3;
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    kit_op(&kit, WS_OP_trap, WS_TYPE_none);
    expect_fault(&kit, NULL, WS_STATUS_bad_input, "kit:13: kernel k, block (2,0,0), thread (0,0,0), pc 3: executed a trap");
}

/* Threads at two barrier instructions wait for each other for ever. */
TEST(test_barriers)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    const u16 zero = kit_constant(&kit, 0);
    struct ws_op *const test = kit_op(&kit, WS_OP_setp, WS_TYPE_u32);
    memcpy(test->src, (const u16[]){thread, kit_constant(&kit, 3)}, 2 * sizeof(u16));
    test->dst[0] = 0;
    struct ws_op *const branch = kit_op(&kit, WS_OP_branch, WS_TYPE_none);
    branch->guard = 0;
    branch->target = 4;
    kit_op(&kit, WS_OP_bar, WS_TYPE_none)->src[0] = zero;
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    kit_op(&kit, WS_OP_bar, WS_TYPE_none)->src[0] = zero;
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:14: kernel k, block (0,0,0), thread (3,0,0), pc 4: waits at barrier 0, but thread (0,0,0) of the block waits at "
        "barrier 0 of line 12, pc 2");
}

/* So do threads at one instruction with different numbers. */
TEST(test_barrier_numbers)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit_op(&kit, WS_OP_bar, WS_TYPE_none)->src[0] = thread;
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(
        &kit, NULL, WS_STATUS_bad_input,
        "kit:10: kernel k, block (0,0,0), thread (1,0,0), pc 0: waits at barrier 1, but thread (0,0,0) of the block waits at "
        "barrier 0 of line 10, pc 0");
}

TEST(test_partial_barrier)
{
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    struct ws_op *const bar = kit_op(&kit, WS_OP_bar, WS_TYPE_none);
    bar->src[0] = kit_constant(&kit, 1);
    bar->src[1] = kit_constant(&kit, 64);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_fault(&kit, NULL, WS_STATUS_bad_input,
                 "kit:10: kernel k, block (0,0,0), thread (0,0,0), pc 0: waits for ever at a barrier for part of the block: too "
                 "few threads come");
}

/* A recorder that fails reports its own error. */
TEST(test_recording)
{
    static struct ws_trace_writer writer;
    struct kit kit;
    u16 base, thread;
    begin(&kit, &base, &thread);
    kit_access(&kit, WS_OP_ld, WS_SPACE_global, WS_TYPE_u32, base, 0, 0);
    kit_op(&kit, WS_OP_jump, WS_TYPE_none)->target = 0;
    expect_fault(&kit, &writer, WS_STATUS_no_file, "the stream is full");
}

/* Launches that do not fit. */
static void expect_refused(struct kit *kit, struct ws_ndrange launch, const char *message)
{
    assert_int_equal(kit_run(kit, &launch, NULL, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, message);
}

TEST(test_ranges)
{
    struct kit kit;
    kit_begin(&kit);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_refused(&kit, (struct ws_ndrange){.global = {12, 2, 1}, .local = {8, 2, 1}},
                   "kernel k: global size 12 in x is not a positive multiple of the local size 8");
    expect_refused(&kit, (struct ws_ndrange){.global = {12, 0, 1}, .local = {4, 2, 1}},
                   "kernel k: global size 0 in y is not a positive multiple of the local size 2");
    expect_refused(&kit, (struct ws_ndrange){.global = {64, 64, 2}, .local = {32, 32, 2}},
                   "kernel k: local size 32 x 32 x 2, at most 1024 threads a block are allowed");
    expect_refused(&kit, (struct ws_ndrange){.global = {UINT32_MAX, 2, 1}, .local = {1, 1, 1}},
                   "kernel k: more than 4294967295 blocks");
    kit.kernel.most_threads = 16;
    expect_refused(&kit, (struct ws_ndrange){.global = {64, 2, 1}, .local = {32, 1, 1}},
                   "kernel k: local size 32 x 1 x 1, the kernel allows 16 threads a block");
    memcpy(kit.kernel.block, (const u32[]){8, 2, 1}, sizeof kit.kernel.block);
    expect_refused(&kit, (struct ws_ndrange){.global = {64, 2, 1}, .local = {16, 1, 1}},
                   "kernel k: local size 16 x 1 x 1, the kernel requires 8 x 2 x 1");
}

TEST(test_arguments)
{
    struct kit kit;
    u64 scalar = 0;
    struct ws_argument arguments[2] = {{.kind = WS_ARGUMENT_SCALAR, .bytes = 4, .data = &scalar}};
    struct ws_ndrange launch = {.global = {1, 1, 1}, .local = {1, 1, 1}, .argument_count = 2, .arguments = arguments};
    kit_begin(&kit);
    kit_pointer(&kit, 0);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    expect_refused(&kit, launch, "kernel k: 2 arguments found, it takes 1");
    launch.argument_count = 1;
    expect_refused(&kit, launch, "kernel k, argument 0 (p): a scalar of 4 bytes found, the parameter has 8 bytes");
    arguments[0].bytes = 8;
    kit.parameters[0].pointer = true;
    expect_refused(&kit, launch, "kernel k, argument 0 (p): a scalar found, the parameter points to a buffer");
    kit.parameters[0].space = WS_SPACE_shared;
    arguments[0].kind = WS_ARGUMENT_BUFFER;
    expect_refused(&kit, launch, "kernel k, argument 0 (p): a buffer found, the parameter points to shared memory");
    kit.parameters[0].space = WS_SPACE_global;
    arguments[0].data = NULL;
    expect_refused(&kit, launch, "kernel k, argument 0 (p): a buffer without data");
    kit.parameters[0].pointer = false;
    kit.parameters[0].bytes = 4;
    expect_refused(&kit, launch, "kernel k, argument 0 (p): a pointer of 8 bytes found, the parameter has 4 bytes");
    kit.parameters[0].bytes = 8;
    arguments[0] = (struct ws_argument){.kind = WS_ARGUMENT_SHARED, .bytes = 2 << 20};
    expect_refused(&kit, launch, "kernel k: more than 1048576 bytes of shared memory");
}

TEST(test_unknown_kernel)
{
    const struct ws_frontend_options options = {0};
    struct ws_ndrange launch = {.kernel = "other", .global = {1, 1, 1}, .local = {1, 1, 1}};
    struct kit kit;
    kit_begin(&kit);
    assert_int_equal(ws_execute(&kit.program, &options, &launch, NULL, NULL, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "kit: there is no kernel 'other'; there are none");
    assert_int_equal(launch.end, WS_END_refused);
}

/* How an execution ended, by number and not by its text. */
TEST(test_end)
{
    struct ws_ndrange launch = {.kernel = "k", .global = {1, 1, 1}, .local = {1, 1, 1}, .end = WS_END_trap};
    struct kit kit;
    kit_begin(&kit);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    EXPECT_DONE(kit_run(&kit, &launch, NULL, &error), &error);
    assert_int_equal(launch.end, WS_END_ended);
    kit.ops[0].opcode = WS_OP_trap;
    assert_int_equal(kit_run(&kit, &launch, NULL, &error), WS_STATUS_bad_input);
    assert_int_equal(launch.end, WS_END_trap);
    launch.local[0] = 0;
    assert_int_equal(kit_run(&kit, &launch, NULL, &error), WS_STATUS_bad_input);
    assert_int_equal(launch.end, WS_END_refused);
}
