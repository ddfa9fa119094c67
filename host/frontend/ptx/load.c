#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "frontend/ptx/passes/kernel.h"

/* Hammocks of up to four instructions become guarded ones, as NVIDIA's compiler of 2011 did where it did not expect divergence
 * (CUDA C Programming Guide 4.0, 5.4.2). */
enum { STANDARD_IF_CONVERT = 4 };

void ws_frontend_defaults(struct ws_frontend_options *options)
{
    *options = (struct ws_frontend_options){.if_convert = STANDARD_IF_CONVERT, .guarded_moves = true};
}

static enum ws_status check_registers(const struct ptx_kernel *kernel, u32 needed, u32 allowed)
{
    if (!allowed || needed <= allowed)
        return WS_STATUS_ok;
    return ws_fail(kernel->error, WS_STATUS_bad_input, "%s:%u: kernel '%s' needs %u registers, %u are allowed",
                   kernel->module->name, kernel->entry->line, kernel->entry->name, needed, allowed);
}

/* All passes of one kernel. */
static enum ws_status build_kernel(struct ptx_kernel *kernel, const struct ws_frontend_options *options, struct ws_arena *owner,
                                   struct ws_kernel *out)
{
    struct ptx_graph graph;
    struct ptx_linear linear;
    struct ptx_liveness liveness;
    struct ptx_allocation allocation;
    WS_TRY(ptx_expand_calls(kernel));
    WS_TRY(ptx_resolve_parameters(kernel));
    WS_TRY(ptx_build_graph(kernel, &graph));
    WS_TRY(ptx_simplify(kernel, &graph));
    WS_TRY(ptx_if_convert(kernel, &graph, options->if_convert));
    WS_TRY(ptx_linearise(kernel, &graph, &linear));
    WS_TRY(ptx_find_liveness(kernel, &linear, &liveness));
    WS_TRY(ptx_allocate(kernel, &linear, &liveness, options->guarded_moves, &allocation));
    WS_TRY(check_registers(kernel, allocation.registers, options->registers));
    if (options->guarded_moves)
        ptx_mark_guarded_moves(kernel, &linear, &allocation);
    return ptx_emit(kernel, &linear, &allocation, liveness.most_live, owner, out);
}

/* Each kernel gets its own arena, freed before the next. */
static enum ws_status build_kernels(struct ptx_module *module, const struct ws_frontend_options *options,
                                    struct ws_program *program, struct ws_error *error)
{
    for (size_t n = 0; n < module->function_count; n++) {
        if (!module->functions[n]->entry || !module->functions[n]->defined)
            continue;
        struct ws_arena scratch = {0};
        struct ptx_kernel kernel = {.module = module, .arena = &scratch, .error = error, .entry = module->functions[n]};
        struct ws_kernel *out = &program->kernels[program->kernel_count];
        const enum ws_status status = build_kernel(&kernel, options, &program->arena, out);
        ws_arena_free(&scratch);
        WS_TRY(status);
        program->kernel_names[program->kernel_count++] = out->name;
    }
    if (program->kernel_count == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: there is no kernel (.entry)", module->name);
    return WS_STATUS_ok;
}

static enum ws_status copy_image(struct ws_arena *arena, const struct ptx_image *from, struct ws_module_image *to,
                                 struct ws_error *error)
{
    to->bytes = (u32)from->bytes;
    if (!from->bytes)
        return WS_STATUS_ok;
    to->initial = ws_arena_alloc(arena, from->bytes);
    if (!to->initial)
        return ptx_no_memory(error);
    memcpy(to->initial, from->initial, from->bytes);
    return WS_STATUS_ok;
}

static enum ws_status build_program(struct ptx_module *module, const struct ws_frontend_options *options,
                                    struct ws_program *program, struct ws_error *error)
{
    program->name = ws_arena_text(&program->arena, module->name, strlen(module->name));
    program->kernels = ws_arena_array(&program->arena, module->function_count, sizeof *program->kernels);
    program->kernel_names = ws_arena_array(&program->arena, module->function_count + 1, sizeof *program->kernel_names);
    if (!program->name || !program->kernels || !program->kernel_names)
        return ptx_no_memory(error);
    WS_TRY(copy_image(&program->arena, &module->global, &program->global, error));
    WS_TRY(copy_image(&program->arena, &module->constant, &program->constant, error));
    return build_kernels(module, options, program, error);
}

enum ws_status ws_program_load(const char *name, const char *text, size_t length, const struct ws_frontend_options *options,
                               struct ws_program **program, struct ws_error *error)
{
    struct ws_arena scratch = {0};
    struct ptx_module module = {.arena = &scratch, .name = name};
    *program = calloc(1, sizeof **program);
    if (!*program)
        return ptx_no_memory(error);
    (*program)->digest = XXH3_64bits(text, length);
    enum ws_status status = ptx_parse(&module, text, length, error);
    if (status == WS_STATUS_ok)
        status = build_program(&module, options, *program, error);
    ws_arena_free(&scratch);
    if (status == WS_STATUS_ok)
        return status;
    ws_program_free(*program);
    *program = NULL;
    return status;
}

void ws_program_free(struct ws_program *program)
{
    if (!program)
        return;
    ws_arena_free(&program->arena);
    free(program);
}

const char *const *ws_program_kernels(const struct ws_program *program)
{
    return program->kernel_names;
}

const struct ws_kernel *ws_program_find(const struct ws_program *program, const char *kernel)
{
    for (u32 n = 0; n < program->kernel_count; n++)
        if (strcmp(program->kernels[n].name, kernel) == 0)
            return &program->kernels[n];
    return NULL;
}

enum ws_status ws_program_kernel(const struct ws_program *program, const char *kernel, struct ws_kernel_info *info,
                                 struct ws_error *error)
{
    const struct ws_kernel *found = ws_program_find(program, kernel);
    if (!found)
        return ws_fail(error, WS_STATUS_bad_input, "%s: there is no kernel '%s'; the first is '%s'", program->name, kernel,
                       program->kernels[0].name);
    *info = (struct ws_kernel_info){.instructions = found->op_count,
                                    .registers = found->allocated,
                                    .most_live = found->most_live,
                                    .shared_bytes = found->shared_bytes,
                                    .local_bytes = found->local_bytes,
                                    .parameters = found->parameter_count,
                                    .program = found->program};
    return WS_STATUS_ok;
}
