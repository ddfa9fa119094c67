/* Instructions of NVIDIA's machine code (SASS), Volta's word of 128 bits: what sass.def says about one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/code.h"

/* What lowers an instruction of a row, WS_SASS_DOES_fadd and so on (exec/lower.h). */
enum ws_sass_does {
#define DOES(name) WS_SASS_DOES_##name,
#include "sass/code/does.def"
#undef DOES
    WS_SASS_DOINGS
};

/* A row of sass.def. */
struct ws_sass_row {
    const char *name;
    const char *forms; /* of a number of 9 bits; "": the number has 12 */
    u16 number, from, to;
    const char *operands, *modifiers;
    u8 does, class_, kind, space; /* enum ws_sass_does; WS_CLASS_*, WS_KIND_*, WS_SPACE_* */
};

enum ws_sass_operand_kind {
    WS_SASS_IS_REGISTER,
    WS_SASS_IS_IMMEDIATE,
    WS_SASS_IS_CONSTANT, /* a word of a constant bank; with a register: from value + register on */
    WS_SASS_IS_ADDRESS,  /* of memory: register, uniform register, value */
    WS_SASS_IS_TARGET,   /* value: an offset in the code */
    WS_SASS_IS_SPECIAL   /* number: a special register */
};

/* No register: RZ, URZ, PT. */
#define WS_SASS_ZERO 0xFFFFu

struct ws_sass_operand {
    char letter; /* its letter in sass.def */
    u8 kind, file;
    u8 bank;                 /* CONSTANT */
    u8 words;                /* registers of a value, one after another, before modifiers: see ws_sass_words */
    bool writes;             /* the instruction writes it */
    bool negative, absolute; /* also: inverted, of a predicate and of logic */
    bool upper;              /* an immediate of two words: the upper one, the lower one is 0 */
    u8 swizzle;              /* of halves: 0 both, 2 the lower one twice, 3 the upper one */
    u16 number;              /* REGISTER, SPECIAL; CONSTANT and ADDRESS: the register, or WS_SASS_ZERO */
    u16 uniform;             /* ADDRESS: the uniform register, or WS_SASS_ZERO */
    u8 scale;                /* ADDRESS: of the register */
    bool wide;               /* ADDRESS: the register is a pair */
    bool descriptor;         /* ADDRESS: the uniform register holds a descriptor, which is no part of the address */
    int64_t value;
};

enum { WS_SASS_OPERANDS = 10 };

struct ws_sass_instruction {
    u64 word[2];
    const struct ws_sass_row *row;
    u32 offset, architecture;
    u8 guard; /* number of the predicate, of the uniform datapath a uniform one; 7: PT */
    bool guard_negative;
    bool uniform; /* of the uniform datapath */
    struct ws_sass_control control;
    u32 operand_count;
    struct ws_sass_operand operands[WS_SASS_OPERANDS];
};

/* Bits of a word, from < 128 and at most 64 of them. */
static inline u64 ws_sass_bits(const u64 word[2], u32 from, u32 count)
{
    const u64 low = from < 64 ? word[0] >> from : word[1] >> (from - 64);
    const u64 high = from < 64 && from + count > 64 ? word[1] << (64 - from) : 0;
    return (low | high) & UINT64_MAX >> (64 - count);
}

/* Decodes the word at an offset of the code. False where the table does not know its number, its form, or a bit that is set:
 * failure, of room characters, then says which, with the word. */
bool ws_sass_decode(const u64 word[2], u32 offset, u32 architecture, struct ws_sass_instruction *instruction, char *failure,
                    size_t room);

/* The operand of a letter; NULL: it has none. */
const struct ws_sass_operand *ws_sass_operand(const struct ws_sass_instruction *instruction, char letter);

/* Registers that an operand takes, or words of a constant: a modifier that widens it counts. */
u32 ws_sass_words(const struct ws_sass_instruction *instruction, const struct ws_sass_operand *operand);

/* The source slot of a register, enum ws_code_slot: that whose reuse flag stands for it. */
u8 ws_sass_slot(const struct ws_sass_operand *operand);

/* Whether the instruction has the bits of an operand and does not read it: the predicate of BAR, except of BAR.RED. */
bool ws_sass_is_unread(const struct ws_sass_instruction *instruction, const struct ws_sass_operand *operand);

/* DEPBAR waits until a counter is at most `most`, and those of a mask are 0. */
struct ws_sass_depbar {
    u8 counter, most, waits;
};
bool ws_sass_is_depbar(const struct ws_sass_instruction *instruction);
struct ws_sass_depbar ws_sass_depbar(const struct ws_sass_instruction *instruction);

/* Bytes that a thread accesses; 0: no access. */
u32 ws_sass_access_bytes(const struct ws_sass_instruction *instruction);

/* Names of its modifiers, each behind a dot: ".E.64". */
void ws_sass_modifiers(const struct ws_sass_instruction *instruction, char *text, size_t room);

/* Its text as this program writes it: "@!P0 IADD3.X R4, P1, R4, c[0x0][0x160], RZ". */
void ws_sass_text(const struct ws_sass_instruction *instruction, char *text, size_t room);

/* All rows; a row without a name ends them. */
extern const struct ws_sass_row ws_sass_rows[];
