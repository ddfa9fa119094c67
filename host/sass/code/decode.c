#include "sass/code/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/instruction.h"

const struct ws_sass_row ws_sass_rows[] = {
#define SASS(name, number, forms, from, to, operands, modifiers, does, class_, kind, space)                                        \
    {#name, forms, number, from, to, operands, modifiers, WS_SASS_DOES_##does, WS_CLASS_##class_, WS_KIND_##kind, WS_SPACE_##space},
#include "sass/code/sass.def"
#undef SASS
    {0},
};

/* Fields of every instruction: opcode number, guard, control bits. */
enum { GUARD = 12, CONTROL = 105, CONTROL_BITS = 21, ALWAYS = 7, UNIFORM = 91 };

/* A word under decoding. known: bits that belong to a decoded field. A word with other bits set is not decoded. */
struct decoding {
    struct ws_sass_instruction *in;
    u64 known[2];
    u32 form;
};

static void know(struct decoding *decoding, u32 from, u32 count)
{
    for (u32 n = from; n < from + count; n++)
        decoding->known[n / 64] |= UINT64_C(1) << n % 64;
}

static u32 field(struct decoding *decoding, u32 from, u32 count)
{
    know(decoding, from, count);
    return (u32)ws_sass_bits(decoding->in->word, from, count);
}

static int64_t extended(u64 value, u32 bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* ---- Registers ---- */

/* A uniform register has 6 bits up to sm_90, then 8. Up to sm_90 an atomic with the register at bit 64 has two more bits there,
 * without effect. */
static u16 uniform_at(struct decoding *decoding, u32 from)
{
    const bool wide = decoding->in->architecture >= 100;
    const u32 number = field(decoding, from, wide ? 8 : 6);
    if (!wide && from == 64 && decoding->in->row->class_ == WS_CLASS_atomic)
        know(decoding, from + 6, 2);
    return number == (wide ? 255u : 63u) ? WS_SASS_ZERO : (u16)number;
}

static void put_register(struct decoding *decoding, struct ws_sass_operand *operand, bool uniform, u32 from)
{
    operand->kind = WS_SASS_IS_REGISTER;
    operand->file = uniform ? WS_SASS_UR : WS_SASS_R;
    const u32 number = uniform ? uniform_at(decoding, from) : field(decoding, from, 8);
    operand->number = !uniform && number == 255 ? WS_SASS_ZERO : (u16)number;
}

static void put_predicate(struct decoding *decoding, struct ws_sass_operand *operand, bool uniform, u32 from, u32 negated)
{
    operand->kind = WS_SASS_IS_REGISTER;
    operand->file = uniform ? WS_SASS_UP : WS_SASS_P;
    const u32 number = field(decoding, from, 3);
    operand->number = number == ALWAYS ? WS_SASS_ZERO : (u16)number;
    operand->negative = negated && field(decoding, negated, 1);
}

static void put_barrier(struct decoding *decoding, struct ws_sass_operand *operand, u32 from)
{
    *operand = (struct ws_sass_operand){.letter = operand->letter,
                                        .kind = WS_SASS_IS_REGISTER,
                                        .file = WS_SASS_B,
                                        .words = 1,
                                        .number = (u16)field(decoding, from, 4)};
}

static void put_constant(struct decoding *decoding, struct ws_sass_operand *operand, u32 from)
{
    operand->kind = WS_SASS_IS_CONSTANT;
    operand->number = WS_SASS_ZERO;
    operand->value = field(decoding, from, 54 - from);
    operand->bank = (u8)field(decoding, 54, 5);
}

/* ---- Sources of arithmetic, by the form of the number ---- */

enum place { AT_24, AT_32, AT_64 };

/* Bits of a source's modifiers, by its place: negation, absolute value. */
static const u8 modifier_bits[][2] = {[AT_24] = {72, 73}, [AT_32] = {63, 62}, [AT_64] = {75, 74}};
/* The same for a pair of halves, and the selection of halves (struct ws_sass_operand, swizzle). */
static const u8 half_bits[][3] = {[AT_24] = {72, 73, 74}, [AT_32] = {63, 62, 60}, [AT_64] = {84, 83, 81}};

static void put_modifiers(struct decoding *decoding, struct ws_sass_operand *operand, enum place place, const char *allowed)
{
    const bool halves = strchr(allowed, '%');
    const u8 *const bits = halves ? half_bits[place] : modifier_bits[place];
    if (operand->kind == WS_SASS_IS_IMMEDIATE)
        return;
    if (halves)
        operand->swizzle = (u8)field(decoding, bits[2], 2);
    if (halves || strpbrk(allowed, "-~"))
        operand->negative = field(decoding, bits[0], 1);
    if (halves || strchr(allowed, '|'))
        operand->absolute = field(decoding, bits[1], 1);
}

/* The source at bit 32. The form makes it a register, immediate, constant or uniform register. */
static void put_varied(struct decoding *decoding, struct ws_sass_operand *operand)
{
    switch (decoding->form) {
    case 1:
        put_register(decoding, operand, decoding->in->uniform, 32);
        break;
    case 2:
    case 4:
        operand->kind = WS_SASS_IS_IMMEDIATE;
        operand->value = (i32)field(decoding, 32, 32);
        break;
    case 3:
    case 5:
        put_constant(decoding, operand, 38);
        break;
    default:
        put_register(decoding, operand, true, 32);
        know(decoding, UNIFORM, 1);
    }
}

static void put_source(struct decoding *decoding, struct ws_sass_operand *operand, const char *allowed)
{
    const bool swapped = decoding->form == 2 || decoding->form == 3 || decoding->form == 7;
    const bool at_64 = (strchr("cE", operand->letter) && !swapped) || (operand->letter == 'b' && swapped);
    if (operand->letter == 'a')
        put_register(decoding, operand, decoding->in->uniform, 24);
    else if (at_64)
        put_register(decoding, operand, decoding->in->uniform, 64);
    else
        put_varied(decoding, operand);
    if (strchr("eE", operand->letter) && swapped)
        know(decoding, 64, 8);
    put_modifiers(decoding, operand, operand->letter == 'a' ? AT_24 : at_64 ? AT_64 : AT_32, allowed);
}

/* ---- Addresses ---- */

/* Global memory: bit 91 adds a pair of uniform registers. Up to sm_75 it is added to the register (a pair if bit 90 is set), from
 * sm_80 on it is a descriptor. Other memory: a uniform register that is added. */
static void put_address(struct decoding *decoding, struct ws_sass_operand *operand, bool global, u32 uniform)
{
    struct ws_sass_instruction *const in = decoding->in;
    put_register(decoding, operand, false, 24);
    operand->kind = WS_SASS_IS_ADDRESS;
    if (operand->letter == 'W') { /* 32-bit offset, no uniform register */
        operand->value = (i32)field(decoding, 32, 32);
        operand->uniform = WS_SASS_ZERO;
        operand->scale = 1;
        operand->wide = true;
        return;
    }
    const u32 bits = operand->letter == 'H' ? 23 : 24; /* bit 63 is another field of the atomics of sm_100 */
    know(decoding, 40, 24);
    operand->value = extended(ws_sass_bits(in->word, 40, bits), bits);
    operand->uniform = WS_SASS_ZERO;
    operand->scale = 1;
    operand->wide = global;
    if (field(decoding, UNIFORM, 1)) {
        operand->uniform = uniform_at(decoding, uniform);
        operand->descriptor = global && in->architecture >= 80;
        operand->wide = global && (field(decoding, 90, 1) || operand->descriptor);
    } else if (uniform == 64 && ws_sass_bits(in->word, 64, 8) == 0xFF) {
        know(decoding, 64, 8); /* sm_75: RZ */
    }
    if (!global && in->row->space == WS_SPACE_shared && in->row->does != WS_SASS_DOES_load_matrix)
        operand->scale = (u8[]){1, 4, 8, 16}[field(decoding, 78, 2)];
}

/* Addresses of LDGSTS: of shared memory (Y), and of global memory (Z) with a descriptor in a uniform register. Address of
 * SYNCS.EXCH: a uniform register (S). */
static void put_copy(struct decoding *decoding, struct ws_sass_operand *operand)
{
    if (operand->letter == 'S') {
        operand->kind = WS_SASS_IS_ADDRESS;
        operand->scale = 1;
        operand->uniform = uniform_at(decoding, 24);
        operand->value = extended(field(decoding, 40, 24), 24);
        return;
    }
    const bool global = operand->letter == 'Z';
    put_register(decoding, operand, false, global ? 24 : 16);
    operand->kind = WS_SASS_IS_ADDRESS;
    operand->scale = 1;
    operand->uniform = WS_SASS_ZERO;
    operand->wide = operand->descriptor = global;
    operand->value = global ? extended(field(decoding, 32, 12), 12) : (int64_t)field(decoding, 44, 20);
    if (global)
        operand->uniform = uniform_at(decoding, 64);
    if (global)
        know(decoding, UNIFORM, 1);
}

/* A branch distance is relative to the next instruction, in units of 4 bytes. */
static void put_target(struct decoding *decoding, struct ws_sass_operand *operand)
{
    const struct ws_sass_instruction *const in = decoding->in;
    const bool to_barrier = operand->letter == 'y';
    know(decoding, 34, to_barrier ? 30 : 48);
    int64_t distance = extended(ws_sass_bits(in->word, 34, to_barrier ? 30 : 48), to_barrier ? 30 : 48);
    if (in->architecture >= 90 && !to_barrier)
        distance = (int64_t)((u64)distance << 8 | field(decoding, 16, 8));
    operand->kind = WS_SASS_IS_TARGET;
    operand->value = (int64_t)in->offset + 16 + distance * 4;
}

/* ---- Operands ---- */

/* Operands of one field: content, first bit, and the bit that negates a predicate or the width of a number. */
enum what { BY_PATH, PLAIN, UNIFORM_REGISTER, PREDICATE, UNIFORM_PREDICATE, BARRIER, NUMBER };
static const struct field_place {
    char letter;
    u8 what, from, more;
} field_places[] = {
    {'d', BY_PATH, 16, 0},
    {'D', UNIFORM_REGISTER, 16, 0},
    {'A', PLAIN, 24, 0},
    {'f', UNIFORM_REGISTER, 24, 0},
    {'r', PLAIN, 32, 0},
    {'s', PLAIN, 64, 0},
    {'p', PREDICATE, 81, 0},
    {'q', PREDICATE, 84, 0},
    {'P', PREDICATE, 87, 90},
    {'Q', PREDICATE, 77, 80},
    {'L', PREDICATE, 68, 71},
    {'U', UNIFORM_PREDICATE, 24, 27},
    {'F', UNIFORM_PREDICATE, 81, 0},
    {'B', BARRIER, 16, 0},
    {'C', BARRIER, 24, 0},
    {'i', NUMBER, 32, 32},
    {'j', NUMBER, 53, 5} /* lane of a shuffle */,
    {'k', NUMBER, 40, 13} /* segment of a shuffle */,
    {'n', NUMBER, 54, 4} /* number of a barrier */,
    {'w', NUMBER, 42, 12} /* threads of a barrier */,
    {'h', NUMBER, 75, 5} /* shift of LEA */,
    {'o', NUMBER, 72, 8} /* table of LOP3 */,
    {'u', UNIFORM_REGISTER, 40, 0} /* handle of an image */,
    {'X', NUMBER, 72, 4} /* components of a texel */,
};

static bool put_field(struct decoding *decoding, struct ws_sass_operand *operand)
{
    const struct field_place *place = field_places;
    const struct field_place *const end = field_places + sizeof field_places / sizeof *field_places;
    while (place < end && place->letter != operand->letter)
        place++;
    if (place == end)
        return false;
    if (place->what == PREDICATE || place->what == UNIFORM_PREDICATE) {
        put_predicate(decoding, operand, decoding->in->uniform || place->what == UNIFORM_PREDICATE, place->from, place->more);
    } else if (place->what == BARRIER) {
        put_barrier(decoding, operand, place->from);
    } else if (place->what == NUMBER) {
        operand->kind = WS_SASS_IS_IMMEDIATE;
        operand->value = (i32)field(decoding, place->from, place->more);
    } else {
        const bool uniform = place->what == BY_PATH ? decoding->in->uniform : place->what == UNIFORM_REGISTER;
        put_register(decoding, operand, uniform, place->from);
    }
    return true;
}

/* Words of constant banks: indexed by a register (K), not indexed (V), indexed by a uniform register (v), a handle whose offset
 * counts words (O). */
static void put_bank(struct decoding *decoding, struct ws_sass_operand *operand)
{
    if (operand->letter == 'O') {
        put_constant(decoding, operand, 40);
        operand->value *= 4;
        return;
    }
    const bool indexed = operand->letter == 'K', uniform = operand->letter == 'v';
    u16 index = WS_SASS_ZERO;
    if (indexed) {
        put_register(decoding, operand, false, 24);
        index = operand->number;
    }
    put_constant(decoding, operand, uniform ? 37 : 38);
    operand->number = uniform ? uniform_at(decoding, 24) : index;
    operand->file = uniform ? WS_SASS_UR : WS_SASS_R;
    if (indexed)
        operand->value = extended((u64)operand->value, 16);
    if (uniform && operand->number != WS_SASS_ZERO)
        operand->value = extended((u64)operand->value, 17);
    if (uniform)
        know(decoding, UNIFORM, 1);
}

/* A uniform register with a lane mask. */
static void put_mask(struct decoding *decoding, struct ws_sass_operand *operand)
{
    enum { ZERO = 63 };
    const u32 number = field(decoding, 24, 6);
    operand->kind = WS_SASS_IS_REGISTER;
    operand->file = WS_SASS_UR;
    operand->number = number == ZERO ? WS_SASS_ZERO : (u16)number;
    operand->negative = field(decoding, 30, 1);
}

static void put_operand(struct decoding *decoding, struct ws_sass_operand *operand, const char *allowed)
{
    struct ws_sass_instruction *const in = decoding->in;
    if (put_field(decoding, operand))
        return;
    switch (operand->letter) {
    case 'M': /* a uniform predicate if bit 67 is set */
        put_predicate(decoding, operand, in->uniform || field(decoding, 67, 1), 68, 71);
        break;
    case 'z':
        put_mask(decoding, operand);
        break;
    case 'l': /* 64 bits */
        know(decoding, 24, 64);
        operand->kind = WS_SASS_IS_IMMEDIATE;
        operand->value = (int64_t)ws_sass_bits(in->word, 24, 64);
        break;
    case 'I': /* 33 bits, sign-extended */
        know(decoding, 32, 33);
        operand->kind = WS_SASS_IS_IMMEDIATE;
        operand->value = extended(ws_sass_bits(in->word, 32, 33), 33);
        break;
    case 'x':
        operand->kind = WS_SASS_IS_SPECIAL;
        operand->number = (u16)field(decoding, 72, 8);
        break;
    case 'K':
    case 'V':
    case 'v':
    case 'O':
        put_bank(decoding, operand);
        break;
    case 'g':
    case 'G':
    case 'H':
    case 'W':
    case 'm':
    case 'N':
        put_address(decoding, operand, strchr("gGHW", operand->letter), strchr("gm", operand->letter) ? 32 : 64);
        break;
    case 'T': /* distance of LEPC, in bytes */
        know(decoding, 24, 40);
        operand->kind = WS_SASS_IS_TARGET;
        operand->value = (int64_t)in->offset + 16 + extended(ws_sass_bits(in->word, 24, 40), 40);
        break;
    case 'Y':
    case 'Z':
    case 'S':
        put_copy(decoding, operand);
        break;
    case 't':
    case 'y':
        put_target(decoding, operand);
        break;
    default:
        put_source(decoding, operand, allowed);
    }
}

/* Copies the first word of a list separated by spaces. Returns the rest of the list, NULL at its end. */
static const char *next_word(const char *list, char *word, size_t room)
{
    const size_t skip = strspn(list, " "), length = strcspn(list + skip, " ");
    if (length == 0 || length >= room)
        return NULL;
    memcpy(word, list + skip, length);
    word[length] = 0;
    return list + skip + length;
}

static void put_operands(struct decoding *decoding)
{
    struct ws_sass_instruction *const in = decoding->in;
    char word[16];
    for (const char *at = in->row->operands; (at = next_word(at, word, sizeof word)) && in->operand_count < WS_SASS_OPERANDS;) {
        struct ws_sass_operand *const operand = &in->operands[in->operand_count++];
        const char *const digit = strpbrk(word, "2345678");
        *operand = (struct ws_sass_operand){.letter = word[0], .words = 1, .number = WS_SASS_ZERO, .uniform = WS_SASS_ZERO};
        put_operand(decoding, operand, word + 1);
        operand->writes = strchr("dDpq", word[0]) || strchr(word, '=');
        if (digit)
            operand->words = (u8)(*digit - '0');
        operand->upper = strchr(word, '.');
    }
}

/* ---- Modifiers ---- */

/* Reads a modifier by its description in a row. *name and *length: the name of its value. False for a value without a name.
 *   "78-79:|RM|RP|RZ"   bits, and names of the values from 0 on; "?": not known
 *   "80:FTZ"            the name of value 1; 0 has an empty name
 *   "76-80:*"           any value, without a name
 *   "72-75:#15"         this value alone, without a name */
static bool take_modifier(struct decoding *decoding, const char *word, const char **name, size_t *length)
{
    char *at;
    const u32 from = (u32)strtoul(word, &at, 10), to = *at == '-' ? (u32)strtoul(at + 1, &at, 10) : from;
    const char *names = at + 1;
    *name = names;
    *length = 0;
    know(decoding, from, to - from + 1);
    if (*names == '*') /* of up to 128 bits */
        return true;
    u32 value = field(decoding, from, to - from + 1);
    if (*names == '#')
        return value == strtoul(names + 1, NULL, 10);
    if (!strchr(names, '|')) {
        *length = value ? strlen(names) : 0;
        return value <= 1;
    }
    for (; value > 0; value--) {
        names = strchr(names, '|');
        if (!names)
            return false;
        names++;
    }
    *name = names;
    *length = strcspn(names, "|");
    return *names != '?';
}

/* The first modifier whose value is not known; empty: there is none. */
static void put_modifiers_of_row(struct decoding *decoding, char *unknown, size_t room)
{
    char word[100];
    const char *name;
    size_t length;
    *unknown = 0;
    for (const char *at = decoding->in->row->modifiers; (at = next_word(at, word, sizeof word));)
        if (!take_modifier(decoding, word, &name, &length) && !*unknown)
            snprintf(unknown, room, "%.*s", (int)strcspn(word, ":"), word);
}

void ws_sass_modifiers(const struct ws_sass_instruction *in, char *text, size_t room)
{
    struct ws_sass_instruction copy = *in;
    struct decoding decoding = {.in = &copy};
    char word[100];
    const char *name;
    size_t length, used = 0;
    text[0] = 0;
    for (const char *at = in->row->modifiers; (at = next_word(at, word, sizeof word));)
        if (take_modifier(&decoding, word, &name, &length) && length > 0 && used + length + 2 < room)
            used += (size_t)snprintf(text + used, room - used, ".%.*s", (int)length, name);
}

/* ---- Rows ---- */

static bool is_row(const struct ws_sass_row *row, u32 number, u32 architecture)
{
    if (architecture < row->from || architecture > row->to)
        return false;
    return row->forms[0] ? row->number == (number & 0x1FF) && strchr(row->forms, '0' + (int)(number >> 9)) : row->number == number;
}

/* Instructions of the uniform datapath have bit 91 set. Their names begin with U, except LDCU. */
static bool is_uniform(const struct ws_sass_row *row)
{
    return row->name[0] == 'U' || strcmp(row->name, "LDCU") == 0;
}

/* Decodes by a row. False: what, of room characters, is the reason. */
static bool decode_row(struct decoding *decoding, char *what, size_t room)
{
    char unknown[100];
    struct ws_sass_instruction *const in = decoding->in;
    *decoding = (struct decoding){.in = in, .form = in->row->forms[0] ? field(decoding, 9, 3) : 0};
    in->operand_count = 0;
    in->uniform = is_uniform(in->row);
    know(decoding, 0, GUARD);
    know(decoding, CONTROL, CONTROL_BITS);
    in->guard = (u8)field(decoding, GUARD, 3);
    in->guard_negative = field(decoding, GUARD + 3, 1);
    if (in->uniform)
        know(decoding, UNIFORM, 1);
    put_operands(decoding);
    put_modifiers_of_row(decoding, unknown, sizeof unknown);
    const u64 low = in->word[0] & ~decoding->known[0], high = in->word[1] & ~decoding->known[1];
    if (low || high)
        snprintf(what, room, "an unknown bit %u of %s", (u32)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll(high)),
                 in->row->name);
    else if (*unknown)
        snprintf(what, room, "an unknown value of the bits %s of %s", unknown, in->row->name);
    return !low && !high && !*unknown;
}

bool ws_sass_decode(const u64 word[2], u32 offset, u32 architecture, struct ws_sass_instruction *in, char *failure, size_t room)
{
    char what[200] = "an unknown opcode (bits 0 to 11)";
    *in = (struct ws_sass_instruction){.word = {word[0], word[1]},
                                       .offset = offset,
                                       .architecture = architecture,
                                       .control = ws_sass_control_of((u32)ws_sass_bits(word, CONTROL, CONTROL_BITS))};
    struct decoding decoding = {.in = in};
    for (const struct ws_sass_row *row = ws_sass_rows; row->name; row++) {
        if (!is_row(row, (u32)ws_sass_bits(word, 0, 12), architecture))
            continue;
        in->row = row;
        if (decode_row(&decoding, what, sizeof what))
            return true;
    }
    snprintf(failure, room, "%s of sm_%u", what, architecture);
    return false;
}

const struct ws_sass_operand *ws_sass_operand(const struct ws_sass_instruction *in, char letter)
{
    for (u32 n = 0; n < in->operand_count; n++)
        if (in->operands[n].letter == letter)
            return &in->operands[n];
    return NULL;
}
