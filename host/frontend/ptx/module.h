/* A parsed PTX module, between text and kernels. Everything lives in one arena. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "frontend/ptx/ir.h"
#include "frontend/ptx/symbols.h"

/* Inputs of a body, without duplicates. Their slots count down from the top, registers count up from 0. */
struct ptx_inputs {
    struct ws_input *inputs;
    size_t count, room;
    u32 *table; /* hash table: number of an input + 1, or 0 */
    u32 table_size;
};

enum { PTX_TOP_SLOT = WS_SLOT_NONE - 1 };

static inline u16 ptx_input_slot(size_t input)
{
    return (u16)(PTX_TOP_SLOT - input);
}

/* A .param of a function or call, before it becomes moves. */
struct ptx_object {
    u32 bytes, align;
    enum ws_type type; /* of its elements */
    bool recursive;    /* of a function that calls itself */
};

/* Code under construction. Operations of a body hold numbers that are resolved later:
 *   target             the number of a label; of a call for WS_OP_call
 *   value of an input  for the address of a variable, the variable's number; with space parameter, an object's number */
struct ptx_body {
    const char *where; /* for messages: "name:line" */
    struct ws_op *ops;
    size_t op_count, op_room;
    u8 *widths; /* bytes of registers: 1 (predicates), 2, 4, 8 */
    size_t register_count, register_room;
    u32 *labels; /* operation each one precedes; PTX_NOWHERE while not placed */
    size_t label_count, label_room;
    struct ptx_object *objects;
    size_t object_count, object_room;
    struct ptx_inputs inputs;
};

#define PTX_NOWHERE 0xFFFFFFFFu

/* A formal parameter or result: a register or an object of the function's body. */
struct ptx_formal {
    const char *name;
    bool is_object;
    u16 slot;
    u32 object;
    bool pointer;
    u8 space; /* it points to */
    enum ws_type type;
    bool untyped; /* bits, .b32, or more than one element */
};

/* An actual argument or result: a slot or an object of the calling body. */
struct ptx_actual {
    bool is_object;
    u16 slot;
    u32 object;
};

struct ptx_call {
    const char *callee; /* NULL: the function at the address in pointer */
    u16 pointer;
    u32 line;
    struct ptx_actual *results, *arguments;
    size_t result_count, argument_count, result_room, argument_room;
};

struct ptx_function {
    const char *name;
    u32 line;
    bool entry, defined;
    u32 block[3];     /* .reqntid: required block size; 0: any */
    u32 most_threads; /* .maxntid: most threads per block; 0: any number */
    u32 cluster[3];   /* .reqnctapercluster: blocks of a cluster; 0: any */
    bool taken;       /* its address is used: indirect calls may reach it */
    bool variadic;    /* declared with a last parameter of any size, as clang 16 declares printf */
    bool active;      /* set while its body is being copied: a call now is recursion */
    bool visited;     /* by a search of the graph of calls */
    struct ptx_formal *results, *parameters;
    size_t result_count, parameter_count, result_room, parameter_room;
    struct ptx_body body;
    struct ptx_call *calls;
    size_t call_count, call_room;
    const char *failure; /* error in its header or body, or NULL */
    const char *alias;   /* the function of which this is an alias, or NULL */
};

struct ptx_variable {
    const char *name;
    u32 line;
    u8 space;
    bool external; /* declared only */
    bool dynamic;  /* .extern .shared x[]: where dynamic shared memory begins */
    bool inner;    /* declared in a function */
    u32 bytes, align;
    u32 offset;          /* in its image: global and constant */
    u32 member;          /* its number there + 1; 0: none */
    const char *failure; /* error in its declaration, or NULL */
};

struct ptx_image {
    u8 *initial;
    size_t bytes, room;
    u32 variable_count;
    struct ws_module_address *addresses;
    size_t address_count, address_room;
};

/* From this PTX line on, instructions belong to that source line; 0: unknown. */
struct ptx_location {
    u32 line, source_line;
};

/* Source facts about a kernel's argument: .pragma "kernel_arg KERNEL NUMBER NAME TYPE". */
struct ptx_argument {
    const char *kernel, *name; /* name is NULL when it has none */
    const char *spelling;      /* its type */
    u32 number;
};

struct ptx_module {
    struct ws_arena *arena;
    struct ws_places places; /* lines of functions, calls and operations are places */
    /* Called with the spelling ("ld.global.f32") of every parsed instruction, even in functions that prove invalid; or NULL. */
    bool narrow, wide; /* address size, 32 or 64 bits, as the text declares */
    void (*instruction_seen)(void *context, const char *spelling, size_t length);
    void *context;
    const char *failure;             /* the first error outside of function bodies, or NULL */
    struct ptx_function **functions; /* pointers, which stay valid while more are added */
    size_t function_count, function_room;
    struct ptx_symbols names; /* of functions, with their numbers */
    struct ptx_variable *variables;
    size_t variable_count, variable_room;
    struct ptx_image global, constant;
    u32 grid_barrier; /* number of the variable for grid barriers + 1; 0: no kernel needs it */
    u32 heap;         /* that of malloc's memory + 1; 0: no kernel calls malloc or free */
    struct ptx_location *locations;
    size_t location_count, location_room;
    struct ptx_argument *arguments;
    size_t argument_count, argument_room;
};

/* Parses the text into *module, whose arena and places are set. The error names file, line, what was found and what was expected.
 */
enum ws_status ptx_parse(struct ptx_module *module, const char *text, size_t length, struct ws_error *error);

/* The function of that name (length bytes), or NULL. */
struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name, size_t length);

/* The address of a function as a value; marks it as taken. 0 if there is no such function. */
u64 ptx_function_address(const struct ptx_module *module, const char *name, size_t length);

/* Source line of a PTX line, from the preceding .loc in its function; 0 if none. */
u32 ptx_source_line(const struct ptx_module *module, u32 line);

/* ---- Bodies ---- */

/* These fail with WS_STATUS_no_memory, or with WS_STATUS_bad_input when a body becomes too large. */

/* Registers that a trace instruction reads, not counting its guard. */
enum { PTX_MOST_READ = 5 };

/* Sources of an operation that its trace instruction lists: those before this one. */
static inline u32 ptx_listed_sources(const struct ws_op *op)
{
    return op->access & WS_ACCESS_PART ? WS_COPY_GIVEN : WS_OP_SOURCES;
}

/* Appends an operation. If it reads too many registers, operations before it read the first ones. */
enum ws_status ptx_add_wide_op(struct ws_arena *arena, struct ptx_body *body, const struct ws_op *op, struct ws_error *error);

/* Appends an operation. */
enum ws_status ptx_add_op(struct ws_arena *arena, struct ptx_body *body, const struct ws_op *op, struct ws_error *error);

/* A new register of width bytes. */
enum ws_status ptx_add_register(struct ws_arena *arena, struct ptx_body *body, u8 width, u16 *slot, struct ws_error *error);

/* A new label, not placed yet. */
enum ws_status ptx_add_label(struct ws_arena *arena, struct ptx_body *body, u32 *label, struct ws_error *error);

/* A new object. */
enum ws_status ptx_add_object(struct ws_arena *arena, struct ptx_body *body, const struct ptx_object *object, u32 *number,
                              struct ws_error *error);

/* The slot of an input, which is added if new. */
enum ws_status ptx_add_input(struct ws_arena *arena, struct ptx_body *body, const struct ws_input *input, u16 *slot,
                             struct ws_error *error);

/* Whether a slot is a register; if not, the number of the input. */
static inline bool ptx_is_register(const struct ptx_body *body, u16 slot)
{
    return slot < body->register_count;
}
static inline struct ws_input *ptx_input(const struct ptx_body *body, u16 slot)
{
    return &body->inputs.inputs[PTX_TOP_SLOT - slot];
}

/* Whether the slot is a destination of the operation. */
static inline bool ptx_writes(const struct ws_op *op, u16 slot)
{
    return op->dst[0] == slot || op->dst[1] == slot || op->dst[2] == slot || op->dst[3] == slot;
}

enum ws_status ptx_no_memory(struct ws_error *error);

/* An operation without operands, to be filled in. */
struct ws_op ptx_op(enum ws_opcode opcode, enum ws_type type, u32 line);

/* Whether a function is printf or vprintf, which programs do not define (passes/print.c). */
bool ptx_is_print(const char *name);
