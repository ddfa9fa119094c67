/* Checks the sizes of a launch against its kernel. */
#include <string.h>

#include "base/error.h"
#include "frontend/exec/launch/plan.h"

enum { MOST_THREADS = 1024 };

/* Against what the kernel's text demands: reqd_work_group_size, __launch_bounds__. */
static enum ws_status check_block(const struct ws_kernel *kernel, const struct ws_ndrange *launch, u32 threads,
                                  struct ws_error *error)
{
    const u32 *const local = launch->local, *const block = kernel->block;
    if (block[0] != 0 && memcmp(local, block, sizeof kernel->block) != 0)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: local size %u x %u x %u, the kernel requires %u x %u x %u",
                       launch->kernel, local[0], local[1], local[2], block[0], block[1], block[2]);
    if (kernel->most_threads != 0 && threads > kernel->most_threads)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: local size %u x %u x %u, the kernel allows %u threads a block",
                       launch->kernel, local[0], local[1], local[2], kernel->most_threads);
    return WS_STATUS_ok;
}

/* A kernel without support for an offset would run as if there were none. */
static enum ws_status check_offset(const struct ws_plan *plan, struct ws_error *error)
{
    const u32 *const offset = plan->launch->offset;
    if (offset[0] == 0 && offset[1] == 0 && offset[2] == 0)
        return WS_STATUS_ok;
    for (u32 n = 0; n < plan->kernel->input_count; n++) {
        const struct ws_input *const input = &plan->kernel->inputs[n];
        if (input->kind == WS_INPUT_special && input->value >= WS_SPECIAL_envreg3 && input->value <= WS_SPECIAL_envreg5)
            return WS_STATUS_ok;
    }
    return ws_fail(error, WS_STATUS_bad_input,
                   "kernel %s: global offset %u, %u, %u, but the kernel reads none (%%envreg3 to %%envreg5); "
                   "OpenCL C is compiled with it where the launch file has it",
                   plan->launch->kernel, offset[0], offset[1], offset[2]);
}

/* Blocks start in the order of their numbers: with those of a cluster, all blocks between them are there at once. */
static enum ws_status check_residents(const struct ws_plan *plan, struct ws_error *error)
{
    const u32 *const cluster = plan->cluster, *const grid = plan->grid;
    const u64 row = cluster[1] * cluster[2] > 1 ? grid[0] : cluster[0], rows = cluster[2] > 1 ? grid[1] : cluster[1];
    const u64 together = row * rows * cluster[2];
    if (together <= WS_MOST_RESIDENT)
        return WS_STATUS_ok;
    return ws_fail(
        error, WS_STATUS_bad_input,
        "kernel %s: clusters of %u x %u x %u blocks in a grid of %u x %u x %u: %llu blocks would be there at once, at most %d "
        "are supported; a smaller grid in x, or clusters along x, need fewer",
        plan->launch->kernel, cluster[0], cluster[1], cluster[2], grid[0], grid[1], grid[2], (unsigned long long)together,
        (int)WS_MOST_RESIDENT);
}

/* Clusters of the launch, or of the kernel's text (__cluster_dims__), which must agree. */
static enum ws_status check_cluster(struct ws_plan *plan, struct ws_error *error)
{
    const u32 *const given = plan->launch->cluster, *const demanded = plan->kernel->cluster;
    u64 blocks = 1;
    plan->clustered = given[0] || demanded[0];
    if (given[0] && demanded[0] && memcmp(given, demanded, sizeof plan->cluster) != 0)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: clusters of %u x %u x %u blocks, the kernel requires %u x %u x %u",
                       plan->launch->kernel, given[0], given[1], given[2], demanded[0], demanded[1], demanded[2]);
    for (u32 n = 0; n < 3; n++) {
        const u32 size = given[0] ? given[n] : demanded[0] ? demanded[n] : 1;
        plan->cluster[n] = size ? size : 1;
        if (plan->cluster[n] > WS_MOST_CLUSTER || (blocks *= plan->cluster[n]) > WS_MOST_CLUSTER)
            return ws_fail(error, WS_STATUS_bad_input, "kernel %s: clusters have at most %d blocks", plan->launch->kernel,
                           (int)WS_MOST_CLUSTER);
        if (plan->grid[n] % plan->cluster[n] != 0)
            return ws_fail(
                error, WS_STATUS_bad_input,
                "kernel %s: %u blocks in %c are not a multiple of the %u blocks of a cluster; the global size is blocks times "
                "local size",
                plan->launch->kernel, plan->grid[n], "xyz"[n], plan -> cluster[n]);
    }
    if (blocks > 1 && plan->program->machine.module)
        return ws_fail(error, WS_STATUS_bad_input,
                       "kernel %s: clusters of several blocks are not supported for machine code; use PTX", plan->launch->kernel);
    plan->memory.cluster = (u32)blocks;
    return check_residents(plan, error);
}

enum ws_status ws_plan_check_range(struct ws_plan *plan, struct ws_error *error)
{
    const struct ws_ndrange *const launch = plan->launch;
    u64 threads = 1;
    plan->blocks = 1;
    for (u32 n = 0; n < 3; n++) {
        const u32 global = launch->global[n], local = launch->local[n];
        if (global == 0 || local == 0 || global % local != 0)
            return ws_fail(error, WS_STATUS_bad_input,
                           "kernel %s: global size %u in %c is not a positive multiple of the local size %u", launch->kernel,
                           global, "xyz"[n], local);
        plan->grid[n] = global / local;
        if (threads * local > MOST_THREADS)
            return ws_fail(error, WS_STATUS_bad_input, "kernel %s: local size %u x %u x %u, at most %d threads a block are allowed",
                           launch->kernel, launch->local[0], launch->local[1], launch->local[2], MOST_THREADS);
        threads *= local;
        if (plan->blocks > UINT32_MAX / plan->grid[n])
            return ws_fail(error, WS_STATUS_bad_input, "kernel %s: more than %u blocks", launch->kernel, UINT32_MAX);
        plan->blocks *= plan->grid[n];
    }
    plan->block_threads = (u32)threads;
    WS_TRY(check_cluster(plan, error));
    WS_TRY(check_offset(plan, error));
    return check_block(plan->kernel, launch, plan->block_threads, error);
}
