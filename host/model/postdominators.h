/* Immediate post-dominators of a flow graph. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* No node. */
#define WS_NO_NODE 0xFFFFFFFFu

/* A node of a flow graph. Unreachable nodes have no successors. */
struct ws_flow_node {
    u32 successors[2]; /* nodes, or WS_NO_NODE */
    bool reachable;
    bool ends; /* threads end here */
};

/* of[n], for count nodes: the immediate post-dominator of node n; WS_NO_NODE if only the end of the thread is common. For a node
 * that cannot reach an end, the last node of its endless loop is assumed to reach one. Fails only without memory. */
enum ws_status ws_postdominators(const struct ws_flow_node *nodes, u32 count, u32 *of, struct ws_error *error);
