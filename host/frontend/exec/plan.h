/* A launch, checked against its kernel and laid out in memory. */
#ifndef WS_EXEC_PLAN_H
#define WS_EXEC_PLAN_H

#include "frontend/exec/memory.h"
#include "frontend/ptx/ir.h"
#include "warpsweep/frontend.h"

struct ws_plan {
    const struct ws_program *program;
    const struct ws_kernel *kernel;
    const struct ws_ndrange *launch;
    u32 grid[3]; /* blocks */
    u32 block_threads;
    u64 blocks;
    u32 shared_bytes;        /* of a block, dynamic ones included */
    u32 local_bytes;         /* of a thread, rounded up to 16 */
    u64 local_recorded;      /* global address of the first thread's local memory in a trace */
    struct ws_memory memory; /* shared and local memory have no host bytes yet */
    u8 *parameters;          /* the kernel's parameter block */
    u8 *variables[2];        /* the module's global and constant memory */
    u64 variable_base[2];
    struct ws_segment *segments;
    u32 segment_count;
};

/* Checks the launch and lays it out. program and launch must outlive the plan. To be freed by ws_plan_free, also after an error.
 * Invalid launches are WS_STATUS_bad_input, naming kernel and argument. */
enum ws_status ws_plan_make(const struct ws_program *program, const struct ws_ndrange *launch, struct ws_plan *plan,
                            struct ws_error *error);
void ws_plan_free(struct ws_plan *plan);

/* The launch as a trace describes it; what it points to belongs to plan, program and launch. */
struct ws_launch ws_plan_describe(const struct ws_plan *plan, const struct ws_frontend_options *options);

/* Steps of ws_plan_make, in plan_check.c: sizes, and one argument against its parameter. */
enum ws_status ws_plan_check_range(struct ws_plan *plan, struct ws_error *error);
enum ws_status ws_plan_check_argument(const struct ws_plan *plan, u32 n, struct ws_error *error);

#endif
