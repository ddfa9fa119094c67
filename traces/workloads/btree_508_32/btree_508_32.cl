/* btree_508 with a work-group of 32 for each query: its work-items compare it with the keys of a node 32 at a time. Nodes are as in
 * traces/data/btree.h. */
#define ORDER 508
#define ITEMS 32

struct node {
    uint keys[ORDER + 1];
    uint links[ORDER + 1];
};

__kernel void btree_508_32(__global const struct node *nodes, __global const uint *records, __global uint *current,
                           __global uint *next, __global const uint *queries, __global uint *answers, uint levels)
{
    const uint query = get_group_id(0);
#pragma nounroll
    for (uint level = 0; level < levels; level++) {
        __global const struct node *node = nodes + current[query];
#pragma nounroll
        for (uint slot = get_local_id(0); slot < ORDER; slot += ITEMS)
            if (node->keys[slot] <= queries[query] && node->keys[slot + 1] > queries[query])
                next[query] = node->links[slot];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            current[query] = next[query];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    __global const struct node *leaf = nodes + current[query];
#pragma nounroll
    for (uint slot = get_local_id(0); slot < ORDER; slot += ITEMS)
        if (leaf->keys[slot] == queries[query])
            answers[query] = records[leaf->links[slot]];
}
