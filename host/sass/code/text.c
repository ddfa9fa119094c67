/* Instructions as text, with the names of NVIDIA's documents and tools. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/code/decode.h"

/* A text, truncated to its room. */
struct line {
    char *text;
    size_t room, length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line->text + line->length, line->room - line->length, format, arguments);
    va_end(arguments);
    line->length += length > 0 ? (size_t)length : 0;
    if (line->length >= line->room)
        line->length = line->room - 1;
}

static void add_register(struct line *line, u32 file, u32 number)
{
    static const char *const names[] = {"R", "UR", "P", "UP", "B"};
    if (number != WS_SASS_ZERO)
        add(line, "%s%u", names[file], number);
    else
        add(line, "%s%s", names[file], file == WS_SASS_P || file == WS_SASS_UP ? "T" : "Z");
}

static void add_signed(struct line *line, int64_t value)
{
    if (value)
        add(line, "%s0x%" PRIx64, value < 0 ? "-" : "+", (u64)(value < 0 ? -value : value));
}

static void add_address(struct line *line, const struct ws_sass_operand *operand)
{
    if (operand->descriptor) {
        add(line, "desc[");
        add_register(line, WS_SASS_UR, operand->uniform);
        add(line, "]");
    }
    add(line, "[");
    add_register(line, WS_SASS_R, operand->number);
    if (operand->wide)
        add(line, ".64");
    if (operand->scale > 1)
        add(line, ".X%u", operand->scale);
    if (operand->uniform != WS_SASS_ZERO && !operand->descriptor) {
        add(line, "+");
        add_register(line, WS_SASS_UR, operand->uniform);
    }
    add_signed(line, operand->value);
    add(line, "]");
}

static void add_constant(struct line *line, const struct ws_sass_operand *operand)
{
    add(line, "c[0x%x][", operand->bank);
    if (operand->number == WS_SASS_ZERO) {
        add(line, "0x%" PRIx64 "]", (u64)operand->value);
        return;
    }
    add_register(line, operand->file, operand->number);
    add_signed(line, operand->value);
    add(line, "]");
}

static void add_special(struct line *line, u32 number)
{
    static const struct {
        u32 number;
        const char *name;
    } names[] = {{0x00, "SR_LANEID"},   {0x21, "SR_TID.X"},   {0x22, "SR_TID.Y"},         {0x23, "SR_TID.Z"},
                 {0x25, "SR_CTAID.X"},  {0x26, "SR_CTAID.Y"}, {0x27, "SR_CTAID.Z"},       {0x38, "SR_EQMASK"},
                 {0x39, "SR_LTMASK"},   {0x3a, "SR_LEMASK"},  {0x3b, "SR_GTMASK"},        {0x3c, "SR_GEMASK"},
                 {0x50, "SR_CLOCKLO"},  {0x51, "SR_CLOCKHI"}, {0x52, "SR_GLOBALTIMERLO"}, {0x53, "SR_GLOBALTIMERHI"},
                 {0x88, "SR_CgaCtaId"}, {0xff, "SRZ"}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (names[n].number == number) {
            add(line, "%s", names[n].name);
            return;
        }
    add(line, "SR_0x%02x", number);
}

static void add_operand(struct line *line, const struct ws_sass_instruction *in, const struct ws_sass_operand *operand)
{
    static const char *const halves[] = {"", "", ".H0_H0", ".H1_H1"};
    const bool predicate = operand->kind == WS_SASS_IS_REGISTER && (operand->file == WS_SASS_P || operand->file == WS_SASS_UP);
    add(line, "%s%s",
        operand->negative ? (predicate                      ? "!"
                             : strchr("z", operand->letter) ? "~"
                                                            : "-")
                          : "",
        operand->absolute ? "|" : "");
    switch (operand->kind) {
    case WS_SASS_IS_REGISTER:
        add_register(line, operand->file, operand->number);
        break;
    case WS_SASS_IS_CONSTANT:
        add_constant(line, operand);
        break;
    case WS_SASS_IS_ADDRESS:
        add_address(line, operand);
        break;
    case WS_SASS_IS_SPECIAL:
        add_special(line, operand->number);
        break;
    default:
        add(line, "0x%" PRIx64,
            operand->words == 2 ? (u64)operand->value
                                : (u64)operand->value & (operand->kind == WS_SASS_IS_TARGET ? UINT64_MAX : UINT32_MAX));
    }
    const u8 slot = ws_sass_slot(in, operand);
    const bool kept = slot < WS_CODE_NO_SLOT && in->control.reuse >> slot & 1;
    add(line, "%s%s%s", kept ? ".reuse" : "", operand->absolute ? "|" : "", halves[operand->swizzle & 3]);
}

/* Predicates without effect are omitted: discarded results, true sources, absent carries. The upper half of LEA is shown only for
 * LEA.HI, which reads it. */
static bool is_shown(const struct ws_sass_instruction *in, const struct ws_sass_operand *operand)
{
    const u32 does = in->row->does;
    const bool carries = does == WS_SASS_DOES_iadd3 || does == WS_SASS_DOES_iadd64 || does == WS_SASS_DOES_iadd3_64 ||
                         does == WS_SASS_DOES_imad || does == WS_SASS_DOES_imad_wide || does == WS_SASS_DOES_imad_hi ||
                         does == WS_SASS_DOES_lea;
    if (ws_sass_is_unread(in, operand))
        return false;
    if (operand->number != WS_SASS_ZERO)
        return true;
    if (does == WS_SASS_DOES_lea && operand->letter == 'c')
        return ws_sass_bits(in->word, 80, 1);
    return !(strchr("pqFPQLM", operand->letter) && (!operand->negative || carries));
}

static bool is_zero(const struct ws_sass_operand *operand)
{
    return operand && operand->kind == WS_SASS_IS_REGISTER && operand->number == WS_SASS_ZERO;
}

/* The part of a name that the table omits, because the number or the operands imply it. */
static const char *suffix_of(const struct ws_sass_instruction *in)
{
    switch (in->row->does) {
    case WS_SASS_DOES_imad:
        return is_zero(ws_sass_operand(in, 'a')) && is_zero(ws_sass_operand(in, 'b')) ? ".MOV" : "";
    case WS_SASS_DOES_imad_wide:
        return ".WIDE";
    case WS_SASS_DOES_imad_hi:
        return ".HI";
    case WS_SASS_DOES_call:
    case WS_SASS_DOES_call_indirect:
    case WS_SASS_DOES_ret:
        return ".REL";
    case WS_SASS_DOES_call_absolute:
        return ".ABS";
    default:
        return "";
    }
}

/* "DEPBAR.LE SB0, 0x1, {2}". */
static void add_counters(struct line *line, const struct ws_sass_instruction *in)
{
    const struct ws_sass_depbar depbar = ws_sass_depbar(in);
    const char *separator = ", {";
    add(line, "%s SB%u, 0x%x", ws_sass_bits(in->word, 47, 1) ? ".LE" : "", depbar.counter, depbar.most);
    for (u32 n = 0; n < 6; n++)
        if (depbar.waits >> n & 1) {
            add(line, "%s%u", separator, n);
            separator = ",";
        }
    add(line, "%s", depbar.waits ? "}" : "");
}

void ws_sass_text(const struct ws_sass_instruction *in, char *text, size_t room)
{
    struct line line = {text, room, 0};
    char modifiers[100];
    text[0] = 0;
    if (in->guard != 7 || in->guard_negative) {
        add(&line, "@%s", in->guard_negative ? "!" : "");
        add_register(&line, in->uniform ? WS_SASS_UP : WS_SASS_P, in->guard == 7 ? WS_SASS_ZERO : in->guard);
        add(&line, " ");
    }
    ws_sass_modifiers(in, modifiers, sizeof modifiers);
    add(&line, "%s%s%s", in->row->name, suffix_of(in), modifiers);
    if (ws_sass_is_depbar(in))
        add_counters(&line, in);
    bool first = true;
    for (u32 n = 0; n < in->operand_count; n++) {
        if (!is_shown(in, &in->operands[n]))
            continue;
        add(&line, first ? " " : ", ");
        add_operand(&line, in, &in->operands[n]);
        first = false;
    }
}
