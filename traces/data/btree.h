/* B+ trees as the btree workloads search them: nodes of so many keys as their order says, all leaves on one level. */
#pragma once

#include "shared/dialect.h"

/* A node: order + 1 keys, then as many links. Link n of an inner node leads to the node of keys from key n to below key n + 1; link
 * n of a leaf is the record of key n. Unused keys are UINT32_MAX, their links 0; inner nodes on the left edge begin with key 0.
 * Node 0 is the root. */
#define WS_BTREE_WORDS(order) (2u * ((order) + 1u))

/* Number of nodes of a tree of so many records, and of its levels above the leaves. */
u32 ws_btree_nodes(u32 order, u32 records, u32 *levels);

/* Fills nodes with the tree of records 0, 1, ... whose keys rise. Nodes are half full, as splitting leaves them when keys are
 * inserted in order. */
void ws_btree_build(u32 order, u32 *nodes, const u32 *keys, u32 records);

/* Newly allocated rising keys, even and above 0, so that no odd number is a key; NULL without memory. The caller frees them. */
u32 *ws_btree_keys(u32 records, u64 *seed);

/* The record of the greatest key that is not above key, by binary search; keys[0] is not above it. */
u32 ws_btree_record(const u32 *keys, u32 records, u32 key);

/* The node that is this record's leaf in a tree of so many records. */
u32 ws_btree_leaf(u32 order, u32 records, u32 record);
