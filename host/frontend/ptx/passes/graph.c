#include <string.h>

#include "frontend/ptx/passes/kernel.h"

u32 ptx_successors(const struct ptx_block *block, u32 successors[2])
{
    u32 count = 0;
    if (block->end == PTX_END_BRANCH)
        successors[count++] = block->taken;
    if (block->end != PTX_END_EXIT)
        successors[count++] = block->next;
    return count;
}

static bool ends_thread(const struct ws_op *op)
{
    return op->opcode == WS_OP_exit || op->opcode == WS_OP_trap;
}

static bool goes_elsewhere(const struct ws_op *op)
{
    return op->opcode == WS_OP_branch || op->opcode == WS_OP_jump;
}

/* ---- Building ---- */

/* Marks the operations that begin blocks. */
static bool *find_leaders(struct ptx_kernel *kernel)
{
    const struct ptx_body *body = &kernel->body;
    bool *leads = ws_arena_array(kernel->arena, body->op_count + 1, sizeof *leads);
    if (!leads)
        return NULL;
    leads[0] = true;
    for (size_t n = 0; n < body->label_count; n++)
        leads[body->labels[n]] = true;
    for (size_t n = 0; n < body->op_count; n++)
        if (goes_elsewhere(&body->ops[n]) || ends_thread(&body->ops[n]))
            leads[n + 1] = true;
    return leads;
}

/* A block of operations first to end - 1; the last may be a branch. */
static struct ptx_block make_block(const struct ptx_body *body, const u32 *block_of, u32 first, u32 end)
{
    const struct ws_op *last = &body->ops[end - 1];
    struct ptx_block block = {
        .ops = &body->ops[first], .op_count = end - first, .end = PTX_END_JUMP, .guard = WS_SLOT_NONE, .line = last->line};
    if (ends_thread(last)) {
        block.end = PTX_END_EXIT;
        block.taken = block.next = PTX_NO_BLOCK;
        return block;
    }
    block.taken = PTX_NO_BLOCK;
    block.next = end < body->op_count ? block_of[end] : PTX_NO_BLOCK;
    if (!goes_elsewhere(last))
        return block;
    block.op_count--;
    const u32 target = block_of[body->labels[last->target]];
    if (last->opcode == WS_OP_jump) {
        block.next = target;
        return block;
    }
    block.end = PTX_END_BRANCH;
    block.taken = target;
    block.guard = last->guard;
    block.negated = (last->flags & WS_OP_NOT_GUARD) != 0;
    return block;
}

enum ws_status ptx_build_graph(struct ptx_kernel *kernel, struct ptx_graph *graph)
{
    const struct ptx_body *body = &kernel->body;
    const bool *leads = find_leaders(kernel);
    u32 *block_of = ws_arena_array(kernel->arena, body->op_count + 1, sizeof *block_of);
    if (!leads || !block_of)
        return ptx_no_memory(kernel->error);
    u32 count = 0;
    for (size_t n = 0; n < body->op_count; n++) {
        count += leads[n];
        block_of[n] = count - 1;
    }
    graph->blocks = ws_arena_array(kernel->arena, count, sizeof *graph->blocks);
    graph->count = 0;
    if (!graph->blocks)
        return ptx_no_memory(kernel->error);
    for (u32 first = 0; first < body->op_count;) {
        u32 end = first + 1;
        while (end < body->op_count && !leads[end])
            end++;
        graph->blocks[graph->count++] = make_block(body, block_of, first, end);
        first = end;
    }
    return WS_STATUS_ok;
}

/* ---- Simplifying ---- */

static bool is_empty(const struct ptx_block *block)
{
    return block->op_count == 0 && block->end == PTX_END_JUMP;
}

/* The final destination of an edge, past empty blocks. A loop of empty blocks leads to itself; a second walk at half the speed
 * detects it. Visited blocks remember the result, so no chain is walked twice. */
static u32 thread_edge(const struct ptx_graph *graph, u32 target)
{
    struct ptx_block *const blocks = graph->blocks;
    u32 end = target, half = target;
    for (u32 steps = 1; is_empty(&blocks[end]) && (steps == 1 || end != half); steps++) {
        end = blocks[end].next;
        half = steps % 2 ? half : blocks[half].next;
    }
    while (target != end) {
        const u32 next = blocks[target].next;
        blocks[target].next = end;
        target = next;
    }
    return end;
}

static enum ws_status mark_reachable(struct ptx_kernel *kernel, struct ptx_graph *graph)
{
    u32 *stack = ws_arena_array(kernel->arena, graph->count, sizeof *stack);
    if (!stack)
        return ptx_no_memory(kernel->error);
    for (u32 n = 0; n < graph->count; n++)
        graph->blocks[n].reachable = false;
    u32 depth = 0;
    stack[depth++] = 0;
    graph->blocks[0].reachable = true;
    while (depth) {
        u32 successors[2];
        const u32 count = ptx_successors(&graph->blocks[stack[--depth]], successors);
        for (u32 n = 0; n < count; n++)
            if (!graph->blocks[successors[n]].reachable) {
                graph->blocks[successors[n]].reachable = true;
                stack[depth++] = successors[n];
            }
    }
    return WS_STATUS_ok;
}

enum ws_status ptx_count_predecessors(struct ptx_kernel *kernel, const struct ptx_graph *graph, u32 **counts)
{
    *counts = ws_arena_array(kernel->arena, graph->count, sizeof **counts);
    if (!*counts)
        return ptx_no_memory(kernel->error);
    for (u32 n = 0; n < graph->count; n++) {
        u32 successors[2];
        const u32 count = graph->blocks[n].reachable ? ptx_successors(&graph->blocks[n], successors) : 0;
        for (u32 s = 0; s < count; s++)
            (*counts)[successors[s]]++;
    }
    return WS_STATUS_ok;
}

/* Labels without edges no longer separate consecutive blocks. */
static enum ws_status join_blocks(struct ptx_kernel *kernel, struct ptx_graph *graph)
{
    u32 *predecessors;
    WS_TRY(ptx_count_predecessors(kernel, graph, &predecessors));
    for (u32 n = graph->count; n-- > 0;) {
        struct ptx_block *block = &graph->blocks[n];
        if (!block->reachable || block->end != PTX_END_JUMP || block->next == 0 || predecessors[block->next] != 1)
            continue;
        struct ptx_block *next = &graph->blocks[block->next];
        if (next == block || next->ops != block->ops + block->op_count)
            continue;
        const struct ptx_block joined = {.ops = block->ops,
                                         .op_count = block->op_count + next->op_count,
                                         .end = next->end,
                                         .guard = next->guard,
                                         .negated = next->negated,
                                         .reachable = true,
                                         .taken = next->taken,
                                         .next = next->next,
                                         .line = next->line};
        next->reachable = false;
        *block = joined;
    }
    return WS_STATUS_ok;
}

enum ws_status ptx_simplify(struct ptx_kernel *kernel, struct ptx_graph *graph)
{
    for (u32 n = 0; n < graph->count; n++) {
        struct ptx_block *block = &graph->blocks[n];
        if (block->end == PTX_END_EXIT)
            continue;
        block->next = thread_edge(graph, block->next);
        if (block->end == PTX_END_BRANCH)
            block->taken = thread_edge(graph, block->taken);
        if (block->end == PTX_END_BRANCH && block->taken == block->next)
            block->end = PTX_END_JUMP;
    }
    WS_TRY(mark_reachable(kernel, graph));
    return join_blocks(kernel, graph);
}

enum ws_status ptx_postdominators(struct ptx_kernel *kernel, const struct ptx_graph *graph, u32 **of)
{
    struct ws_flow_node *const nodes = ws_arena_array(kernel->arena, graph->count, sizeof *nodes);
    *of = ws_arena_array(kernel->arena, graph->count, sizeof **of);
    if (!nodes || !*of)
        return ptx_no_memory(kernel->error);
    for (u32 n = 0; n < graph->count; n++) {
        const struct ptx_block *const block = &graph->blocks[n];
        nodes[n] = (struct ws_flow_node){{WS_NO_NODE, WS_NO_NODE}, block->reachable, block->end == PTX_END_EXIT};
        if (block->reachable)
            ptx_successors(block, nodes[n].successors);
    }
    return ws_postdominators(nodes, graph->count, *of, kernel->error);
}
