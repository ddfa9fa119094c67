#include "import/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void sass_code_free(struct sass_code *code)
{
    free(code->numbers);
    ws_arena_free(&code->arena);
    *code = (struct sass_code){0};
}

/* ---- Texts ---- */

/* A word, up to a space or the end of the line. */
static size_t word(const char **at)
{
    while (**at == ' ')
        ++*at;
    const size_t length = strcspn(*at, " ");
    const char *const end = *at + length;
    *at = end;
    return length;
}

static enum ws_status read_count(const struct sass_input *input, const char **at, u32 most, const char *what, u32 *count,
                                 struct ws_error *error)
{
    const size_t length = word(at);
    const char *const text = *at - length;
    char *end;
    *count = length > 0 && *text >= '0' && *text <= '9' ? (u32)strtoul(text, &end, 10) : SASS_NONE;
    if (*count > most || end != *at)
        return sass_input_fail(input, error, "found '%.*s', allowed is the number of %s, 0 to %u", (int)(length < 40 ? length : 40),
                               text, what, most);
    return WS_STATUS_ok;
}

/* A register by its name, R4 or UR4; SASS_NONE: it is none. */
static u32 register_named(const char *text, size_t length)
{
    const bool uniform = length > 0 && *text == 'U';
    const char *const digits = text + 1 + uniform;
    char *end = NULL;
    if (length < 2u + uniform || text[uniform] != 'R' || *digits < '0' || *digits > '9')
        return SASS_NONE;
    const unsigned long number = strtoul(digits, &end, 10);
    if (end != text + length || number > (uniform ? SASS_URZ - SASS_UNIFORM : SASS_RZ))
        return SASS_NONE;
    return (u32)number + (uniform ? SASS_UNIFORM : 0);
}

/* "3 R1 UR2 R255". */
static enum ws_status read_registers(const struct sass_input *input, const char **at, const char *what, u16 *registers, u32 most,
                                     u32 *count, struct ws_error *error)
{
    u32 given;
    *count = 0;
    WS_TRY(read_count(input, at, most, what, &given, error));
    for (u32 n = 0; n < given; n++) {
        const size_t length = word(at);
        const char *const text = *at - length;
        const u32 number = register_named(text, length);
        if (number == SASS_NONE)
            return sass_input_fail(input, error, "found '%.*s', allowed is a register, R0 to R255 or UR0 to UR63",
                                   (int)(length < 40 ? length : 40), text);
        registers[(*count)++] = (u16)number;
    }
    return WS_STATUS_ok;
}

/* Reads "1 R6 LDG.E 1 R2" into op. */
static enum ws_status read_text(struct sass_code *code, const struct sass_input *input, const char **at, struct sass_op *op,
                                struct ws_error *error)
{
    const char *const start = *at;
    WS_TRY(read_registers(input, at, "destinations", op->dst, 8, &op->writes, error));
    const size_t length = word(at);
    if (length == 0 || length > 100 || !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", *(*at - length)))
        return sass_input_fail(input, error, "found '%.40s', allowed is an opcode", *at - length);
    op->opcode = ws_arena_text(&code->arena, *at - length, length);
    WS_TRY(read_registers(input, at, "sources", op->src, 8, &op->reads, error));
    op->length = (size_t)(*at - start);
    op->text = ws_arena_text(&code->arena, start, op->length);
    return op->text && op->opcode ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", input->path);
}

/* ---- Instructions ---- */

static bool make_number(struct sass_code *code, u32 place)
{
    if (place < code->number_count)
        return true;
    const size_t count = 2 * (size_t)place + 64;
    u32 *const numbers = realloc(code->numbers, count * sizeof *numbers);
    if (!numbers)
        return false;
    for (size_t n = code->number_count; n < count; n++)
        numbers[n] = SASS_NONE;
    code->numbers = numbers;
    code->number_count = count;
    return true;
}

static enum ws_status add(struct sass_code *code, const struct sass_input *input, const struct sass_op *made, u32 place,
                          struct sass_op **op, struct ws_error *error)
{
    struct sass_op *const ops = ws_arena_grow(&code->arena, code->ops, code->count, &code->room, sizeof *ops);
    if (!ops || !make_number(code, place))
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", input->path);
    code->ops = ops;
    code->numbers[place] = (u32)code->count;
    *op = &ops[code->count++];
    **op = *made;
    (*op)->seen = input->line;
    sass_opcode_classify(*op);
    if ((*op)->refused)
        return sass_input_fail(input, error, "%s: kernels with tensor memory accesses are not supported", (*op)->opcode);
    if (!(*op)->known && code->strict)
        return sass_input_fail(input, error, "opcode %s is unknown; leave out --strict to import it as int", (*op)->opcode);
    sass_width_complete(*op);
    return WS_STATUS_ok;
}

static bool same(const struct sass_op *a, const struct sass_op *b)
{
    return strcmp(a->text, b->text) == 0;
}

enum ws_status sass_code_find(struct sass_code *code, const struct sass_input *input, u32 pc, const char **at, struct sass_op **op,
                              struct ws_error *error)
{
    const u32 place = pc / 8, number = place < code->number_count ? code->numbers[place] : SASS_NONE;
    if (number != SASS_NONE) {
        *op = &code->ops[number];
        if (strncmp(*at, (*op)->text, (*op)->length) == 0 && ((*at)[(*op)->length] == ' ' || !(*at)[(*op)->length])) {
            *at += (*op)->length;
            return WS_STATUS_ok;
        }
    }
    struct sass_op made = {.pc = pc, .immediate = SASS_NONE};
    WS_TRY(read_text(code, input, at, &made, error));
    if (number == SASS_NONE)
        return add(code, input, &made, place, op, error);
    if (same(&made, *op))
        return WS_STATUS_ok;
    return sass_input_fail(input, error, "pc %04x is '%s' here and '%s' before: a function with pcs of its own is called", pc,
                           made.text, (*op)->text);
}

bool sass_code_target(struct sass_code *code, struct sass_op *op, u32 pc)
{
    for (size_t n = op->target_count; n-- > 0;)
        if (op->targets[n] == pc)
            return true;
    u32 *const targets = ws_arena_grow(&code->arena, op->targets, op->target_count, &op->target_room, sizeof *targets);
    if (!targets)
        return false;
    op->targets = targets;
    targets[op->target_count++] = pc;
    return true;
}
