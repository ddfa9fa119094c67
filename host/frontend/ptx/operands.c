#include <string.h>

#include "frontend/ptx/parser.h"

/* Where the next operands go. */
struct operands {
    struct ws_op *op;
    u32 dst, src;
};

static bool text_is(const struct ptx_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

/* ---- Registers ---- */

static enum ws_status lookup(struct ptx_parser *parser, struct ptx_symbol *symbol)
{
    const struct ptx_token *token = &parser->lexer.token;
    if (token->kind != PTX_WORD)
        return ptx_expected(&parser->lexer, "a register");
    if (!ptx_lookup(&parser->symbols, token->text, token->length, symbol))
        return ptx_fail(&parser->lexer, token->line, "unknown symbol '%.*s'", (int)token->length, token->text);
    return WS_STATUS_ok;
}

static enum ws_status check_width(struct ptx_parser *parser, u16 slot, u32 bytes, bool or_wider)
{
    const struct ptx_token *token = &parser->lexer.token;
    const u32 width = parser->function->body.widths[slot];
    const bool predicate = bytes == 1 && !or_wider; /* values of 8 bits always go into wider registers */
    if (predicate != (width == 1))
        return ptx_expected(&parser->lexer, predicate ? "a predicate register" : "a register that is no predicate");
    if (width == bytes || (or_wider && width > bytes))
        return WS_STATUS_ok;
    return ptx_fail(&parser->lexer, token->line, "expected a register of %u bits%s, found '%.*s' of %u bits", bytes * 8,
                    or_wider ? " or more" : "", (int)token->length, token->text, width * 8);
}

enum ws_status ptx_parse_register(struct ptx_parser *parser, u32 bytes, bool or_wider, u16 *slot)
{
    struct ptx_symbol symbol;
    WS_TRY(lookup(parser, &symbol));
    if (symbol.kind != PTX_REGISTER)
        return ptx_expected(&parser->lexer, "a register");
    *slot = (u16)symbol.number;
    WS_TRY(check_width(parser, *slot, bytes, or_wider));
    return ptx_next(&parser->lexer);
}

/* Loads, stores and conversions of up to 4 bytes may use wider registers; those of floating point and predicates may not. */
static bool wider_is_fine(enum ws_type type)
{
    return !ws_type_is_float(type) && type != WS_TYPE_pred;
}

/* A register, or '_' for a result that nobody wants. */
static enum ws_status destination(struct ptx_parser *parser, struct operands *at, u32 bytes, bool or_wider)
{
    u16 slot = WS_SLOT_NONE;
    if (ptx_at_word(&parser->lexer, "_"))
        WS_TRY(ptx_next(&parser->lexer));
    else
        WS_TRY(ptx_parse_register(parser, bytes, or_wider, &slot));
    if (slot != WS_SLOT_NONE && !at->op->width)
        at->op->width = parser->function->body.widths[slot];
    at->op->dst[at->dst++] = slot;
    return WS_STATUS_ok;
}

/* ---- Sources ---- */

static enum ws_status add_input(struct ptx_parser *parser, const struct ws_input *input, u16 *slot)
{
    return ptx_add_input(parser->arena, &parser->function->body, input, slot, parser->error);
}

/* %tid.x and its like, all of 32 bits. */
static enum ws_status parse_special(struct ptx_parser *parser, enum ws_type type, u16 *slot)
{
    static const char *const names[] = {"%tid", "%ntid", "%ctaid", "%nctaid"};
    struct ptx_lexer *lexer = &parser->lexer;
    const struct ptx_token name = lexer->token;
    WS_TRY(ptx_next(lexer));
    const struct ptx_token dimension = lexer->token;
    const bool has_dimension = dimension.kind == PTX_DOTTED && dimension.length == 1 && strchr("xyz", dimension.text[0]);
    for (u32 n = 0; n < 4; n++) {
        if (!text_is(&name, names[n]) || !has_dimension || ws_type_bytes(type) != 4)
            continue;
        const struct ws_input input = {.kind = WS_INPUT_special, .value = n * 3 + (u32)(dimension.text[0] - 'x')};
        WS_TRY(ptx_next(lexer));
        return add_input(parser, &input, slot);
    }
    return ptx_fail(lexer, name.line, "unknown or unsupported register '%.*s%s%.*s'", (int)name.length, name.text,
                    dimension.kind == PTX_DOTTED ? "." : "", dimension.kind == PTX_DOTTED ? (int)dimension.length : 0,
                    dimension.text);
}

static struct ws_input address_of(const struct ptx_parser *parser, const struct ptx_symbol *symbol, u64 offset)
{
    const u8 space = symbol->kind == PTX_OBJECT ? (u8)WS_SPACE_parameter : parser->module->variables[symbol->number].space;
    return (struct ws_input){.kind = WS_INPUT_address, .space = space, .value = offset << 32 | symbol->number};
}

/* name, name+4 */
static enum ws_status parse_address_value(struct ptx_parser *parser, const struct ptx_symbol *symbol, u16 *slot)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const u32 line = lexer->token.line;
    u64 offset = 0;
    WS_TRY(ptx_next(lexer));
    if (ptx_at_mark(lexer, '+'))
        WS_TRY(ptx_expect_integer(lexer, &offset));
    if (offset > 0x7FFFFFFF)
        return ptx_fail(lexer, line, "the offset does not fit into 31 bits");
    const struct ws_input input = address_of(parser, symbol, offset);
    return add_input(parser, &input, slot);
}

static enum ws_status parse_named_source(struct ptx_parser *parser, enum ws_type type, bool or_wider, u16 *slot)
{
    const struct ptx_token *token = &parser->lexer.token;
    struct ptx_symbol symbol;
    if (!ptx_lookup(&parser->symbols, token->text, token->length, &symbol)) {
        if (token->text[0] == '%')
            return parse_special(parser, type, slot);
        return ptx_fail(&parser->lexer, token->line, "unknown symbol '%.*s'", (int)token->length, token->text);
    }
    if (symbol.kind == PTX_REGISTER)
        return ptx_parse_register(parser, ws_type_bytes(type), or_wider, slot);
    if (ws_type_bytes(type) < 4 || ws_type_is_float(type))
        return ptx_expected(&parser->lexer, "a register or a constant");
    return parse_address_value(parser, &symbol, slot);
}

enum ws_status ptx_parse_source(struct ptx_parser *parser, enum ws_type type, bool or_wider, u16 *slot)
{
    if (parser->lexer.token.kind == PTX_WORD)
        return parse_named_source(parser, type, or_wider, slot);
    struct ws_input input = {.kind = WS_INPUT_constant};
    WS_TRY(ptx_parse_literal(parser, type, &input.value));
    return add_input(parser, &input, slot);
}

static enum ws_status source(struct ptx_parser *parser, struct operands *at, enum ws_type type, bool or_wider)
{
    return ptx_parse_source(parser, type, or_wider && wider_is_fine(type), &at->op->src[at->src++]);
}

static enum ws_type double_width(enum ws_type type)
{
    switch (type) {
    case WS_TYPE_u16:
        return WS_TYPE_u32;
    case WS_TYPE_s16:
        return WS_TYPE_s32;
    case WS_TYPE_u32:
        return WS_TYPE_u64;
    default:
        return WS_TYPE_s64;
    }
}

/* The predicate of a combining comparison. */
static enum ws_status combined(struct ptx_parser *parser, struct operands *at)
{
    bool negated;
    WS_TRY(ptx_take(&parser->lexer, '!', &negated));
    at->op->flags |= negated ? WS_OP_NOT_SOURCE : 0;
    return source(parser, at, WS_TYPE_pred, false);
}

/* An address of 32 or 64 bits as a value. */
static enum ws_status address_source(struct ptx_parser *parser, struct operands *at)
{
    return ptx_parse_register(parser, 4, true, &at->op->src[at->src++]);
}

/* ---- Vectors ---- */

static enum ws_status vector(struct ptx_parser *parser, struct operands *at, u32 count, enum ws_type type, bool is_source)
{
    struct ptx_lexer *lexer = &parser->lexer;
    WS_TRY(ptx_expect(lexer, '{'));
    for (u32 n = 0; n < count; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(lexer, ','));
        if (is_source)
            WS_TRY(source(parser, at, type, true));
        else
            WS_TRY(destination(parser, at, ws_type_bytes(type), wider_is_fine(type)));
    }
    return ptx_expect(lexer, '}');
}

static enum ws_status destinations(struct ptx_parser *parser, struct operands *at, enum ws_type type)
{
    if (at->op->count > 1)
        return vector(parser, at, at->op->count, type, false);
    return destination(parser, at, ws_type_bytes(type), wider_is_fine(type));
}

static enum ws_status sources(struct ptx_parser *parser, struct operands *at, enum ws_type type)
{
    if (at->op->count > 1)
        return vector(parser, at, at->op->count, type, true);
    return source(parser, at, type, true);
}

/* mov packs and unpacks vectors whose length the braces tell: elements are of half or a quarter of the type. */
static enum ws_status mov_vector(struct ptx_parser *parser, struct operands *at, bool is_source)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const u32 line = lexer->token.line;
    const struct ptx_lexer start = *lexer;
    u32 count = 1;
    for (; !ptx_at_mark(lexer, '}'); count += ptx_at_mark(lexer, ',')) {
        if (lexer->token.kind == PTX_END)
            return ptx_expected(lexer, "'}'");
        WS_TRY(ptx_next(lexer));
    }
    *lexer = start;
    const u32 bytes = ws_type_bytes((enum ws_type)at->op->type) / count;
    if ((count != 2 && count != 4) || bytes < 2)
        return ptx_fail(lexer, line, "expected 2 or 4 elements of at least 16 bits, found %u", count);
    at->op->opcode = is_source ? WS_OP_pack : WS_OP_unpack;
    at->op->count = (u8)count;
    at->op->from = bytes == 2 ? WS_TYPE_u16 : WS_TYPE_u32;
    WS_TRY(ptx_expect(lexer, '{'));
    for (u32 n = 0; n < count; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(lexer, ','));
        if (is_source)
            WS_TRY(source(parser, at, (enum ws_type)at->op->from, false));
        else
            WS_TRY(destination(parser, at, bytes, false));
    }
    return ptx_expect(lexer, '}');
}

/* ---- Memory ---- */

/* [name] tells the space, and has to agree with what the instruction says. */
static enum ws_status memory_symbol(struct ptx_parser *parser, struct ws_op *op, const struct ptx_symbol *symbol)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const struct ws_input input = address_of(parser, symbol, 0);
    if (op->space == WS_SPACE_generic)
        op->space = input.space;
    if (op->space != input.space)
        return ptx_fail(lexer, lexer->token.line, "'%.*s' is not in the state space of the instruction", (int)lexer->token.length,
                        lexer->token.text);
    WS_TRY(add_input(parser, &input, &op->src[0]));
    return ptx_next(lexer);
}

static enum ws_status memory_base(struct ptx_parser *parser, struct ws_op *op)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_symbol symbol;
    if (lexer->token.kind != PTX_WORD) {
        struct ws_input input = {.kind = WS_INPUT_constant};
        WS_TRY(ptx_expect_integer(lexer, &input.value));
        return add_input(parser, &input, &op->src[0]);
    }
    WS_TRY(lookup(parser, &symbol));
    return symbol.kind == PTX_REGISTER ? ptx_parse_register(parser, 4, true, &op->src[0]) : memory_symbol(parser, op, &symbol);
}

static const char *check_space(const struct ws_op *op)
{
    const bool writes = op->opcode != WS_OP_ld, atomic = writes && op->opcode != WS_OP_st;
    if (writes && op->space == WS_SPACE_constant)
        return ".const cannot be written";
    if (atomic && (op->space == WS_SPACE_local || op->space == WS_SPACE_parameter))
        return "atomics work on .global and .shared";
    return NULL;
}

static enum ws_status memory(struct ptx_parser *parser, struct operands *at)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const u32 line = lexer->token.line;
    u64 offset = 0;
    WS_TRY(ptx_expect(lexer, '['));
    WS_TRY(memory_base(parser, at->op));
    if (ptx_at_mark(lexer, '+') || ptx_at_mark(lexer, '-'))
        WS_TRY(ptx_expect_integer(lexer, &offset));
    if (offset + 0x80000000u > 0xFFFFFFFFu)
        return ptx_fail(lexer, line, "the offset does not fit into 32 bits");
    const char *wrong = check_space(at->op);
    if (wrong)
        return ptx_fail(lexer, line, "%s", wrong);
    at->op->offset = (i32)(u32)offset;
    at->src = 1;
    return ptx_expect(lexer, ']');
}

/* ---- Letters ---- */

static enum ws_status predicates(struct ptx_parser *parser, struct operands *at)
{
    bool pair;
    WS_TRY(destination(parser, at, 1, false));
    WS_TRY(ptx_take(&parser->lexer, '|', &pair));
    return pair ? destination(parser, at, 1, false) : WS_STATUS_ok;
}

static enum ws_status label_operand(struct ptx_parser *parser, struct operands *at)
{
    const struct ptx_token token = parser->lexer.token;
    if (token.kind != PTX_WORD)
        return ptx_expected(&parser->lexer, "a label");
    u32 label;
    WS_TRY(ptx_label(parser, &token, &label));
    at->op->target = label;
    return ptx_next(&parser->lexer);
}

/* One operand; the letters are those of opcodes.def. */
static enum ws_status operand(struct ptx_parser *parser, char letter, struct operands *at)
{
    const enum ws_type type = (enum ws_type)at->op->type, from = (enum ws_type)at->op->from;
    const bool braces = ptx_at_mark(&parser->lexer, '{');
    switch (letter) {
    case 'd':
        return destination(parser, at, ws_type_bytes(type), false);
    case 'w':
        return destination(parser, at, ws_type_bytes(type) * 2, false);
    case 'x':
        return destination(parser, at, 4, false);
    case 'l':
        return destinations(parser, at, type);
    case 'v':
        return braces ? mov_vector(parser, at, false) : destination(parser, at, ws_type_bytes(type), false);
    case 'q':
        return predicates(parser, at);
    case 'm':
        return memory(parser, at);
    case 'b':
        return label_operand(parser, at);
    case 'a':
        return source(parser, at, type, false);
    case 'c':
        return source(parser, at, double_width(type), false);
    case 'u':
    case 'U':
        return source(parser, at, WS_TYPE_u32, false);
    case 's':
        return sources(parser, at, type);
    case 'e':
        return braces && at->op->opcode == WS_OP_mov ? mov_vector(parser, at, true) : source(parser, at, type, false);
    case 'p':
        return source(parser, at, WS_TYPE_pred, false);
    case 'P':
        return combined(parser, at);
    case 'f':
        return source(parser, at, from, false);
    case 'g':
        return source(parser, at, from, true);
    default:
        return address_source(parser, at);
    }
}

/* Whether an operand that may be left out is left out. */
static bool is_left_out(const struct ptx_parser *parser, char letter, const struct ws_op *op)
{
    return (letter == 'P' && op->combine == WS_COMBINE_none) || (letter == 'U' && !ptx_at_mark(&parser->lexer, ','));
}

enum ws_status ptx_parse_operands(struct ptx_parser *parser, const char *letters, struct ws_op *op)
{
    struct operands at = {.op = op};
    for (const char *letter = letters; *letter; letter++) {
        if (is_left_out(parser, *letter, op))
            continue;
        if (letter != letters)
            WS_TRY(ptx_expect(&parser->lexer, ','));
        WS_TRY(operand(parser, *letter, &at));
    }
    return WS_STATUS_ok;
}
