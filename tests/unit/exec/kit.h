/* Hand-made kernels for tests of the executor, and a recorder that keeps its records. */
#pragma once

#include "frontend/ptx/ir.h"
#include "model/recorder.h"

enum { KIT_OPS = 64, KIT_INPUTS = 32, KIT_REGISTERS = 24, KIT_PARAMETERS = 4, KIT_THREADS = 1024, KIT_STREAM = 256 };

struct kit {
    struct ws_kernel kernel;
    struct ws_program program;
    struct ws_op ops[KIT_OPS];
    struct ws_instruction trace[KIT_OPS];
    struct ws_input inputs[KIT_INPUTS];
    struct ws_kernel_parameter parameters[KIT_PARAMETERS];
    u64 most_instructions, most_thread_instructions; /* 0: a million, and no limit */
    bool (*go_on)(void *context);
    bool lenient;
    void (*note)(void *context, const char *text);
};

/* An empty kernel "k" of program "kit" with KIT_REGISTERS registers; operation n is on line 10 + n. */
void kit_begin(struct kit *kit);

/* Slots of inputs. Parameters are pointers of 8 bytes; the n-th is an argument of the launch. */
u16 kit_constant(struct kit *kit, u64 value);
u16 kit_special(struct kit *kit, enum ws_special special);
u16 kit_pointer(struct kit *kit, u32 n);

/* Appends an operation without operands and returns it. */
struct ws_op *kit_op(struct kit *kit, enum ws_opcode opcode, enum ws_type type);

/* Appends a load or store of type at [address + offset]; value is the destination or the stored value. */
struct ws_op *kit_access(struct kit *kit, enum ws_opcode opcode, u8 space, enum ws_type type, u16 address, i32 offset, u16 value);

/* Executes the kernel. */
enum ws_status kit_run(struct kit *kit, struct ws_ndrange *launch, struct ws_trace_writer *writer, struct ws_error *error);

/* Executes op once per tuple of sources, and returns all 64 bits of its destination register. Sources are the tuple's values in
 * order, as many as `sources`; at most KIT_THREADS tuples. */
void kit_map(struct ws_op op, u32 sources, const u64 (*tuples)[4], u32 count, u64 *results);

/* An operation for kit_map. */
struct ws_op kit_operation(enum ws_opcode opcode, enum ws_type type, u8 width);

/* Fills tuples with every combination of edge values and then with random ones; bits is the width of the values. */
void kit_tuples(u32 bits, u64 (*tuples)[4], u32 count);

/* The test's writer: the records of the last block. */
struct ws_trace_writer {
    struct ws_recorder recorders[KIT_THREADS];
    u64 decisions[KIT_THREADS][KIT_STREAM / 64];
    u64 accesses[KIT_THREADS][KIT_STREAM];
    u64 executed[KIT_OPS];
    u32 operations, begun, ended;
};
