/* Lowering: instructions of machine code become operations that the executor of the front end runs, one each, with handlers of
 * their own. A thread's slots are its registers, of 32 bits each, predicates (0 or 1), convergence barriers (members), and
 * registers of the uniform datapath, which each thread computes for itself. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"
#include "sass/code/decode.h"
#include "sass/exec/machine.h"

/* What executes an operation: run, and behind it what run may need. */
struct sass_op {
    struct ws_machine_op base;
    ws_handler *call;   /* of an operation of PTX, which inner is */
    struct ws_op inner; /* its slots are local ones: destination 0, sources 1 to 3 */
    u64 value;
    const struct ws_sass_module *module; /* of a call of a function that the driver has */
};

/* A copy of a function's code for one place that calls it; the first is the kernel itself. */
struct sass_context {
    u32 entry, back; /* offsets: of its first instruction, of where it returns to in the caller */
    u32 caller;      /* context */
    u32 *op_of;      /* by instruction: its operation + 1, 0: none */
    u32 site;        /* instruction that calls */
};

/* A place of an operation: a context, an instruction, and which of its operations. */
struct sass_place {
    u32 context, instruction, part;
};

struct lowering {
    const struct ws_sass_kernel *machine;
    struct ws_arena *arena; /* of the program */
    struct ws_error *error;
    struct ws_kernel *kernel;
    struct ws_sass_instruction *code; /* by instruction */
    const char **failures;            /* by instruction: why it is not known, or NULL */
    u32 registers[WS_SASS_FILES];     /* used of each file; first slot of each below */
    u16 first[WS_SASS_FILES], unused, bar_result, hidden /* four words between parts of an instruction */;
    struct sass_context *contexts;
    size_t context_count, context_room;
    struct sass_place *places; /* by operation */
    size_t place_room, op_room, input_room, target_room;
    struct sass_place *targets;     /* by operation: where a branch or jump goes */
    u32 context, instruction, part; /* that is being lowered */
    struct sass_op *own;            /* made last */
};

enum ws_status sass_no_memory(const struct lowering *lowering);

/* Fails for the instruction that is being lowered: "PLACE: what". */
enum ws_status sass_refuse(const struct lowering *lowering, const char *what);

/* Where the indirect branch at an instruction may go; NULL: it is not known. */
const struct ws_sass_branch *sass_branch_at(const struct lowering *lowering, u32 instruction);

/* Function n, from 0, that a call through an address may call, and its offset; false: there are fewer. */
bool sass_callee(const struct lowering *lowering, u32 n, u32 *entry);

/* How many functions there are; at most the instructions of the code. */
u32 sass_callees(const struct lowering *lowering);

/* ---- Slots: operands.c ---- */

/* Settles which registers there are. */
void sass_find_registers(struct lowering *lowering);

/* The slot of word n of an operand that is read, of one that is written; where the instruction has none that of 0, of nobody. */
u16 sass_source(struct lowering *lowering, const struct ws_sass_instruction *in, char letter, u32 word);
u16 sass_result(const struct lowering *lowering, const struct ws_sass_instruction *in, char letter, u32 word);
u16 sass_register(const struct lowering *lowering, enum ws_sass_file file, u32 number);

/* A slot that holds a value before the thread starts. */
u16 sass_input(struct lowering *lowering, struct ws_input input);
u16 sass_value(struct lowering *lowering, u64 value);

/* Modifiers of a source: 1 negated, 2 absolute. */
u32 sass_modified(const struct ws_sass_instruction *in, char letter);
static inline u32 sass_bits(const struct ws_sass_instruction *in, u32 from, u32 count)
{
    return (u32)ws_sass_bits(in->word, from, count);
}

/* Gives a branch a guard and a predicate; it is taken where both hold (control.c). */
enum ws_status sass_guard_both(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);

/* ---- The trace: trace.c ---- */

/* Settles targets, and makes the program of the trace and what a launch needs. */
enum ws_status sass_trace_program(struct lowering *lowering);

/* Describes an instruction (code.c); false when out of memory. A word that is not decoded has no row: it gets no text. */
bool sass_code_of(const struct ws_sass_kernel *machine, const struct ws_sass_instruction *in, struct ws_arena *arena,
                  struct ws_machine_instruction *to);

/* Code of count instructions, which the caller describes; NULL when out of memory. */
struct ws_machine_code *sass_code_make(const struct ws_sass_kernel *machine, u32 count, struct ws_arena *arena,
                                       struct ws_machine_instruction **instructions);

/* At a launch: struct ws_machine. */
enum ws_status sass_at_launch(struct ws_plan *plan, struct ws_error *error);

/* ---- Operations ---- */

/* Lowers one instruction into op, whose guard is set. */
typedef enum ws_status sass_lower(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);
#define DOES(name) sass_lower sass_lower_##name;
#include "sass/code/does.def"

/* Gives an operation its handler; NULL when out of memory. */
struct sass_op *sass_does(struct lowering *lowering, struct ws_op *op, ws_handler *run);

/* The same, with the words that it reads and writes: letters and digits, "a b c P d p", a digit behind one: word of it; sources
 * in this order, and results. */
enum ws_status sass_handles(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, ws_handler *run,
                            const char *results, const char *sources);

/* Number of the size of an access: 0 to 3 u8, s8, u16, s16, then 4, 8, 16 bytes (memory.c). */
u32 sass_size(const struct ws_sass_instruction *in);

/* A load, or store, of the words that a width field says, whose slots are there already (memory.c). */
enum ws_status sass_load_words(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);
enum ws_status sass_store_words(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);

/* The handler of an operation of PTX. */
ws_handler *sass_handler_of(const struct ws_op *inner);

/* Calls the operation of PTX behind step with a, b, c; *good is false after stopping the thread. */
u64 sass_call(struct ws_step *step, u64 a, u64 b, u64 c, struct ws_thread *thread, bool *good);

static inline const struct sass_op *sass_own(const struct ws_step *step)
{
    return (const struct sass_op *)step->op->machine;
}

/* A source, modified: 1 negated, 2 absolute. */
static inline u32 sass_real(u64 slot, u32 modified)
{
    return ((u32)slot & (modified & 2 ? 0x7FFFFFFFu : UINT32_MAX)) ^ (modified & 1 ? 0x80000000u : 0);
}

static inline u64 sass_pair(const u64 *slot, u32 low, u32 high)
{
    return (u32)slot[low] | slot[high] << 32;
}

static inline void sass_put_pair(u64 *slot, u32 low, u32 high, u64 value)
{
    slot[low] = (u32)value;
    slot[high] = value >> 32;
}
