/* Steps that turn a cubin into a program. */
#pragma once

#include "sass/file/info.h"

/* A .text section of a device function. It has the same offset in the code of every kernel. */
struct ws_sass_text {
    const struct ws_sass_section *section;
    u32 offset;
};

struct ws_sass_build {
    struct ws_sass_elf elf;
    struct ws_arena *arena; /* the program's */
    struct ws_program *program;
    struct ws_sass_module *module;
    struct ws_sass_kernel *kernels; /* module->kernels */
    struct ws_sass_text *texts;
    u32 text_count, texts_bytes; /* total with padding: the offset of kernels */
    u32 zeros_at;                /* offset of .nv.global in the image of global variables, after .nv.global.init */
    const char **externals;      /* module->externals */
    size_t external_room, file_room;
};

/* The value that a relocation inserts: the address of a variable plus value, or value alone. */
struct ws_sass_meaning {
    bool variable;
    u8 space; /* WS_SPACE_global or constant */
    u32 number;
    u64 value; /* offset from the variable, or the address */
};

/* In module.c: records why a kernel is not launchable; the first reason is kept. False when out of memory. */
bool ws_sass_refuse(struct ws_sass_build *build, struct ws_kernel *kernel, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* In variables.c: lays out global and constant variables, with addresses in their initial values. */
enum ws_status ws_sass_variables(struct ws_sass_build *build, struct ws_error *error);

/* In relocate.c: the meaning of a relocation; false if its symbol has none. */
bool ws_sass_meaning(struct ws_sass_build *build, const struct ws_sass_relocation *relocation, u64 addend,
                     struct ws_sass_meaning *meaning);

/* In relocate.c: place code and constant banks of kernel number n. */
enum ws_status ws_sass_place_code(struct ws_sass_build *build, u32 n, struct ws_error *error);
enum ws_status ws_sass_place_banks(struct ws_sass_build *build, u32 n, struct ws_error *error);

/* In lines.c: reads the lines of all kernels. */
enum ws_status ws_sass_lines(struct ws_sass_build *build, struct ws_error *error);
