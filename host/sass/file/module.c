/* A cubin as a program. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/text.h"
#include "sass/file/build.h"
#include "sass/file/load.h"

enum { TEXT_ALIGNMENT = 128, STACK_ALIGNMENT = 16, FUNCTION = 2 /* STT_FUNC */ };
enum { MOST_REGISTERS = 256, MOST_CODE = 64 << 20, MOST_CODES = 512 << 20 };
/* Least stack of a thread in a kernel with calls: CUDA's default of cudaLimitStackSize. */
enum { CALL_STACK = 1024 };

bool ws_sass_refuse(struct ws_sass_build *build, struct ws_kernel *kernel, const char *format, ...)
{
    char message[600];
    va_list arguments;
    struct ws_text text = {0};
    if (kernel->failure)
        return true;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ws_text_add(&text, "%s: kernel %s: %s", build->elf.name, kernel->name, message);
    if (text.data)
        kernel->failure = ws_arena_text(build->arena, text.data, text.length);
    ws_text_free(&text);
    return kernel->failure != NULL;
}

/* ---- Texts ---- */

static bool is_text(const struct ws_sass_section *section)
{
    return strncmp(section->name, ".text.", strlen(".text.")) == 0;
}

/* The symbol of the kernel with this code section; 0: the section belongs to no kernel. */
static u32 kernel_symbol(const struct ws_sass_elf *elf, const struct ws_sass_section *section)
{
    for (u32 n = 1; n < elf->symbol_count; n++) {
        const struct ws_sass_symbol *const symbol = &elf->symbols[n];
        if (symbol->section == section->number && symbol->kind == FUNCTION && symbol->entry &&
            strcmp(symbol->name, section->name + strlen(".text.")) == 0)
            return n;
    }
    return 0;
}

/* Counts kernels and places all other functions. */
static enum ws_status place_texts(struct ws_sass_build *build, struct ws_error *error)
{
    u64 bytes = 0;
    build->texts = ws_arena_array(build->arena, build->elf.section_count + 1, sizeof *build->texts);
    if (!build->texts)
        return ws_sass_no_memory(build->elf.name, error);
    for (u32 n = 1; n < build->elf.section_count; n++) {
        const struct ws_sass_section *const section = &build->elf.sections[n];
        if (!is_text(section) || !section->data)
            continue;
        if (section->bytes > MOST_CODE)
            return ws_fail(error, WS_STATUS_bad_input, "%s: %s exceeds the allowed %d MB", build->elf.name, section->name,
                           MOST_CODE >> 20);
        if (kernel_symbol(&build->elf, section)) {
            build->module->kernel_count++;
            continue;
        }
        build->texts[build->text_count++] = (struct ws_sass_text){.section = section, .offset = (u32)bytes};
        bytes = (bytes + section->bytes + TEXT_ALIGNMENT - 1) / TEXT_ALIGNMENT * TEXT_ALIGNMENT;
        if (bytes > MOST_CODE)
            return ws_fail(error, WS_STATUS_bad_input, "%s: device functions exceed the allowed %d MB", build->elf.name,
                           MOST_CODE >> 20);
    }
    build->texts_bytes = (u32)bytes;
    if (bytes * build->module->kernel_count > MOST_CODES)
        return ws_fail(error, WS_STATUS_bad_input, "%s: %u kernels with %u bytes of device functions each exceed the allowed %d MB",
                       build->elf.name, build->module->kernel_count, build->texts_bytes, MOST_CODES >> 20);
    return WS_STATUS_ok;
}

/* ---- Kernels ---- */

static bool add_parameters(struct ws_sass_build *build, const struct ws_sass_info *info, struct ws_kernel *kernel)
{
    kernel->parameter_count = info->parameter_count;
    kernel->parameter_bytes = info->parameters_bytes;
    kernel->parameters = ws_arena_array(build->arena, info->parameter_count + 1, sizeof *kernel->parameters);
    if (!kernel->parameters)
        return false;
    for (u32 n = 0; n < info->parameter_count; n++) {
        const struct ws_sass_parameter *const from = &info->parameters[n];
        struct ws_text name = {0};
        ws_text_add(&name, "%.1000s_param_%u", kernel->name, n);
        kernel->parameters[n] =
            (struct ws_kernel_parameter){.offset = from->offset, .bytes = from->bytes, .align = 1, .space = WS_SPACE_generic};
        while (kernel->parameters[n].align < 16 && (from->offset | from->bytes) % (2 * kernel->parameters[n].align) == 0)
            kernel->parameters[n].align *= 2;
        kernel->parameters[n].name = name.data ? ws_arena_text(build->arena, name.data, name.length) : NULL;
        ws_text_free(&name);
        if (!kernel->parameters[n].name)
            return false;
        const bool inside = from->offset <= info->parameters_bytes && from->bytes <= info->parameters_bytes - from->offset;
        if ((!from->known || !inside) && !ws_sass_refuse(build, kernel, "parameter %u %s", n,
                                                         from->known ? "lies outside of the parameter area"
                                                                     : "has no attribute (EIATTR_KPARAM_INFO); compile it again"))
            return false;
    }
    if (info->parameter_count == 0 && info->parameters_bytes > 0)
        return ws_sass_refuse(build, kernel, "%u bytes of parameters have no attributes (EIATTR_KPARAM_INFO); compile it again",
                              info->parameters_bytes);
    return true;
}

static u32 local_bytes(const struct ws_sass_info *info)
{
    const u32 stack = info->stack_bytes > info->frame_bytes ? info->stack_bytes : info->frame_bytes;
    const u32 least = info->calls && stack < CALL_STACK ? CALL_STACK : stack;
    return least > WS_MOST_LOCAL ? least : (least + STACK_ALIGNMENT - 1) / STACK_ALIGNMENT * STACK_ALIGNMENT;
}

/* Refuses kernels beyond the limits. */
static bool check_limits(struct ws_sass_build *build, const struct ws_sass_info *info, const struct ws_sass_kernel *code,
                         u64 shared, struct ws_kernel *kernel)
{
    if (info->cluster > 1)
        return ws_sass_refuse(build, kernel, "wants clusters of %u blocks, supported are clusters of one block", info->cluster);
    if (info->parameters_bytes > 0 && info->parameters_at != code->abi->parameters)
        return ws_sass_refuse(build, kernel, "found parameters at 0x%x of constant bank 0, allowed is 0x%x for sm_%u",
                              info->parameters_at, code->abi->parameters, code->abi->architecture);
    if (info->registers == 0 || info->registers > MOST_REGISTERS)
        return ws_sass_refuse(build, kernel, "found %u registers, allowed are 1 to %d", info->registers, MOST_REGISTERS);
    if (shared > WS_MOST_SHARED)
        return ws_sass_refuse(build, kernel, "found %llu bytes of shared memory, allowed are at most %u",
                              (unsigned long long)shared, WS_MOST_SHARED);
    if (kernel->local_bytes == UINT32_MAX)
        return ws_sass_refuse(
            build, kernel, "its stack size is not known statically (it calls itself, or through pointers); try the kernel's PTX");
    if (kernel->local_bytes > WS_MOST_LOCAL)
        return ws_sass_refuse(build, kernel, "found %u bytes of local memory, allowed are at most %d", kernel->local_bytes,
                              WS_MOST_LOCAL);
    return true;
}

static enum ws_status read_kernel(struct ws_sass_build *build, u32 n, u32 symbol, struct ws_error *error)
{
    struct ws_kernel *const kernel = &build->program->kernels[n];
    struct ws_sass_kernel *const code = &build->kernels[n];
    const char *const name = build->elf.symbols[symbol].name;
    const struct ws_sass_section *const shared = ws_sass_elf_section(&build->elf, ".nv.shared", name);
    const u64 shared_bytes = shared && shared->bytes > build->elf.abi->shared_base ? shared->bytes : build->elf.abi->shared_base;
    struct ws_sass_info info;
    WS_TRY(ws_sass_info_read(&build->elf, symbol, &info, error));
    *kernel = (struct ws_kernel){.name = (char *)(uintptr_t)name,
                                 .block = {info.block[0], info.block[1], info.block[2]},
                                 .most_threads = info.most_threads,
                                 .allocated = info.registers,
                                 .most_live = info.registers,
                                 .shared_bytes = (u32)shared_bytes,
                                 .local_bytes = local_bytes(&info)};
    *code = (struct ws_sass_kernel){.name = name,
                                    .module = build->module,
                                    .abi = build->elf.abi,
                                    .branch_count = info.branch_count,
                                    .branches = info.branches,
                                    .registers = info.registers,
                                    .barriers = info.barriers,
                                    .shared_bytes = (u32)shared_bytes,
                                    .parameter_bytes = info.parameters_bytes};
    for (u32 branch = 0; branch < info.branch_count; branch++) {
        info.branches[branch].offset += build->texts_bytes;
        for (u32 target = 0; target < info.branches[branch].target_count; target++)
            ((u32 *)(uintptr_t)info.branches[branch].targets)[target] += build->texts_bytes;
    }
    if (!add_parameters(build, &info, kernel) || !check_limits(build, &info, code, shared_bytes, kernel))
        return ws_sass_no_memory(build->elf.name, error);
    WS_TRY(ws_sass_place_code(build, n, error));
    return ws_sass_place_banks(build, n, error);
}

static enum ws_status read_kernels(struct ws_sass_build *build, struct ws_error *error)
{
    struct ws_program *const program = build->program;
    const u32 count = build->module->kernel_count;
    program->kernels = ws_arena_array(build->arena, (size_t)count + 1, sizeof *program->kernels);
    program->kernel_names = ws_arena_array(build->arena, (size_t)count + 1, sizeof *program->kernel_names);
    build->kernels = ws_arena_array(build->arena, (size_t)count + 1, sizeof *build->kernels);
    if (!program->kernels || !program->kernel_names || !build->kernels)
        return ws_sass_no_memory(build->elf.name, error);
    build->module->kernels = build->kernels;
    for (u32 section = 1; section < build->elf.section_count; section++) {
        const struct ws_sass_section *const text = &build->elf.sections[section];
        const u32 symbol = is_text(text) && text->data ? kernel_symbol(&build->elf, text) : 0;
        if (!symbol)
            continue;
        program->kernel_names[program->kernel_count] = build->elf.symbols[symbol].name;
        WS_TRY(read_kernel(build, program->kernel_count++, symbol, error));
    }
    return ws_program_name_kernels(program, error);
}

/* ---- The program ---- */

/* The compiler's version: a string in the toolkit's note, from CUDA 13 on. */
static const char *compiler_of(const struct ws_sass_elf *elf)
{
    static const char begin[] = "Cuda compilation tools";
    const struct ws_sass_section *const note = ws_sass_elf_section(elf, ".note.nv.tkinfo", NULL);
    for (u64 at = 0; note && note->data && at + sizeof begin <= note->bytes; at++)
        if (memcmp(note->data + at, begin, sizeof begin - 1) == 0 && memchr(note->data + at, 0, note->bytes - at))
            return (const char *)note->data + at;
    return NULL;
}

static enum ws_status fill(struct ws_sass_build *build, const u8 *bytes, size_t length, struct ws_error *error)
{
    struct ws_program *const program = build->program;
    program->places.name = ws_arena_text(build->arena, build->elf.name, strlen(build->elf.name));
    build->module = ws_arena_alloc(build->arena, sizeof *build->module);
    if (!program->places.name || !build->module)
        return ws_sass_no_memory(build->elf.name, error);
    WS_TRY(ws_sass_elf_read(program->places.name, bytes, length, build->arena, &build->elf, error));
    *build->module = (struct ws_sass_module){.abi = build->elf.abi, .compiler = compiler_of(&build->elf)};
    program->machine.module = build->module;
    WS_TRY(place_texts(build, error));
    WS_TRY(ws_sass_variables(build, error));
    WS_TRY(read_kernels(build, error));
    return ws_sass_lines(build, error);
}

enum ws_status ws_sass_load(const char *name, const u8 *bytes, size_t length, struct ws_program **program, struct ws_error *error)
{
    *program = calloc(1, sizeof **program);
    if (!*program)
        return ws_sass_no_memory(name, error);
    (*program)->digest = XXH3_64bits(bytes, length);
    struct ws_sass_build build = {.elf = {.name = name}, .arena = &(*program)->arena, .program = *program};
    const enum ws_status status = fill(&build, bytes, length, error);
    if (status == WS_STATUS_ok)
        return status;
    ws_program_free(*program);
    *program = NULL;
    return status;
}
