/* Alignment kernels, compiled in a lane form (lanes/lanes.h). */
#include "limit/align.h"

#ifdef __OPENCL_C_VERSION__

/* Group n executes task first + n. */
LANES_KERNEL void align_tasks(GLOBAL const struct ws_align_task *tasks, GLOBAL const u32 *tokens, GLOBAL const u32 *weights,
                              GLOBAL u32 *rows, GLOBAL u32 *scores, u32 first)
{
    LOCAL struct align_local local_words;
    const u32 task = first + (u32)get_group_id(0);
    align_task(&local_words, tasks + task, tokens, weights, rows, scores + task);
}

#endif
