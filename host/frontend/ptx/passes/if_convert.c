#include <string.h>

#include "frontend/ptx/passes/kernel.h"

struct hammocks {
    struct ptx_kernel *kernel;
    struct ptx_graph *graph;
    u32 *predecessors; /* edges into each block from reachable ones */
    u32 most;
};

/* Operations that may carry a guard: not barriers, fences, atomics, warp-wide operations or ends, nor operations that have a guard.
 */
static bool may_be_guarded(const struct ws_op *op)
{
    const bool atomic = op->opcode >= WS_OP_atom_add && op->opcode <= WS_OP_atom_cas;
    const bool ordered = ws_op_is_barrier(op->opcode) || op->opcode == WS_OP_fence || (op->flags & WS_OP_VOLATILE);
    const bool ends = op->opcode == WS_OP_exit || op->opcode == WS_OP_trap;
    return op->guard == WS_SLOT_NONE && !atomic && !ordered && !ends && !ws_op_is_warp_wide(op->opcode);
}

/* Whether a block is a side of a hammock: entered only from its branch, short, and without a branch of its own. */
static bool is_side(const struct hammocks *hammocks, u32 number, u16 guard)
{
    const struct ptx_block *side = &hammocks->graph->blocks[number];
    if (number == 0 || hammocks->predecessors[number] != 1 || side->end != PTX_END_JUMP || side->op_count > hammocks->most)
        return false;
    for (u32 n = 0; n < side->op_count; n++)
        if (!may_be_guarded(&side->ops[n]) || ptx_writes(&side->ops[n], guard))
            return false;
    return true;
}

/* The block's operations, followed by those of one or two sides with guards. */
static enum ws_status absorb(struct hammocks *hammocks, u32 number, const u32 *sides, const bool *negated, u32 side_count, u32 next)
{
    struct ptx_block *block = &hammocks->graph->blocks[number];
    u32 count = block->op_count;
    for (u32 n = 0; n < side_count; n++)
        count += hammocks->graph->blocks[sides[n]].op_count;
    struct ws_op *ops = ws_arena_array(hammocks->kernel->arena, count, sizeof *ops);
    if (!ops)
        return ptx_no_memory(hammocks->kernel->error);
    if (block->op_count)
        memcpy(ops, block->ops, block->op_count * sizeof *ops);
    count = block->op_count;
    for (u32 n = 0; n < side_count; n++) {
        struct ptx_block *side = &hammocks->graph->blocks[sides[n]];
        for (u32 op = 0; op < side->op_count; op++) {
            ops[count] = side->ops[op];
            ops[count].guard = block->guard;
            ops[count++].flags |= negated[n] ? WS_OP_NOT_GUARD : 0;
        }
        side->reachable = false;
        hammocks->predecessors[side->next]--;
    }
    block->ops = ops;
    block->op_count = count;
    block->end = PTX_END_JUMP;
    block->next = next;
    block->taken = PTX_NO_BLOCK;
    hammocks->predecessors[next] += side_count == 2;
    return WS_STATUS_ok;
}

/* Both sides, or the skipped one. The side that follows in the text comes first. */
static enum ws_status convert(struct hammocks *hammocks, u32 number)
{
    const struct ptx_block *block = &hammocks->graph->blocks[number];
    if (!block->reachable || block->end != PTX_END_BRANCH)
        return WS_STATUS_ok;
    const u32 sides[2] = {block->next, block->taken};
    const bool negated[2] = {!block->negated, block->negated};
    const struct ptx_block *next = &hammocks->graph->blocks[sides[0]], *taken = &hammocks->graph->blocks[sides[1]];
    const bool next_is_side = is_side(hammocks, sides[0], block->guard), taken_is_side = is_side(hammocks, sides[1], block->guard);
    if (next_is_side && taken_is_side && next->next == taken->next)
        return absorb(hammocks, number, sides, negated, 2, next->next);
    if (next_is_side && next->next == sides[1])
        return absorb(hammocks, number, &sides[0], &negated[0], 1, sides[1]);
    if (taken_is_side && taken->next == sides[0])
        return absorb(hammocks, number, &sides[1], &negated[1], 1, sides[0]);
    return WS_STATUS_ok;
}

enum ws_status ptx_if_convert(struct ptx_kernel *kernel, struct ptx_graph *graph, u32 most)
{
    struct hammocks hammocks = {.kernel = kernel, .graph = graph, .most = most};
    WS_TRY(ptx_count_predecessors(kernel, graph, &hammocks.predecessors));
    for (u32 n = graph->count; most && n-- > 0;)
        WS_TRY(convert(&hammocks, n));
    return WS_STATUS_ok;
}
