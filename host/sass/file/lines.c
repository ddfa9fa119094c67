/* Lines of instructions: line number programs of DWARF 2 (6.2). -lineinfo writes them to .debug_line for the source and to
 * .nv_debug_line_sass for the PTX. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sass/file/build.h"

enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, FIXED_ADVANCE = 9, CONST_ADD = 8 };
enum { END_SEQUENCE = 1, SET_ADDRESS, DEFINE_FILE };
enum { MOST_DIRECTORIES = 1024, MOST_FILES = 4096 };

/* Reads bytes in order; failed: beyond the end. */
struct reader {
    const u8 *bytes;
    u64 length, at;
    bool failed;
};

static u8 byte(struct reader *reader)
{
    if (reader->at < reader->length)
        return reader->bytes[reader->at++];
    reader->failed = true;
    return 0;
}

static u64 fixed(struct reader *reader, u32 bytes)
{
    u64 value = 0;
    for (u32 n = 0; n < bytes; n++)
        value |= (u64)byte(reader) << 8 * n;
    return value;
}

static u64 leb(struct reader *reader, bool sign)
{
    u64 value = 0;
    u32 shift = 0;
    u8 last;
    do {
        last = byte(reader);
        if (shift < 64)
            value |= (u64)(last & 0x7F) << shift;
        shift += 7;
    } while (last & 0x80);
    return sign && (last & 0x40) && shift < 64 ? value | ~UINT64_C(0) << shift : value;
}

/* Reads a zero-terminated text. */
static const char *text(struct reader *reader)
{
    const u8 *const begin = reader->bytes + reader->at;
    const u8 *const end = reader->at < reader->length ? memchr(begin, 0, reader->length - reader->at) : NULL;
    if (!end) {
        reader->failed = true;
        return "";
    }
    reader->at += (u64)(end - begin) + 1;
    return (const char *)begin;
}

/* One line table, and the kernel of its current sequence. */
struct table {
    struct ws_sass_build *build;
    const struct ws_sass_section *section;
    struct ws_sass_relocation *relocations;
    size_t relocation_count;
    bool ptx;
    size_t *rooms; /* room for each kernel's rows */
    const char *directories[MOST_DIRECTORIES];
    u32 files[MOST_FILES]; /* index in module->files, plus 1 */
    u32 directory_count, file_count;
    u32 kernel, base; /* of the current sequence: number of the kernel (or kernel_count), offset of its code */
};

/* ---- Files ---- */

/* The index of a file in the module's files, plus 1; 0 when out of memory. */
static u32 file_number(struct table *table, const char *directory, const char *name)
{
    struct ws_sass_build *const build = table->build;
    struct ws_sass_module *const module = build->module;
    const size_t length = strlen(directory) + strlen(name) + 2;
    char *const path = ws_arena_alloc(build->arena, length);
    const char **files = (const char **)(uintptr_t)module->files;
    if (!path)
        return 0;
    if (directory[0] && name[0] != '/')
        strcat(strcpy(path, directory), "/");
    strcat(path, name);
    for (u32 n = 0; n < module->file_count; n++)
        if (strcmp(files[n], path) == 0)
            return n + 1;
    if (module->file_count == MOST_FILES)
        return MOST_FILES;
    files = ws_arena_grow(build->arena, files, module->file_count, &build->file_room, sizeof *files);
    if (!files)
        return 0;
    files[module->file_count++] = path;
    module->files = files;
    return module->file_count;
}

static bool add_file(struct table *table, struct reader *reader, const char *name)
{
    const u64 directory = leb(reader, false);
    leb(reader, false); /* time */
    leb(reader, false); /* size */
    if (table->file_count == MOST_FILES)
        return true;
    const bool known = directory > 0 && directory <= table->directory_count;
    table->files[table->file_count] = file_number(table, known ? table->directories[directory - 1] : "", name);
    return table->files[table->file_count++] != 0;
}

/* ---- Rows ---- */

/* Finds the code of a sequence by the symbol of the relocation at its address operand, an offset in the section. */
static void begin_sequence(struct table *table, u64 operand)
{
    struct ws_sass_build *const build = table->build;
    const u32 count = build->module->kernel_count;
    table->kernel = count;
    for (size_t n = 0; n < table->relocation_count; n++) {
        if (table->relocations[n].offset != operand)
            continue;
        const struct ws_sass_symbol *const symbol = &build->elf.symbols[table->relocations[n].symbol];
        const char *const section = build->elf.sections[symbol->section].name;
        const size_t prefix = strlen(".text.");
        for (u32 kernel = 0; kernel < count && strncmp(section, ".text.", prefix) == 0; kernel++)
            if (strcmp(build->kernels[kernel].name, section + prefix) == 0) {
                table->kernel = kernel;
                table->base = build->texts_bytes + (u32)symbol->value;
                return;
            }
    }
}

static bool add_row(struct table *table, u64 address, u64 file, u64 line)
{
    struct ws_sass_build *const build = table->build;
    if (table->kernel == build->module->kernel_count)
        return true;
    struct ws_sass_kernel *const kernel = &build->kernels[table->kernel];
    const u64 offset = table->base + address;
    const bool known = file > 0 && file <= table->file_count;
    u32 *const count = table->ptx ? &kernel->ptx_line_count : &kernel->line_count;
    const struct ws_sass_line **const rows = table->ptx ? &kernel->ptx_lines : &kernel->lines;
    if (offset >= (u64)kernel->words * WS_SASS_WORD || line > UINT32_MAX || (*count > 0 && (*rows)[*count - 1].offset > offset))
        return true;
    struct ws_sass_line *const grown =
        ws_arena_grow(build->arena, (struct ws_sass_line *)(uintptr_t)*rows, *count, &table->rooms[table->kernel], sizeof *grown);
    if (!grown)
        return false;
    const struct ws_sass_line row = {.offset = (u32)offset, .file = known ? table->files[file - 1] - 1 : 0, .line = (u32)line};
    *rows = grown;
    if (*count > 0 && grown[*count - 1].offset == offset)
        grown[*count - 1] = row;
    else
        grown[(*count)++] = row;
    return true;
}

/* ---- The program ---- */

struct state {
    u64 address, file, line;
};

static const struct state fresh = {.file = 1, .line = 1};

struct header {
    u8 unit, range, opcodes;
    signed char line_base;
    u8 operands[256];
};

static bool extended(struct table *table, struct reader *reader, struct state *state)
{
    const u64 length = leb(reader, false), begin = reader->at;
    if (length == 0 || length > reader->length - begin) {
        reader->failed = true;
        return true;
    }
    const u8 opcode = byte(reader);
    bool good = true;
    if (opcode == END_SEQUENCE) {
        good = add_row(table, state->address, 0, 0);
        *state = fresh;
    } else if (opcode == SET_ADDRESS) {
        begin_sequence(table, (u64)(reader->bytes - table->section->data) + reader->at);
        state->address = fixed(reader, 8);
    } else if (opcode == DEFINE_FILE)
        good = add_file(table, reader, text(reader));
    reader->at = begin + length;
    return good;
}

static bool standard(struct table *table, struct reader *reader, const struct header *header, u8 opcode, struct state *state)
{
    switch (opcode) {
    case COPY:
        return add_row(table, state->address, state->file, state->line);
    case ADVANCE_PC:
        state->address += leb(reader, false) * header->unit;
        return true;
    case ADVANCE_LINE:
        state->line += leb(reader, true);
        return true;
    case SET_FILE:
        state->file = leb(reader, false);
        return true;
    case CONST_ADD:
        state->address += (u64)(255 - header->opcodes) / header->range * header->unit;
        return true;
    case FIXED_ADVANCE:
        state->address += fixed(reader, 2);
        return true;
    default:
        for (u32 n = 0; n < header->operands[opcode]; n++)
            leb(reader, false);
        return true;
    }
}

static bool run(struct table *table, struct reader *reader, const struct header *header)
{
    struct state state = fresh;
    bool good = true;
    table->kernel = table->build->module->kernel_count;
    while (good && !reader->failed && reader->at < reader->length) {
        const u8 opcode = byte(reader);
        if (opcode >= header->opcodes) {
            const u8 special = opcode - header->opcodes;
            state.address += (u64)special / header->range * header->unit;
            state.line += (u64)(int64_t)(header->line_base + special % header->range);
            good = add_row(table, state.address, state.file, state.line);
        } else
            good = opcode == 0 ? extended(table, reader, &state) : standard(table, reader, header, opcode, &state);
    }
    return good;
}

/* Reads the header of a unit, then its program. A damaged unit has no lines from the damage on. */
static bool run_unit(struct table *table, struct reader *reader)
{
    struct header header = {0};
    table->directory_count = table->file_count = 0;
    const u64 version = fixed(reader, 2), length = fixed(reader, 4), program = reader->at + length;
    header.unit = byte(reader);
    byte(reader); /* is_stmt */
    header.line_base = (signed char)byte(reader);
    header.range = byte(reader);
    header.opcodes = byte(reader);
    for (u32 n = 1; n < header.opcodes; n++)
        header.operands[n] = byte(reader);
    if (version < 2 || version > 3 || header.range == 0 || reader->failed || program > reader->length)
        return true;
    for (const char *name = text(reader); name[0] && table->directory_count < MOST_DIRECTORIES; name = text(reader))
        table->directories[table->directory_count++] = name;
    for (const char *name = text(reader); name[0]; name = text(reader))
        if (!add_file(table, reader, name))
            return false;
    reader->at = program;
    return reader->failed || run(table, reader, &header);
}

static bool run_all(struct table *table)
{
    struct reader all = {.bytes = table->section->data, .length = table->section->bytes};
    while (all.at + 4 < all.length) {
        const u64 length = fixed(&all, 4);
        if (length > all.length - all.at)
            return true;
        struct reader unit = {.bytes = all.bytes + all.at, .length = length};
        if (!run_unit(table, &unit))
            return false;
        all.at += length;
    }
    return true;
}

static enum ws_status read_table(struct ws_sass_build *build, const char *name, bool ptx, struct ws_error *error)
{
    const struct ws_sass_section *const section = ws_sass_elf_section(&build->elf, name, NULL);
    if (!section || !section->data)
        return WS_STATUS_ok;
    struct table *const table = calloc(1, sizeof *table);
    size_t *const rooms = calloc((size_t)build->module->kernel_count + 1, sizeof *rooms);
    enum ws_status status = table && rooms ? WS_STATUS_ok : ws_sass_no_memory(build->elf.name, error);
    if (status == WS_STATUS_ok) {
        *table = (struct table){.build = build, .section = section, .ptx = ptx, .rooms = rooms};
        status = ws_sass_elf_relocations(&build->elf, section, &table->relocations, &table->relocation_count, error);
        if (status == WS_STATUS_ok && !run_all(table))
            status = ws_sass_no_memory(build->elf.name, error);
    }
    free(rooms);
    free(table);
    return status;
}

/* Reads the PTX: zero-terminated lines, without comments and locations. Spaces are merged, and long lines are cut. */
static enum ws_status read_ptx(struct ws_sass_build *build, struct ws_error *error)
{
    enum { MOST = 255 };
    const struct ws_sass_section *const section = ws_sass_elf_section(&build->elf, ".nv_debug_ptx_txt", NULL);
    struct reader reader = {.bytes = section ? section->data : NULL, .length = section && section->data ? section->bytes : 0};
    const char **lines = NULL;
    size_t room = 0;
    while (reader.at < reader.length) {
        const char *const from = text(&reader);
        char line[MOST + 1];
        size_t length = 0;
        for (const char *at = from; *at && length < MOST; at++)
            if (*at > ' ' || (length > 0 && line[length - 1] != ' '))
                line[length++] = *at > ' ' ? *at : ' ';
        length -= length > 0 && line[length - 1] == ' ';
        if (reader.failed)
            break;
        lines = ws_arena_grow(build->arena, lines, build->module->ptx_count, &room, sizeof *lines);
        if (!lines || !(lines[build->module->ptx_count++] = ws_arena_text(build->arena, line, length)))
            return ws_sass_no_memory(build->elf.name, error);
    }
    build->module->ptx = lines;
    return WS_STATUS_ok;
}

enum ws_status ws_sass_lines(struct ws_sass_build *build, struct ws_error *error)
{
    WS_TRY(read_table(build, ".debug_line", false, error));
    WS_TRY(read_table(build, ".nv_debug_line_sass", true, error));
    return read_ptx(build, error);
}
