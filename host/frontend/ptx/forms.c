#include "frontend/ptx/forms.h"

#include <stdio.h>
#include <string.h>

/* Sets of types. */
enum {
#define TYPE(name, means, bytes) T_##name = 1 << PTX_##name,
#include "frontend/ptx/types.def"
#undef TYPE
    NO_TYPE = 0,
    PRED = T_pred,
    BYTES = T_b8 | T_u8 | T_s8,
    BITS = T_b16 | T_b32 | T_b64,
    B16 = T_b16,
    B32 = T_b32,
    B64 = T_b64,
    U32 = T_u32,
    S32 = T_s32,
    U64 = T_u64,
    F32 = T_f32,
    INTS8 = T_u8 | T_s8,
    INTS16 = T_u16 | T_s16,
    INTS32 = T_u32 | T_s32,
    INTS64 = T_u64 | T_s64,
    INTS = INTS16 | INTS32 | INTS64,
    SIGNED = T_s16 | T_s32 | T_s64,
    FLOATS = T_f32 | T_f64,
    HALVES = T_f16 | T_f16x2 | T_bf16 | T_bf16x2,
    PAIRS = T_f16x2 | T_bf16x2,
    INT_PAIRS = T_u16x2 | T_s16x2,
    F32X2 = T_f32x2
};

/* Groups of modifiers. */
enum {
    ROUND = 1 << 0,
    ROUND_INTEGRAL = 1 << 1,
    FTZ = 1 << 2,
    SAT = 1 << 3,
    APPROX = 1 << 4,
    COMPARE = 1 << 5,
    COMBINE = 1 << 6,
    SPACE = 1 << 7,
    VECTOR = 1 << 8,
    CACHE = 1 << 9,
    ORDER = 1 << 10,
    SCOPE = 1 << 11,
    UNI = 1 << 12,
    ALIGNED = 1 << 13,
    RELU = 1 << 14,
    LEVEL = 1 << 15,
    SATFINITE = 1 << 16,
    RESTRICTION = 1 << 17,
    GROUP_NAMES = 18,
    GROUPS = (1 << GROUP_NAMES) - 1,
    UNSIGNED_ONLY = 1 << 18, /* beside COMPARE */
    ROUND_AWAY = 1 << 19,    /* beside ROUND */
    SECOND_COMPARED = 1 << 20,
    SECOND_CONVERTED = 1 << 21,
    SECOND_SIGN = 1 << 22,
    SECOND_PACKED = 1 << 23,
    SECOND_SINGLE = 1 << 24,
    SECOND_F16X2 = 1 << 25,
    SECOND_E4M3X2 = 1 << 26,
    SECOND_E5M2X2 = 1 << 27,
    NEED_SHIFT = 32, /* of a mask of 64 bits */
    REPEATABLE = CACHE | ORDER | SCOPE
};
#define NEEDS(group) ((group) | (u64)(group) << NEED_SHIFT)

static const char *const group_names[GROUP_NAMES] = {"a rounding",    "an integral rounding",
                                                     ".ftz",          ".sat",
                                                     ".approx",       "a comparison",
                                                     "a combination", "a state space",
                                                     "a vector",      "a cache operator",
                                                     "an order",      "a scope",
                                                     ".uni",          ".aligned",
                                                     ".relu",         "a level of the caches",
                                                     ".satfinite",    "a restriction"};

static const struct ptx_modifier modifiers[] = {
#define MODIFIER(group_, word_, field_, value_) {#word_, group_, offsetof(struct ws_op, field_), value_},
#include "frontend/ptx/modifiers.def"
#undef MODIFIER
};
enum { MODIFIERS = sizeof modifiers / sizeof *modifiers };

const struct ptx_modifier *ptx_modifiers(size_t *count)
{
    *count = MODIFIERS;
    return modifiers;
}

#define SECOND_TYPES(groups)                                                                                                       \
    (((groups)&SECOND_COMPARED ? BITS | INTS | FLOATS | HALVES : 0) |                                                              \
     ((groups)&SECOND_CONVERTED ? INTS8 | INTS | FLOATS | T_f16 | T_bf16 : 0) | ((groups)&SECOND_SIGN ? S32 | F32 : 0) |           \
     ((groups)&SECOND_PACKED ? S32 : 0) | ((groups)&SECOND_SINGLE ? F32 : 0) | ((groups)&SECOND_F16X2 ? T_f16x2 : 0) |             \
     ((groups)&SECOND_E4M3X2 ? T_e4m3x2 : 0) | ((groups)&SECOND_E5M2X2 ? T_e5m2x2 : 0))
#define FORM(operation, mnemonic_, types_, groups, operands_)                                                                      \
    {.mnemonic = (mnemonic_),                                                                                                      \
     .operands = (operands_),                                                                                                      \
     .types = (types_),                                                                                                            \
     .second_types = SECOND_TYPES(groups),                                                                                         \
     .allowed = (u32)(groups)&GROUPS,                                                                                              \
     .needed = (u32)((u64)(groups) >> NEED_SHIFT),                                                                                 \
     .opcode = WS_OP_##operation,                                                                                                  \
     .heavy = ((groups) & (ROUND | APPROX)) == (ROUND | APPROX)},
static const struct ptx_form forms[] = {
#define OPCODE(operation, mnemonic_, types_, groups, operands_, class_, kind) FORM(operation, mnemonic_, types_, groups, operands_)
#define ALIAS(operation, mnemonic_, types_, groups, operands_, class_, kind)  FORM(operation, mnemonic_, types_, groups, operands_)
#include "frontend/ptx/opcodes.def"
};
enum { FORMS = sizeof forms / sizeof *forms, MOST_WORDS = 100 };

const struct ptx_form *ptx_forms(size_t *count)
{
    *count = FORMS;
    return forms;
}

static const struct {
    const char *name;
    enum ws_type means;
} types[PTX_TYPES] = {
#define TYPE(name_, means_, bytes_) [PTX_##name_] = {.name = #name_, .means = WS_TYPE_##means_},
#include "frontend/ptx/types.def"
#undef TYPE
};

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}

enum ws_type ptx_type_means(enum ptx_type type)
{
    return types[type].means;
}

bool ptx_type_by_name(const char *name, enum ptx_type *type)
{
    for (u32 n = 0; n < PTX_TYPES; n++)
        if (strcmp(name, types[n].name) == 0) {
            *type = (enum ptx_type)n;
            return true;
        }
    return false;
}

/* ---- Matching ---- */

struct match {
    const struct ptx_form *form;
    struct ws_op op;
    u32 given; /* groups of modifiers */
    u32 type_count;
    enum ptx_type type[2];
    bool used[24]; /* words of the mnemonic; modifiers used */
};

/* Marks the mnemonic's words as used; false when one is missing. */
static bool take_mnemonic(struct match *match, const struct ptx_words *words)
{
    const char *at = match->form->mnemonic;
    for (u32 part = 0; *at; part++) {
        const size_t length = strcspn(at, ".");
        u32 n = part ? 1 : 0;
        const u32 end = part ? words->count : 1;
        while (n < end && (match->used[n] || strlen(words->word[n]) != length || memcmp(words->word[n], at, length) != 0))
            n++;
        if (n >= end)
            return false;
        match->used[n] = true;
        at += length;
        at += *at == '.';
    }
    return true;
}

static bool take_modifier(struct match *match, const char *word)
{
    for (u32 n = 0; n < MODIFIERS; n++) {
        const struct ptx_modifier *modifier = &modifiers[n];
        const u32 group = modifier->group;
        if (!(group & match->form->allowed) || (group & match->given & ~(u32)REPEATABLE) || strcmp(word, modifier->word) != 0)
            continue;
        ((u8 *)&match->op)[modifier->field] |= modifier->value;
        match->given |= group;
        return true;
    }
    return false;
}

static bool take_type(struct match *match, const char *word)
{
    enum ptx_type type;
    if (match->type_count == 2 || !ptx_type_by_name(word, &type))
        return false;
    const u32 allowed = match->type_count ? match->form->second_types : match->form->types;
    if (!(allowed >> type & 1))
        return false;
    match->type[match->type_count++] = type;
    return true;
}

/* Reasons why a form does not fit, least specific first. */
enum fit { OTHER_WORDS, OTHER_FORM, LACKS, FITS };

/* The words left over from the mnemonic are modifiers and types. */
static enum fit take_rest(struct match *match, const struct ptx_words *words, char *reason, size_t room)
{
    for (u32 n = 0; n < words->count; n++) {
        if (match->used[n] || take_modifier(match, words->word[n]) || take_type(match, words->word[n]))
            continue;
        snprintf(reason, room, ".%s is not supported here", words->word[n]);
        return OTHER_FORM;
    }
    const u32 missing = match->form->needed & ~match->given;
    for (u32 n = 0; n < GROUP_NAMES; n++)
        if (missing >> n & 1) {
            snprintf(reason, room, "%s is missing", group_names[n]);
            return LACKS;
        }
    const u32 wanted = match->form->second_types ? 2 : match->form->types ? 1 : 0;
    if (match->type_count < wanted) {
        snprintf(reason, room, "a type is missing");
        return LACKS;
    }
    return FITS;
}

/* cvt: rounds to an integral number from floating point, rounds if precision may be lost, else does not round. */
static const char *check_conversion(const struct match *match, enum ws_type to, enum ws_type from)
{
    const bool to_float = ws_type_is_float(to), from_float = ws_type_is_float(from);
    const bool other = ws_type_bytes(to) == 2 && ws_type_bytes(from) == 2 && to != from;
    const bool narrows = to_float && (!from_float || ws_type_bytes(to) < ws_type_bytes(from) || other);
    if (from_float && !to_float)
        return !(match->given & ROUND_INTEGRAL) ? "an integral rounding is missing" : match->given & ROUND ? "two roundings" : NULL;
    if (narrows)
        return !(match->given & ROUND) ? "a rounding is missing" : match->given & ROUND_INTEGRAL ? "two roundings" : NULL;
    if (match->given & ROUND)
        return "nothing is rounded here";
    return match->given & ROUND_INTEGRAL && to != from ? "nothing is rounded here" : NULL;
}

static const char *check_comparison(const struct match *match, enum ws_type type)
{
    const bool is_float = ws_type_is_float(type);
    if (match->op.compare >= WS_COMPARE_equ && !is_float)
        return "the comparison is for floating point";
    return match->given & UNSIGNED_ONLY && (is_float || ws_type_is_signed(type)) ? "the comparison is for unsigned integers" : NULL;
}

/* 16-bit arithmetic rounds to nearest; only .f16 flushes and saturates. */
static const char *check_halves(const struct match *match, enum ws_type type)
{
    const u32 given = match->given;
    const bool pairs = match->op.opcode == WS_OP_cvt_pair;
    const bool f16 = type == WS_TYPE_f16 || type == WS_TYPE_f16x2;
    if (!f16 && given & (FTZ | SAT) && match->op.opcode != WS_OP_ex2)
        return ".ftz and .sat are for .f16 and .f16x2";
    if (given & RELU && given & SAT)
        return "either .relu or .sat";
    if (match->op.rounding != WS_ROUND_nearest && !(pairs && match->op.rounding == WS_ROUND_zero))
        return "this rounds to nearest (.rn)";
    return NULL;
}

/* Types of set: a pair gives a mask of 32 bits or a pair; only 16-bit numbers give a 16-bit integer. */
static const char *check_set(const struct match *match, enum ws_type type, enum ws_type from)
{
    const bool pair = from == WS_TYPE_f16x2 || from == WS_TYPE_bf16x2;
    if (match->given & FTZ && from != WS_TYPE_f32 && from != WS_TYPE_f16 && from != WS_TYPE_f16x2)
        return ".ftz is for .f32, .f16 and .f16x2";
    if (pair && type != from && type != WS_TYPE_u32 && type != WS_TYPE_s32)
        return "a comparison of pairs gives .u32, .s32 or the same pairs";
    if (!pair && (type == WS_TYPE_f16x2 || type == WS_TYPE_bf16x2))
        return "a comparison of single numbers gives no pair";
    if (from >= WS_TYPE_f16 && type == WS_TYPE_f32)
        return "a comparison of 16 bits gives an integer or 16 bits";
    if (from == WS_TYPE_bf16 && type == WS_TYPE_f16)
        return "a comparison of .bf16 gives .bf16 or an integer";
    return from < WS_TYPE_f16 && (type == WS_TYPE_u16 || type == WS_TYPE_s16) ? "only .f16 and .bf16 give .u16 or .s16" : NULL;
}

/* Conversions from and to 8-bit numbers, and to tf32: their rows define everything except the rounding. */
static bool is_narrow(u8 opcode)
{
    return opcode >= WS_OP_cvt_tf32 && opcode <= WS_OP_cvt_from_e5m2x2;
}

static const char *check_narrow(const struct match *match)
{
    const u8 rounding = match->op.rounding;
    if (match->op.opcode == WS_OP_cvt_tf32)
        return rounding == WS_ROUND_down || rounding == WS_ROUND_up ? "this rounds by .rn, .rz or .rna" : NULL;
    return rounding != WS_ROUND_nearest ? "this rounds to nearest (.rn)" : NULL;
}

/* Rules that the table cannot express: modifiers of one type only. */
static const char *check_modifiers(const struct match *match)
{
    const enum ws_type type = (enum ws_type)match->op.type, from = (enum ws_type)match->op.from;
    const u32 given = match->given;
    const bool pair = match->type_count && match->type[0] == PTX_f32x2;
    const bool is_float = pair || ws_type_is_float(type), f32 = pair || type == WS_TYPE_f32 || from == WS_TYPE_f32;
    if (match->op.count == 8)
        return "vectors of eight are for 32-bit numbers (ld, st) and .f16, .bf16 (atom, red)";
    if (given & ROUND_AWAY && match->op.opcode != WS_OP_cvt_tf32)
        return ".rna is for .tf32";
    if (is_narrow(match->op.opcode))
        return check_narrow(match);
    if (given & COMPARE && check_comparison(match, from ? from : type))
        return check_comparison(match, from ? from : type);
    if (match->op.opcode == WS_OP_cvt) {
        const char *wrong = check_conversion(match, type, from);
        if (given & RELU && (type < WS_TYPE_f16 || given & SAT))
            return ".relu is for .f16 and .bf16, without .sat";
        if (given & SATFINITE && ((type != WS_TYPE_f16 && type != WS_TYPE_bf16) || from != WS_TYPE_f32 || given & SAT))
            return ".satfinite is for .f16 and .bf16 of .f32, without .sat";
        return wrong ? wrong : given & FTZ && !f32 ? ".ftz is for .f32" : NULL;
    }
    if (match->op.opcode == WS_OP_set)
        return check_set(match, type, from);
    if (type >= WS_TYPE_f16 || from >= WS_TYPE_f16)
        return check_halves(match, type);
    const bool dot = match->op.opcode == WS_OP_dp4a || match->op.opcode == WS_OP_dp2a_lo || match->op.opcode == WS_OP_dp2a_hi;
    if (dot && from != WS_TYPE_u32 && from != WS_TYPE_s32)
        return "both types are .u32 or .s32";
    if (given & FTZ && !f32)
        return ".ftz is for .f32";
    if (given & RELU)
        return ".relu is for numbers of 16 bits";
    if (given & SAT && !f32 && type != WS_TYPE_s32)
        return ".sat is for .f32 and .s32";
    if (given & ROUND && !is_float)
        return "a rounding is for floating point";
    if (given & APPROX && type != WS_TYPE_f32 && match->op.opcode != WS_OP_rsqrt)
        return ".approx is for .f32";
    if (given & ROUND && given & APPROX)
        return "either .approx or a rounding";
    if (match->form->heavy && is_float && !(given & (ROUND | APPROX)))
        return ".approx or a rounding is missing";
    if (match->op.count * ws_type_bytes(type) > 16)
        return "vectors have at most 16 bytes";
    return NULL;
}

static void fill_in(struct match *match)
{
    struct ws_op *op = &match->op;
    op->opcode = match->form->opcode;
    op->type = match->type_count ? (u8)types[match->type[0]].means : WS_TYPE_none;
    op->from = match->type_count > 1 ? (u8)types[match->type[1]].means : WS_TYPE_none;
    if (match->given & ROUND_INTEGRAL)
        op->flags |= WS_OP_INTEGRAL;
    if (op->count == 0)
        op->count = 1;
    if (match->form->allowed & SPACE && !(match->given & SPACE))
        op->space = WS_SPACE_generic;
}

static enum fit try_form(struct match *match, const struct ptx_words *words, char *reason, size_t room)
{
    if (!take_mnemonic(match, words)) {
        snprintf(reason, room, "no such form of %s", words->word[0]);
        return OTHER_WORDS;
    }
    const enum fit fit = take_rest(match, words, reason, room);
    if (fit != FITS)
        return fit;
    fill_in(match);
    const char *const wrong = check_modifiers(match);
    if (wrong)
        snprintf(reason, room, "%s", wrong);
    return wrong ? LACKS : FITS;
}

bool ptx_match(const struct ptx_words *words, const struct ptx_form **form, struct ws_op *op, char *reason, size_t room)
{
    u32 best = 0;
    snprintf(reason, room, "no such instruction");
    for (u32 n = 0; n < FORMS; n++) {
        struct match match = {.form = &forms[n]};
        char why[100] = "";
        const size_t all = strlen(forms[n].mnemonic), length = strcspn(forms[n].mnemonic, ".");
        if (strlen(words->word[0]) != length || memcmp(words->word[0], forms[n].mnemonic, length) != 0)
            continue;
        const enum fit fit = try_form(&match, words, why, sizeof why);
        if (fit == FITS) {
            *form = match.form;
            *op = match.op;
            return true;
        }
        const u32 rank = (u32)(fit == OTHER_WORDS ? 0 : fit * MOST_WORDS + all); /* a longer mnemonic is a better match */
        if (rank >= best)
            snprintf(reason, room, "%s", why);
        best = rank > best ? rank : best;
    }
    return false;
}
