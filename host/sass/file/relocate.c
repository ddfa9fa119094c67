/* Code and constant banks of a kernel, and their relocations. */
#include <string.h>

#include "base/error.h"
#include "sass/file/build.h"

/* Types of relocations.
 *   DATA_64, GENERIC_64   8 bytes of data
 *   LOWER, UPPER          bits 32 to 63 of an instruction: the lower or upper 32 bits of the address
 *   CALL                  bits 34 to 80: the address in words of 4 bytes
 *   LONG_CALL             the same address: bits 16 to 23 hold its lowest 8 bits, bits 34 to 80 the others */
enum { DATA_64 = 2, GENERIC_64 = 4, CODE_LOWER = 0x38, CODE_UPPER = 0x39, CODE_CALL = 0x3a, CODE_LONG_CALL = 0x4b };

enum { KERNEL_ALIGNMENT = 128, CALL_SHIFT = 2 };

/* ---- Symbols ---- */

static const struct ws_sass_text *text_of(const struct ws_sass_build *build, const struct ws_sass_section *section)
{
    for (u32 n = 0; n < build->text_count; n++)
        if (build->texts[n].section == section)
            return &build->texts[n];
    return NULL;
}

/* Finds the index of an external function; adds it if it is new. */
static bool external(struct ws_sass_build *build, const char *name, u32 *number)
{
    struct ws_sass_module *const module = build->module;
    for (*number = 0; *number < module->external_count; ++*number)
        if (strcmp(build->externals[*number], name) == 0)
            return true;
    const char **const grown =
        ws_arena_grow(build->arena, build->externals, module->external_count, &build->external_room, sizeof *grown);
    if (!grown)
        return false;
    grown[module->external_count++] = name;
    build->externals = grown;
    module->externals = grown;
    return true;
}

/* The last variable that begins at or before an offset. */
static u32 variable_at(const struct ws_module_image *image, u64 offset)
{
    u32 n = 0;
    while (n + 1 < image->variable_count && image->variables[n + 1].offset <= offset)
        n++;
    return n;
}

static bool in_image(const struct ws_module_image *image, u8 space, u64 offset, u64 addend, struct ws_sass_meaning *meaning)
{
    if (image->bytes == 0 || offset > image->bytes)
        return false;
    const u32 number = image->whole ? 0 : variable_at(image, offset + addend < image->bytes ? offset + addend : offset);
    const u32 begin = image->whole || image->variable_count == 0 ? 0 : image->variables[number].offset;
    *meaning = (struct ws_sass_meaning){.variable = true, .space = space, .number = number, .value = offset + addend - begin};
    return true;
}

bool ws_sass_meaning(struct ws_sass_build *build, const struct ws_sass_relocation *relocation, u64 addend,
                     struct ws_sass_meaning *meaning)
{
    const struct ws_sass_symbol *const symbol = &build->elf.symbols[relocation->symbol];
    const struct ws_sass_section *const section = &build->elf.sections[symbol->section];
    u32 number;
    if (symbol->section == 0) {
        *meaning = (struct ws_sass_meaning){0};
        if (symbol->name[0] == '\0' || symbol->name[0] == '.' || !external(build, symbol->name, &number))
            return false;
        meaning->value = WS_SASS_EXTERNAL + (u64)number * WS_SASS_WORD + addend;
        return true;
    }
    if (strcmp(section->name, ".nv.global.init") == 0)
        return in_image(&build->program->global, WS_SPACE_global, symbol->value, addend, meaning);
    if (strcmp(section->name, ".nv.global") == 0)
        return in_image(&build->program->global, WS_SPACE_global, build->zeros_at + symbol->value, addend, meaning);
    if (strcmp(section->name, ".nv.constant3") == 0)
        return in_image(&build->program->constant, WS_SPACE_constant, symbol->value, addend, meaning);
    *meaning = (struct ws_sass_meaning){.value = symbol->value + addend};
    if (strncmp(section->name, ".nv.shared.", strlen(".nv.shared.")) == 0)
        return true;
    const struct ws_sass_text *const text = text_of(build, section);
    meaning->value += text ? text->offset : build->texts_bytes;
    return strncmp(section->name, ".text.", strlen(".text.")) == 0;
}

/* ---- Lists of addresses ---- */

struct addresses {
    struct ws_sass_address *rows;
    size_t room;
    u32 count;
};

static bool add(struct ws_sass_build *build, struct addresses *to, struct ws_sass_address address)
{
    struct ws_sass_address *const grown = ws_arena_grow(build->arena, to->rows, to->count, &to->room, sizeof *grown);
    if (!grown)
        return false;
    to->rows = grown;
    grown[to->count++] = address;
    return true;
}

static struct ws_sass_address address_of(const struct ws_sass_meaning *meaning, u32 offset)
{
    const u8 target = !meaning->variable ? WS_SASS_FIXED : meaning->space == WS_SPACE_constant ? WS_SASS_CONSTANT : WS_SASS_GLOBAL;
    return (struct ws_sass_address){
        .offset = offset, .bytes = 8, .target = target, .variable = meaning->number, .addend = meaning->value};
}

/* ---- Banks ---- */

static enum ws_status place_bank(struct ws_sass_build *build, u32 kernel, const struct ws_sass_section *section,
                                 struct ws_sass_bank *bank, struct ws_error *error)
{
    struct ws_sass_relocation *relocations;
    size_t count;
    struct addresses addresses = {0};
    struct ws_kernel *const refused = &build->program->kernels[kernel];
    if (section->bytes > UINT16_MAX + 1u)
        return ws_fail(error, WS_STATUS_bad_input, "%s: found %s with %llu bytes, allowed are at most %u", build->elf.name,
                       section->name, (unsigned long long)section->bytes, UINT16_MAX + 1u);
    WS_TRY(ws_sass_elf_relocations(&build->elf, section, &relocations, &count, error));
    for (size_t n = 0; n < count; n++) {
        const struct ws_sass_relocation *const relocation = &relocations[n];
        struct ws_sass_meaning meaning;
        u64 addend = relocation->addend;
        if (relocation->offset > section->bytes || section->bytes - relocation->offset < sizeof addend || !section->data)
            return ws_fail(error, WS_STATUS_bad_input, "%s: a relocation of %s lies at byte %llu, beyond the section's end",
                           build->elf.name, section->name, (unsigned long long)relocation->offset);
        if (relocation->in_place)
            memcpy(&addend, section->data + relocation->offset, sizeof addend);
        const bool known = relocation->type == DATA_64 || relocation->type == GENERIC_64;
        if (!known || !ws_sass_meaning(build, relocation, addend, &meaning)) {
            if (!ws_sass_refuse(build, refused, "a relocation of %s has an unknown type %u or symbol '%s'", section->name,
                                relocation->type, build->elf.symbols[relocation->symbol].name))
                return ws_sass_no_memory(build->elf.name, error);
        } else if (!add(build, &addresses, address_of(&meaning, (u32)relocation->offset)))
            return ws_sass_no_memory(build->elf.name, error);
    }
    *bank = (struct ws_sass_bank){
        .bytes = (u32)section->bytes, .initial = section->data, .address_count = addresses.count, .addresses = addresses.rows};
    return WS_STATUS_ok;
}

enum ws_status ws_sass_place_banks(struct ws_sass_build *build, u32 n, struct ws_error *error)
{
    static const char *const names[WS_SASS_BANKS] = {".nv.constant0", ".nv.constant1", ".nv.constant2", NULL, ".nv.constant4"};
    struct ws_sass_kernel *const kernel = &build->kernels[n];
    for (u32 bank = 0; bank < WS_SASS_BANKS; bank++) {
        const struct ws_sass_section *section = NULL;
        if (names[bank])
            section = ws_sass_elf_section(&build->elf, names[bank], kernel->name);
        if (names[bank] && !section)
            section = ws_sass_elf_section(&build->elf, names[bank], NULL);
        if (section)
            WS_TRY(place_bank(build, n, section, &kernel->banks[bank], error));
    }
    return WS_STATUS_ok;
}

/* ---- Code ---- */

static void put(u64 word[2], u32 low, u32 bits, u64 value)
{
    for (u32 n = 0; n < bits; n++) {
        const u32 at = low + n;
        word[at / 64] = (word[at / 64] & ~(UINT64_C(1) << at % 64)) | (value >> n & 1) << at % 64;
    }
}

/* Applies a relocation to the instruction at offset of the kernel's code. The address of a variable is noted for launches
 * instead. */
static bool patch(struct ws_sass_build *build, const struct ws_sass_relocation *relocation, u32 offset, u64 (*code)[2],
                  struct addresses *addresses, bool *known)
{
    struct ws_sass_meaning meaning;
    u64 *const word = code[offset / WS_SASS_WORD];
    const bool half = relocation->type == CODE_LOWER || relocation->type == CODE_UPPER;
    const bool call = relocation->type == CODE_CALL || relocation->type == CODE_LONG_CALL;
    *known = (half || call) && ws_sass_meaning(build, relocation, relocation->addend, &meaning) && (half || !meaning.variable);
    if (!*known)
        return true;
    const u8 shift = relocation->type == CODE_UPPER ? 32 : 0;
    if (meaning.variable) {
        struct ws_sass_address address = address_of(&meaning, offset);
        address.bytes = 4;
        address.shift = shift;
        return add(build, addresses, address);
    }
    const u64 words = meaning.value >> CALL_SHIFT;
    if (half)
        put(word, 32, 32, meaning.value >> shift);
    else if (relocation->type == CODE_CALL)
        put(word, 34, 47, words);
    else {
        put(word, 16, 8, words);
        put(word, 34, 47, words >> 8);
    }
    return true;
}

/* Copies a section to an offset of the code, and applies its relocations. */
static enum ws_status add_text(struct ws_sass_build *build, u32 kernel, const struct ws_sass_section *section, u32 offset,
                               u64 (*code)[2], struct addresses *addresses, struct ws_error *error)
{
    struct ws_sass_relocation *relocations;
    size_t count;
    if (section->data)
        memcpy((u8 *)code + offset, section->data, section->bytes);
    WS_TRY(ws_sass_elf_relocations(&build->elf, section, &relocations, &count, error));
    for (size_t n = 0; n < count; n++) {
        const struct ws_sass_relocation *const relocation = &relocations[n];
        bool known;
        if (relocation->offset >= section->bytes || relocation->offset % WS_SASS_WORD != 0)
            return ws_fail(error, WS_STATUS_bad_input,
                           "%s: a relocation of %s lies at byte %llu, not at the start of an instruction", build->elf.name,
                           section->name, (unsigned long long)relocation->offset);
        if (!patch(build, relocation, offset + (u32)relocation->offset, code, addresses, &known))
            return ws_sass_no_memory(build->elf.name, error);
        if (!known && !ws_sass_refuse(build, &build->program->kernels[kernel],
                                      "the relocation at 0x%llx of %s has an unknown type %u or symbol '%s'",
                                      (unsigned long long)relocation->offset, section->name, relocation->type,
                                      build->elf.symbols[relocation->symbol].name))
            return ws_sass_no_memory(build->elf.name, error);
    }
    return WS_STATUS_ok;
}

/* Adds the functions of a section that is at an offset of the code. */
static enum ws_status add_functions(struct ws_sass_build *build, struct ws_sass_kernel *kernel, u32 section, u32 offset,
                                    struct ws_error *error)
{
    struct ws_sass_function *rows = (struct ws_sass_function *)(uintptr_t)kernel->functions;
    size_t room = kernel->function_count;
    for (u32 n = 0; n < build->elf.symbol_count; n++) {
        const struct ws_sass_symbol *const symbol = &build->elf.symbols[n];
        if (symbol->section != section || symbol->kind != 2 || symbol->value > build->elf.sections[section].bytes)
            continue;
        rows = ws_arena_grow(build->arena, rows, kernel->function_count, &room, sizeof *rows);
        if (!rows)
            return ws_sass_no_memory(build->elf.name, error);
        rows[kernel->function_count++] =
            (struct ws_sass_function){.name = symbol->name, .offset = offset + (u32)symbol->value, .bytes = (u32)symbol->bytes};
        kernel->functions = rows;
    }
    return WS_STATUS_ok;
}

enum ws_status ws_sass_place_code(struct ws_sass_build *build, u32 n, struct ws_error *error)
{
    struct ws_sass_kernel *const kernel = &build->kernels[n];
    const struct ws_sass_section *const own = ws_sass_elf_section(&build->elf, ".text", kernel->name);
    struct addresses addresses = {0};
    if (!own || own->bytes == 0 || own->bytes % WS_SASS_WORD != 0 || !own->data)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: the code of kernel %s is not a whole number of instructions (16 bytes each)", build->elf.name,
                       kernel->name);
    const u64 bytes = build->texts_bytes + own->bytes;
    u64(*const code)[2] = ws_arena_array(build->arena, bytes / WS_SASS_WORD, WS_SASS_WORD);
    if (!code)
        return ws_sass_no_memory(build->elf.name, error);
    for (u32 text = 0; text < build->text_count; text++) {
        WS_TRY(add_text(build, n, build->texts[text].section, build->texts[text].offset, code, &addresses, error));
        WS_TRY(add_functions(build, kernel, build->texts[text].section->number, build->texts[text].offset, error));
    }
    WS_TRY(add_text(build, n, own, build->texts_bytes, code, &addresses, error));
    WS_TRY(add_functions(build, kernel, own->number, build->texts_bytes, error));
    kernel->code = (const u64(*)[2])code;
    kernel->words = (u32)(bytes / WS_SASS_WORD);
    kernel->entry = build->texts_bytes;
    kernel->code_addresses = addresses.rows;
    kernel->code_address_count = addresses.count;
    return WS_STATUS_ok;
}
