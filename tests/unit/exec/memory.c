/* Loads, stores, atomics, packs, address windows. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/exec/kit.h"

static struct ws_error error;

/* Runs one block over one buffer, the kernel's first parameter. */
static void run(struct kit *kit, u32 threads, void *data, u64 bytes)
{
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = bytes, .data = data};
    struct ws_ndrange launch = {.global = {threads, 1, 1}, .local = {threads, 1, 1}, .argument_count = 1, .arguments = &argument};
    kit_op(kit, WS_OP_exit, WS_TYPE_none);
    EXPECT_DONE(kit_run(kit, &launch, NULL, &error), &error);
}

TEST(test_load_types)
{
    static const struct {
        enum ws_type type;
        u8 width;
        u64 expected;
    } loads[] = {
        {WS_TYPE_u8, 2, 0x88},
        {WS_TYPE_u16, 4, 0x9988},
        {WS_TYPE_u32, 8, 0xBBAA9988},
        {WS_TYPE_u64, 8, 0xFFEEDDCCBBAA9988},
        {WS_TYPE_s8, 2, 0xFF88},
        {WS_TYPE_s8, 4, 0xFFFFFF88},
        {WS_TYPE_s8, 8, 0xFFFFFFFFFFFFFF88},
        {WS_TYPE_s16, 2, 0x9988},
        {WS_TYPE_s16, 4, 0xFFFF9988},
        {WS_TYPE_s16, 8, 0xFFFFFFFFFFFF9988},
        {WS_TYPE_s32, 4, 0xBBAA9988},
        {WS_TYPE_s32, 8, 0xFFFFFFFFBBAA9988},
        {WS_TYPE_s64, 8, 0xFFEEDDCCBBAA9988},
        {WS_TYPE_f32, 4, 0xBBAA9988},
        {WS_TYPE_f64, 8, 0xFFEEDDCCBBAA9988},
    };
    for (u32 n = 0; n < sizeof loads / sizeof loads[0]; n++) {
        u64 data[2] = {0xFFEEDDCCBBAA9988, 0};
        struct kit kit;
        kit_begin(&kit);
        const u16 base = kit_pointer(&kit, 0);
        kit_access(&kit, WS_OP_ld, WS_SPACE_global, loads[n].type, base, 0, 1)->width = loads[n].width;
        kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 8, 1);
        run(&kit, 1, data, sizeof data);
        assert_int_equal(data[1], loads[n].expected);
    }
}

/* A store writes as many bytes as its type has, and no others. */
TEST(test_store_types)
{
    static const struct {
        enum ws_type type;
        u64 expected;
    } stores[] = {{WS_TYPE_u8, 0xEF}, {WS_TYPE_s16, 0xCDEF}, {WS_TYPE_f32, 0x89ABCDEF}, {WS_TYPE_u64, 0x0123456789ABCDEF}};
    for (u32 n = 0; n < sizeof stores / sizeof stores[0]; n++) {
        u64 data[2] = {0, 0};
        struct kit kit;
        kit_begin(&kit);
        const u16 base = kit_pointer(&kit, 0);
        kit_access(&kit, WS_OP_st, WS_SPACE_global, stores[n].type, base, 0, kit_constant(&kit, 0x0123456789ABCDEF));
        run(&kit, 1, data, sizeof data);
        assert_int_equal(data[0], stores[n].expected);
        assert_int_equal(data[1], 0);
    }
}

/* Four elements move at once, including unread ones. */
TEST(test_vectors)
{
    u32 data[8] = {11, 22, 33, 44, 0, 0, 0, 0};
    struct kit kit;
    kit_begin(&kit);
    const u16 base = kit_pointer(&kit, 0);
    struct ws_op *const load = kit_access(&kit, WS_OP_ld, WS_SPACE_global, WS_TYPE_f32, base, 0, 0);
    load->count = 4;
    memcpy(load->dst, (const u16[]){4, WS_SLOT_NONE, 6, 7}, sizeof load->dst);
    struct ws_op *const store = kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u32, base, 16, 0);
    store->count = 4;
    memcpy(&store->src[1], (const u16[]){7, 6, 5, 4}, 4 * sizeof(u16));
    run(&kit, 1, data, sizeof data);
    const u32 expected[] = {44, 33, 0, 11};
    assert_memory_equal(data + 4, expected, sizeof expected);
}

TEST(test_pack_and_unpack)
{
    u64 data[3] = {0};
    struct kit kit;
    kit_begin(&kit);
    const u16 base = kit_pointer(&kit, 0);
    struct ws_op *const pack = kit_op(&kit, WS_OP_pack, WS_TYPE_u64);
    pack->count = 4;
    pack->dst[0] = 1;
    for (u32 n = 0; n < 4; n++)
        pack->src[n] = kit_constant(&kit, 0x1111 * (n + 1));
    struct ws_op *const unpack = kit_op(&kit, WS_OP_unpack, WS_TYPE_u64);
    unpack->count = 2;
    unpack->src[0] = 1;
    unpack->dst[0] = 2;
    unpack->dst[1] = 3;
    for (u16 n = 0; n < 3; n++)
        kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 8 * n, 1 + n);
    run(&kit, 1, data, sizeof data);
    const u64 expected[] = {0x4444333322221111, 0x22221111, 0x44443333};
    assert_memory_equal(data, expected, sizeof expected);
}

/* One thread's atomic: the old value returns, the new one is stored. */
TEST(test_atomics)
{
    const u64 minus = UINT64_MAX, minus32 = UINT32_MAX;
    static const u64 one = 0x3F800000, two = 0x40000000, three = 0x40400000, one64 = 0x3FF0000000000000, two64 = 0x4000000000000000;
    const struct {
        enum ws_opcode opcode;
        enum ws_type type;
        u64 old, b, c, expected;
    } atomics[] = {
        {WS_OP_atom_add, WS_TYPE_u32, minus32, 2, 0, 1},
        {WS_OP_atom_add, WS_TYPE_s32, 5, minus32, 0, 4},
        {WS_OP_atom_add, WS_TYPE_u64, minus, 2, 0, 1},
        {WS_OP_atom_add, WS_TYPE_f32, one, two, 0, three},
        {WS_OP_atom_add, WS_TYPE_f32, 1, 1, 0, 0}, /* subnormals are flushed in global memory */
        {WS_OP_atom_add, WS_TYPE_f64, one64, one64, 0, two64},
        {WS_OP_atom_inc, WS_TYPE_u32, 4, 5, 0, 5},
        {WS_OP_atom_inc, WS_TYPE_u32, 5, 5, 0, 0},
        {WS_OP_atom_dec, WS_TYPE_u32, 4, 5, 0, 3},
        {WS_OP_atom_dec, WS_TYPE_u32, 0, 5, 0, 5},
        {WS_OP_atom_dec, WS_TYPE_u32, 9, 5, 0, 5},
        {WS_OP_atom_min, WS_TYPE_u32, minus32, 1, 0, 1},
        {WS_OP_atom_min, WS_TYPE_s32, minus32, 1, 0, minus32},
        {WS_OP_atom_min, WS_TYPE_u64, minus, 1, 0, 1},
        {WS_OP_atom_min, WS_TYPE_s64, minus, 1, 0, minus},
        {WS_OP_atom_max, WS_TYPE_u32, minus32, 1, 0, minus32},
        {WS_OP_atom_max, WS_TYPE_s32, minus32, 1, 0, 1},
        {WS_OP_atom_max, WS_TYPE_u64, minus, 1, 0, minus},
        {WS_OP_atom_max, WS_TYPE_s64, minus, 1, 0, 1},
        {WS_OP_atom_and, WS_TYPE_u32, 12, 10, 0, 8},
        {WS_OP_atom_and, WS_TYPE_u64, minus, 1ull << 40, 0, 1ull << 40},
        {WS_OP_atom_or, WS_TYPE_u32, 12, 10, 0, 14},
        {WS_OP_atom_or, WS_TYPE_u64, 1, 1ull << 40, 0, 1 | 1ull << 40},
        {WS_OP_atom_xor, WS_TYPE_u32, 12, 10, 0, 6},
        {WS_OP_atom_xor, WS_TYPE_u64, minus, 1, 0, minus - 1},
        {WS_OP_atom_exch, WS_TYPE_u32, 12, 10, 0, 10},
        {WS_OP_atom_exch, WS_TYPE_u64, 12, minus, 0, minus},
        {WS_OP_atom_cas, WS_TYPE_u32, 12, 12, 7, 7},
        {WS_OP_atom_cas, WS_TYPE_u32, 12, 11, 7, 12},
        {WS_OP_atom_cas, WS_TYPE_u16, 0xFFFF, 0xFFFF, 7, 7},
        {WS_OP_atom_cas, WS_TYPE_u16, 0xFFFF, 0xFFFE, 7, 0xFFFF},
        {WS_OP_atom_cas, WS_TYPE_u64, minus, minus, 7, 7},
        {WS_OP_atom_cas, WS_TYPE_u64, minus, 0, 7, minus},
    };
    for (u32 n = 0; n < sizeof atomics / sizeof atomics[0]; n++) {
        u64 data[2] = {atomics[n].old, 0};
        struct kit kit;
        kit_begin(&kit);
        const u16 base = kit_pointer(&kit, 0);
        struct ws_op *const op = kit_access(&kit, atomics[n].opcode, WS_SPACE_global, atomics[n].type, base, 0, 0);
        op->src[1] = kit_constant(&kit, atomics[n].b);
        op->src[2] = kit_constant(&kit, atomics[n].c);
        op->dst[0] = 1;
        kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 8, 1);
        run(&kit, 1, data, sizeof data);
        if (data[0] != atomics[n].expected || data[1] != atomics[n].old)
            fail_msg("case %u leaves %#lx, returns %#lx", n, (unsigned long)data[0], (unsigned long)data[1]);
    }
}

/* Threads run in order: each atomic returns the number of threads before it. */
TEST(test_atomic_order)
{
    enum { THREADS = 100 };
    u64 data[1 + THREADS] = {0};
    struct kit kit;
    kit_begin(&kit);
    const u16 base = kit_pointer(&kit, 0);
    struct ws_op *const address = kit_op(&kit, WS_OP_mad_lo, WS_TYPE_u64);
    memcpy(address->src, (const u16[]){kit_special(&kit, WS_SPECIAL_tid_x), kit_constant(&kit, 8), base}, 3 * sizeof(u16));
    address->dst[0] = 2;
    struct ws_op *const op = kit_access(&kit, WS_OP_atom_add, WS_SPACE_global, WS_TYPE_u64, base, 0, kit_constant(&kit, 1));
    op->dst[0] = 1;
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, 2, 8, 1);
    run(&kit, THREADS, data, sizeof data);
    assert_int_equal(data[0], THREADS);
    for (u32 n = 0; n < THREADS; n++)
        assert_int_equal(data[1 + n], n);
}

static u16 converted(struct kit *kit, enum ws_opcode opcode, u8 space, u16 address, u16 to)
{
    struct ws_op *const op = kit_op(kit, opcode, opcode == WS_OP_isspacep ? WS_TYPE_none : WS_TYPE_u64);
    op->space = space;
    op->src[0] = address;
    op->dst[0] = to;
    return to;
}

/* Shared and local memory through generic addresses, and back. */
TEST(test_windows)
{
    static const u8 spaces[] = {WS_SPACE_shared, WS_SPACE_local};
    for (u32 n = 0; n < 2; n++) {
        u64 data[4] = {0};
        struct kit kit;
        kit_begin(&kit);
        kit.kernel.shared_bytes = kit.kernel.local_bytes = 64;
        const u16 base = kit_pointer(&kit, 0), address = kit_constant(&kit, 24);
        converted(&kit, WS_OP_cvta, spaces[n], address, 1);
        kit_access(&kit, WS_OP_st, WS_SPACE_generic, WS_TYPE_u64, 1, 8, kit_constant(&kit, 77));
        kit_access(&kit, WS_OP_ld, spaces[n], WS_TYPE_u64, address, 8, 2);
        kit_access(&kit, WS_OP_st, WS_SPACE_generic, WS_TYPE_u64, base, 0, 2);
        converted(&kit, WS_OP_cvta_to, spaces[n], 1, 3);
        kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 8, 3);
        converted(&kit, WS_OP_isspacep, spaces[n], 1, 4);
        kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 16, 4);
        converted(&kit, WS_OP_isspacep, spaces[n], base, 5);
        kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 24, 5);
        run(&kit, 1, data, sizeof data);
        const u64 expected[] = {77, 24, 1, 0};
        assert_memory_equal(data, expected, sizeof expected);
    }
}

/* A module's variables have their initial values; constant ones are readable as .const and as generic memory. */
TEST(test_variables)
{
    u8 initial_global[8] = {1, 2, 3, 4, 5, 6, 7, 8}, initial_constant[4] = {9, 8, 7, 6};
    u32 data[4] = {0};
    struct kit kit;
    kit_begin(&kit);
    kit.program.global = (struct ws_module_image){.bytes = 8, .initial = initial_global};
    kit.program.constant = (struct ws_module_image){.bytes = 4, .initial = initial_constant};
    const u16 base = kit_pointer(&kit, 0), global = kit_constant(&kit, 4), constant = kit_constant(&kit, 0);
    kit.inputs[global - KIT_REGISTERS] = (struct ws_input){.kind = WS_INPUT_address, .space = WS_SPACE_global, .value = 4};
    kit.inputs[constant - KIT_REGISTERS] = (struct ws_input){.kind = WS_INPUT_address, .space = WS_SPACE_constant};
    kit_access(&kit, WS_OP_ld, WS_SPACE_global, WS_TYPE_u32, global, 0, 1);
    kit_access(&kit, WS_OP_ld, WS_SPACE_constant, WS_TYPE_u32, constant, 0, 2);
    kit_access(&kit, WS_OP_ld, WS_SPACE_generic, WS_TYPE_u16, constant, 2, 3);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u32, global, 0, constant);
    for (u16 n = 0; n < 3; n++)
        kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u32, base, 4 * n, 1 + n);
    run(&kit, 1, data, sizeof data);
    const u32 expected[] = {0x08070605, 0x06070809, 0x0607, 0};
    assert_memory_equal(data, expected, sizeof expected);
    assert_int_equal(initial_global[4], 5); /* the program's own copy is not written to */
}

/* Parameters as operands and, at a computed offset, as memory. */
TEST(test_parameters)
{
    u64 data[3] = {0};
    i32 scalar = -5;
    struct kit kit;
    kit_begin(&kit);
    const u16 base = kit_pointer(&kit, 0), narrow = kit_pointer(&kit, 1);
    kit.inputs[narrow - KIT_REGISTERS].type = WS_TYPE_s32;
    kit.parameters[1].bytes = 4;
    kit_access(&kit, WS_OP_ld, WS_SPACE_parameter, WS_TYPE_s32, kit_constant(&kit, 4), 4, 1);
    kit_access(&kit, WS_OP_ld, WS_SPACE_parameter, WS_TYPE_u32, kit_constant(&kit, 8), 0, 2);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 0, narrow);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 8, 1);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, base, 16, 2);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof data, .data = data},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = 4, .data = &scalar}};
    struct ws_ndrange launch = {.global = {1, 1, 1}, .local = {1, 1, 1}, .argument_count = 2, .arguments = arguments};
    assert_int_equal(kit_run(&kit, &launch, NULL, &error), WS_STATUS_ok);
    const u64 expected[] = {(u64)-5, (u64)-5, 0xFFFFFFFB};
    assert_memory_equal(data, expected, sizeof expected);
}

/* A buffer passed twice has one address; an empty one is the null pointer. */
TEST(test_aliases)
{
    u64 data[2] = {0};
    struct kit kit;
    kit_begin(&kit);
    const u16 first = kit_pointer(&kit, 0), second = kit_pointer(&kit, 1), none = kit_pointer(&kit, 2);
    struct ws_op *const op = kit_op(&kit, WS_OP_sub, WS_TYPE_u64);
    memcpy(op->src, (const u16[]){first, second}, 2 * sizeof(u16));
    op->dst[0] = 1;
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, second, 0, 1);
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, first, 8, none);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof data, .data = data},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof data, .data = data},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = 0, .data = NULL}};
    struct ws_ndrange launch = {.global = {1, 1, 1}, .local = {1, 1, 1}, .argument_count = 3, .arguments = arguments};
    data[0] = data[1] = 99;
    assert_int_equal(kit_run(&kit, &launch, NULL, &error), WS_STATUS_ok);
    assert_int_equal(data[0], 0);
    assert_int_equal(data[1], 0);
}
