/* Making a program of a cubin, in steps. */
#pragma once

#include "sass/file/info.h"

/* A .text section of a function that is no kernel; it lies in the code of every kernel at the same offset. */
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
    u32 text_count, texts_bytes; /* with padding: kernels begin there */
    u32 zeros_at;                /* of .nv.global in the image of global variables, behind .nv.global.init */
    const char **externals;      /* module->externals */
    size_t external_room, file_room;
};

/* What a relocation means. Without variable the address is value. */
struct ws_sass_meaning {
    bool variable;
    u8 space; /* WS_SPACE_global or constant */
    u32 number;
    u64 value; /* without the variable's address */
};

/* In module.c: the note becomes why a kernel cannot be launched, unless there is one; false where that ran out of memory. */
bool ws_sass_refuse(struct ws_sass_build *build, struct ws_kernel *kernel, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* In variables.c: lays out global and constant variables, with addresses in their initial values. */
enum ws_status ws_sass_variables(struct ws_sass_build *build, struct ws_error *error);

/* In relocate.c: the meaning of a relocation against a symbol; false where it has none that is known. */
bool ws_sass_meaning(struct ws_sass_build *build, const struct ws_sass_relocation *relocation, u64 addend,
                     struct ws_sass_meaning *meaning);

/* In relocate.c: constant banks, and the code, of kernel number n. */
enum ws_status ws_sass_place_code(struct ws_sass_build *build, u32 n, struct ws_error *error);
enum ws_status ws_sass_place_banks(struct ws_sass_build *build, u32 n, struct ws_error *error);

/* In lines.c: lines of all kernels. */
enum ws_status ws_sass_lines(struct ws_sass_build *build, struct ws_error *error);
