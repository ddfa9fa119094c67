#include "trace/graph.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/format.h"
#include "trace/launch.h"

/* The first node reached from an instruction. */
struct edge {
    u32 node, steps;
    bool known;
};

struct builder {
    const struct ws_instruction *program;
    u32 instructions;
    struct edge *edges; /* by program counter; the last stands for all outside the program */
    struct wst_node *nodes;
    u32 node_count;
    u32 accesses; /* static instructions with an address seen so far */
    u32 slots;
};

static bool guarded(const struct ws_instruction *instruction)
{
    return (instruction->flags & WS_GUARDED) != 0;
}

static bool accesses(const struct ws_instruction *instruction)
{
    return instruction->space != WS_SPACE_none;
}

static bool ends(const struct ws_instruction *instruction)
{
    return instruction->class_ == WS_CLASS_exit;
}

static u32 nodes_of(const struct ws_instruction *instruction)
{
    if (instruction->class_ == WS_CLASS_branch)
        return 1;
    return (guarded(instruction) ? 1u : 0u) + (accesses(instruction) || ends(instruction) ? 1u : 0u);
}

/* The program counter after an instruction without a decision. */
static u32 follow(const struct builder *builder, u32 pc)
{
    const struct ws_instruction *const instruction = &builder->program[pc];
    return instruction->class_ == WS_CLASS_jump ? instruction->target : pc + 1;
}

/* Finds the edges of all instructions from pc to the first whose edge is known. Meanwhile instructions on the way count as astray,
 * which ends a loop without decisions. */
static void resolve(struct builder *builder, u32 pc)
{
    u32 length = 0, at = pc;
    for (; !builder->edges[at].known; at = follow(builder, at), length++)
        builder->edges[at] = (struct edge){.known = true};
    const struct edge last = builder->edges[at];
    for (at = pc; length; at = follow(builder, at), length--)
        builder->edges[at] = (struct edge){.node = last.node, .steps = last.steps + length, .known = true};
}

static void connect(const struct builder *builder, struct wst_node *node, u32 way, u32 pc)
{
    node->next[way] = builder->edges[pc].node;
    node->steps[way] = builder->edges[pc].steps;
}

static void add_access(struct builder *builder, u32 pc, struct wst_node *node)
{
    const struct ws_instruction *const instruction = &builder->program[pc];
    *node = (struct wst_node){.pc = (u16)pc, .kind = WST_NODE_ACCESS, .space = instruction->space};
    node->shift = (u8)ws_log2(instruction->bytes);
    node->atomic = instruction->class_ == WS_CLASS_atomic;
    node->slot = (u16)(builder->accesses++ % builder->slots);
    connect(builder, node, 0, pc + 1);
}

static void add_nodes(struct builder *builder, u32 pc)
{
    const struct ws_instruction *const instruction = &builder->program[pc];
    const u32 first = builder->edges[pc].node;
    struct wst_node *const node = &builder->nodes[first];
    *node = (struct wst_node){.pc = (u16)pc, .kind = WST_NODE_DECIDE};
    if (WS_ENDS_ALL(instruction)) {
        node->kind = WST_NODE_END;
    } else if (instruction->class_ == WS_CLASS_branch) {
        connect(builder, node, 0, pc + 1);
        connect(builder, node, 1, instruction->target);
    } else if (!guarded(instruction)) {
        add_access(builder, pc, node);
    } else {
        connect(builder, node, 0, pc + 1);
        connect(builder, node, 1, pc + 1);
        if (nodes_of(instruction) > 1) {
            node->next[1] = first + 1;
            node->steps[1] = 0;
        }
        if (accesses(instruction))
            add_access(builder, pc, node + 1);
        else if (ends(instruction))
            node[1] = (struct wst_node){.pc = (u16)pc, .kind = WST_NODE_END};
    }
}

/* Numbers the nodes; node 0 is for paths gone astray. */
static void number_nodes(struct builder *builder)
{
    builder->node_count = 1;
    for (u32 pc = 0; pc < builder->instructions; pc++) {
        const u32 count = nodes_of(&builder->program[pc]);
        if (count)
            builder->edges[pc] = (struct edge){.node = builder->node_count, .steps = 1, .known = true};
        builder->node_count += count;
    }
    builder->edges[builder->instructions] = (struct edge){.node = 0, .known = true};
}

static void build(struct builder *builder, struct wst_graph *graph)
{
    for (u32 pc = 0; pc < builder->instructions; pc++)
        resolve(builder, pc);
    builder->nodes[0] = (struct wst_node){.kind = WST_NODE_ASTRAY};
    for (u32 pc = 0; pc < builder->instructions; pc++)
        if (nodes_of(&builder->program[pc]))
            add_nodes(builder, pc);
    *graph = (struct wst_graph){
        .nodes = builder->nodes, .start = builder->edges[0].node, .start_steps = builder->edges[0].steps, .slots = builder->slots};
}

/* Predictors of a thread: one per access of the program, bounded to keep a whole block's set small. */
static u32 count_slots(const struct ws_launch *launch)
{
    u32 slots = 0;
    for (u32 pc = 0; pc < launch->instructions; pc++)
        slots += accesses(&launch->program[pc]) ? 1u : 0u;
    return ws_max(1, ws_min(slots, ws_min(WST_SLOTS_MOST, WST_PREDICTORS_MOST / wst_block_threads(launch))));
}

enum ws_status wst_graph_build(const struct ws_launch *launch, struct wst_graph *graph, struct ws_error *error)
{
    struct builder builder = {.program = launch->program, .instructions = launch->instructions, .slots = count_slots(launch)};
    builder.edges = calloc(launch->instructions + 1u, sizeof *builder.edges);
    if (builder.edges)
        number_nodes(&builder);
    builder.nodes = builder.edges ? calloc(builder.node_count, sizeof *builder.nodes) : NULL;
    if (builder.nodes)
        build(&builder, graph);
    free(builder.edges);
    return builder.nodes ? WS_STATUS_ok : ws_no_memory(error);
}

void wst_graph_free(struct wst_graph *graph)
{
    free(graph->nodes);
    *graph = (struct wst_graph){0};
}
