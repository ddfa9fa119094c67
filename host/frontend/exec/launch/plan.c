#include "frontend/exec/launch/plan.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/number.h"

enum { SHARED_ALIGNMENT = 16 };

static enum ws_status no_memory(const struct ws_plan *plan, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", plan->kernel->name);
}

/* A buffer passed several times has one address; an empty one is the null pointer. */
static enum ws_status place_buffer(struct ws_plan *plan, u32 n, u64 *base, struct ws_error *error)
{
    const struct ws_argument *const argument = &plan->launch->arguments[n];
    const char *const name = argument->name ? argument->name : plan->kernel->parameters[n].name;
    *base = 0;
    if (argument->bytes == 0)
        return WS_STATUS_ok;
    if (ws_plan_address(plan, argument->data, argument->bytes, base))
        return WS_STATUS_ok;
    return ws_plan_add_range(plan, (struct ws_range){.bytes = argument->bytes, .host = argument->data, .name = name}, base, error);
}

static enum ws_status place_shared(struct ws_plan *plan, u64 bytes, u64 *base, struct ws_error *error)
{
    *base = ws_round_up(plan->shared_bytes, SHARED_ALIGNMENT);
    if (bytes > WS_MOST_SHARED || *base + bytes > WS_MOST_SHARED)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: more than %d bytes of shared memory", plan->kernel->name,
                       WS_MOST_SHARED);
    plan->shared_bytes = (u32)(*base + bytes);
    return WS_STATUS_ok;
}

static enum ws_status place_argument(struct ws_plan *plan, u32 n, struct ws_error *error)
{
    const struct ws_argument *const argument = &plan->launch->arguments[n];
    const struct ws_kernel_parameter *const parameter = &plan->kernel->parameters[n];
    const void *bytes = argument->data;
    u64 pointer = 0;
    WS_TRY(ws_plan_check_argument(plan, n, error));
    if (argument->kind != WS_ARGUMENT_SCALAR)
        bytes = &pointer;
    if (argument->kind == WS_ARGUMENT_BUFFER)
        WS_TRY(place_buffer(plan, n, &pointer, error));
    if (argument->kind == WS_ARGUMENT_SHARED)
        WS_TRY(place_shared(plan, argument->bytes, &pointer, error));
    if (parameter->bytes > plan->kernel->parameter_bytes || parameter->offset > plan->kernel->parameter_bytes - parameter->bytes)
        return ws_fail(error, WS_STATUS_internal, "kernel %s: parameter %u lies outside its block", plan->kernel->name, n);
    if (parameter->bytes > 0)
        memcpy(plan->parameters + parameter->offset, bytes, parameter->bytes);
    return ws_plan_link_argument(plan, n, error);
}

static enum ws_status check_arguments(const struct ws_plan *plan, struct ws_error *error)
{
    if (plan->launch->argument_count == plan->kernel->parameter_count)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input, "kernel %s: %u arguments found, it takes %u", plan->kernel->name,
                   plan->launch->argument_count, plan->kernel->parameter_count);
}

static enum ws_status place_arguments(struct ws_plan *plan, struct ws_error *error)
{
    u64 dynamic = 0;
    if (plan->launch->shared_bytes > 0)
        WS_TRY(place_shared(plan, plan->launch->shared_bytes, &dynamic, error));
    WS_TRY(ws_plan_place_buffers(plan, error));
    for (u32 n = 0; n < plan->launch->argument_count; n++)
        WS_TRY(place_argument(plan, n, error));
    return WS_STATUS_ok;
}

static bool uses_generic(const struct ws_kernel *kernel)
{
    for (u32 n = 0; n < kernel->op_count; n++) {
        const u32 class_ = kernel->program[n].class_;
        const bool accesses = class_ == WS_CLASS_load || class_ == WS_CLASS_store || class_ == WS_CLASS_atomic;
        if (kernel->ops[n].opcode == WS_OP_tensor_size) /* with a tensor map anywhere */
            return true;
        if (accesses && kernel->ops[n].space == WS_SPACE_generic)
            return true;
    }
    return false;
}

static struct ws_range window_of(const struct ws_range *range, const struct ws_memory *memory, u32 space)
{
    struct ws_range window = *range;
    window.base = ws_memory_window(memory, space);
    return window;
}

/* A trace records generic accesses as global ones. Other memory they may reach gets global addresses of its own. */
static enum ws_status place_windows(struct ws_plan *plan, struct ws_error *error)
{
    struct ws_memory *const memory = &plan->memory;
    const struct ws_kernel *const kernel = plan->kernel;
    memory->narrow = plan->program->narrow;
    memory->shared = (struct ws_range){.bytes = plan->shared_bytes, .name = "shared memory"};
    for (u32 n = 0; n < WS_MOST_CLUSTER; n++)
        memory->peers[n].name = memory->peer_windows[n].name = "shared memory of another block";
    memory->local = (struct ws_range){.bytes = kernel->local_bytes, .name = "private memory"};
    memory->parameter = (struct ws_range){.bytes = kernel->parameter_bytes, .host = plan->parameters, .name = "the parameters"};
    if (!plan->program->machine.module && !uses_generic(kernel))
        return WS_STATUS_ok;
    memory->shared_window = window_of(&memory->shared, memory, WS_SPACE_shared);
    memory->local_window = window_of(&memory->local, memory, WS_SPACE_local);
    memory->parameter_window = window_of(&memory->parameter, memory, WS_SPACE_parameter);
    const u64 threads = plan->block_threads * plan->blocks;
    const bool fits = threads <= WS_SHARED_WINDOW / (plan->local_bytes + 1);
    const u64 local_bytes = fits ? plan->local_bytes * threads : UINT64_MAX;
    WS_TRY(ws_plan_add_segment(plan, plan->shared_bytes, &memory->shared_window.recorded, error));
    for (u32 n = 0; n < WS_MOST_CLUSTER; n++)
        memory->peer_windows[n].recorded = memory->shared_window.recorded;
    WS_TRY(ws_plan_add_segment(plan, kernel->parameter_bytes, &memory->parameter_window.recorded, error));
    return ws_plan_add_segment(plan, local_bytes, &plan->local_recorded, error);
}

enum ws_status ws_plan_make(const struct ws_program *program, const struct ws_ndrange *launch, struct ws_plan *plan,
                            struct ws_error *error)
{
    enum { OTHER_SEGMENTS = 5 }; /* two images of variables, three windows */
    *plan = (struct ws_plan){.program = program, .launch = launch};
    WS_TRY(ws_program_find(program, launch->kernel ? launch->kernel : "", &plan->kernel, error));
    const struct ws_kernel *const kernel = plan->kernel;
    WS_TRY(ws_plan_check_range(plan, error));
    WS_TRY(check_arguments(plan, error));
    WS_TRY(ws_plan_check_variables(plan, error));
    WS_TRY(ws_plan_split_barriers(plan, error));
    const size_t segments = (size_t)kernel->parameter_count + launch->buffer_count + OTHER_SEGMENTS;
    const size_t ranges = segments + program->global.variable_count + program->constant.variable_count;
    plan->shared_bytes = kernel->shared_bytes;
    plan->local_bytes = (u32)ws_round_up(kernel->local_bytes, SHARED_ALIGNMENT);
    plan->parameters = calloc(1, (size_t)kernel->parameter_bytes + 1);
    plan->segments = calloc(segments, sizeof *plan->segments);
    plan->memory.ranges = calloc(ranges, sizeof *plan->memory.ranges);
    plan->bases = calloc(ranges, sizeof *plan->bases);
    plan->memory.touch = launch->touch;
    plan->memory.context = launch->context;
    if (!plan->parameters || !plan->segments || !plan->memory.ranges || !plan->bases)
        return no_memory(plan, error);
    ws_plan_space_out(plan);
    WS_TRY(place_arguments(plan, error));
    WS_TRY(ws_plan_place_variables(plan, error));
    WS_TRY(ws_plan_place_constants(plan, error));
    WS_TRY(ws_plan_sort(plan, error));
    WS_TRY(place_windows(plan, error));
    return program->machine.place ? program->machine.place(plan, error) : WS_STATUS_ok;
}

void ws_plan_free(struct ws_plan *plan)
{
    free(plan->parameters);
    free(plan->variables[0]);
    free(plan->variables[1]);
    free(plan->segments);
    free(plan->memory.ranges);
    free(plan->bases);
    free(plan->memory.constants);
    free(plan->words);
    free(plan->bank_bytes);
    if (plan->own)
        free(plan->own->program);
    free(plan->own);
    *plan = (struct ws_plan){0};
}

static u64 add(u64 digest, const void *bytes, u64 count)
{
    return count > 0 ? XXH3_64bits_withSeed(bytes, count, digest) : digest;
}

/* Whether the launch's buffers are those of its arguments, one each, in their order. */
static bool each_has_one(const struct ws_ndrange *launch)
{
    u32 count = 0;
    for (u32 n = 0; n < launch->argument_count; n++) {
        const struct ws_argument *const argument = &launch->arguments[n];
        if (argument->kind != WS_ARGUMENT_BUFFER)
            continue;
        if (count == launch->buffer_count || argument->data != launch->buffers[count].data ||
            argument->bytes != launch->buffers[count].bytes)
            return false;
        count++;
    }
    return count == launch->buffer_count;
}

/* Buffers, options that only some launches have, and variables with changed initial values. */
static u64 add_rest(u64 digest, const struct ws_plan *plan, bool own)
{
    const struct ws_ndrange *const launch = plan->launch;
    const u64 more[] = {launch->offset[0], launch->offset[1], launch->offset[2], launch->shared_bytes};
    for (u32 n = 0; n < launch->buffer_count && !own; n++) {
        digest = add(digest, &launch->buffers[n].bytes, sizeof launch->buffers[n].bytes);
        digest = add(digest, launch->buffers[n].data, launch->buffers[n].bytes);
    }
    for (u32 n = 0; n < launch->buffer_count; n++)
        digest = add(digest, launch->buffers[n].image, launch->buffers[n].image ? sizeof *launch->buffers[n].image : 0);
    if (more[0] | more[1] | more[2] | more[3])
        digest = add(digest, more, sizeof more);
    if (launch->initial_count > 0 || (launch->variables && launch->variables->data)) {
        digest = add(digest, plan->variables[0], plan->program->global.bytes);
        digest = add(digest, plan->variables[1], plan->program->constant.bytes);
    }
    for (u32 n = 0; n < launch->initial_count; n++)
        digest = add(digest, launch->initial[n].data, launch->initial[n].address ? launch->initial[n].bytes : 0);
    return digest;
}

/* What determines the trace: the program's text, the options that shape its code, the NDRange and every argument. */
static u64 digest_of(const struct ws_plan *plan, const struct ws_frontend_options *options)
{
    const struct ws_ndrange *const launch = plan->launch;
    const u64 shape[] = {plan->program->digest, options->if_convert, options->guarded_moves, options->registers,
                         options->lockstep,     launch->global[0],   launch->global[1],      launch->global[2],
                         launch->local[0],      launch->local[1],    launch->local[2],       launch->argument_count};
    const bool own = each_has_one(launch);
    u64 digest = XXH3_64bits_withSeed(shape, sizeof shape, XXH3_64bits(plan->kernel->name, strlen(plan->kernel->name)));
    if (launch->registers)
        digest = XXH3_64bits_withSeed(&launch->registers, sizeof launch->registers, digest);
    for (u32 n = 0; n < launch->argument_count; n++) {
        const struct ws_argument *const argument = &launch->arguments[n];
        const struct ws_kernel_parameter *const parameter = &plan->kernel->parameters[n];
        const u64 head[] = {argument->kind, argument->bytes};
        digest = XXH3_64bits_withSeed(head, sizeof head, digest);
        if (argument->kind == WS_ARGUMENT_BUFFER && (own || ws_plan_own_buffer(launch, argument)))
            digest = add(digest, argument->data, argument->bytes);
        else if (argument->kind != WS_ARGUMENT_SHARED)
            digest = add(digest, plan->parameters + parameter->offset, parameter->bytes);
    }
    return add_rest(digest, plan, own);
}

struct ws_launch ws_plan_describe(const struct ws_plan *plan, const struct ws_frontend_options *options)
{
    const struct ws_ndrange *const launch = plan->launch;
    return (struct ws_launch){.kernel = plan->kernel->name,
                              .source = launch->source ? launch->source : plan->program->places.name,
                              .grid = {plan->grid[0], plan->grid[1], plan->grid[2]},
                              .block = {launch->local[0], launch->local[1], launch->local[2]},
                              .registers = plan->kernel->allocated,
                              .given_registers = launch->registers,
                              .shared_bytes = plan->shared_bytes,
                              .lockstep = options->lockstep ? options->lockstep : 1,
                              .instructions = plan->kernel->op_count,
                              .program = plan->kernel->program,
                              .code = plan->kernel->code,
                              .segments = plan->segment_count,
                              .segment = plan->segments,
                              .digest = digest_of(plan, options)};
}
