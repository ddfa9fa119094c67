#include "data/btree.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/random.h"

/* Keys of a node. */
static u32 filled(u32 order)
{
    return order / 2;
}

static u32 parents(u32 order, u32 children)
{
    return (children + filled(order) - 1) / filled(order);
}

u32 ws_btree_nodes(u32 order, u32 records, u32 *levels)
{
    u32 level = parents(order, records), nodes = level;
    for (*levels = 0; level > 1; ++*levels) {
        level = parents(order, level);
        nodes += level;
    }
    return nodes;
}

/* The least key below a child of an inner node, where children begin at node first; first 0 stands for records. */
static u32 least_key(u32 order, const u32 *nodes, const u32 *keys, u32 first, u32 child)
{
    if (first == 0)
        return keys[child];
    return child == 0 ? 0 : nodes[(first + child) * WS_BTREE_WORDS(order)];
}

void ws_btree_build(u32 order, u32 *nodes, const u32 *keys, u32 records)
{
    u32 levels, level_end = ws_btree_nodes(order, records, &levels);
    u32 first = 0, children = records; /* of the level below */
    for (u32 height = 0; height <= levels; height++) {
        const u32 level = level_end - parents(order, children);
        for (u32 n = 0; n < (level_end - level) * (order + 1); n++) {
            const u32 slot = n % (order + 1), child = n / (order + 1) * filled(order) + slot;
            u32 *key = &nodes[(level + n / (order + 1)) * WS_BTREE_WORDS(order) + slot];
            const bool used = slot < filled(order) && child < children;
            key[0] = used ? least_key(order, nodes, keys, first, child) : UINT32_MAX;
            key[order + 1] = used ? first + child : 0;
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

u32 ws_btree_leaf(u32 order, u32 records, u32 record)
{
    u32 levels;
    return ws_btree_nodes(order, records, &levels) - parents(order, records) + record / filled(order);
}
