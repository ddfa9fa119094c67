/* Global and constant variables of a cubin. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sass/file/build.h"

enum { DATA_64 = 2, GENERIC_64 = 4, OBJECT = 1 /* STT_OBJECT */, ALIGNMENT = 16 };
#define MOST_BYTES (UINT64_C(1) << 30)

static int by_offset(const void *one, const void *other)
{
    const struct ws_module_variable *const a = one, *const b = other;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static enum ws_status append(struct ws_sass_build *build, struct ws_module_image *image, size_t *room,
                             struct ws_module_variable variable, struct ws_error *error)
{
    struct ws_module_variable *const grown =
        ws_arena_grow(build->arena, image->variables, image->variable_count, room, sizeof *grown);
    if (!grown)
        return ws_sass_no_memory(build->elf.name, error);
    image->variables = grown;
    grown[image->variable_count++] = variable;
    return WS_STATUS_ok;
}

/* Adds the variables of a section that begins at an offset of the image. */
static enum ws_status add_symbols(struct ws_sass_build *build, const struct ws_sass_section *section, u32 at,
                                  struct ws_module_image *image, size_t *room, struct ws_error *error)
{
    for (u32 n = 0; n < build->elf.symbol_count; n++) {
        const struct ws_sass_symbol *const symbol = &build->elf.symbols[n];
        if (symbol->section != section->number || symbol->kind != OBJECT || symbol->bytes == 0)
            continue;
        if (symbol->value > section->bytes || symbol->bytes > section->bytes - symbol->value)
            return ws_fail(error, WS_STATUS_bad_input, "%s: variable %s lies outside of section %s", build->elf.name, symbol->name,
                           section->name);
        const struct ws_module_variable variable = {
            .name = (char *)(uintptr_t)symbol->name, .offset = at + (u32)symbol->value, .bytes = (u32)symbol->bytes};
        WS_TRY(append(build, image, room, variable, error));
    }
    return WS_STATUS_ok;
}

/* Fills gaps between variables with nameless ones, and removes second names of the same bytes. */
static enum ws_status complete(struct ws_sass_build *build, struct ws_module_image *image, struct ws_error *error)
{
    struct ws_module_image full = *image;
    size_t room = 0;
    u32 end = 0;
    full.variables = NULL;
    full.variable_count = 0;
    if (image->variable_count > 0)
        qsort(image->variables, image->variable_count, sizeof *image->variables, by_offset);
    for (u32 n = 0; n < image->variable_count; n++) {
        const struct ws_module_variable variable = image->variables[n];
        if (variable.offset < end)
            continue;
        if (variable.offset > end)
            WS_TRY(append(build, &full, &room, (struct ws_module_variable){.offset = end, .bytes = variable.offset - end}, error));
        WS_TRY(append(build, &full, &room, variable, error));
        end = variable.offset + variable.bytes;
    }
    if (end < image->bytes)
        WS_TRY(append(build, &full, &room, (struct ws_module_variable){.offset = end, .bytes = image->bytes - end}, error));
    *image = full;
    return WS_STATUS_ok;
}

static enum ws_status lay_out(struct ws_sass_build *build, const struct ws_sass_section *first, const struct ws_sass_section *zeros,
                              struct ws_module_image *image, struct ws_error *error)
{
    size_t room = 0;
    const u64 first_bytes = first ? first->bytes : 0, zero_bytes = zeros ? zeros->bytes : 0;
    if (first_bytes > MOST_BYTES || zero_bytes > MOST_BYTES)
        return ws_fail(error, WS_STATUS_bad_input, "%s: found more than 1 GiB of variables, allowed is at most 1 GiB",
                       build->elf.name);
    const u32 zeros_at = (u32)(first_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    image->bytes = zeros ? zeros_at + (u32)zero_bytes : (u32)first_bytes;
    if (image->bytes == 0)
        return WS_STATUS_ok;
    image->initial = ws_arena_alloc(build->arena, image->bytes);
    if (!image->initial)
        return ws_sass_no_memory(build->elf.name, error);
    if (first && first->data)
        memcpy(image->initial, first->data, first_bytes);
    if (first)
        WS_TRY(add_symbols(build, first, 0, image, &room, error));
    if (zeros)
        WS_TRY(add_symbols(build, zeros, zeros_at, image, &room, error));
    if (zeros)
        build->zeros_at = zeros_at;
    return complete(build, image, error);
}

/* Relocates initial values. Fixed addresses (functions) are written now, those of variables at a launch. */
static enum ws_status relocate(struct ws_sass_build *build, const struct ws_sass_section *section, struct ws_module_image *image,
                               struct ws_error *error)
{
    struct ws_sass_relocation *relocations;
    size_t count, room = 0;
    WS_TRY(ws_sass_elf_relocations(&build->elf, section, &relocations, &count, error));
    for (size_t n = 0; n < count; n++) {
        const struct ws_sass_relocation *const relocation = &relocations[n];
        struct ws_sass_meaning meaning;
        u64 addend = relocation->addend;
        if (relocation->offset > section->bytes || section->bytes - relocation->offset < sizeof addend)
            return ws_fail(error, WS_STATUS_bad_input, "%s: a relocation of %s lies at byte %llu, beyond the section's end",
                           build->elf.name, section->name, (unsigned long long)relocation->offset);
        u8 *const at = image->initial + relocation->offset;
        if (relocation->in_place)
            memcpy(&addend, at, sizeof addend);
        const bool known = relocation->type == DATA_64 || relocation->type == GENERIC_64;
        if (!known || !ws_sass_meaning(build, relocation, addend, &meaning))
            return ws_fail(error, WS_STATUS_bad_input, "%s: a relocation of %s has an unknown type %u or symbol '%s'",
                           build->elf.name, section->name, relocation->type, build->elf.symbols[relocation->symbol].name);
        if (!meaning.variable) {
            memcpy(at, &meaning.value, sizeof meaning.value);
            continue;
        }
        image->addresses = ws_arena_grow(build->arena, image->addresses, image->address_count, &room, sizeof *image->addresses);
        if (!image->addresses)
            return ws_sass_no_memory(build->elf.name, error);
        image->addresses[image->address_count++] = (struct ws_module_address){
            .offset = (u32)relocation->offset, .variable = meaning.number, .space = meaning.space, .addend = meaning.value};
    }
    return WS_STATUS_ok;
}

enum ws_status ws_sass_variables(struct ws_sass_build *build, struct ws_error *error)
{
    const struct ws_sass_section *const first = ws_sass_elf_section(&build->elf, ".nv.global.init", NULL);
    const struct ws_sass_section *const zeros = ws_sass_elf_section(&build->elf, ".nv.global", NULL);
    const struct ws_sass_section *const constant = ws_sass_elf_section(&build->elf, ".nv.constant3", NULL);
    WS_TRY(lay_out(build, first, zeros, &build->program->global, error));
    WS_TRY(lay_out(build, constant, NULL, &build->program->constant, error));
    build->program->constant.whole = true;
    if (first)
        WS_TRY(relocate(build, first, &build->program->global, error));
    if (constant)
        WS_TRY(relocate(build, constant, &build->program->constant, error));
    return WS_STATUS_ok;
}
