/* When to compile kernels specialized to the parameters that the jobs of one kernel share (fixed.h). */
#pragma once

#include <stddef.h>

#include "engine/compile/fixed.h"

enum ws_specialized_state {
    WS_SPECIALIZED_unknown, /* not yet looked up in the cache */
    WS_SPECIALIZED_absent,
    WS_SPECIALIZED_cached,
    WS_SPECIALIZED_compiling,
    WS_SPECIALIZED_unverified,
    WS_SPECIALIZED_verifying,
    WS_SPECIALIZED_verified,
    WS_SPECIALIZED_refused /* does not compile, or counts differ */
};

/* The specialized form of one general kernel. */
struct ws_specialized {
    struct ws_fixed fixed;
    enum ws_specialized_state state;
    u32 version;          /* of fixed */
    size_t coming, ended; /* jobs: of this call that have not ended; of all calls that have */
    double seconds;       /* spent in the general kernel */
};

/* Counts a job. True if fewer parameters are fixed than before, or it is the first job: the state is then unknown. */
bool ws_specialized_add(struct ws_specialized *specialized, const struct ws_machine *machine, u32 recorded);

/* True if the jobs, those to come included, take at least `worth` seconds in the general kernel. */
bool ws_specialized_pays(const struct ws_specialized *specialized, double worth);
