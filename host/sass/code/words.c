/* Sizes: registers of an operand with its modifiers, bytes of an access, counters of DEPBAR. */
#include <string.h>

#include "sass/code/decode.h"
#include "shared/instruction.h"

static u32 bits(const struct ws_sass_instruction *in, u32 from, u32 count)
{
    return (u32)ws_sass_bits(in->word, from, count);
}

static bool is(const struct ws_sass_instruction *in, const char *name)
{
    return strcmp(in->row->name, name) == 0;
}

/* 64-bit types of atomics: 2 and 3 from sm_90 on, except in shared memory; else 2, 5 and 6. */
static u32 atomic_bytes(const struct ws_sass_instruction *in)
{
    enum { U64 = 2, NEW_S64 = 3, S64 = 5, F64 = 6, REAL_F64 = 15 };
    const u32 type = bits(in, 73, 3);
    if (in->row->does == WS_SASS_DOES_popc_inc)
        return 4;
    if (in->row->does == WS_SASS_DOES_atom_real)
        return bits(in, 73, 4) == REAL_F64 ? 8 : 4;
    const bool new = in->architecture >= 90 && in->row->space != WS_SPACE_shared;
    return type == U64 || (new ? type == NEW_S64 : type == S64 || type == F64) ? 8 : 4;
}

u32 ws_sass_access_bytes(const struct ws_sass_instruction *in)
{
    static const u8 bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
    if (in->row->does == WS_SASS_DOES_load_matrix)
        return 16;
    if (in->row->class_ == WS_CLASS_atomic)
        return atomic_bytes(in);
    const bool loads = in->row->class_ == WS_CLASS_load || in->row->class_ == WS_CLASS_store;
    if (in->row->does == WS_SASS_DOES_copy_async && in->architecture >= 100)
        return 4u << bits(in, 74, 2);
    return loads || in->row->does == WS_SASS_DOES_ldc ? bytes[bits(in, 73, 3)] : 0;
}

/* Registers of the matrices A, B (letter r), C and D. */
static u32 matrix_words(const struct ws_sass_instruction *in, char letter)
{
    enum { TF32 = 2 };
    static const u8 integer[][3] = {{1, 1, 2}, {2, 1, 4}, {2, 1, 4}, {4, 2, 4}};
    const u32 which = letter == 'A' ? 0 : letter == 'r' ? 1 : 2;
    if (is(in, "IMMA"))
        return integer[bits(in, 75, 1) | bits(in, 86, 1) << 1][which];
    const bool deep = bits(in, 82, 2) == TF32 ? !bits(in, 78, 1) : bits(in, 75, 1);
    return which == 0 ? 2u << deep : which == 1 ? 1u << deep : 2u << bits(in, 76, 1);
}

u32 ws_sass_words(const struct ws_sass_instruction *in, const struct ws_sass_operand *operand)
{
    enum { WIDE = 3 };
    const bool data = operand->file <= WS_SASS_UR && strchr("dDrs", operand->letter);
    if (operand->kind != WS_SASS_IS_REGISTER && operand->kind != WS_SASS_IS_CONSTANT)
        return 1;
    if (is(in, "HMMA") || is(in, "IMMA"))
        return matrix_words(in, operand->letter);
    if (in->row->does == WS_SASS_DOES_load_matrix && data)
        return 1u << bits(in, 72, 2);
    if (ws_sass_access_bytes(in) > 4 && (data || operand->kind == WS_SASS_IS_CONSTANT))
        return ws_sass_access_bytes(in) / 4;
    if (operand->file > WS_SASS_UR)
        return 1;
    if (in->row->does == WS_SASS_DOES_match && operand->letter == 'A')
        return 1u + bits(in, 73, 1);
    if (strstr(in->row->modifiers, "84-85:")) /* conversions: types of result and source */
        return bits(in, operand->writes ? 75 : 84, 2) == WIDE ? 2 : 1;
    return strstr(in->row->modifiers, "80:64") && bits(in, 80, 1) ? 2 : operand->words;
}

/* ptxas sets reuse flags by operands, not by their places in the word. The second source of FADD, HADD2, HSET2, HSETP2, DADD and
 * DSETP (letters e and E) is C: their datapath has a multiplier. */
u8 ws_sass_slot(const struct ws_sass_operand *operand)
{
    if (operand->kind != WS_SASS_IS_REGISTER || operand->file != WS_SASS_R || operand->writes)
        return WS_CODE_NO_SLOT;
    return strchr("aA", operand->letter)     ? WS_CODE_A
           : strchr("br", operand->letter)   ? WS_CODE_B
           : strchr("ceEs", operand->letter) ? WS_CODE_C
                                             : WS_CODE_NO_SLOT;
}

bool ws_sass_is_unread(const struct ws_sass_instruction *in, const struct ws_sass_operand *operand)
{
    enum { RED = 2 };
    const bool whole_block = operand->letter == 'w' && operand->value == 0;
    return whole_block || (in->row->does == WS_SASS_DOES_bar && operand->letter == 'P' && bits(in, 77, 2) != RED);
}

bool ws_sass_is_depbar(const struct ws_sass_instruction *in)
{
    return is(in, "DEPBAR");
}

struct ws_sass_depbar ws_sass_depbar(const struct ws_sass_instruction *in)
{
    return (struct ws_sass_depbar){.counter = (u8)bits(in, 44, 3), .most = (u8)bits(in, 38, 6), .waits = (u8)bits(in, 32, 6)};
}
