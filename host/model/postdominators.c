#include "model/postdominators.h"

#include "base/arena.h"
#include "base/error.h"

/* The reversed graph: node 0 is the end of all threads, node n + 1 is node n of the graph; edges lead from a node to its
 * predecessors. Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm": walk in reverse postorder until nothing
 * changes. */
struct reversed {
    const struct ws_flow_node *graph;
    u32 count, nodes;    /* of the graph, and including node 0 */
    u32 *edges, *first;  /* predecessors of node n are edges[first[n]] to edges[first[n + 1] - 1] */
    bool *ends;          /* by node of the graph: leads to node 0 */
    u32 *order, *number; /* postorder, and each node's place in it */
    u32 visited;
    u32 *stack, *at; /* depth-first walk: node, and its next edge */
    u32 *dominator;
};

#define UNDEFINED WS_NO_NODE

static bool allocate(struct ws_arena *arena, struct reversed *reversed)
{
    const size_t nodes = reversed->nodes;
    u32 **const arrays[] = {&reversed->first, &reversed->order, &reversed->number,
                            &reversed->stack, &reversed->at,    &reversed->dominator};
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++)
        if (!(*arrays[n] = ws_arena_array(arena, nodes + 1, sizeof(u32))))
            return false;
    reversed->edges = ws_arena_array(arena, nodes * 3, sizeof(u32));
    reversed->ends = ws_arena_array(arena, nodes, sizeof(bool));
    return reversed->edges && reversed->ends;
}

/* Successors of a node of the graph. A node that ends a thread, or is assumed to, also leads to node 0. */
static u32 node_successors(const struct reversed *reversed, u32 node, u32 successors[3])
{
    u32 count = 0;
    for (u32 n = 0; n < 2; n++)
        if (reversed->graph[node].successors[n] != WS_NO_NODE)
            successors[count++] = reversed->graph[node].successors[n] + 1;
    if (reversed->ends[node])
        successors[count++] = 0;
    return count;
}

/* Counts the edges into each node, then fills them in backwards. */
static void turn_around(struct reversed *reversed)
{
    u32 successors[3];
    for (u32 n = 0; n <= reversed->nodes; n++)
        reversed->first[n] = 0;
    for (u32 pass = 0; pass < 2; pass++) {
        for (u32 node = 0; node < reversed->count; node++) {
            const u32 count = reversed->graph[node].reachable ? node_successors(reversed, node, successors) : 0;
            for (u32 n = 0; n < count; n++) {
                if (pass == 0)
                    reversed->first[successors[n]]++;
                else
                    reversed->edges[--reversed->first[successors[n]]] = node + 1;
            }
        }
        for (u32 n = 1; n <= reversed->nodes && pass == 0; n++)
            reversed->first[n] += reversed->first[n - 1];
    }
}

/* Postorder from a node, skipping visited nodes. */
static void walk(struct reversed *reversed, u32 root)
{
    u32 depth = 0;
    reversed->number[root] = UNDEFINED - 1;
    reversed->stack[depth] = root;
    reversed->at[depth++] = reversed->first[root];
    while (depth) {
        const u32 node = reversed->stack[depth - 1];
        if (reversed->at[depth - 1] == reversed->first[node + 1]) {
            reversed->number[node] = reversed->visited;
            reversed->order[reversed->visited++] = node;
            depth--;
            continue;
        }
        const u32 next = reversed->edges[reversed->at[depth - 1]++];
        if (reversed->number[next] != UNDEFINED)
            continue;
        reversed->number[next] = UNDEFINED - 1;
        reversed->stack[depth] = next;
        reversed->at[depth++] = reversed->first[next];
    }
}

static void walk_all(struct reversed *reversed)
{
    reversed->visited = 0;
    for (u32 n = 0; n < reversed->nodes; n++)
        reversed->number[n] = UNDEFINED;
    walk(reversed, 0);
}

/* If no end is reachable, the last such node is assumed to reach it; repeated for the remaining nodes. */
static void end_loops(struct reversed *reversed)
{
    for (u32 node = reversed->count; node-- > 0;)
        if (reversed->graph[node].reachable && reversed->number[node + 1] == UNDEFINED) {
            reversed->ends[node] = true;
            walk(reversed, node + 1);
        }
}

static u32 common(const struct reversed *reversed, u32 a, u32 b)
{
    while (a != b) {
        while (reversed->number[a] < reversed->number[b])
            a = reversed->dominator[a];
        while (reversed->number[b] < reversed->number[a])
            b = reversed->dominator[b];
    }
    return a;
}

static bool improve(struct reversed *reversed, u32 node)
{
    u32 successors[3], dominator = UNDEFINED;
    const u32 count = node_successors(reversed, node - 1, successors);
    for (u32 n = 0; n < count; n++) {
        if (reversed->dominator[successors[n]] == UNDEFINED)
            continue;
        dominator = dominator == UNDEFINED ? successors[n] : common(reversed, dominator, successors[n]);
    }
    const bool changed = dominator != reversed->dominator[node];
    reversed->dominator[node] = dominator;
    return changed;
}

static void find_dominators(struct reversed *reversed)
{
    for (u32 n = 0; n < reversed->nodes; n++)
        reversed->dominator[n] = UNDEFINED;
    reversed->dominator[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 n = reversed->visited; n-- > 0;)
            if (reversed->order[n] != 0)
                changed |= improve(reversed, reversed->order[n]);
    }
}

enum ws_status ws_postdominators(const struct ws_flow_node *nodes, u32 count, u32 *of, struct ws_error *error)
{
    struct ws_arena arena = {0};
    struct reversed reversed = {.graph = nodes, .count = count, .nodes = count + 1};
    if (!allocate(&arena, &reversed)) {
        ws_arena_free(&arena);
        return ws_no_memory(error);
    }
    for (u32 n = 0; n < count; n++)
        reversed.ends[n] = nodes[n].ends;
    turn_around(&reversed);
    walk_all(&reversed);
    end_loops(&reversed);
    turn_around(&reversed);
    walk_all(&reversed);
    find_dominators(&reversed);
    for (u32 n = 0; n < count; n++) {
        const u32 dominator = nodes[n].reachable ? reversed.dominator[n + 1] : UNDEFINED;
        of[n] = dominator == UNDEFINED || dominator == 0 ? WS_NO_NODE : dominator - 1;
    }
    ws_arena_free(&arena);
    return WS_STATUS_ok;
}
