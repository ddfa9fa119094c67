/* SIMD lanes and data port of the barrel (order.md, memory.md). */
#pragma once

#include "oracle/sm.h"

struct lanes {
    u64 port_free; /* first cycle in which the data port is free */
    u64 free;      /* first cycle in which the SIMD lanes take the next packet */
};

/* Effects of a packet there. */
struct passage {
    u32 entry;  /* least cycles over which it enters the lanes */
    u32 port;   /* cycles that it holds the port, 0 for none */
    u32 stages; /* cycles of the pipeline in addition to core.depth */
    bool reads; /* global memory */
};

/* Whether lanes or port block select. */
bool lanes_block(const struct sm *sm, const struct lanes *lanes);

/* A packet issues: returns the earliest cycle of its completion by lanes and port. */
u64 lanes_enter(struct sm *sm, struct lanes *lanes, const struct passage *passage);
