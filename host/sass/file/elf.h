/* A cubin as an ELF file: sections, symbols, relocations, each checked against the file. */
#pragma once

#include "base/arena.h"
#include "sass/file/kernel.h"

struct ws_sass_section {
    const char *name;
    u32 number, type, info;
    u64 flags;
    const u8 *data; /* NULL: the file has no bytes of it */
    u64 bytes;
};

struct ws_sass_symbol {
    const char *name;
    u32 kind;    /* STT_OBJECT, STT_FUNC, STT_SECTION, ... */
    u32 section; /* its number; 0: none */
    bool entry;  /* a kernel */
    u64 value, bytes;
};

/* The addend stands here, or in the bytes that are relocated. */
struct ws_sass_relocation {
    u64 offset, addend;
    u32 type, symbol;
    bool in_place;
};

struct ws_sass_elf {
    struct ws_arena *arena; /* holds all that pointers lead to */
    const char *name;       /* of the file, for messages */
    const struct ws_sass_abi *abi;
    bool current; /* the layout of CUDA 13 */
    u32 section_count, symbol_count;
    struct ws_sass_section *sections;
    struct ws_sass_symbol *symbols;
};

/* What the architecture of a cubin is, "sm_70"; 0 when the bytes are no cubin. */
u32 ws_sass_elf_architecture(const u8 *bytes, size_t length);

/* Reads the bytes; they are not used afterwards. Refuses what is no linked cubin of an architecture in abi.def. */
enum ws_status ws_sass_elf_read(const char *name, const u8 *bytes, size_t length, struct ws_arena *arena, struct ws_sass_elf *elf,
                                struct ws_error *error);

/* The section of that name ("KIND" or "KIND.OF"; of may be NULL), or NULL. */
const struct ws_sass_section *ws_sass_elf_section(const struct ws_sass_elf *elf, const char *kind, const char *of);

/* The relocations of a section, count of them, in the arena. */
enum ws_status ws_sass_elf_relocations(const struct ws_sass_elf *elf, const struct ws_sass_section *section,
                                       struct ws_sass_relocation **relocations, size_t *count, struct ws_error *error);

enum ws_status ws_sass_no_memory(const char *name, struct ws_error *error);
