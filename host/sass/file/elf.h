/* A cubin as an ELF file: its sections, symbols and relocations, each checked against the file's size. */
#pragma once

#include "base/arena.h"
#include "sass/file/kernel.h"

struct ws_sass_section {
    const char *name;
    u32 number, type, info;
    u64 flags;
    const u8 *data; /* NULL if the file holds no bytes of the section */
    u64 bytes;
};

struct ws_sass_symbol {
    const char *name;
    u32 kind;    /* STT_OBJECT, STT_FUNC, STT_SECTION, ... */
    u32 section; /* number of its section; 0: none */
    bool entry;  /* the symbol is a kernel */
    u64 value, bytes;
};

/* in_place: the relocated bytes hold the addend. */
struct ws_sass_relocation {
    u64 offset, addend;
    u32 type, symbol;
    bool in_place;
};

struct ws_sass_elf {
    struct ws_arena *arena; /* owns everything the pointers refer to */
    const char *name;       /* name of the file, for messages */
    const struct ws_sass_abi *abi;
    bool current; /* layout of CUDA 13 and later */
    u32 section_count, symbol_count;
    struct ws_sass_section *sections;
    struct ws_sass_symbol *symbols;
};

/* The architecture of a cubin: 70 for sm_70; 0 if the bytes are no cubin. */
u32 ws_sass_elf_architecture(const u8 *bytes, size_t length);

/* Reads a cubin; the bytes are not used afterwards. Refuses files other than linked cubins of an architecture in abi.def. */
enum ws_status ws_sass_elf_read(const char *name, const u8 *bytes, size_t length, struct ws_arena *arena, struct ws_sass_elf *elf,
                                struct ws_error *error);

/* The section named KIND, or KIND.OF unless of is NULL; NULL if there is none. */
const struct ws_sass_section *ws_sass_elf_section(const struct ws_sass_elf *elf, const char *kind, const char *of);

/* The relocations of a section, *count elements in the arena. */
enum ws_status ws_sass_elf_relocations(const struct ws_sass_elf *elf, const struct ws_sass_section *section,
                                       struct ws_sass_relocation **relocations, size_t *count, struct ws_error *error);

enum ws_status ws_sass_no_memory(const char *name, struct ws_error *error);
