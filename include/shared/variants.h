/* Number of table rows, of each of which one is compiled in. */
#ifndef WS_SHARED_VARIANTS_H
#define WS_SHARED_VARIANTS_H

enum {
    WS_PIPELINES = 0
#define PIPELINE(name, value, ports, buffers, retires, levels, registers, spaces, doc) +1
#include "shared/pipelines.def"
#undef PIPELINE
    ,
    WS_RUNS = 0 /* of path units in pipelines */
#define RUNS(pipeline, path, slots, schedulers, dispatches) +1
#include "shared/runs.def"
#undef RUNS
    ,
    /* Schedulers, by their names in runs.def. */
    WS_SCHEDULERS_warps = 0
#define POLICY(name, value, doc) +1
#include "shared/policies.def"
    ,
    WS_SCHEDULERS_slices = 0
#define SLICES(name) +1
#include "shared/policies.def"
    ,
    WS_SCHEDULERS_pool = 0
#define POOL_POLICY(name, value, doc) +1
#include "shared/policies.def"
    ,
    WS_SCHEDULERS_rr = 1,
    /* Ways of dispatch, by the same rule. */
    WS_DISPATCHES_all = 0
#define DISPATCH(name, value, doc) +1
#include "shared/dispatches.def"
    ,
    WS_DISPATCHES_block = 1
};

#endif
