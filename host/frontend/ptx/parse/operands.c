#include <string.h>

#include "frontend/ptx/parse/parser.h"

/* Indices of the next operands. */
struct operands {
    struct ws_op *op;
    u32 dst, src;
};

/* Loads, stores and conversions of up to 4 bytes may use wider registers. Those of floating point and predicates may not. */
static bool wider_is_fine(enum ws_type type)
{
    return !ws_type_is_float(type) && type != WS_TYPE_pred;
}

/* A register, or '_' for an unused result. */
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

/* A predicate that may be negated, in a combining comparison or a vote. */
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

/* A vector register by its name. */
static enum ws_status whole_vector(struct ptx_parser *parser, struct operands *at, const struct ptx_symbol *symbol, u32 bytes,
                                   bool is_source)
{
    const u8 width = parser->function->body.widths[symbol->number];
    if (width != bytes && !(bytes == 1 && width == 2))
        return ptx_fail(&parser->lexer, parser->lexer.token.line, "expected a vector of %u bits, found '%.*s' of %u bits",
                        bytes * 8, (int)symbol->length, symbol->name, width * 8u);
    for (u32 n = 0; n < symbol->count; n++)
        *(is_source ? &at->op->src[at->src++] : &at->op->dst[at->dst++]) = (u16)(symbol->number + n);
    if (!is_source)
        at->op->width = width;
    return ptx_next(&parser->lexer);
}

static enum ws_status vector(struct ptx_parser *parser, struct operands *at, u32 count, enum ws_type type, bool is_source)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_symbol symbol;
    const struct ptx_token *const token = &lexer->token;
    if (token->kind == PTX_WORD && ptx_lookup(&parser->symbols, token->text, token->length, &symbol) && symbol.kind == PTX_VECTOR &&
        symbol.count == count)
        return whole_vector(parser, at, &symbol, ws_type_bytes(type), is_source);
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
    if (at->op->count > 1 || ptx_at_mark(&parser->lexer, '{')) /* a vector of one, as Triton writes it */
        return vector(parser, at, at->op->count, type, false);
    return destination(parser, at, ws_type_bytes(type), wider_is_fine(type));
}

static enum ws_status sources(struct ptx_parser *parser, struct operands *at, enum ws_type type)
{
    if (at->op->count > 1 || ptx_at_mark(&parser->lexer, '{')) /* a vector of one, as Triton writes it */
        return vector(parser, at, at->op->count, type, true);
    return source(parser, at, type, true);
}

/* mov packs and unpacks vectors. The number in braces gives their length: elements are a half or a quarter of the type. */
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
    if ((count != 1 && count != 2 && count != 4) || bytes < 2)
        return ptx_fail(lexer, line, "expected 1, 2 or 4 elements of at least 16 bits, found %u", count);
    const enum ws_type element = count == 1 ? (enum ws_type)at->op->type : bytes == 2 ? WS_TYPE_u16 : WS_TYPE_u32;
    if (count > 1) {
        at->op->opcode = is_source ? WS_OP_pack : WS_OP_unpack;
        at->op->count = (u8)count;
        at->op->from = (u8)element;
    }
    WS_TRY(ptx_expect(lexer, '{'));
    for (u32 n = 0; n < count; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(lexer, ','));
        if (is_source)
            WS_TRY(source(parser, at, element, false));
        else
            WS_TRY(destination(parser, at, bytes, false));
    }
    return ptx_expect(lexer, '}');
}

/* ---- Memory ---- */

/* [name] implies the space, which must match the instruction's. */
static enum ws_status memory_symbol(struct ptx_parser *parser, struct ws_op *op, const struct ptx_symbol *symbol)
{
    struct ptx_lexer *lexer = &parser->lexer;
    WS_TRY(ptx_check_usable(parser, symbol));
    const struct ws_input input = ptx_symbol_address(parser, symbol, 0);
    if (op->space == WS_SPACE_generic)
        op->space = input.space;
    if (op->space != input.space)
        return ptx_fail(lexer, lexer->token.line, "'%.*s' is not in the state space of the instruction", (int)lexer->token.length,
                        lexer->token.text);
    WS_TRY(ptx_parsed_input(parser, &input, &op->src[0]));
    return ptx_next(lexer);
}

static enum ws_status memory_base(struct ptx_parser *parser, struct ws_op *op)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_symbol symbol;
    if (lexer->token.kind != PTX_WORD) {
        struct ws_input input = {.kind = WS_INPUT_constant};
        WS_TRY(ptx_expect_integer(lexer, &input.value));
        return ptx_parsed_input(parser, &input, &op->src[0]);
    }
    WS_TRY(ptx_find_symbol(parser, &symbol));
    if (symbol.kind != PTX_REGISTER)
        return memory_symbol(parser, op, &symbol);
    if ((op->space == WS_SPACE_global || op->space == WS_SPACE_generic) && parser->function->body.widths[symbol.number] == 4) {
        if (parser->module->wide)
            return ptx_fail(lexer, lexer->token.line, "an address of global memory has 64 bits here, '%.*s' has 32",
                            (int)lexer->token.length, lexer->token.text);
        parser->module->narrow = true; /* optional in old PTX */
    }
    return ptx_parse_register(parser, 4, true, &op->src[0]);
}

static const char *check_space(const struct ws_op *op)
{
    const bool names = op->opcode == WS_OP_prefetch || op->opcode == WS_OP_policy || op->opcode == WS_OP_fence;
    const bool writes = op->opcode != WS_OP_ld && !names, atomic = writes && op->opcode != WS_OP_st;
    if (writes && op->space == WS_SPACE_constant)
        return ".const cannot be written";
    if (atomic && (op->space == WS_SPACE_local || op->space == WS_SPACE_parameter))
        return "atomics work on .global and .shared";
    if (atomic && op->count > 1 && op->type != WS_TYPE_u64 && op->space != WS_SPACE_global && op->space != WS_SPACE_generic)
        return "atomics on vectors work on .global";
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
        WS_TRY(ptx_parse_constant(lexer, &offset));
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

static enum ws_status pair(struct ptx_parser *parser, struct operands *at)
{
    bool more;
    WS_TRY(destination(parser, at, 4, false));
    WS_TRY(ptx_take(&parser->lexer, '|', &more));
    return more ? destination(parser, at, 1, false) : WS_STATUS_ok;
}

/* The registers that count time. */
static const struct {
    const char *word;
    u8 bytes, shift;
} clocks[] = {{"%clock", 4, 0},       {"%clock_hi", 4, 32},      {"%clock64", 8, 0},
              {"%globaltimer", 8, 0}, {"%globaltimer_lo", 4, 0}, {"%globaltimer_hi", 4, 32}};

/* A mov from such a register is a separate operation, because the register changes by itself. */
static enum ws_status moved(struct ptx_parser *parser, struct operands *at, enum ws_type type)
{
    for (u32 n = 0; n < sizeof clocks / sizeof *clocks; n++)
        if (at->op->opcode == WS_OP_mov && ptx_at_word(&parser->lexer, clocks[n].word) && ws_type_bytes(type) == clocks[n].bytes) {
            at->op->opcode = WS_OP_clock;
            at->op->offset = clocks[n].shift;
            return ptx_next(&parser->lexer);
        }
    return source(parser, at, type, false);
}

/* The carry flag: an unnamed predicate of the function. */
static enum ws_status carry(struct ptx_parser *parser, u16 *slot)
{
    if (!parser->has_carry)
        WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 1, &parser->carry, parser->error));
    parser->has_carry = true;
    *slot = parser->carry;
    return WS_STATUS_ok;
}

/* The barrier of a cluster, in addition to the 16 of the block. */
static enum ws_status cluster_barrier(struct ptx_parser *parser, struct operands *at)
{
    const struct ws_input number = {.kind = WS_INPUT_constant, .value = WS_CLUSTER_BARRIER};
    return ptx_parsed_input(parser, &number, &at->op->src[at->src++]);
}

/* cp.async.commit_group, wait_group, and wait_all, which is both. */
static enum ws_status copy_group(struct ptx_parser *parser, char letter, struct operands *at)
{
    struct ws_op commit = *at->op;
    u64 most = 0;
    commit.access = WS_ACCESS_ASYNC;
    if (letter == 'C') {
        *at->op = commit;
        return WS_STATUS_ok;
    }
    if (letter == 'N')
        WS_TRY(ptx_parse_constant(&parser->lexer, &most));
    else
        WS_TRY(ptx_add_parsed_op(parser, &commit));
    at->op->access = WS_ACCESS_AWAITS;
    at->op->offset = most > WS_AWAITS_MOST ? (i32)WS_AWAITS_MOST : (i32)most;
    return WS_STATUS_ok;
}

/* A third number of min or max. */
static enum ws_status third_number(struct ptx_parser *parser, struct operands *at)
{
    static const struct {
        u8 two, three;
    } opcodes[] = {
        {WS_OP_min, WS_OP_min3}, {WS_OP_max, WS_OP_max3}, {WS_OP_min_nan, WS_OP_min3_nan}, {WS_OP_max_nan, WS_OP_max3_nan}};
    if (at->op->type != WS_TYPE_f32)
        return ptx_fail(&parser->lexer, parser->lexer.token.line, "min and max of three numbers are for .f32");
    for (u32 n = 0; n < sizeof opcodes / sizeof *opcodes; n++)
        if (at->op->opcode == opcodes[n].two) {
            at->op->opcode = opcodes[n].three;
            break;
        }
    return source(parser, at, WS_TYPE_f32, false);
}

/* Parses one operand; letters as in opcodes.def. */
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
    case 'V':
        return source(parser, at, WS_TYPE_u32, false);
    case 's':
        return sources(parser, at, type);
    case 'e':
        return braces && at->op->opcode == WS_OP_mov ? mov_vector(parser, at, true) : moved(parser, at, type);
    case 'p':
        return source(parser, at, WS_TYPE_pred, false);
    case 'f':
    case 'g':
        return source(parser, at, from, letter == 'g');
    case 'P':
    case 'n':
        return combined(parser, at);
    case 'D':
        return pair(parser, at);
    case 'k':
        return carry(parser, &at->op->src[at->src++]);
    case 'K':
        return carry(parser, &at->op->dst[at->dst++]);
    case 'A':
        return third_number(parser, at);
    case 'B':
        return cluster_barrier(parser, at);
    case 'C':
    case 'N':
    case 'E':
        return copy_group(parser, letter, at);
    case 'F':
        return source(parser, at, WS_TYPE_f32, false);
    default:
        return address_source(parser, at);
    }
}

/* Whether an optional operand is missing. */
static bool is_left_out(const struct ptx_parser *parser, char letter, const struct ws_op *op)
{
    return (letter == 'P' && op->combine == WS_COMBINE_none) || (strchr("UAF", letter) && !ptx_at_mark(&parser->lexer, ','));
}

/* Whether the next operand but one, after a comma, is a predicate. */
static enum ws_status at_predicate(struct ptx_parser *parser, bool *found)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    const struct ptx_lexer start = *lexer;
    struct ptx_symbol symbol;
    bool comma;
    WS_TRY(ptx_take(lexer, ',', &comma));
    const struct ptx_token *const token = &lexer->token;
    *found =
        ptx_at_mark(lexer, '!') || (token->kind == PTX_WORD && ptx_lookup(&parser->symbols, token->text, token->length, &symbol) &&
                                    symbol.kind == PTX_REGISTER && parser->function->body.widths[symbol.number] == 1);
    *lexer = start;
    return WS_STATUS_ok;
}

/* Whether an operand has no text in PTX. */
static bool is_implied(char letter)
{
    return strchr("kKBCE", letter);
}

enum ws_status ptx_parse_operands(struct ptx_parser *parser, const char *letters, struct ws_op *op)
{
    struct operands at = {.op = op};
    for (const char *letter = letters; *letter; letter++) {
        bool predicate = false;
        if (*letter == 'V')
            WS_TRY(at_predicate(parser, &predicate));
        at.src += predicate;
        if (predicate || is_left_out(parser, *letter, op))
            continue;
        if (letter != letters && !is_implied(*letter))
            WS_TRY(ptx_expect(&parser->lexer, ','));
        WS_TRY(operand(parser, *letter, &at));
    }
    return WS_STATUS_ok;
}
