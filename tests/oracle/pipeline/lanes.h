/* What packets enter in the barrel: the SIMD lanes and the data port (order.md, memory.md). */
#pragma once

#include "oracle/sm.h"

struct lanes {
    u64 port_free; /* first cycle in which the data port is free */
    u64 free;      /* first cycle in which the SIMD lanes take the next packet */
};

/* What a packet does there. */
struct passage {
    u32 entry;  /* cycles over which it enters the lanes at least */
    u32 port;   /* for which it holds the port, 0 for none */
    u32 stages; /* of the pipeline beside core.depth */
    bool reads; /* global memory */
};

/* Whether lanes or port block select. */
bool lanes_block(const struct sm *sm, const struct lanes *lanes);

/* A packet issues: returns the cycle before which it does not complete, as far as lanes and port decide. */
u64 lanes_enter(struct sm *sm, struct lanes *lanes, const struct passage *passage);
