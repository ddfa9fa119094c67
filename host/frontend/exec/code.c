#include "frontend/exec/code.h"

#include <stdlib.h>

#include "base/error.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/effects.h"

/* Longest basic block: longer ones are split, which bounds the call depth where the compiler does not turn the calls into jumps. */
enum { MOST_OPERATIONS = 512 };

/* Code being built. */
struct maker {
    const struct ws_kernel *kernel;
    const struct ws_memory *memory;
    bool lockstep;
    bool reconverges; /* diverged lanes reconverge at post-dominators; machine code, only at convergence barriers */
    struct ws_code *code;
    bool *leads;   /* by operation: begins a basic block; one more at the end */
    u32 *block_of; /* by operation */
    const struct ws_handler_row *rows[WS_CODES];
    u32 step_count;
};

static bool ends_block(const struct ws_op *op)
{
    switch (op->opcode) {
    case WS_OP_branch:
    case WS_OP_jump:
    case WS_OP_exit:
    case WS_OP_trap:
        return true;
    default:
        return ws_op_is_warp_wide(op->opcode) || ws_op_is_barrier(op->opcode);
    }
}

/* Whether execution never continues with the next operation. */
static bool ends_path(const struct ws_op *op)
{
    return op->opcode == WS_OP_jump || op->opcode == WS_OP_exit || op->opcode == WS_OP_trap;
}

static bool has_target(const struct ws_op *op)
{
    return op->opcode == WS_OP_branch || op->opcode == WS_OP_jump;
}

/* Whether the decision is a separate step before the operation. Lanes of a guarded warp-wide operation (machine code only) stay
 * together. */
static bool has_guard_step(const struct ws_op *op)
{
    return op->guard != WS_SLOT_NONE && op->opcode != WS_OP_branch && !ws_op_is_warp_wide(op->opcode);
}

/* Whether a step that continues with the next block follows it. */
static bool falls(const struct ws_op *op)
{
    return !ends_block(op) || has_guard_step(op);
}

static void find_leaders(struct maker *maker)
{
    const struct ws_kernel *const kernel = maker->kernel;
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_op *const op = &kernel->ops[n];
        if (has_target(op) && op->target < kernel->op_count)
            maker->leads[op->target] = true;
        if (ends_block(op))
            maker->leads[n + 1] = true;
        if (maker->reconverges && op->opcode == WS_OP_branch && kernel->program[n].reconverge < kernel->op_count)
            maker->leads[kernel->program[n].reconverge] = true;
    }
    if (maker->lockstep)
        ws_split_accesses(kernel, maker->leads);
    u32 length = 0;
    for (u32 n = 0; n < kernel->op_count; n++) {
        length = maker->leads[n] ? 1 : length + 1;
        if (n == 0 || length > MOST_OPERATIONS) {
            maker->leads[n] = true;
            length = 1;
        }
    }
}

static void count_steps(struct maker *maker)
{
    const struct ws_kernel *const kernel = maker->kernel;
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_op *const op = &kernel->ops[n];
        maker->code->block_count += maker->leads[n];
        maker->block_of[n] = maker->code->block_count - 1;
        maker->step_count += has_guard_step(op) ? 2 : 1;
        maker->step_count += maker->leads[n + 1] && falls(op);
    }
}

static void collect_rows(struct maker *maker)
{
    const struct ws_handler_row *const tables[] = {ws_integer_handlers, ws_half_handlers,   ws_test_handlers,   ws_real_handlers,
                                                   ws_move_handlers,    ws_atomic_handlers, ws_control_handlers};
    for (u32 n = 0; n < sizeof tables / sizeof tables[0]; n++)
        for (const struct ws_handler_row *row = tables[n]; row->run; row++)
            maker->rows[row->code] = row;
}

/* Handlers of operations that have one for all types. */
static ws_handler *const own_handlers[WS_OPCODES] = {
    [WS_OP_bulk_in] = ws_bulk_in,
    [WS_OP_bulk_out] = ws_bulk_out,
    [WS_OP_tensor_in] = ws_tensor_in,
    [WS_OP_tensor_out] = ws_tensor_out,
    [WS_OP_tensor_size] = ws_tensor_size,
    [WS_OP_tensor_replace] = ws_tensor_replace,
    [WS_OP_mapa] = ws_mapa,
    [WS_OP_getctarank] = ws_getctarank,
    [WS_OP_cluster_arrive] = ws_cluster_arrive,
    [WS_OP_atom_multicast] = ws_multicast,
    [WS_OP_heap_take] = ws_heap_take,
    [WS_OP_heap_give] = ws_heap_give,
    [WS_OP_video] = ws_video,
    [WS_OP_ask] = ws_ask,
    [WS_OP_nanosleep] = ws_nanosleep,
    [WS_OP_print] = ws_print,
    [WS_OP_tex] = ws_tex,
    [WS_OP_tex_gather] = ws_tex_gather,
    [WS_OP_suld] = ws_suld,
    [WS_OP_sust] = ws_sust,
    [WS_OP_sust_pixel] = ws_sust_pixel,
    [WS_OP_txq] = ws_txq,
};

static ws_handler *handler_of(const struct maker *maker, const struct ws_op *op)
{
    if (op->machine)
        return op->machine->run;
    if (op->opcode >= WS_OPCODES || op->type >= WS_TYPES)
        return NULL;
    if (ws_op_is_warp_wide(op->opcode))
        return ws_warp_wide;
    if (own_handlers[op->opcode])
        return own_handlers[op->opcode];
    switch (op->opcode) {
    case WS_OP_cvt:
        return ws_convert_handler(op);
    case WS_OP_setp:
    case WS_OP_set:
        return ws_compare_handler(op);
    case WS_OP_ld:
    case WS_OP_st:
        return ws_access_handler(op);
    case WS_OP_atom_add:
    case WS_OP_atom_min:
    case WS_OP_atom_max:
        if (op->count > 1)
            return ws_atom_vector;
        break;
    case WS_OP_atom_exch:
    case WS_OP_atom_cas:
        if (op->count > 1)
            return ws_atom_swap_pair;
        break;
    case WS_OP_branch:
        if (op->flags & WS_OP_NOT_GUARD)
            return ws_branch_not;
        break;
    }
    const struct ws_handler_row *const row = maker->rows[ws_op_code(op)];
    const bool modified = op->rounding != WS_ROUND_nearest || (op->flags & (WS_OP_FTZ | WS_OP_SAT));
    if (!row)
        return NULL;
    return modified ? row->modified : row->run;
}

/* First guess for the range of an access. The empty range makes every first access search. */
static const struct ws_range *first_range(const struct maker *maker, const struct ws_op *op)
{
    static const struct ws_range nowhere;
    switch (op->space) {
    case WS_SPACE_shared:
        return &maker->memory->shared;
    case WS_SPACE_local:
        return &maker->memory->local;
    default:
        return &nowhere;
    }
}

static u16 slot_of(const struct maker *maker, u16 slot)
{
    return slot == WS_SLOT_NONE ? (u16)(maker->code->slots - 1) : slot;
}

static struct ws_basic_block *block_of(const struct maker *maker, u32 op)
{
    return op < maker->kernel->op_count ? &maker->code->blocks[maker->block_of[op]] : NULL;
}

static void link_step(const struct maker *maker, u32 n, struct ws_step *step)
{
    const struct ws_op *const op = step->op;
    if (ws_op_is_warp_wide(op->opcode)) {
        step->next = block_of(maker, op->opcode == WS_OP_bar_warp && op->target ? op->target : n + 1);
        return;
    }
    switch (op->opcode) {
    case WS_OP_branch:
        step->a = slot_of(maker, op->guard);
        step->taken = block_of(maker, op->target);
        step->next = block_of(maker, n + 1);
        return;
    case WS_OP_jump:
        step->next = block_of(maker, op->target);
        return;
    case WS_OP_bar:
    case WS_OP_bar_popc:
    case WS_OP_bar_and:
    case WS_OP_bar_or:
        step->next = block_of(maker, n + 1);
        step->offset = !WS_IS_BLOCK_BARRIER(&maker->kernel->program[n]);
        return;
    case WS_OP_cvt:
        step->mask = ws_register_mask(op);
        return;
    default:
        step->offset = (u64)(s64)op->offset;
        step->range = first_range(maker, op);
    }
}

static enum ws_status make_step(const struct maker *maker, u32 n, struct ws_step *step, struct ws_error *error)
{
    const struct ws_op *const op = &maker->kernel->ops[n];
    *step = (struct ws_step){.run = handler_of(maker, op),
                             .dst = slot_of(maker, op->dst[0]),
                             .a = slot_of(maker, op->src[0]),
                             .b = slot_of(maker, op->src[1]),
                             .c = slot_of(maker, op->src[2]),
                             .op = op};
    if (!step->run)
        return ws_fail(error, WS_STATUS_internal, "kernel %s, line %u: nothing executes operation %u of type %u",
                       maker->kernel->name, op->line, op->opcode, op->type);
    link_step(maker, n, step);
    return WS_STATUS_ok;
}

static void add_effect(struct ws_basic_block *block, struct ws_effect effect)
{
    block->reads |= effect.reads;
    block->writes |= effect.writes;
}

static enum ws_status make_steps(const struct maker *maker, struct ws_error *error)
{
    const struct ws_kernel *const kernel = maker->kernel;
    struct ws_step *step = maker->code->steps;
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_op *const op = &kernel->ops[n];
        struct ws_basic_block *const block = &maker->code->blocks[maker->block_of[n]];
        if (maker->leads[n])
            *block = (struct ws_basic_block){.first = step, .op = n};
        block->length++;
        add_effect(block, ws_effect_of(kernel, n));
        if (has_guard_step(op))
            *step++ = (struct ws_step){
                .run = op->flags & WS_OP_NOT_GUARD ? ws_guard_not : ws_guard, .a = slot_of(maker, op->guard), .op = op};
        WS_TRY(make_step(maker, n, step++, error));
        if (op->opcode == WS_OP_branch) {
            block->taken = step[-1].taken;
            block->reconverge = maker->reconverges ? block_of(maker, kernel->program[n].reconverge) : NULL;
        }
        if (maker->leads[n + 1] && falls(op))
            *step++ = (struct ws_step){.run = ws_fall, .next = block_of(maker, n + 1), .op = op};
    }
    return WS_STATUS_ok;
}

static enum ws_status make(struct maker *maker, struct ws_error *error)
{
    const struct ws_kernel *const kernel = maker->kernel;
    struct ws_code *const code = maker->code;
    maker->leads = calloc((size_t)kernel->op_count + 1, sizeof *maker->leads);
    maker->block_of = calloc((size_t)kernel->op_count + 1, sizeof *maker->block_of);
    if (!maker->leads || !maker->block_of)
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", kernel->name);
    find_leaders(maker);
    count_steps(maker);
    code->blocks = calloc(code->block_count, sizeof *code->blocks);
    code->steps = calloc(maker->step_count, sizeof *code->steps);
    if (!code->blocks || !code->steps)
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", kernel->name);
    return make_steps(maker, error);
}

enum ws_status ws_code_make(const struct ws_kernel *kernel, const struct ws_memory *memory, bool lockstep, struct ws_code *code,
                            struct ws_error *error)
{
    *code = (struct ws_code){.slots = kernel->registers + kernel->input_count + 1};
    if (kernel->op_count == 0 || !ends_path(&kernel->ops[kernel->op_count - 1]) || code->slots >= WS_SLOT_NONE)
        return ws_fail(error, WS_STATUS_internal, "kernel %s: %u operations with %u slots that do not end in an exit", kernel->name,
                       kernel->op_count, code->slots);
    struct maker maker = {
        .kernel = kernel, .memory = memory, .lockstep = lockstep, .reconverges = lockstep && !kernel->code, .code = code};
    collect_rows(&maker);
    const enum ws_status status = make(&maker, error);
    free(maker.leads);
    free(maker.block_of);
    return status;
}

void ws_code_free(struct ws_code *code)
{
    free(code->steps);
    free(code->blocks);
    *code = (struct ws_code){0};
}

u64 ws_code_take_counts(struct ws_code *code, u64 *executed)
{
    u64 sum = 0;
    for (u32 n = 0; n < code->block_count; n++) {
        struct ws_basic_block *const block = &code->blocks[n];
        for (u32 i = 0; i < block->length; i++)
            executed[block->op + i] = block->executed;
        sum += block->executed * block->length;
        block->executed = 0;
    }
    return sum;
}
