#include "frontend/ptx/passes/kernel.h"

struct layout {
    struct ptx_kernel *kernel;
    const struct ptx_graph *graph;
    struct ptx_linear *linear;
    u32 *span_of; /* by block */
    u32 room;
};

/* The operations at the end of a block: none, a branch or jump, or a branch and a jump. */
struct closing {
    bool branch, jump;
    bool inverted; /* the branch leads to next; taken follows */
};

static struct closing closing_of(const struct ptx_block *block, u32 following)
{
    struct closing closing = {.branch = block->end == PTX_END_BRANCH};
    closing.inverted = closing.branch && block->taken == following;
    closing.jump = block->end != PTX_END_EXIT && block->next != following && !closing.inverted;
    return closing;
}

static u32 next_reachable(const struct ptx_graph *graph, u32 block)
{
    do
        block++;
    while (block < graph->count && !graph->blocks[block].reachable);
    return block;
}

/* Targets are block numbers until all blocks are placed. */
static void add_end(struct layout *layout, const struct ptx_block *block, u32 following)
{
    struct ptx_linear *linear = layout->linear;
    const struct closing closing = closing_of(block, following);
    if (closing.branch) {
        struct ws_op branch = ptx_op(WS_OP_branch, WS_TYPE_none, block->line);
        branch.guard = block->guard;
        branch.flags = block->negated != closing.inverted ? WS_OP_NOT_GUARD : 0;
        branch.target = closing.inverted ? block->next : block->taken;
        linear->ops[linear->count++] = branch;
    }
    if (closing.jump) {
        struct ws_op jump = ptx_op(WS_OP_jump, WS_TYPE_none, block->line);
        jump.target = block->next;
        linear->ops[linear->count++] = jump;
    }
}

static enum ws_status allocate(struct layout *layout)
{
    const struct ptx_graph *graph = layout->graph;
    struct ws_arena *arena = layout->kernel->arena;
    struct ptx_linear *linear = layout->linear;
    size_t ops = 0;
    for (u32 n = 0; n < graph->count; n++)
        ops += graph->blocks[n].reachable ? graph->blocks[n].op_count + 2u : 0;
    linear->ops = ws_arena_array(arena, ops, sizeof *linear->ops);
    linear->reconverge = ws_arena_array(arena, ops, sizeof *linear->reconverge);
    linear->spans = ws_arena_array(arena, graph->count, sizeof *linear->spans);
    layout->span_of = ws_arena_array(arena, graph->count, sizeof *layout->span_of);
    if (!linear->ops || !linear->reconverge || !linear->spans || !layout->span_of)
        return ptx_no_memory(layout->kernel->error);
    return WS_STATUS_ok;
}

static void place_blocks(struct layout *layout)
{
    const struct ptx_graph *graph = layout->graph;
    struct ptx_linear *linear = layout->linear;
    for (u32 n = 0; n < graph->count; n = next_reachable(graph, n)) {
        const struct ptx_block *block = &graph->blocks[n];
        struct ptx_span *span = &linear->spans[linear->span_count];
        layout->span_of[n] = linear->span_count++;
        span->first = linear->count;
        for (u32 op = 0; op < block->op_count; op++)
            linear->ops[linear->count++] = block->ops[op];
        add_end(layout, block, next_reachable(graph, n));
        span->end = linear->count;
        span->successor_count = ptx_successors(block, span->successors);
    }
}

static u32 place_of(const struct layout *layout, u32 block)
{
    return layout->linear->spans[layout->span_of[block]].first;
}

/* Converts block numbers to operations and spans, once all are placed. */
static void resolve(struct layout *layout, const u32 *postdominators)
{
    struct ptx_linear *linear = layout->linear;
    const struct ptx_graph *graph = layout->graph;
    for (u32 n = 0; n < graph->count; n = next_reachable(graph, n)) {
        struct ptx_span *span = &linear->spans[layout->span_of[n]];
        const u32 meet = postdominators[n];
        for (u32 s = 0; s < span->successor_count; s++)
            span->successors[s] = layout->span_of[span->successors[s]];
        for (u32 op = span->first; op < span->end; op++) {
            const u8 opcode = linear->ops[op].opcode;
            linear->reconverge[op] = WS_PC_NONE;
            if (opcode == WS_OP_branch && meet != PTX_NO_BLOCK)
                linear->reconverge[op] = (u16)place_of(layout, meet);
            if (opcode == WS_OP_branch || opcode == WS_OP_jump)
                linear->ops[op].target = place_of(layout, linear->ops[op].target);
        }
    }
}

enum ws_status ptx_linearise(struct ptx_kernel *kernel, const struct ptx_graph *graph, struct ptx_linear *linear)
{
    struct layout layout = {.kernel = kernel, .graph = graph, .linear = linear};
    u32 *postdominators;
    *linear = (struct ptx_linear){.count = 0};
    WS_TRY(allocate(&layout));
    place_blocks(&layout);
    if (linear->count > PTX_MOST_INSTRUCTIONS)
        return ws_fail(kernel->error, WS_STATUS_bad_input,
                       "%s: kernel '%s' has %u instructions once calls are expanded; %d is the most",
                       ws_place_text(&kernel->module->places, kernel->entry->line).text, kernel->entry->name, linear->count,
                       (int)PTX_MOST_INSTRUCTIONS);
    WS_TRY(ptx_postdominators(kernel, graph, &postdominators));
    resolve(&layout, postdominators);
    return WS_STATUS_ok;
}
