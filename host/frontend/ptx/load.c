#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/text.h"
#include "frontend/ptx/mangled.h"
#include "frontend/ptx/passes/kernel.h"

/* Hammocks of up to four instructions become guarded, as NVIDIA's compiler of 2011 did where it did not expect divergence (CUDA C
 * Programming Guide 4.0, 5.4.2). */
enum { STANDARD_IF_CONVERT = 4 };

/* Warp size of NVIDIA's hardware, which warp-synchronous code expects. */
enum { STANDARD_LOCKSTEP = 32 };

/* Limit for one thread: seconds of execution, hundreds of times that of bundled workloads at paper size. */
#define STANDARD_THREAD_INSTRUCTIONS 1000000000u

void ws_frontend_defaults(struct ws_frontend_options *options)
{
    *options = (struct ws_frontend_options){.if_convert = STANDARD_IF_CONVERT,
                                            .guarded_moves = true,
                                            .lockstep = STANDARD_LOCKSTEP,
                                            .most_thread_instructions = STANDARD_THREAD_INSTRUCTIONS};
}

static enum ws_status check_registers(const struct ptx_kernel *kernel, u32 needed, u32 allowed)
{
    if (!allowed || needed <= allowed)
        return WS_STATUS_ok;
    return ws_fail(kernel->error, WS_STATUS_bad_input, "%s: kernel '%s' needs %u registers, %u are allowed",
                   ws_place_text(&kernel->module->places, kernel->entry->line).text, kernel->entry->name, needed, allowed);
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
    WS_TRY(ptx_fit_registers(kernel, &linear, options->guarded_moves, &liveness, &allocation));
    WS_TRY(check_registers(kernel, allocation.registers, options->registers));
    if (options->guarded_moves)
        ptx_mark_guarded_moves(kernel, &linear, &allocation);
    return ptx_emit(kernel, &linear, &allocation, liveness.most_live, owner, out);
}

/* A kernel with an error in its text or passes: only the error is known. */
static enum ws_status keep_failure(const struct ptx_function *entry, const char *failure, struct ws_arena *owner,
                                   struct ws_kernel *out, struct ws_error *error)
{
    *out = (struct ws_kernel){.line = entry->line,
                              .name = ws_arena_text(owner, entry->name, strlen(entry->name)),
                              .failure = ws_arena_text(owner, failure, strlen(failure))};
    return out->name && out->failure ? WS_STATUS_ok : ptx_no_memory(error);
}

/* Each kernel gets its own arena, freed before the next. */
static enum ws_status build_or_keep_failure(struct ptx_module *module, struct ptx_function *entry,
                                            const struct ws_frontend_options *options, struct ws_arena *owner,
                                            struct ws_kernel *out, struct ws_error *error)
{
    struct ws_error own = {.status = WS_STATUS_ok};
    struct ws_arena scratch = {0};
    struct ptx_kernel kernel = {.module = module, .arena = &scratch, .error = &own, .entry = entry};
    if (entry->failure)
        return keep_failure(entry, entry->failure, owner, out, error);
    const enum ws_status status = build_kernel(&kernel, options, owner, out);
    ws_arena_free(&scratch);
    if (status == WS_STATUS_bad_input)
        return keep_failure(entry, own.message, owner, out, error);
    return status == WS_STATUS_ok ? status : ws_fail(error, status, "%s", own.message);
}

/* A kernel with an error does not affect the others. A program without a valid kernel is refused. */
static enum ws_status build_kernels(struct ptx_module *module, const struct ws_frontend_options *options,
                                    struct ws_program *program, struct ws_error *error)
{
    u32 good = 0;
    for (size_t n = 0; n < module->function_count; n++) {
        struct ptx_function *const entry = module->functions[n];
        struct ws_kernel *const out = &program->kernels[program->kernel_count];
        if (!entry->entry || !(entry->defined || entry->failure))
            continue;
        WS_TRY(build_or_keep_failure(module, entry, options, &program->arena, out, error));
        program->kernel_names[program->kernel_count++] = out->name;
        good += !out->failure;
    }
    if (program->kernel_count == 0 && module->failure)
        return ws_fail(error, WS_STATUS_bad_input, "%s", module->failure);
    if (program->kernel_count == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: found no kernel (.entry); name a file with one", module->places.name);
    if (good == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s", program->kernels[0].failure);
    return WS_STATUS_ok;
}

static enum ws_status copy_variables(const struct ptx_module *module, u8 space, struct ws_arena *arena, struct ws_module_image *to,
                                     struct ws_error *error)
{
    to->variables = ws_arena_array(arena, to->variable_count, sizeof *to->variables);
    if (!to->variables)
        return ptx_no_memory(error);
    for (size_t n = 0; n < module->variable_count; n++) {
        const struct ptx_variable *const from = &module->variables[n];
        if (from->space != space || !from->member)
            continue;
        struct ws_module_variable *const variable = &to->variables[from->member - 1];
        *variable = (struct ws_module_variable){
            .name = ws_arena_text(arena, from->name, strlen(from->name)), .offset = from->offset, .bytes = from->bytes};
        if (!variable->name)
            return ptx_no_memory(error);
    }
    return WS_STATUS_ok;
}

static enum ws_status copy_image(const struct ptx_module *module, u8 space, struct ws_arena *arena, struct ws_module_image *to,
                                 struct ws_error *error)
{
    const struct ptx_image *const from = space == WS_SPACE_global ? &module->global : &module->constant;
    *to = (struct ws_module_image){.bytes = (u32)from->bytes, .variable_count = from->variable_count};
    if (!from->bytes)
        return WS_STATUS_ok;
    to->initial = ws_arena_alloc(arena, from->bytes);
    if (!to->initial)
        return ptx_no_memory(error);
    memcpy(to->initial, from->initial, from->bytes);
    to->address_count = (u32)from->address_count;
    to->addresses = ws_arena_array(arena, from->address_count, sizeof *to->addresses);
    if (!to->addresses)
        return ptx_no_memory(error);
    if (from->address_count)
        memcpy(to->addresses, from->addresses, from->address_count * sizeof *to->addresses);
    return copy_variables(module, space, arena, to, error);
}

/* Whether only one kernel has the name. */
static bool is_unique(const struct ws_program *program, const char *name)
{
    u32 count = 0;
    for (u32 n = 0; n < program->kernel_count; n++)
        count += strcmp(program->kernels[n].name, name) == 0 || ws_mangled_is(program->kernels[n].name, name);
    return count == 1;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* C++ kernels are called by their names in the source, unless several have one. Lists of names are sorted. */
enum ws_status ws_program_name_kernels(struct ws_program *program, struct ws_error *error)
{
    for (u32 n = 0; n < program->kernel_count; n++) {
        struct ws_text name = {0};
        ws_mangled_name(program->kernels[n].name, &name);
        if (name.data && is_unique(program, name.data))
            program->kernel_names[n] = ws_arena_text(&program->arena, name.data, name.length);
        ws_text_free(&name);
        if (!program->kernel_names[n])
            return ptx_no_memory(error);
    }
    qsort(program->kernel_names, program->kernel_count, sizeof *program->kernel_names, by_name);
    return WS_STATUS_ok;
}

static enum ws_status build_program(struct ptx_module *module, const struct ws_frontend_options *options,
                                    struct ws_program *program, struct ws_error *error)
{
    program->kernels = ws_arena_array(&program->arena, module->function_count, sizeof *program->kernels);
    program->kernel_names = ws_arena_array(&program->arena, module->function_count + 1, sizeof *program->kernel_names);
    if (!program->kernels || !program->kernel_names)
        return ptx_no_memory(error);
    program->narrow = module->narrow;
    if (module->failure)
        program->failure = ws_arena_text(&program->arena, module->failure, strlen(module->failure));
    WS_TRY(copy_image(module, WS_SPACE_global, &program->arena, &program->global, error));
    WS_TRY(copy_image(module, WS_SPACE_constant, &program->arena, &program->constant, error));
    WS_TRY(build_kernels(module, options, program, error));
    return ws_program_name_kernels(program, error);
}

static enum ws_status find_places(struct ws_program *program, const char *name, const char *text, size_t length,
                                  const struct ws_frontend_options *options, struct ws_error *error)
{
    program->places.name = ws_arena_text(&program->arena, name, strlen(name));
    const bool found = !options->compiled || ws_places_compiled(&program->places, &program->arena, text, length);
    return program->places.name && found ? WS_STATUS_ok : ptx_no_memory(error);
}

enum ws_status ws_program_load(const char *name, const char *text, size_t length, const struct ws_frontend_options *options,
                               struct ws_program **program, struct ws_error *error)
{
    struct ws_arena scratch = {0};
    struct ptx_module module = {.arena = &scratch};
    *program = calloc(1, sizeof **program);
    if (!*program)
        return ptx_no_memory(error);
    (*program)->digest = XXH3_64bits(text, length);
    enum ws_status status = find_places(*program, name, text, length, options, error);
    module.places = (*program)->places;
    WS_THEN(status, ptx_parse(&module, text, length, error));
    WS_THEN(status, build_program(&module, options, *program, error));
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

/* The kernel of that name, else the only one with that C++ name: found lists those. names receives all names. */
static const struct ws_kernel *find_plain(const struct ws_program *program, const char *name, struct ws_names *names,
                                          struct ws_names *found)
{
    const struct ws_kernel *kernel = NULL;
    u32 count = 0;
    for (u32 n = 0; n < program->kernel_count; n++) {
        const char *const symbol = program->kernels[n].name;
        if (strcmp(symbol, name) == 0)
            return &program->kernels[n];
        ws_names_offer(names, program->kernel_names[n]);
        if (ws_mangled_is(symbol, name)) {
            kernel = &program->kernels[n];
            ws_names_offer(found, symbol);
            count++;
        }
    }
    return count == 1 ? kernel : NULL;
}

enum ws_status ws_program_find(const struct ws_program *program, const char *name, const struct ws_kernel **kernel,
                               struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}}, found = {.nearest = {.word = name}};
    enum ws_status status = WS_STATUS_bad_input;
    *kernel = find_plain(program, name, &names, &found);
    if (!*kernel && found.list.length > 0)
        ws_fail(error, status, "%s: there are several kernels '%s': %s", program->places.name, name, ws_names_text(&found));
    else if (!*kernel)
        ws_fail(error, status, "%s: there is no kernel '%s'; there are %s%s%s", program->places.name, name, ws_names_text(&names),
                program->failure ? "; the first error is: " : "", program->failure ? program->failure : "");
    else if ((*kernel)->failure)
        ws_fail(error, status, "%s", (*kernel)->failure);
    else
        status = WS_STATUS_ok;
    ws_names_free(&names);
    ws_names_free(&found);
    return status;
}

enum ws_status ws_program_kernel(const struct ws_program *program, const char *kernel, struct ws_kernel_info *info,
                                 struct ws_error *error)
{
    const struct ws_kernel *found;
    WS_TRY(ws_program_find(program, kernel, &found, error));
    *info = (struct ws_kernel_info){.name = found->name,
                                    .block = {found->block[0], found->block[1], found->block[2]},
                                    .cluster = {found->cluster[0], found->cluster[1], found->cluster[2]},
                                    .most_threads = found->most_threads,
                                    .instructions = found->op_count,
                                    .registers = found->allocated,
                                    .most_live = found->most_live,
                                    .shared_bytes = found->shared_bytes,
                                    .local_bytes = found->local_bytes,
                                    .parameters = found->parameter_count,
                                    .program = found->program};
    return WS_STATUS_ok;
}
