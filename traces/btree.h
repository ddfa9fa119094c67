/* B+ trees as the btree workloads search them: nodes of 256 keys, all leaves on one level. */
#ifndef WS_TRACES_BTREE_H
#define WS_TRACES_BTREE_H

#include "shared/dialect.h"

enum { WS_BTREE_ORDER = 256 };

/* Link n of an inner node leads to the node of keys from keys[n] to below keys[n + 1]; link n of a leaf is the record of keys[n].
 * Unused keys are UINT32_MAX, their links 0; inner nodes on the left edge begin with key 0. Node 0 is the root. */
struct ws_btree_node {
    u32 keys[WS_BTREE_ORDER + 1];
    u32 links[WS_BTREE_ORDER + 1];
};

/* Number of nodes of a tree of so many records, and of its levels above the leaves. */
u32 ws_btree_nodes(u32 records, u32 *levels);

/* Fills nodes with the tree of records 0, 1, ... whose keys rise. Nodes are half full, as splitting leaves them when keys are
 * inserted in order. */
void ws_btree_build(struct ws_btree_node *nodes, const u32 *keys, u32 records);

/* Newly allocated rising keys, even and above 0, so that no odd number is a key; NULL without memory. The caller frees them. */
u32 *ws_btree_keys(u32 records, u64 *seed);

/* The record of the greatest key that is not above key, by binary search; keys[0] is not above it. */
u32 ws_btree_record(const u32 *keys, u32 records, u32 key);

/* The node that is this record's leaf in a tree of so many records. */
u32 ws_btree_leaf(u32 records, u32 record);

#endif
