#include "sass/file/elf.h"

#include <elf.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Values in the header: EM_CUDA, and EI_ABIVERSION of CUDA 13 and later. */
enum { CUDA = 190, CURRENT_ABI = 8 };
enum {
    SHARED_TIMES = 4 /* limit of the sum of sections, in file sizes: sections may share bytes */,
    ENTRY = 0x10 /* bit of st_other: the symbol is a kernel */
};

const struct ws_sass_abi *ws_sass_abi(u32 architecture)
{
    static const struct ws_sass_abi rows[] = {
#define ARCHITECTURE(...) {__VA_ARGS__},
#include "sass/file/abi.def"
#undef ARCHITECTURE
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (rows[n].architecture == architecture)
            return &rows[n];
    return NULL;
}

enum ws_status ws_sass_no_memory(const char *name, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", name);
}

/* ---- Header ---- */

static bool is_cubin(const u8 *bytes, size_t length, Elf64_Ehdr *header)
{
    if (length < sizeof *header)
        return false;
    memcpy(header, bytes, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_ident[EI_DATA] == ELFDATA2LSB && header->e_machine == CUDA;
}

static u32 architecture_of(const Elf64_Ehdr *header)
{
    return header->e_ident[EI_ABIVERSION] >= CURRENT_ABI ? header->e_flags >> 8 & 0xFF : header->e_flags & 0xFF;
}

u32 ws_sass_elf_architecture(const u8 *bytes, size_t length)
{
    Elf64_Ehdr header;
    return is_cubin(bytes, length, &header) ? architecture_of(&header) : 0;
}

static enum ws_status refuse_architecture(const struct ws_sass_elf *elf, u32 architecture, struct ws_error *error)
{
    struct ws_text known = {0};
#define ARCHITECTURE(sm, ...) ws_text_add(&known, "%ssm_%d", known.length ? ", " : "", sm);
#include "sass/file/abi.def"
#undef ARCHITECTURE
    ws_fail(error, WS_STATUS_bad_input, "%s: found machine code of sm_%u, allowed are %s", elf->name, architecture,
            known.data ? known.data : "others");
    ws_text_free(&known);
    return WS_STATUS_bad_input;
}

static enum ws_status check_header(struct ws_sass_elf *elf, const u8 *bytes, size_t length, struct ws_error *error)
{
    Elf64_Ehdr header;
    if (!is_cubin(bytes, length, &header))
        return ws_fail(error, WS_STATUS_bad_input, "%s: found no cubin, allowed is a 64-bit ELF file of machine 190", elf->name);
    elf->current = header.e_ident[EI_ABIVERSION] >= CURRENT_ABI;
    elf->abi = ws_sass_abi(architecture_of(&header));
    if (!elf->abi)
        return refuse_architecture(elf, architecture_of(&header), error);
    if (header.e_shnum == 0 || header.e_shoff > length || (length - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum)
        return ws_fail(error, WS_STATUS_bad_input, "%s: cut off: the table of %u sections lies beyond the end; copy the file again",
                       elf->name, header.e_shnum);
    if (header.e_type != ET_EXEC)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: found a relocatable cubin (nvcc -rdc=true), allowed are linked ones; link it: nvlink -arch=sm_%u FILE "
                       "-o LINKED.cubin",
                       elf->name, elf->abi->architecture);
    return WS_STATUS_ok;
}

/* ---- Sections ---- */

static enum ws_status broken(const struct ws_sass_elf *elf, const char *what, size_t number, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_bad_input, "%s: %s %zu is damaged: %s", elf->name, what, number, elf_errmsg(-1));
}

static char *copy_text(const struct ws_sass_elf *elf, const char *text)
{
    return ws_arena_text(elf->arena, text, strlen(text));
}

static enum ws_status read_section(struct ws_sass_elf *elf, Elf *file, Elf_Scn *from, struct ws_sass_section *section,
                                   struct ws_error *error)
{
    GElf_Shdr header;
    size_t names;
    const size_t number = elf_ndxscn(from);
    if (!gelf_getshdr(from, &header) || elf_getshdrstrndx(file, &names) != 0)
        return broken(elf, "section", number, error);
    const char *const name = elf_strptr(file, names, header.sh_name);
    if (!name)
        return broken(elf, "section", number, error);
    *section = (struct ws_sass_section){.name = copy_text(elf, name),
                                        .number = (u32)number,
                                        .type = header.sh_type,
                                        .info = header.sh_info,
                                        .flags = header.sh_flags,
                                        .bytes = header.sh_size};
    if (!section->name)
        return ws_sass_no_memory(elf->name, error);
    if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL || header.sh_size == 0)
        return WS_STATUS_ok;
    const Elf_Data *const data = elf_rawdata(from, NULL);
    if (!data || !data->d_buf || data->d_size != header.sh_size)
        return broken(elf, "section", number, error);
    u8 *const bytes = ws_arena_alloc(elf->arena, data->d_size);
    if (!bytes)
        return ws_sass_no_memory(elf->name, error);
    memcpy(bytes, data->d_buf, data->d_size);
    section->data = bytes;
    return WS_STATUS_ok;
}

static enum ws_status read_symbols(struct ws_sass_elf *elf, Elf *file, Elf_Scn *table, struct ws_error *error)
{
    GElf_Shdr header;
    Elf_Data *const data = elf_getdata(table, NULL);
    if (!data || !gelf_getshdr(table, &header))
        return broken(elf, "section", elf_ndxscn(table), error);
    const size_t count = data->d_size / sizeof(Elf64_Sym);
    elf->symbols = ws_arena_array(elf->arena, count, sizeof *elf->symbols);
    if (!elf->symbols)
        return ws_sass_no_memory(elf->name, error);
    for (size_t n = 0; n < count; n++) {
        GElf_Sym symbol;
        const char *name = NULL;
        if (gelf_getsym(data, (int)n, &symbol))
            name = elf_strptr(file, header.sh_link, symbol.st_name);
        if (!name)
            return broken(elf, "symbol", n, error);
        elf->symbols[n] = (struct ws_sass_symbol){.name = copy_text(elf, name),
                                                  .kind = GELF_ST_TYPE(symbol.st_info),
                                                  .section = symbol.st_shndx < elf->section_count ? symbol.st_shndx : 0,
                                                  .entry = symbol.st_other & ENTRY,
                                                  .value = symbol.st_value,
                                                  .bytes = symbol.st_size};
        if (!elf->symbols[n].name)
            return ws_sass_no_memory(elf->name, error);
    }
    elf->symbol_count = (u32)count;
    return WS_STATUS_ok;
}

static enum ws_status read_file(struct ws_sass_elf *elf, Elf *file, size_t length, struct ws_error *error)
{
    size_t count;
    Elf_Scn *symbols = NULL;
    if (elf_kind(file) != ELF_K_ELF || elf_getshdrnum(file, &count) != 0 || count > UINT16_MAX)
        return ws_fail(error, WS_STATUS_bad_input, "%s: the ELF header is damaged: %s", elf->name, elf_errmsg(-1));
    elf->sections = ws_arena_array(elf->arena, count + 1, sizeof *elf->sections);
    if (!elf->sections)
        return ws_sass_no_memory(elf->name, error);
    elf->sections[0].name = "";
    elf->section_count = (u32)count;
    u64 all = 0;
    for (size_t n = 1; n < count; n++) {
        Elf_Scn *const section = elf_getscn(file, n);
        if (!section)
            return broken(elf, "section", n, error);
        WS_TRY(read_section(elf, file, section, &elf->sections[n], error));
        all += elf->sections[n].data ? elf->sections[n].bytes : 0;
        if (all > SHARED_TIMES * (u64)length)
            return ws_fail(error, WS_STATUS_bad_input, "%s: section %zu (%s) overlaps other sections", elf->name, n,
                           elf->sections[n].name);
        if (elf->sections[n].type == SHT_SYMTAB)
            symbols = section;
    }
    return symbols ? read_symbols(elf, file, symbols, error) : WS_STATUS_ok;
}

enum ws_status ws_sass_elf_read(const char *name, const u8 *bytes, size_t length, struct ws_arena *arena, struct ws_sass_elf *elf,
                                struct ws_error *error)
{
    *elf = (struct ws_sass_elf){.arena = arena, .name = name};
    WS_TRY(check_header(elf, bytes, length, error));
    char *const copy = ws_arena_alloc(arena, length);
    if (!copy || elf_version(EV_CURRENT) == EV_NONE)
        return ws_sass_no_memory(name, error);
    memcpy(copy, bytes, length);
    Elf *const file = elf_memory(copy, length);
    if (!file)
        return ws_fail(error, WS_STATUS_bad_input, "%s: the ELF header is damaged: %s", name, elf_errmsg(-1));
    const enum ws_status status = read_file(elf, file, length, error);
    elf_end(file);
    return status;
}

const struct ws_sass_section *ws_sass_elf_section(const struct ws_sass_elf *elf, const char *kind, const char *of)
{
    const size_t length = strlen(kind);
    for (u32 n = 1; n < elf->section_count; n++) {
        const char *const name = elf->sections[n].name;
        if (strncmp(name, kind, length) == 0 &&
            (of ? name[length] == '.' && strcmp(name + length + 1, of) == 0 : name[length] == '\0'))
            return &elf->sections[n];
    }
    return NULL;
}

/* ---- Relocations ---- */

enum ws_status ws_sass_elf_relocations(const struct ws_sass_elf *elf, const struct ws_sass_section *section,
                                       struct ws_sass_relocation **relocations, size_t *count, struct ws_error *error)
{
    size_t room = 0;
    *relocations = NULL;
    *count = 0;
    for (u32 n = 1; n < elf->section_count; n++) {
        const struct ws_sass_section *const table = &elf->sections[n];
        const bool addends = table->type == SHT_RELA;
        if ((!addends && table->type != SHT_REL) || table->info != section->number)
            continue;
        const size_t size = addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (u64 at = 0; at + size <= table->bytes; at += size) {
            Elf64_Rela row = {0};
            memcpy(&row, table->data + at, size);
            if (ELF64_R_SYM(row.r_info) >= elf->symbol_count)
                return ws_fail(error, WS_STATUS_bad_input, "%s: %s has a relocation with symbol %llu, allowed are numbers below %u",
                               elf->name, table->name, (unsigned long long)ELF64_R_SYM(row.r_info), elf->symbol_count);
            struct ws_sass_relocation *const grown = ws_arena_grow(elf->arena, *relocations, *count, &room, sizeof **relocations);
            if (!grown)
                return ws_sass_no_memory(elf->name, error);
            *relocations = grown;
            grown[(*count)++] = (struct ws_sass_relocation){.offset = row.r_offset,
                                                            .addend = (u64)row.r_addend,
                                                            .type = (u32)ELF64_R_TYPE(row.r_info),
                                                            .symbol = (u32)ELF64_R_SYM(row.r_info),
                                                            .in_place = !addends};
        }
    }
    return WS_STATUS_ok;
}
