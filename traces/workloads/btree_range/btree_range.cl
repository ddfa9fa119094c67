/* Range queries in a B+ tree: the first record and the number of records from one key to another. A work-group searches for both
 * ends of a query at once, its work-items compare them with all keys of a node: one finds an end between two keys and leads to the
 * next level. Nodes are as in traces/data/btree.h. The four arrays of nodes have one for each query, 0 (the root) at first. */
#define ORDER 256

struct node {
    uint keys[ORDER + 1];
    uint links[ORDER + 1];
};

__kernel void btree_range(__global const struct node *nodes, __global uint *current, __global uint *next,
                          __global uint *current_end, __global uint *next_end, __global const uint *begins,
                          __global const uint *ends, __global uint *firsts, __global uint *counts, uint levels)
{
    const uint slot = get_local_id(0), query = get_group_id(0);
#pragma nounroll
    for (uint level = 0; level < levels; level++) {
        __global const struct node *node = nodes + current[query], *node_end = nodes + current_end[query];
        if (node->keys[slot] <= begins[query] && node->keys[slot + 1] > begins[query])
            next[query] = node->links[slot];
        if (node_end->keys[slot] <= ends[query] && node_end->keys[slot + 1] > ends[query])
            next_end[query] = node_end->links[slot];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (slot == 0) {
            current[query] = next[query];
            current_end[query] = next_end[query];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    __global const struct node *leaf = nodes + current[query], *leaf_end = nodes + current_end[query];
    if (leaf->keys[slot] == begins[query])
        firsts[query] = leaf->links[slot];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (leaf_end->keys[slot] == ends[query])
        counts[query] = leaf_end->links[slot] - firsts[query] + 1;
}
