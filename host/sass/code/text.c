/* Instructions as text: the names are those that NVIDIA's documents and tools use. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/code/decode.h"

/* A text that is cut off where there is no more room. */
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

static void add_operand(struct line *line, const struct ws_sass_operand *operand)
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
        add(line, "SR_0x%02x", operand->number);
        break;
    default:
        add(line, "0x%" PRIx64,
            operand->words == 2 ? (u64)operand->value
                                : (u64)operand->value & (operand->kind == WS_SASS_IS_TARGET ? UINT64_MAX : UINT32_MAX));
    }
    add(line, "%s%s", operand->absolute ? "|" : "", halves[operand->swizzle & 3]);
}

/* Predicates that change nothing are not shown: results that nobody takes, and sources that are true. */
static bool is_shown(const struct ws_sass_operand *operand)
{
    const bool nothing = operand->number == WS_SASS_ZERO && !operand->negative;
    return !(strchr("pqPQLM", operand->letter) && nothing);
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
    add(&line, "%s%s", in->row->name, modifiers);
    bool first = true;
    for (u32 n = 0; n < in->operand_count; n++) {
        if (!is_shown(&in->operands[n]))
            continue;
        add(&line, first ? " " : ", ");
        add_operand(&line, &in->operands[n]);
        first = false;
    }
}
