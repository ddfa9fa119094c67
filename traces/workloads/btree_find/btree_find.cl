/* Point queries in a B+ tree. A work-group takes a query, its work-items compare it with all keys of a node at once: one finds
 * itself between two keys and leads to the next level. Nodes are as in traces/data/btree.h. current and next have a node for each
 * query, 0 (the root) at first; answers of keys that are not there stay as they are. */
#define ORDER 256

struct node {
    uint keys[ORDER + 1];
    uint links[ORDER + 1];
};

__kernel void btree_find(__global const struct node *nodes, __global const uint *records, __global uint *current,
                         __global uint *next, __global const uint *queries, __global uint *answers, uint levels)
{
    const uint slot = get_local_id(0), query = get_group_id(0);
#pragma nounroll
    for (uint level = 0; level < levels; level++) {
        __global const struct node *node = nodes + current[query];
        if (node->keys[slot] <= queries[query] && node->keys[slot + 1] > queries[query])
            next[query] = node->links[slot];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (slot == 0)
            current[query] = next[query];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    __global const struct node *leaf = nodes + current[query];
    if (leaf->keys[slot] == queries[query])
        answers[query] = records[leaf->links[slot]];
}
