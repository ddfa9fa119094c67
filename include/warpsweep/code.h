/* Machine code (SASS) of a traced program: what each instruction was on the GPU (docs/trace-format.md, "Code"). */
#ifndef WARPSWEEP_CODE_H
#define WARPSWEEP_CODE_H

#include "shared/dialect.h"

/* Files of registers: of a thread, of the uniform datapath, predicates, uniform predicates, convergence barriers. An operand may
 * also be a constant, or a dependence counter that DEPBAR waits for. */
enum ws_sass_file {
    WS_SASS_R,
    WS_SASS_UR,
    WS_SASS_P,
    WS_SASS_UP,
    WS_SASS_B,
    WS_SASS_FILES,
    WS_SASS_BANK = WS_SASS_FILES,
    WS_SASS_SB
};

/* What an operand is for. An address is a register that takes part in a memory address: index, base or descriptor. */
enum ws_code_role { WS_CODE_destination, WS_CODE_source, WS_CODE_guard, WS_CODE_address, WS_CODE_ROLES };

/* Source slots: bit n of the reuse flags refers to slot n. A, B and C are the first, second and third source of arithmetic,
 * regardless of their places in the word; the second source of FADD, HADD2, HSET2, HSETP2, DADD and DSETP is C. ptxas 13.0 sets the
 * flags by this rule. */
enum ws_code_slot { WS_CODE_A, WS_CODE_B, WS_CODE_C, WS_CODE_NO_SLOT, WS_CODE_SLOTS };

struct ws_machine_operand {
    u8 role;    /* enum ws_code_role */
    u8 file;    /* enum ws_sass_file; WS_SASS_BANK: a constant; WS_SASS_SB: a counter */
    u8 slot;    /* enum ws_code_slot */
    u8 words;   /* registers one after another, or words of the constant; at least 1 */
    u16 number; /* of the first register, the constant bank, the counter */
    u32 offset; /* of a constant in its bank, in bytes (an index register is a separate operand); limit of a counter; else 0 */
};

/* Operands of an instruction: RZ, URZ and PT are not included, because they cause no dependence. */
#define WS_CODE_OPERANDS_MOST 24u
/* The offset of an instruction without machine code: a branch around a barrier, the exit after the last instruction. */
#define WS_CODE_NO_OFFSET 0xFFFFFFFFu
/* Control bits of such an instruction: stall 1, no barriers. */
#define WS_CODE_NO_CONTROL 0x7F1u

/* One instruction of the program. Several may represent one GPU instruction (an indirect branch has one per target); they are
 * adjacent and share the offset. */
struct ws_machine_instruction {
    u32 offset;   /* in the kernel's code, in bytes: a multiple of 16, or WS_CODE_NO_OFFSET */
    u32 control;  /* bits 105 to 125 of the word; see ws_sass_control_of */
    u32 line;     /* of the source, as in struct ws_instruction; 0: unknown */
    u32 ptx_line; /* of the PTX; 0: unknown */
    u16 file;     /* of the source line: n is element n - 1 of struct ws_machine_code's files; 0: unknown */
    u8 operand_count;
    const struct ws_machine_operand *operands; /* guard first, then in textual order */
    const char *text;                          /* "@P0 IADD3 R4, R2, c[0x0][0x0], RZ", at most 255 bytes; "": no machine code */
    const char *ptx;                           /* text of the PTX line, at most 255 bytes; "": not known */
};

/* The code of a program. Strings and arrays belong to the maker of the struct. */
struct ws_machine_code {
    u32 architecture;     /* compute capability times 10: 86 */
    const char *compiler; /* as named in the cubin: "Cuda compilation tools, release 13.0, V13.0.88"; "": not known */
    u32 file_count;       /* at most 65535 */
    const char *const *files;
    u32 instruction_count;
    const struct ws_machine_instruction *instructions; /* in a trace one per instruction of the program */
};

/* No write barrier, no read barrier. */
#define WS_SASS_NO_BARRIER 7u

/* The control bits of an instruction. A warp issues its next instruction after `stall` cycles, and only when all dependence
 * counters of `waits` are 0. */
struct ws_sass_control {
    u8 stall;  /* 0 to 15 cycles */
    u8 yield;  /* 1: another warp should issue next. The bit of the word is inverted */
    u8 writes; /* write barrier: dependence counter, 0 to 5, decremented when the result is written; or WS_SASS_NO_BARRIER */
    u8 reads;  /* read barrier: dependence counter decremented when the sources have been read; or WS_SASS_NO_BARRIER */
    u8 waits;  /* wait mask: bit n is counter n */
    u8 reuse;  /* bit n: the register of source slot n stays in the register-file cache */
};

/* Unpacks control bits, as struct ws_machine_instruction has them: stall 0 to 3, yield 4 (inverted), write barrier 5 to 7, read
 * barrier 8 to 10, wait mask 11 to 16, reuse 17 to 20. Source: Mesa's NAK (sm70_encode.rs); Huerta et al., MICRO 2025, section 4.
 */
static inline struct ws_sass_control ws_sass_control_of(u32 bits)
{
    return (struct ws_sass_control){.stall = bits & 15,
                                    .yield = !(bits >> 4 & 1),
                                    .writes = bits >> 5 & 7,
                                    .reads = bits >> 8 & 7,
                                    .waits = bits >> 11 & 63,
                                    .reuse = bits >> 17 & 15};
}

#endif
