/* Lowering: turns machine instructions into operations of the front end's executor, usually one each, with handlers of their own.
 * Slots of a thread: its 32-bit registers, predicates (0 or 1), convergence barriers (masks of lanes) and uniform registers. Each
 * thread computes its own copy of the uniform registers. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"
#include "sass/code/decode.h"
#include "sass/exec/machine.h"

/* The handler of an operation, followed by the data that it needs. */
struct sass_op {
    struct ws_machine_op base;
    ws_handler *call;   /* handler of the PTX operation inner */
    struct ws_op inner; /* with local slots: destination 0, sources 1 to 3 */
    u64 value;
    const struct ws_sass_module *module; /* for a call of a function of the driver */
};

/* Where a function returns to: the number of a context, and an offset. */
struct sass_return {
    u32 context, back;
};

/* A copy of a function's code for one call site. The first context is the kernel itself. A recursive call stays in the context of
 * the function that it calls. */
struct sass_context {
    u32 entry, back;               /* offsets: of the first instruction, and of the return address in the caller */
    u32 caller;                    /* number of a context */
    struct sass_return *recursive; /* returns of recursive calls */
    u32 recursive_count;
    size_t recursive_room;
    u32 *op_of; /* by instruction: its operation + 1; 0: none */
    u32 site;   /* the call instruction */
};

/* The origin of an operation: its context, its instruction, and its number among the instruction's operations. */
struct sass_place {
    u32 context, instruction, part;
};

struct lowering {
    const struct ws_sass_kernel *machine;
    struct ws_arena *arena; /* the program's */
    struct ws_error *error;
    struct ws_kernel *kernel;
    struct ws_sass_instruction *code; /* by instruction */
    const char **failures;            /* by instruction: why it was not decoded, or NULL */
    u32 registers[WS_SASS_FILES];     /* registers used in each file; first slot of each below */
    u16 first[WS_SASS_FILES], unused, bar_result, hidden /* four slots from one part of an instruction to the next */;
    struct sass_context *contexts;
    size_t context_count, context_room;
    struct sass_place *places; /* by operation */
    size_t place_room, op_room, input_room, target_room;
    struct sass_place *targets;     /* by operation: target of a branch or jump */
    u32 context, instruction, part; /* being lowered */
    struct sass_op *own;            /* the last one made */
};

enum ws_status sass_no_memory(const struct lowering *lowering);

/* Refuses the instruction being lowered. The message has its place, word and `what`, a noun phrase. */
enum ws_status sass_refuse(const struct lowering *lowering, const char *what);

/* The targets of the indirect branch at an instruction; NULL if they are not known. */
const struct ws_sass_branch *sass_branch_at(const struct lowering *lowering, u32 instruction);

/* Number n, from 0, of the functions that a call through an address may call, and its offset. False if there are fewer. */
bool sass_callee(const struct lowering *lowering, u32 n, u32 *entry);

/* The number of these functions, limited to that of instructions. */
u32 sass_callees(const struct lowering *lowering);

/* The context of a function at entry that calls itself, directly or not, from a context; 0: it does not. */
u32 sass_recursive(const struct lowering *lowering, u32 context, u32 entry);

/* ---- Slots: operands.c ---- */

/* Finds the registers in use, and assigns slots. */
void sass_find_registers(struct lowering *lowering);

/* The slot of a word of an operand: of a source, of a result. For an absent operand: a slot with 0, an unused slot. */
u16 sass_source(struct lowering *lowering, const struct ws_sass_instruction *in, char letter, u32 word);
u16 sass_result(const struct lowering *lowering, const struct ws_sass_instruction *in, char letter, u32 word);
u16 sass_register(const struct lowering *lowering, enum ws_sass_file file, u32 number);

/* A slot with an initial value. */
u16 sass_input(struct lowering *lowering, struct ws_input input);
u16 sass_value(struct lowering *lowering, u64 value);

/* Modifiers of a source: bit 0 negated, bit 1 absolute value. */
u32 sass_modified(const struct ws_sass_instruction *in, char letter);
static inline u32 sass_bits(const struct ws_sass_instruction *in, u32 from, u32 count)
{
    return (u32)ws_sass_bits(in->word, from, count);
}

/* Gives a branch both a guard and a predicate. It is taken where both hold (control.c). */
enum ws_status sass_guard_both(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);

/* ---- The trace: trace.c ---- */

/* Resolves targets, and makes the program of the trace and the inputs of a launch. */
enum ws_status sass_trace_program(struct lowering *lowering);

/* Describes an instruction (code.c); false when out of memory. A word that was not decoded has no row, and gets an empty text. */
bool sass_code_of(const struct ws_sass_kernel *machine, const struct ws_sass_instruction *in, struct ws_arena *arena,
                  struct ws_machine_instruction *to);

/* Code with room for count instructions; the caller describes these. NULL when out of memory. */
struct ws_machine_code *sass_code_make(const struct ws_sass_kernel *machine, u32 count, struct ws_arena *arena,
                                       struct ws_machine_instruction **instructions);

/* Called at a launch: see struct ws_machine. */
enum ws_status sass_at_launch(struct ws_plan *plan, struct ws_error *error);

/* ---- Operations ---- */

/* Lowers one instruction to op; its guard is already set. */
typedef enum ws_status sass_lower(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);
#define DOES(name) sass_lower sass_lower_##name;
#include "sass/code/does.def"

/* Gives an operation its handler; NULL when out of memory. */
struct sass_op *sass_does(struct lowering *lowering, struct ws_op *op, ws_handler *run);

/* The same with slots. results and sources list operands by letter, in order: "abcPdp". A digit after a letter selects a word of
 * the operand. */
enum ws_status sass_handles(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, ws_handler *run,
                            const char *results, const char *sources);

/* Size of an access (memory.c): 0 to 3 are u8, s8, u16, s16; then 4, 8, 16 bytes. */
u32 sass_size(const struct ws_sass_instruction *in);

/* A load or store of as many words as the width field says; the caller has set their slots (memory.c). */
enum ws_status sass_load_words(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);
enum ws_status sass_store_words(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op);

/* An access to memory: sets address and handler. Sources of the operation: address register and its upper half, added uniform
 * register (a pair), data. */
enum { SASS_LOW, SASS_HIGH, SASS_BASE, SASS_BASE_HIGH, SASS_DATA };
enum ws_status sass_access(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, ws_handler *run);

/* The handler of a PTX operation; NULL if it has none. */
ws_handler *sass_handler_of(const struct ws_op *inner);

/* Runs the PTX operation `inner` of a step with slots of its own; false if it stopped the thread. */
bool sass_run(struct ws_step *step, const struct ws_op *inner, u64 *slots, struct ws_thread *thread);

/* Calls the PTX operation of a step with a, b, c. *good is false if it stopped the thread. */
u64 sass_call(struct ws_step *step, u64 a, u64 b, u64 c, struct ws_thread *thread, bool *good);

static inline const struct sass_op *sass_own(const struct ws_step *step)
{
    return (const struct sass_op *)step->op->machine;
}

/* A source with modifiers: bit 0 negated, bit 1 absolute value. */
static inline u32 sass_real(u64 slot, u32 modified)
{
    return ((u32)slot & (modified & 2 ? 0x7FFFFFFFu : UINT32_MAX)) ^ (modified & 1 ? 0x80000000u : 0);
}

static inline u64 sass_pair(const u64 *slot, u32 low, u32 high)
{
    return (u32)slot[low] | slot[high] << 32;
}

/* Its address. Of 32 bits: scaled register (value: the scale) plus base. A 64-bit address has scale 0. */
static inline u64 sass_address(const struct ws_step *step, const u64 *slot)
{
    const u16 *const src = step->op->src;
    const u64 scale = sass_own(step)->value;
    if (scale)
        return (u32)((u32)slot[src[SASS_LOW]] * scale + slot[src[SASS_BASE]] + step->offset);
    return sass_pair(slot, src[SASS_LOW], src[SASS_HIGH]) + sass_pair(slot, src[SASS_BASE], src[SASS_BASE_HIGH]) + step->offset;
}

static inline void sass_put_pair(u64 *slot, u32 low, u32 high, u64 value)
{
    slot[low] = (u32)value;
    slot[high] = value >> 32;
}
