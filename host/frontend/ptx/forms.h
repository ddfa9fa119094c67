/* How PTX spells operations: rows of opcodes.def, found by an instruction's words. */
#pragma once

#include "frontend/ptx/ir.h"

enum ptx_type {
#define TYPE(name, means, bytes) PTX_##name,
#include "frontend/ptx/types.def"
#undef TYPE
    PTX_TYPES
};

/* A row of opcodes.def. */
struct ptx_form {
    const char *mnemonic, *operands;
    u32 types, second_types; /* bits 1 << PTX_*; 0 for none */
    u32 allowed, needed;     /* groups of modifiers */
    u8 opcode;               /* enum ws_opcode */
    bool heavy;              /* floating point: may take .approx, else needs a rounding */
};

/* All rows; *count receives their number. */
const struct ptx_form *ptx_forms(size_t *count);

/* Words of an instruction: "add", "rn", "f32". */
struct ptx_words {
    char word[24][40];
    u32 count;
};

/* Finds the form of the words and fills in every field of *op that it determines. False with a reason ("modifier .x is not
 * allowed") when there is none. */
bool ptx_match(const struct ptx_words *words, const struct ptx_form **form, struct ws_op *op, char *reason, size_t room);

/* The type of this name (masks of types have the bits 1 << PTX_*); false for other names. */
bool ptx_type_by_name(const char *name, enum ptx_type *type);
const char *ptx_type_name(enum ptx_type type);
enum ws_type ptx_type_means(enum ptx_type type);

/* Bytes of a value; 1 for a predicate, 0 for WS_TYPE_none. */
u32 ws_type_bytes(enum ws_type type);
bool ws_type_is_float(enum ws_type type);
bool ws_type_is_signed(enum ws_type type);

/* Name of a row of opcodes.def. "mul_wide". */
const char *ws_opcode_name(enum ws_opcode opcode);

/* The class of the trace instruction of an operation. */
u8 ws_op_class(const struct ws_op *op);

/* Its kind. */
u8 ws_op_kind(const struct ws_op *op);

/* A row of modifiers.def. */
struct ptx_modifier {
    const char *word;
    u32 group;
    size_t field; /* offset in struct ws_op */
    u8 value;
};

/* All rows; *count receives their number. */
const struct ptx_modifier *ptx_modifiers(size_t *count);
