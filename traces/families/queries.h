/* Point queries in a B+ tree, a work-group each: the launch and the check that several workloads share. */
#pragma once

#include "warpsweep/frontend.h"

/* Queries of a tree of this order, which is also the work-items of a work-group. */
struct ws_queries {
    const char *kernel, *source;
    u32 order, records, queries;
};

/* A workload's two functions. The arguments are those of btree_find. */
enum ws_status ws_queries_prepare(const struct ws_queries *point, u64 seed, struct ws_ndrange *launch, struct ws_error *error);
enum ws_status ws_queries_check(const struct ws_queries *point, const struct ws_ndrange *launch, u64 seed, struct ws_error *error);
