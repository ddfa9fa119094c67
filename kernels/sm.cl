/* The kernels: one group of lanes advances one simulation by a quantum. Compiled for a variant (variant.h) in a lane form
 * (lanes/lanes.h). */
#include "variant.h"

#include "lanes/selftest.h"
#include "pipeline/quantum.h"
#include "shared/state.h"

#ifdef __OPENCL_C_VERSION__

/* Writes this compiler's layout of the shared structs, the rows of shared/layout.def, which the host compares before it trusts a
 * device. The address serves only as a base for offsets. */
static inline void write_layout(GLOBAL u32 *layout)
{
    u32 n = 0;
#define SIZE(type) layout[n++] = (u32)sizeof(struct type);
#define OFFSET(type, field)                                                                                                        \
    layout[n++] = (u32)((GLOBAL const char *)&((GLOBAL const struct type *)layout)->field - (GLOBAL const char *)layout);
#include "shared/layout.def"
#undef SIZE
#undef OFFSET
}

/* Group n advances job first + n by at most quantum cycles. */
LANES_KERNEL void sm_quantum(GLOBAL const struct ws_job *jobs, GLOBAL const u32 *trace, GLOBAL u32 *state, GLOBAL u32 *records,
                             u32 first, u32 quantum)
{
    LOCAL struct sm_local scratch;
    GLOBAL const struct ws_job *job = jobs + first + get_group_id(0);
    const struct sm_buffers buffers = sm_buffers_of(job, trace, state, records);
    run_quantum(&scratch, job, &buffers, quantum);
}

/* Runs the collectives; the host compares the results. */
LANES_KERNEL void sm_collectives(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    LOCAL struct collectives_local local_words;
    try_collectives(&local_words, in, out);
}

/* Sizes and offsets of this compiler; the host compares them with its own. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void sm_layout(GLOBAL u32 *layout)
{
    write_layout(layout);
}

#endif
