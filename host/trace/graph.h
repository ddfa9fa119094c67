/* A program reduced to what a thread's streams record: nodes are decisions, accesses and ends; edges count the instructions between
 * them. Following a path thus goes from event to event. */
#pragma once

#include "warpsweep/trace.h"

enum {
    WST_NODE_ASTRAY, /* the path has left the program or loops forever; node 0 */
    WST_NODE_END,    /* exit */
    WST_NODE_DECIDE, /* takes one decision: a branch (1 = to the target) or a guard (1 = executes) */
    WST_NODE_ACCESS  /* takes one address; an instruction with guard and address is two nodes */
};

struct wst_node {
    u32 next[2];  /* next node, by decision; an access goes to next[0] */
    u32 steps[2]; /* instructions on that edge, including the next node */
    u16 pc;
    u16 slot; /* of an access: address predictor */
    u8 kind, space;
    u8 shift; /* base-2 logarithm of the bytes accessed */
    bool atomic;
};

struct wst_graph {
    struct wst_node *nodes;
    u32 start, start_steps; /* the edge to the first instruction */
    u32 slots;              /* address predictors of a thread, at least 1 */
};

/* Builds the graph of a launch's program, which wst_launch_check has passed; to be freed by wst_graph_free. */
enum ws_status wst_graph_build(const struct ws_launch *launch, struct wst_graph *graph, struct ws_error *error);
void wst_graph_free(struct wst_graph *graph);
