/* A kernel between parsed function and program: the passes, in the order in which load.c runs them. */
#pragma once

#include "frontend/ptx/module.h"
#include "model/postdominators.h"

/* The stack of functions that call themselves, a local variable: a frame for each call has their local variables and the registers
 * that they need again. */
struct ptx_stack {
    bool used;
    u32 variable;     /* of the module */
    u16 top;          /* register: address of the running function's frame */
    u32 trees;        /* functions called from outside so far; each has frames of a size of its own: */
    u16 bytes, limit; /* inputs: bytes of a frame, and the last address at which one fits; their values are set at the end */
    u32 frame;        /* bytes of a frame so far */
    u32 *places;      /* by variable of the module: its offset in the frame, or PTX_NOWHERE */
    size_t place_count;
};

/* Data shared by the passes. Everything lives in the arena. */
struct ptx_kernel {
    struct ptx_module *module;
    struct ws_arena *arena;
    struct ws_error *error;
    const struct ptx_function *entry;
    struct ptx_body body;
    size_t objects; /* operations of all copies of functions; shared copies count once per caller */
    struct ptx_stack stack;
};

static inline enum ws_status ptx_add_kernel_op(struct ptx_kernel *kernel, const struct ws_op *op)
{
    return ptx_add_op(kernel->arena, &kernel->body, op, kernel->error);
}

/* Space of called functions' parameters, until parameters.c converts them to moves. The kernel's own are in WS_SPACE_parameter. */
enum { PTX_SPACE_CALL = WS_ADDRESS_SPACES };

/* expand.c: copies the entry's body into kernel->body, and into it the bodies of the functions it calls. The result has neither ret
 * nor call; exits, traps and barriers have no guards; an exit ends the body. */
enum ws_status ptx_expand_calls(struct ptx_kernel *kernel);

/* parameters.c: converts parameters of calls to registers, and loads of the kernel's parameters to moves of inputs, where addresses
 * are known. What is left of calls' parameters becomes local variables. */
enum ws_status ptx_resolve_parameters(struct ptx_kernel *kernel);

/* Byte offset of the kernel's parameter n; for n = number of parameters, the size of all. */
u32 ptx_parameter_offset(const struct ptx_function *entry, size_t n);

/* The unsigned type of a register's width. */
enum ws_type ptx_width_type(u32 width);

/* ---- graph.c ---- */

enum ptx_end {
    PTX_END_JUMP,   /* continues with next */
    PTX_END_BRANCH, /* continues at taken if the guard holds, else at next */
    PTX_END_EXIT    /* the last operation is exit or trap */
};

#define PTX_NO_BLOCK WS_NO_NODE

/* A basic block: operations without branches, and how it ends. */
struct ptx_block {
    struct ws_op *ops;
    u32 op_count;
    enum ptx_end end;
    u16 guard;
    bool negated; /* the guard holds when the predicate is 0 */
    bool reachable;
    u32 taken, next; /* blocks */
    u32 line;
};

/* Blocks in the order of the text; the first is the entry. */
struct ptx_graph {
    struct ptx_block *blocks;
    u32 count;
};

/* The graph of kernel->body. Targets of operations are invalid from here on. */
enum ws_status ptx_build_graph(struct ptx_kernel *kernel, struct ptx_graph *graph);

/* Makes edges skip empty blocks, turns branches with one target into jumps, marks what is reachable, joins consecutive blocks. */
enum ws_status ptx_simplify(struct ptx_kernel *kernel, struct ptx_graph *graph);

/* The successors of a block: at most 2. */
u32 ptx_successors(const struct ptx_block *block, u32 successors[2]);

/* How many edges from reachable blocks lead into each block. */
enum ws_status ptx_count_predecessors(struct ptx_kernel *kernel, const struct ptx_graph *graph, u32 **counts);

/* if_convert.c: hammocks with up to most operations a side become guarded operations. */
enum ws_status ptx_if_convert(struct ptx_kernel *kernel, struct ptx_graph *graph, u32 most);

/* of[n] is the immediate post-dominator of block n, PTX_NO_BLOCK when only the end of the thread is common. For a block that cannot
 * reach an end, the last block of its endless loop counts as an end. */
enum ws_status ptx_postdominators(struct ptx_kernel *kernel, const struct ptx_graph *graph, u32 **of);

/* ---- linear.c ---- */

/* A block in linear code. */
struct ptx_span {
    u32 first, end;                     /* operations */
    u32 successors[2], successor_count; /* spans */
};

enum { PTX_MOST_INSTRUCTIONS = 65534 };

/* The final program: targets are indices of operations. */
struct ptx_linear {
    struct ws_op *ops;
    u16 *reconverge; /* for branches: an index or WS_PC_NONE */
    u32 count;
    struct ptx_span *spans;
    u32 span_count;
};

/* Lays out the reachable blocks in order. A branch needs a jump after it only if neither target follows. */
enum ws_status ptx_linearise(struct ptx_kernel *kernel, const struct ptx_graph *graph, struct ptx_linear *linear);

/* ---- liveness.c ---- */

/* A range of points at which a register is live. Operation n reads at point 2n and writes at point 2n + 1. */
struct ptx_range {
    u32 from, to; /* both included */
};

struct ptx_liveness {
    struct ptx_range *ranges; /* those of register n are first[n] to first[n + 1] - 1 */
    u32 *first;
    u32 most_live; /* 32-bit registers, predicates apart */
    u32 most_predicates;
    u32 peak, predicate_peak; /* operations at which so many registers are live */
};

enum ws_status ptx_find_liveness(struct ptx_kernel *kernel, const struct ptx_linear *linear, struct ptx_liveness *liveness);

/* ---- allocate.c ---- */

enum {
    PTX_GENERAL = WS_FIRST_PREDICATE,         /* general registers: 0 to 239 */
    PTX_FIRST_PREDICATE = WS_FIRST_PREDICATE, /* predicates: 240 to 253, the first seven as in hardware */
    PTX_PREDICATES = 14
};

struct ptx_allocation {
    u8 *of;        /* by register: allocated register (of a pair the even one), or WS_NO_REGISTER if never live */
    u32 registers; /* general registers per thread */
};

/* Allocates all registers. *fits: whether there are enough; if not, *predicates: whether predicates are the scarce ones. With
 * join_moves, a selp and a source that dies in it share a register if possible. */
enum ws_status ptx_allocate(struct ptx_kernel *kernel, const struct ptx_linear *linear, const struct ptx_liveness *liveness,
                            bool join_moves, struct ptx_allocation *allocation, bool *fits, bool *predicates);

/* ---- spill.c ---- */

/* What has been spilled so far. */
struct ptx_spills {
    bool *made; /* by register: temporary that holds a spilled register for an operation */
    size_t made_count, made_room;
    u16 temporaries[WS_OP_SOURCES + 1 + WS_OP_RESULTS][4]; /* by operand and width; 0: none yet */
    u32 variable;
    bool has_variable;
};

/* Liveness and allocation of linear code; inserts loads and stores of spilled registers until registers suffice. */
enum ws_status ptx_fit_registers(struct ptx_kernel *kernel, struct ptx_linear *linear, bool join_moves,
                                 struct ptx_liveness *liveness, struct ptx_allocation *allocation);

/* guarded_moves.c: a selp whose destination shares the register of one source becomes a cmov. */
void ptx_mark_guarded_moves(const struct ptx_kernel *kernel, struct ptx_linear *linear, const struct ptx_allocation *allocation);

/* ---- emit.c ---- */

/* Writes the finished kernel into *out, in the arena of its program. */
enum ws_status ptx_emit(struct ptx_kernel *kernel, const struct ptx_linear *linear, const struct ptx_allocation *allocation,
                        u32 most_live, struct ws_arena *owner, struct ws_kernel *out);
