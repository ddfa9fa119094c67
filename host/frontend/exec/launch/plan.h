/* A launch, checked against its kernel and laid out in memory. */
#pragma once

#include "frontend/exec/memory/memory.h"
#include "frontend/ptx/ir.h"
#include "warpsweep/frontend.h"

/* Most blocks that are started and have not ended: may exceed what hardware holds. */
enum { WS_MOST_RESIDENT = 1024 };

struct ws_plan {
    const struct ws_program *program;
    const struct ws_kernel *kernel;
    const struct ws_ndrange *launch;
    u32 grid[3];    /* blocks */
    u32 cluster[3]; /* blocks of a cluster */
    bool clustered; /* the launch or the kernel gives clusters */
    u32 block_threads;
    u64 blocks;
    u32 shared_bytes;            /* of a block, dynamic ones included */
    u32 local_bytes;             /* of a thread, rounded up to 16 */
    u64 local_recorded;          /* global address of the first thread's local memory in a trace */
    struct ws_memory memory;     /* shared and local memory have no host bytes yet */
    u32 buffer_ranges;           /* first ones of memory.ranges: the launch's buffers that are not empty */
    u8 *parameters;              /* the kernel's parameter block */
    u8 *variables[2];            /* global and constant memory of the module */
    u32 first_variable[2];       /* number of its first range, in the order of placement */
    u64 *bases;                  /* addresses of ranges in the order of placement, which is memory.ranges' until all are placed */
    bool is_placed;              /* the launch has buffers or variables with addresses of its own */
    u64 guard, free_address;     /* least gap between memory.ranges; the next free address */
    u64 end_address;             /* of them all */
    u64 texture_bytes;           /* of the trace's texture memory, taken by images so far */
    struct ws_segment *segments; /* of the trace */
    u32 segment_count;
    u64 *words;            /* of machine code: by input of kind WS_INPUT_word; freed with the plan, */
    u8 *bank_bytes;        /* as is this */
    struct ws_kernel *own; /* kernel as modified for this launch, if it has barriers for part of the block; else NULL */
    bool barriers_pass;    /* these do not wait in the trace, because their number of threads is known only at execution */
};

/* Checks the launch and lays it out. program and launch must outlive the plan. To be freed by ws_plan_free, also after an error.
 * Invalid launches are WS_STATUS_bad_input, naming kernel and argument. */
enum ws_status ws_plan_make(const struct ws_program *program, const struct ws_ndrange *launch, struct ws_plan *plan,
                            struct ws_error *error);
void ws_plan_free(struct ws_plan *plan);

/* The launch as a trace describes it; what it points to belongs to plan, program and launch. */
struct ws_launch ws_plan_describe(const struct ws_plan *plan, const struct ws_frontend_options *options);

/* Steps of ws_plan_make, in place.c. Kernels run on addresses that lie far apart; the trace has its own (recorded), without these
 * gaps. Room for ranges and segments has been allocated. */

/* Chooses the gap between the launch's ranges. */
void ws_plan_space_out(struct ws_plan *plan);

/* Reserves a range of global addresses of the trace, after a gap of at least 64 KB. */
enum ws_status ws_plan_add_segment(struct ws_plan *plan, u64 bytes, u64 *base, struct ws_error *error);

/* Adds a range with a segment of its own, at range.base unless that is 0; *base receives its address. */
enum ws_status ws_plan_add_range(struct ws_plan *plan, struct ws_range range, u64 *base, struct ws_error *error);

/* In buffers.c: adds ranges for the launch's buffers and, the first time, converts the pointers in them. */
enum ws_status ws_plan_place_buffers(struct ws_plan *plan, struct ws_error *error);

/* Converts pointers of the host, at ascending offsets of a range, to kernel addresses. */
enum ws_status ws_plan_link_pointers(const struct ws_plan *plan, const char *name, const u64 *pointers, u32 count, u8 *data,
                                     u64 bytes, struct ws_error *error);

/* Converts the pointers in an argument, in the parameter block. */
enum ws_status ws_plan_link_argument(struct ws_plan *plan, u32 n, struct ws_error *error);

/* The kernel address of host bytes that are a whole range, or lie within a buffer of the launch. False when it is in none. */
bool ws_plan_address(const struct ws_plan *plan, const void *host, u64 bytes, u64 *address);

/* Whether an argument is a buffer that lies in none of the launch's. */
bool ws_plan_own_buffer(const struct ws_ndrange *launch, const struct ws_argument *argument);

/* The module's variables: 0 .global, 1 .const. */
static inline const struct ws_module_image *ws_plan_image(const struct ws_plan *plan, u32 n)
{
    return n == 0 ? &plan->program->global : &plan->program->constant;
}

/* Copies the module's variables, in variables.c, and adds a range for each. */
enum ws_status ws_plan_place_variables(struct ws_plan *plan, struct ws_error *error);
enum ws_status ws_plan_copy_variables(struct ws_plan *plan, u32 n, struct ws_error *error);

/* In variables.c: whether the module has all variables that the launch fills; fills them; keeps .global ones for the next launch.
 */
enum ws_status ws_plan_check_variables(const struct ws_plan *plan, struct ws_error *error);
enum ws_status ws_plan_set_variables(struct ws_plan *plan, u32 n, struct ws_error *error);
enum ws_status ws_plan_keep_variables(const struct ws_plan *plan, struct ws_error *error);

/* The address of a .global or .const variable, as an input gives it. */
u64 ws_plan_variable_address(const struct ws_plan *plan, const struct ws_input *input);

/* The variable's contents in the launch, if it has an address there; else NULL. In variables.c. */
const struct ws_buffer *ws_plan_placed_variable(const struct ws_plan *plan, const char *name);

/* Sorts ranges by address, once all are there. Fails if two overlap. */
enum ws_status ws_plan_sort(struct ws_plan *plan, struct ws_error *error);

/* Fills in memory.constants once all ranges are there. */
enum ws_status ws_plan_place_constants(struct ws_plan *plan, struct ws_error *error);

/* Step of ws_plan_make, in plan_barriers.c: turns barriers for part of the block into trace instructions that wait, or do not. */
enum ws_status ws_plan_split_barriers(struct ws_plan *plan, struct ws_error *error);

/* Step of ws_plan_make, in plan_check.c: sizes. */
enum ws_status ws_plan_check_range(struct ws_plan *plan, struct ws_error *error);

/* Step of ws_plan_make, in argument_check.c: kind, name, type and size of one argument against its parameter. */
enum ws_status ws_plan_check_argument(const struct ws_plan *plan, u32 n, struct ws_error *error);
