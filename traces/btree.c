#include "btree.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/random.h"

enum { FILLED = WS_BTREE_ORDER / 2 }; /* keys of a node */

static u32 parents(u32 children)
{
    return (children + FILLED - 1) / FILLED;
}

u32 ws_btree_nodes(u32 records, u32 *levels)
{
    u32 level = parents(records), nodes = level;
    for (*levels = 0; level > 1; ++*levels) {
        level = parents(level);
        nodes += level;
    }
    return nodes;
}

/* The least key below a child of an inner node, where children begin at node first; first 0 stands for records. */
static u32 least_key(const struct ws_btree_node *nodes, const u32 *keys, u32 first, u32 child)
{
    if (first == 0)
        return keys[child];
    return child == 0 ? 0 : nodes[first + child].keys[0];
}

void ws_btree_build(struct ws_btree_node *nodes, const u32 *keys, u32 records)
{
    u32 levels, level_end = ws_btree_nodes(records, &levels);
    u32 first = 0, children = records; /* of the level below */
    for (u32 height = 0; height <= levels; height++) {
        const u32 level = level_end - parents(children);
        for (u32 n = 0; n < (level_end - level) * (WS_BTREE_ORDER + 1); n++) {
            const u32 slot = n % (WS_BTREE_ORDER + 1), child = n / (WS_BTREE_ORDER + 1) * FILLED + slot;
            struct ws_btree_node *node = &nodes[level + n / (WS_BTREE_ORDER + 1)];
            const bool used = slot < FILLED && child < children;
            node->keys[slot] = used ? least_key(nodes, keys, first, child) : UINT32_MAX;
            node->links[slot] = used ? first + child : 0;
        }
        first = level;
        children = level_end - level;
        level_end = level;
    }
}

u32 *ws_btree_keys(u32 records, u64 *seed)
{
    u32 *keys = malloc(records * sizeof *keys);
    u32 key = 0;
    for (u32 n = 0; keys && n < records; n++) {
        key += 2 * ws_random_range(seed, 1, 8);
        keys[n] = key;
    }
    return keys;
}

u32 ws_btree_record(const u32 *keys, u32 records, u32 key)
{
    u32 first = 0, end = records; /* of the keys of which one is sought */
    while (end - first > 1) {
        const u32 middle = first + (end - first) / 2;
        if (keys[middle] <= key)
            first = middle;
        else
            end = middle;
    }
    return first;
}

u32 ws_btree_leaf(u32 records, u32 record)
{
    u32 levels;
    return ws_btree_nodes(records, &levels) - parents(records) + record / FILLED;
}
