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

/* ---- Textures and surfaces ---- */

static bool is_image(const struct ws_sass_instruction *in)
{
    return in->row->does >= WS_SASS_DOES_texture && in->row->does <= WS_SASS_DOES_surface_store_pixel;
}

bool ws_sass_is_texture(const struct ws_sass_instruction *in)
{
    return in->row->does >= WS_SASS_DOES_texture && in->row->does <= WS_SASS_DOES_texture_query;
}

bool ws_sass_has_level(const struct ws_sass_instruction *in)
{
    enum { LL = 3 };
    const bool late = in->architecture >= 100;
    if (in->row->does == WS_SASS_DOES_texture)
        return (late ? bits(in, 59, 1) | bits(in, 87, 2) << 1 : bits(in, 87, 3)) == LL;
    return in->row->does == WS_SASS_DOES_texture_texel && (late ? bits(in, 87, 2) == 1 : bits(in, 87, 3) == LL);
}

struct ws_sass_texture ws_sass_texture(const struct ws_sass_instruction *in)
{
    static const u8 coordinates[] = {1, 2, 3, 0, 2, 3, 0, 0}, dimensions[] = {1, 2, 3, 0, 1, 2, 0, 0};
    const u32 shape = bits(in, 61, 3), does = in->row->does;
    const bool derives = does == WS_SASS_DOES_texture_gradient, queries = does == WS_SASS_DOES_texture_query;
    const u32 more = derives ? 2u * dimensions[shape] : queries || ws_sass_has_level(in);
    struct ws_sass_texture texture = {.coordinates = queries ? 0 : coordinates[shape],
                                      .bindless = !ws_sass_operand(in, 'O') && !ws_sass_operand(in, 'u')};
    texture.coordinate = derives && texture.bindless;
    texture.handle = texture.coordinate ? 0 : texture.coordinates;
    texture.count = (u8)(texture.coordinates + texture.bindless + more);
    texture.first = queries                                    ? texture.count
                    : in->architecture < 90 && bits(in, 60, 1) ? (u8)((texture.count + 1) / 2)
                                                               : (u8)(texture.coordinate + texture.coordinates);
    return texture;
}

/* Registers of an operand of a texture or surface instruction. */
static u32 image_words(const struct ws_sass_instruction *in, char letter)
{
    static const u8 coordinates[] = {1, 1, 2, 2, 3, 3, 0, 0}, sizes[] = {1, 1, 1, 1, 1, 2, 4, 4};
    const u32 components = (u32)__builtin_popcount(bits(in, 72, 4)), does = in->row->does;
    if (!ws_sass_is_texture(in)) {
        const u32 data = does == WS_SASS_DOES_surface_store_pixel ? components : sizes[bits(in, 73, 3)];
        return letter == 'A' ? coordinates[bits(in, 61, 3)] : letter == 's' ? 1u : data;
    }
    const struct ws_sass_texture texture = ws_sass_texture(in);
    if (letter == 'd')
        return components < 2 ? components : 2;
    if (letter == 's')
        return components > 2 ? components - 2 : 1;
    if (letter == 'A')
        return texture.first;
    return texture.count > texture.first ? (u32)(texture.count - texture.first) : 1;
}

/* ---- Accesses ---- */

static bool is_gate(const struct ws_sass_instruction *in)
{
    return in->row->does >= WS_SASS_DOES_gate_init && in->row->does <= WS_SASS_DOES_gate_test;
}

u32 ws_sass_access_bytes(const struct ws_sass_instruction *in)
{
    static const u8 bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
    if (in->row->does == WS_SASS_DOES_load_matrix)
        return 16;
    if (is_image(in)) /* as the front end of PTX records them */
        return in->row->does == WS_SASS_DOES_texture_query ? 0 : 4;
    if (is_gate(in))
        return 8;
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
    if (is_gate(in))
        return operand->words;
    if (is_image(in) && strchr("dsAr", operand->letter))
        return image_words(in, operand->letter);
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
    const bool wide = strstr(in->row->modifiers, "80:64") || strstr(in->row->modifiers, "80:32|");
    return wide && bits(in, 80, 1) ? 2 : operand->words;
}

/* ptxas sets reuse flags by operands, not by their places in the word. The second source of FADD, HADD2, HSET2, HSETP2, DADD and
 * DSETP (letters e and E) is C: their datapath has a multiplier. In texture instructions of sm_75 the flags mark the first and the
 * last one of a batch. */
u8 ws_sass_slot(const struct ws_sass_instruction *in, const struct ws_sass_operand *operand)
{
    if (ws_sass_is_texture(in) || operand->kind != WS_SASS_IS_REGISTER || operand->file != WS_SASS_R || operand->writes)
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
