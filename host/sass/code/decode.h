/* Decoder of NVIDIA's machine code (SASS), in words of 128 bits since Volta, by the table sass.def. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/code.h"

/* The function that lowers an instruction: WS_SASS_DOES_fadd and so on (exec/lower.h). */
enum ws_sass_does {
#define DOES(name) WS_SASS_DOES_##name,
#include "sass/code/does.def"
#undef DOES
    WS_SASS_DOINGS
};

/* A row of sass.def. */
struct ws_sass_row {
    const char *name;
    const char *forms; /* forms of a 9-bit number; "": the number has 12 bits */
    u16 number, from, to;
    const char *operands, *modifiers;
    u8 does, class_, kind, space; /* enum ws_sass_does; WS_CLASS_*, WS_KIND_*, WS_SPACE_* */
};

enum ws_sass_operand_kind {
    WS_SASS_IS_REGISTER,
    WS_SASS_IS_IMMEDIATE,
    WS_SASS_IS_CONSTANT, /* a word of a constant bank, at value + register */
    WS_SASS_IS_ADDRESS,  /* a memory address: register + uniform register + value */
    WS_SASS_IS_TARGET,   /* value: offset in the code */
    WS_SASS_IS_SPECIAL   /* number of a special register */
};

/* No register: RZ, URZ, PT. */
#define WS_SASS_ZERO 0xFFFFu

struct ws_sass_operand {
    char letter; /* letter in sass.def */
    u8 kind, file;
    u8 bank;                 /* CONSTANT: number of the bank */
    u8 words;                /* consecutive registers, without regard to modifiers: see ws_sass_words */
    bool writes;             /* a destination */
    bool negative, absolute; /* negative: inverted, for predicates and logic */
    bool upper;              /* the immediate is the upper word of two, the lower word is 0 */
    u8 swizzle;              /* halves: 0 both, 2 the lower one twice, 3 the upper one twice */
    u16 number;              /* REGISTER, SPECIAL; CONSTANT and ADDRESS: the register, or WS_SASS_ZERO */
    u16 uniform;             /* ADDRESS: the uniform register, or WS_SASS_ZERO */
    u8 scale;                /* ADDRESS: factor of the register */
    bool wide;               /* ADDRESS: the register is a pair */
    bool descriptor;         /* ADDRESS: the uniform register holds a descriptor, which is not added */
    int64_t value;
};

enum { WS_SASS_OPERANDS = 10 };

struct ws_sass_instruction {
    u64 word[2];
    const struct ws_sass_row *row;
    u32 offset, architecture;
    u8 guard; /* number of the predicate (a uniform one on the uniform datapath); 7: PT */
    bool guard_negative;
    bool uniform; /* executes on the uniform datapath */
    struct ws_sass_control control;
    u32 operand_count;
    struct ws_sass_operand operands[WS_SASS_OPERANDS];
};

/* Bits of a word; from < 128, at most 64 bits. */
static inline u64 ws_sass_bits(const u64 word[2], u32 from, u32 count)
{
    const u64 low = from < 64 ? word[0] >> from : word[1] >> (from - 64);
    const u64 high = from < 64 && from + count > 64 ? word[1] << (64 - from) : 0;
    return (low | high) & UINT64_MAX >> (64 - count);
}

/* Decodes the word at an offset of the code. False if the table has no row for its number or form, or if a bit outside of known
 * fields is set; failure, of room characters, then names the cause: a noun phrase. */
bool ws_sass_decode(const u64 word[2], u32 offset, u32 architecture, struct ws_sass_instruction *instruction, char *failure,
                    size_t room);

/* The operand with a letter; NULL if there is none. */
const struct ws_sass_operand *ws_sass_operand(const struct ws_sass_instruction *instruction, char letter);

/* Registers of an operand, or words of a constant, modifiers that widen it included. */
u32 ws_sass_words(const struct ws_sass_instruction *instruction, const struct ws_sass_operand *operand);

/* The source slot of a register, enum ws_code_slot: the slot with the reuse flag for this register. */
u8 ws_sass_slot(const struct ws_sass_instruction *instruction, const struct ws_sass_operand *operand);

/* Whether the instruction encodes an operand but does not read it: the predicate of BAR (BAR.RED reads it), and the number of
 * threads of a barrier for the whole block. */
bool ws_sass_is_unread(const struct ws_sass_instruction *instruction, const struct ws_sass_operand *operand);

/* Sources of a texture instruction: coordinates, then the level or derivatives. The layer of an array precedes the coordinates, but
 * follows those of TXD. If a register holds the handle, it follows the coordinates, or precedes those of TXD. Source n is word n of
 * operand A if n < first, else word n - first of operand r. */
struct ws_sass_texture {
    u8 coordinate, coordinates; /* the first one, their number */
    u8 handle;                  /* its number, if bindless */
    u8 count, first;
    bool bindless;
};
bool ws_sass_has_level(const struct ws_sass_instruction *instruction); /* of TEX and TLD */
bool ws_sass_is_texture(const struct ws_sass_instruction *instruction);
struct ws_sass_texture ws_sass_texture(const struct ws_sass_instruction *instruction);

/* DEPBAR waits until the counter is at most `most`, and the counters in the mask `waits` are 0. */
struct ws_sass_depbar {
    u8 counter, most, waits;
};
bool ws_sass_is_depbar(const struct ws_sass_instruction *instruction);
struct ws_sass_depbar ws_sass_depbar(const struct ws_sass_instruction *instruction);

/* Bytes of a thread's access; 0: no access. */
u32 ws_sass_access_bytes(const struct ws_sass_instruction *instruction);

/* Names of the modifiers, each after a dot: ".E.64". */
void ws_sass_modifiers(const struct ws_sass_instruction *instruction, char *text, size_t room);

/* The text of an instruction: "@!P0 IADD3.X R4, P1, R4, c[0x0][0x160], RZ". */
void ws_sass_text(const struct ws_sass_instruction *instruction, char *text, size_t room);

/* All rows; the last one has no name. */
extern const struct ws_sass_row ws_sass_rows[];
