#include "unit/exec/kit.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "test.h"

static char kernel_name[] = "k", program_name[] = "kit";
static char parameter_names[KIT_PARAMETERS][2] = {"p", "q", "r", "s"};

void kit_begin(struct kit *kit)
{
    *kit = (struct kit){.kernel = {.name = kernel_name, .registers = KIT_REGISTERS}, .program = {.places = {.name = program_name}}};
}

static u16 add_input(struct kit *kit, struct ws_input input)
{
    assert_true(kit->kernel.input_count < KIT_INPUTS);
    kit->inputs[kit->kernel.input_count] = input;
    return (u16)(KIT_REGISTERS + kit->kernel.input_count++);
}

u16 kit_constant(struct kit *kit, u64 value)
{
    return add_input(kit, (struct ws_input){.kind = WS_INPUT_constant, .value = value});
}

u16 kit_special(struct kit *kit, enum ws_special special)
{
    return add_input(kit, (struct ws_input){.kind = WS_INPUT_special, .value = special});
}

u16 kit_pointer(struct kit *kit, u32 n)
{
    assert_true(n < KIT_PARAMETERS);
    kit->parameters[n] = (struct ws_kernel_parameter){
        .name = parameter_names[n], .offset = 8 * n, .bytes = 8, .align = 8, .space = WS_SPACE_generic};
    if (kit->kernel.parameter_count <= n)
        kit->kernel.parameter_count = n + 1;
    kit->kernel.parameter_bytes = 8 * kit->kernel.parameter_count;
    return add_input(kit, (struct ws_input){.kind = WS_INPUT_parameter, .type = WS_TYPE_u64, .width = 8, .value = 8 * n});
}

struct ws_op *kit_op(struct kit *kit, enum ws_opcode opcode, enum ws_type type)
{
    assert_true(kit->kernel.op_count < KIT_OPS);
    struct ws_op *const op = &kit->ops[kit->kernel.op_count];
    *op = kit_operation(opcode, type, 0);
    op->line = 10 + kit->kernel.op_count++;
    return op;
}

struct ws_op *kit_access(struct kit *kit, enum ws_opcode opcode, u8 space, enum ws_type type, u16 address, i32 offset, u16 value)
{
    struct ws_op *const op = kit_op(kit, opcode, type);
    op->space = space;
    op->src[0] = address;
    op->offset = offset;
    op->count = 1;
    if (opcode == WS_OP_ld)
        op->dst[0] = value, op->width = 8;
    else
        op->src[1] = value;
    return op;
}

static u8 class_of(const struct ws_op *op)
{
    if (op->opcode >= WS_OP_atom_add && op->opcode <= WS_OP_atom_cas)
        return WS_CLASS_atomic;
    switch (op->opcode) {
    case WS_OP_bar:
        return WS_CLASS_barrier;
    case WS_OP_ld:
        return WS_CLASS_load;
    case WS_OP_st:
        return WS_CLASS_store;
    default:
        return WS_CLASS_int;
    }
}

enum ws_status kit_run(struct kit *kit, struct ws_ndrange *launch, struct ws_trace_writer *writer, struct ws_error *error)
{
    const struct ws_frontend_options options = {.most_instructions = kit->most_instructions ? kit->most_instructions : 1000000,
                                                .most_thread_instructions = kit->most_thread_instructions,
                                                .go_on = kit->go_on,
                                                .lenient = kit->lenient,
                                                .note = kit->note};
    for (u32 n = 0; n < kit->kernel.op_count; n++)
        kit->trace[n].class_ = class_of(&kit->ops[n]);
    kit->kernel.ops = kit->ops;
    kit->kernel.program = kit->trace;
    kit->kernel.inputs = kit->inputs;
    kit->kernel.parameters = kit->parameters;
    kit->program.kernels = &kit->kernel;
    kit->program.kernel_count = 1;
    launch->kernel = kernel_name;
    if (writer)
        writer->operations = kit->kernel.op_count;
    return ws_execute(&kit->program, &options, launch, writer, NULL, error);
}

struct ws_op kit_operation(enum ws_opcode opcode, enum ws_type type, u8 width)
{
    struct ws_op op = {.opcode = (u8)opcode, .type = (u8)type, .width = width, .guard = WS_SLOT_NONE};
    for (u32 n = 0; n < WS_OP_RESULTS; n++)
        op.dst[n] = WS_SLOT_NONE;
    for (u32 n = 0; n < WS_OP_SOURCES; n++)
        op.src[n] = WS_SLOT_NONE;
    return op;
}

void kit_map(struct ws_op op, u32 sources, const u64 (*tuples)[4], u32 count, u64 *results)
{
    enum { RESULT = 8, ADDRESS = 9, WRITE = 10 };
    u64(*const copy)[4] = calloc(count, sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, tuples, count * sizeof *copy);
    struct kit kit;
    kit_begin(&kit);
    const u16 thread = kit_special(&kit, WS_SPECIAL_tid_x), in = kit_pointer(&kit, 0), out = kit_pointer(&kit, 1);
    const u16 strides[] = {kit_constant(&kit, 32), kit_constant(&kit, 8)};
    for (u32 n = 0; n < 2; n++) {
        struct ws_op *const address = kit_op(&kit, WS_OP_mad_lo, WS_TYPE_u64);
        memcpy(address->src, (const u16[]){thread, strides[n], n ? out : in}, 3 * sizeof(u16));
        address->dst[0] = n ? WRITE : ADDRESS;
    }
    op.dst[0] = RESULT;
    for (u16 n = 0; n < sources; n++) {
        kit_access(&kit, WS_OP_ld, WS_SPACE_global, WS_TYPE_u64, ADDRESS, 8 * n, n);
        op.src[n] = n;
    }
    *kit_op(&kit, WS_OP_mov, WS_TYPE_u64) = op;
    kit_access(&kit, WS_OP_st, WS_SPACE_global, WS_TYPE_u64, WRITE, 0, RESULT);
    kit_op(&kit, WS_OP_exit, WS_TYPE_none);
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = count * sizeof *copy, .data = copy},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = count * sizeof *results, .data = results}};
    struct ws_ndrange launch = {.global = {count, 1, 1}, .local = {count, 1, 1}, .argument_count = 2, .arguments = arguments};
    EXPECT_OK(kit_run(&kit, &launch, NULL, &error));
    free(copy);
}

static u64 next_random(u64 *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void kit_tuples(u32 bits, u64 (*tuples)[4], u32 count)
{
    const u64 top = UINT64_C(1) << (bits - 1), mask = UINT64_MAX >> (64 - bits);
    const u64 edges[] = {0, 1, 2, 31, 32, 64, top - 1, top, mask};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    u64 state = 0x853C49E6748FEA9B;
    for (u32 n = 0; n < count; n++) {
        const u64 random = next_random(&state);
        const bool edge = n < EDGES * EDGES * EDGES;
        tuples[n][0] = edge ? edges[n % EDGES] : random & mask;
        tuples[n][1] = edge ? edges[n / EDGES % EDGES] : (n % 3 ? next_random(&state) : random % 70) & mask;
        tuples[n][2] = edge ? edges[n / EDGES / EDGES] : (n % 5 ? next_random(&state) : random & 63) & mask;
        tuples[n][3] = next_random(&state) % (n % 2 ? 70 : 300);
    }
}

/* The linker puts these in place of the functions of the trace part (--wrap in CMakeLists.txt). */
struct ws_recorder *__wrap_ws_recorders_begin(struct ws_trace_writer *writer, u64 index);
enum ws_status __wrap_ws_recorders_end(struct ws_trace_writer *writer, const u64 *executed, struct ws_error *error);
bool __wrap_ws_recorder_more(struct ws_recorder *recorder);

struct ws_recorder *__wrap_ws_recorders_begin(struct ws_trace_writer *writer, u64 index)
{
    assert_int_equal(index, writer->begun++);
    for (u32 n = 0; n < KIT_THREADS; n++)
        writer->recorders[n] = (struct ws_recorder){.decisions = writer->decisions[n],
                                                    .decision_room = KIT_STREAM,
                                                    .accesses = writer->accesses[n],
                                                    .access_room = KIT_STREAM,
                                                    .writer = writer};
    return writer->recorders;
}

enum ws_status __wrap_ws_recorders_end(struct ws_trace_writer *writer, const u64 *executed, struct ws_error *error)
{
    writer->ended++;
    memcpy(writer->executed, executed, writer->operations * sizeof *executed);
    for (u32 n = 0; n < KIT_THREADS; n++)
        if (writer->recorders[n].access_count == KIT_STREAM)
            return ws_fail(error, WS_STATUS_no_file, "the stream is full");
    return WS_STATUS_ok;
}

bool __wrap_ws_recorder_more(struct ws_recorder *recorder)
{
    (void)recorder;
    return false;
}
