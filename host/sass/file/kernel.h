/* Machine code (SASS) of a kernel in a cubin: written by the loader (host/sass/file), read by the decoder and the executor
 * (host/sass/exec). A cubin is loaded as a struct ws_program. Launch files, traces and lists of launches therefore treat it like
 * PTX. file/ sets parameters, sizes and variables of its kernels, exec/ their operations. */
#pragma once

#include <stdbool.h>

#include "frontend/exec/launch/plan.h"

enum { WS_SASS_WORD = 16 /* bytes of an instruction */, WS_SASS_BANKS = 5 /* constant banks 0 to 4 */ };

/* Addresses of called functions outside of the program (vprintf, malloc, free, __assertfail): this plus 16 times the index in
 * struct ws_sass_module.externals. They are above all code. */
#define WS_SASS_EXTERNAL UINT64_C(0x7FF000000000)

/* A row of abi.def: offsets in constant bank 0. */
struct ws_sass_abi {
    u32 architecture; /* 75, 80, 86, 89, 90, 100, 120 */
    u32 parameters, block, grid, stack, dynamic_shared, descriptor, shared_window, local_window, constant_window, shared_base;
};

/* The row of an architecture, or NULL. */
const struct ws_sass_abi *ws_sass_abi(u32 architecture);

/* Kinds of addresses that are inserted at a launch. */
enum ws_sass_target { WS_SASS_GLOBAL, WS_SASS_CONSTANT, WS_SASS_FIXED };

/* 8 bytes (or their lower or upper 32 bits) that receive an address at a launch. */
struct ws_sass_address {
    u32 offset;   /* in a constant bank: a byte; in code: an instruction, whose bits 32 to 63 are replaced */
    u8 bytes;     /* 8 or 4 */
    u8 shift;     /* 32: the upper 32 bits; else 0 */
    u8 target;    /* enum ws_sass_target; FIXED: the address is addend (a function, an external) */
    u32 variable; /* GLOBAL, CONSTANT: number of the variable in the program's image */
    u64 addend;
};

struct ws_sass_bank {
    u32 bytes;
    const u8 *initial; /* NULL: zeros */
    u32 address_count;
    const struct ws_sass_address *addresses;
};

/* A function in the code of a kernel, the kernel itself included. Rows ascend by offset. */
struct ws_sass_function {
    const char *name;
    u32 offset, bytes;
};

/* Instructions from offset to the next row belong to this line. Rows ascend by offset. file is an index in ws_sass_module.files.
 * line 0: none. */
struct ws_sass_line {
    u32 offset, file, line;
};

/* Code and memory of a kernel. Offsets are relative to the first word of its code. Without device functions the kernel begins at 0.
 * Addresses of code (LEPC, CALL.ABS, tables of functions) are these offsets. */
struct ws_sass_kernel {
    const char *name; /* name of the symbol */
    const struct ws_sass_module *module;
    const struct ws_sass_abi *abi;
    u32 words;            /* instructions, with device functions and the padding at the end */
    const u64 (*code)[2]; /* bits 0 to 63 and 64 to 127 of each; relocations against code are applied */
    u32 entry;            /* offset of the kernel's first instruction */
    u32 code_address_count;
    const struct ws_sass_address *code_addresses; /* addresses of variables in code; see ws_sass_code_fill */
    u32 function_count;
    const struct ws_sass_function *functions;
    u32 line_count;
    const struct ws_sass_line *lines, *ptx_lines; /* lines of the source and of the PTX (-lineinfo) */
    u32 ptx_line_count;
    struct ws_sass_bank banks[WS_SASS_BANKS]; /* 0: size; 2: the compiler's; 3: empty (ws_sass_banks_fill); 4: addresses */
    u32 branch_count;                         /* indirect branches (BRX) and their targets */
    const struct ws_sass_branch *branches;
    u32 registers, barriers; /* registers of a thread; barriers of a block */
    u32 shared_bytes;        /* static shared memory, with abi->shared_base */
    u32 parameter_bytes;
};

/* An indirect branch. */
struct ws_sass_branch {
    u32 offset;
    u32 target_count;
    const u32 *targets; /* offsets */
};

/* A cubin. */
struct ws_sass_module {
    const struct ws_sass_abi *abi;
    const char *compiler; /* from the note of ptxas: "Cuda compilation tools, release 13.0, V13.0.88", or NULL */
    u32 kernel_count;
    const struct ws_sass_kernel *kernels; /* kernel n belongs to ws_program.kernels[n] */
    u32 external_count;
    const char *const *externals; /* names */
    u32 file_count;
    const char *const *files; /* source files of lines */
    u32 ptx_count;
    const char *const *ptx; /* lines of the PTX (-lineinfo) */
};

/* Constant banks of a launch: bank n has bytes[n] bytes at data[n]. To be freed by ws_sass_banks_free. */
struct ws_sass_banks {
    u32 bytes[WS_SASS_BANKS];
    u8 *data[WS_SASS_BANKS];
};

/* Fills the banks for a launch: parameters, grid and block, windows, stack pointer (the end of a thread's local memory), addresses
 * of variables. Bank 3 is the plan's copy of the program's constant variables. Shared memory of the plan begins at address 0, and
 * includes the abi->shared_base bytes that no kernel may access. */
enum ws_status ws_sass_banks_fill(const struct ws_sass_kernel *kernel, const struct ws_plan *plan, struct ws_sass_banks *banks,
                                  struct ws_error *error);
void ws_sass_banks_free(struct ws_sass_banks *banks);

/* The kernel's code with the addresses of the plan's variables. Newly allocated; the caller frees it. NULL: out of memory. */
u64 (*ws_sass_code_fill(const struct ws_sass_kernel *kernel, const struct ws_plan *plan))[2];

/* The kernel of a program loaded from machine code; kernel is the program's, or a launch's copy of it. */
const struct ws_sass_kernel *ws_sass_kernel_of(const struct ws_program *program, const struct ws_kernel *kernel);

/* A place for messages: "KERNEL+0x30 (file.cu:7)", or a device function instead of the kernel. */
struct ws_sass_place {
    char text[512];
};
struct ws_sass_place ws_sass_place(const struct ws_sass_kernel *kernel, u32 offset);

/* The source line of an instruction; 0: not known. *file is its name. */
u32 ws_sass_source_line(const struct ws_sass_kernel *kernel, u32 offset, const char **file);

/* The source file of an instruction: its index in the module's files, plus 1; 0: not known. */
u32 ws_sass_source_file(const struct ws_sass_kernel *kernel, u32 offset);

/* The PTX line of an instruction; 0: not known. */
u32 ws_sass_ptx_line(const struct ws_sass_kernel *kernel, u32 offset);
