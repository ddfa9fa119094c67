/* Blocks of threads: phases between barriers, special registers, guards; recorded and counted results. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kit.h"

static struct ws_error error;

/* dst = a operation b (operation c). */
static u16 calculate(struct kit *kit, enum ws_opcode opcode, enum ws_type type, u16 dst, u16 a, u16 b, u16 c)
{
    struct ws_op *const op = kit_op(kit, opcode, type);
    memcpy(op->src, (const u16[]){a, b, c}, 3 * sizeof(u16));
    op->dst[0] = dst;
    return dst;
}

static u16 compare(struct kit *kit, enum ws_compare comparison, u16 dst, u16 a, u16 b)
{
    struct ws_op *const op = kit_op(kit, WS_OP_setp, WS_TYPE_u32);
    op->compare = (u8)comparison;
    memcpy(op->src, (const u16[]){a, b}, 2 * sizeof(u16));
    op->dst[0] = dst;
    return dst;
}

static struct ws_op *branch(struct kit *kit, u16 guard, u32 target)
{
    struct ws_op *const op = kit_op(kit, WS_OP_branch, WS_TYPE_none);
    op->guard = guard;
    op->target = target;
    return op;
}

static void barrier(struct kit *kit, u16 number)
{
    kit_op(kit, WS_OP_bar, WS_TYPE_none)->src[0] = number;
}

static void run(struct kit *kit, const u32 global[3], const u32 local[3], struct ws_argument *arguments, u32 count,
                struct ws_trace_writer *writer)
{
    struct ws_ndrange launch = {.argument_count = count, .arguments = arguments};
    memcpy(launch.global, global, sizeof launch.global);
    memcpy(launch.local, local, sizeof launch.local);
    EXPECT_DONE(kit_run(kit, &launch, writer, &error), &error);
}

/* out[block * threads + thread] = the twelve special registers with dimensions in base 5. */
TEST(test_special_registers)
{
    enum { THREADS = 2 * 3 * 2, BLOCKS = 2 * 1 * 3 };
    u64 out[THREADS * BLOCKS] = {0};
    struct kit kit;
    kit_begin(&kit);
    const u16 base = kit_pointer(&kit, 0), zero = kit_constant(&kit, 0), five = kit_constant(&kit, 5);
    u16 special[WS_SPECIAL_laneid];
    calculate(&kit, WS_OP_add, WS_TYPE_u64, 0, zero, zero, zero);
    for (u32 n = 0; n < WS_SPECIAL_laneid; n++) {
        special[n] = kit_special(&kit, n);
        calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 0, 0, five, special[n]);
    }
    const u16 *const s = special;
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 1, s[WS_SPECIAL_ctaid_z], s[WS_SPECIAL_nctaid_y], s[WS_SPECIAL_ctaid_y]);
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 1, 1, s[WS_SPECIAL_nctaid_x], s[WS_SPECIAL_ctaid_x]);
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 1, 1, s[WS_SPECIAL_ntid_z], s[WS_SPECIAL_tid_z]);
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 1, 1, s[WS_SPECIAL_ntid_y], s[WS_SPECIAL_tid_y]);
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 1, 1, s[WS_SPECIAL_ntid_x], s[WS_SPECIAL_tid_x]);
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 1, 1, kit_constant(&kit, 8), base);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, 1, 0, 0);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out};
    run(&kit, (const u32[]){4, 3, 6}, (const u32[]){2, 3, 2}, &argument, 1, NULL);
    for (u32 n = 0; n < THREADS * BLOCKS; n++) {
        const u32 t = n % THREADS, b = n / THREADS;
        const u32 values[] = {t % 2, t / 2 % 3, t / 6, 2, 3, 2, b % 2, 0, b / 2, 2, 1, 3};
        u64 expected = 0;
        for (u32 i = 0; i < WS_SPECIAL_laneid; i++)
            expected = expected * 5 + values[i];
        assert_int_equal(out[n], expected);
    }
}

/* Thread t writes shared word t, waits, and reads its mirror's word; thread 0 has exited before the barrier. */
TEST(test_barrier)
{
    enum { THREADS = 8 };
    u32 out[THREADS] = {0};
    struct kit kit;
    kit_begin(&kit);
    kit.kernel.shared_bytes = 4 * THREADS;
    const u16 base = kit_pointer(&kit, 0), t = kit_special(&kit, WS_SPECIAL_tid_x), zero = kit_constant(&kit, 0);
    const u16 four = kit_constant(&kit, 4), last = kit_constant(&kit, THREADS - 1), ten = kit_constant(&kit, 10);
    calculate(&kit, WS_OP_mul_lo, WS_TYPE_u32, 0, t, four, zero);
    calculate(&kit, WS_OP_add, WS_TYPE_u32, 1, t, ten, zero);
    kit_access(&kit, WS_OP_st, WS_SPACE_shared, WS_TYPE_u32, 0, 0, 1);
    branch(&kit, compare(&kit, WS_COMPARE_eq, 2, t, zero), 11);
    barrier(&kit, zero);
    calculate(&kit, WS_OP_sub, WS_TYPE_u32, 3, last, t, zero);
    calculate(&kit, WS_OP_mul_lo, WS_TYPE_u32, 3, 3, four, zero);
    kit_access(&kit, WS_OP_ld, WS_SPACE_shared, WS_TYPE_u32, 3, 0, 4);
    calculate(&kit, WS_OP_add, WS_TYPE_u64, 5, base, 0, zero);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u32, 5, 0, 4);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out};
    run(&kit, (const u32[]){THREADS, 1, 1}, (const u32[]){THREADS, 1, 1}, &argument, 1, NULL);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(out[n], n == 0 ? 0 : 10 + THREADS - 1 - n);
}

/* Shared memory of arguments follows the kernel's own, each at a multiple of 16. */
TEST(test_shared_arguments)
{
    u64 out[2] = {0};
    struct kit kit;
    kit_begin(&kit);
    kit.kernel.shared_bytes = 20;
    const u16 base = kit_pointer(&kit, 0), first = kit_pointer(&kit, 1), second = kit_pointer(&kit, 2);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 0, first);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 8, second);
    kit_access(&kit, WS_OP_st, WS_SPACE_shared, WS_TYPE_u32, second, 4, first); /* the last word there is */
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out},
                                      {.kind = WS_ARGUMENT_SHARED, .bytes = 12},
                                      {.kind = WS_ARGUMENT_SHARED, .bytes = 8}};
    run(&kit, (const u32[]){1, 1, 1}, (const u32[]){1, 1, 1}, arguments, 3, NULL);
    assert_int_equal(out[0], 32);
    assert_int_equal(out[1], 48);
}

/* Private memory is zeroed, and private to its thread. */
TEST(test_local_memory)
{
    enum { THREADS = 4 };
    u32 out[THREADS] = {0};
    struct kit kit;
    kit_begin(&kit);
    kit.kernel.local_bytes = 4;
    const u16 base = kit_pointer(&kit, 0), t = kit_special(&kit, WS_SPECIAL_tid_x), zero = kit_constant(&kit, 0);
    kit_access(&kit, WS_OP_ld, WS_SPACE_local, WS_TYPE_u32, zero, 0, 1);
    calculate(&kit, WS_OP_add, WS_TYPE_u32, 1, 1, t, zero);
    kit_access(&kit, WS_OP_st, WS_SPACE_local, WS_TYPE_u32, zero, 0, 1);
    barrier(&kit, zero);
    kit_access(&kit, WS_OP_ld, WS_SPACE_local, WS_TYPE_u32, zero, 0, 2);
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 3, t, kit_constant(&kit, 4), base);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u32, 3, 0, 2);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out};
    run(&kit, (const u32[]){2 * THREADS, 1, 1}, (const u32[]){THREADS, 1, 1}, &argument, 1, NULL);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(out[n], n);
}

/* A loop of t + 1 rounds: decisions, addresses and counts match the path. */
TEST(test_recording)
{
    enum { THREADS = 5 };
    static struct ws_trace_writer writer;
    u32 out[THREADS] = {0};
    struct kit kit;
    kit_begin(&kit);
    kit.kernel.shared_bytes = 16;
    const u16 base = kit_pointer(&kit, 0), t = kit_special(&kit, WS_SPECIAL_tid_x), one = kit_constant(&kit, 1);
    const u16 zero = kit_constant(&kit, 0), four = kit_constant(&kit, 4);
    calculate(&kit, WS_OP_mad_lo, WS_TYPE_u64, 0, t, four, base);         /* 0 */
    calculate(&kit, WS_OP_add, WS_TYPE_u32, 1, 1, one, zero);             /* 1: the loop */
    kit_access(&kit, WS_OP_st, WS_SPACE_shared, WS_TYPE_u32, four, 4, 1); /* 2 */
    branch(&kit, compare(&kit, WS_COMPARE_le, 2, 1, t), 1);               /* 3, 4 */
    struct ws_op *const move = kit_op(&kit, WS_OP_cmov, WS_TYPE_u32);     /* 5: recorded, t > 0 */
    memcpy(move->src, (const u16[]){1, 1, 2}, 3 * sizeof(u16));
    move->flags = WS_OP_NOT_SOURCE;
    move->dst[0] = 1;
    struct ws_op *store = kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u32, 0, 0, 1); /* 6: guard of even threads */
    store->guard = 3;
    store->flags = WS_OP_NOT_GUARD;
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    /* The guard, true for odd threads. Inserted before the loop, as operation 0. */
    memmove(kit.ops + 1, kit.ops, kit.kernel.op_count * sizeof *kit.ops);
    kit.kernel.op_count++;
    kit.ops[0] = kit_operation(WS_OP_and, WS_TYPE_u32, 4);
    memcpy(kit.ops[0].src, (const u16[]){t, one}, 2 * sizeof(u16));
    kit.ops[0].dst[0] = 3;
    kit.ops[5].target = 2;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out};
    run(&kit, (const u32[]){THREADS, 1, 1}, (const u32[]){THREADS, 1, 1}, &argument, 1, &writer);
    for (u32 n = 0; n < THREADS; n++) {
        const struct ws_recorder *const recorder = &writer.recorders[n];
        const bool stores = n % 2 == 0;
        assert_int_equal(out[n], stores ? n + 1 : 0);
        assert_int_equal(recorder->decision_count, n + 1 + 2);
        assert_int_equal(recorder->decisions[0], ((1ull << n) - 1) | 1ull << (n + 1) | (u64)stores << (n + 2));
        assert_int_equal(recorder->access_count, n + 1 + stores);
        assert_int_equal(recorder->accesses[n], 8);
        if (stores)
            assert_int_equal(recorder->accesses[n + 1], 0x700000000000 + 4 * n);
    }
    const u64 rounds = 1 + 2 + 3 + 4 + 5;
    const u64 executed[] = {THREADS, THREADS, rounds, rounds, rounds, rounds, THREADS, THREADS, THREADS};
    assert_memory_equal(writer.executed, executed, sizeof executed);
    assert_int_equal(writer.ended, 1);
}

/* Straight-line code longer than a basic block of the executor. */
TEST(test_long_block)
{
    enum { LONG = 3000 };
    struct ws_op *const ops = calloc(LONG + 2, sizeof *ops);
    struct ws_instruction *const trace = calloc(LONG + 2, sizeof *trace);
    u64 out = 0, instructions = 0;
    struct kit kit;
    assert_non_null(ops);
    assert_non_null(trace);
    kit_begin(&kit);
    const u16 base = kit_pointer(&kit, 0), one = kit_constant(&kit, 1);
    for (u32 n = 0; n < LONG; n++) {
        ops[n] = kit_operation(WS_OP_add, WS_TYPE_u64, 8);
        memcpy(ops[n].src, (const u16[]){0, one}, 2 * sizeof(u16));
        ops[n].dst[0] = 0;
    }
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 0, 0);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    memcpy(ops + LONG, kit.ops, 2 * sizeof *ops);
    trace[LONG].class_ = WS_CLASS_store;
    kit.kernel.op_count = LONG + 2;
    kit.kernel.ops = ops;
    kit.kernel.program = trace;
    kit.kernel.inputs = kit.inputs;
    kit.kernel.parameters = kit.parameters;
    kit.program.kernels = &kit.kernel;
    kit.program.kernel_count = 1;
    const struct ws_frontend_options options = {0};
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = &out};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {2, 1, 1}, .local = {1, 1, 1}, .argument_count = 1, .arguments = &argument};
    assert_int_equal(ws_execute(&kit.program, &options, &launch, NULL, &instructions, &error), WS_STATUS_ok);
    assert_int_equal(out, LONG);
    assert_int_equal(instructions, 2 * (LONG + 2));
    free(ops);
    free(trace);
}
