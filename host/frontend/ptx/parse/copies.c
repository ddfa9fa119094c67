/* cp.async as a load and a store, like the code of compilers for hardware without it. The copy takes effect immediately; its
 * two operations are marked as asynchronous for the timing. */
#include "frontend/ptx/parse/parser.h"

enum { PIECE = 4 };

struct copy {
    u32 line;
    u16 guard;
    bool negated;
    struct ws_op from, to; /* with their addresses */
    u64 bytes;
    u16 given; /* bytes that are read; the others are zeros; WS_SLOT_NONE: all */
};

/* [address] for an instruction of the space, whose letters are those of opcodes.def. */
static enum ws_status parse_place(struct ptx_parser *parser, struct copy *copy, enum ws_opcode opcode, u8 space, struct ws_op *op)
{
    *op = ptx_op(opcode, WS_TYPE_u32, copy->line);
    op->space = space;
    op->guard = copy->guard;
    op->flags = copy->negated ? WS_OP_NOT_GUARD : 0;
    return ptx_parse_operands(parser, "m", op);
}

/* Bytes of the register that comes next; 0: no register. */
static u32 next_register(const struct ptx_parser *parser)
{
    const struct ptx_token *const token = &parser->lexer.token;
    struct ptx_symbol symbol;
    const bool found =
        token->kind == PTX_WORD && ptx_lookup(&parser->symbols, token->text, token->length, &symbol) && symbol.kind == PTX_REGISTER;
    return found ? parser->function->body.widths[symbol.number] : 0;
}

static enum ws_status constant(struct ptx_parser *parser, u64 value, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = value};
    return ptx_parsed_input(parser, &input, slot);
}

/* How many bytes are read, or a predicate that reads none; or a cache policy (64 bits), without effect here. */
static enum ws_status parse_optional(struct ptx_parser *parser, struct copy *copy)
{
    const struct ptx_lexer before = parser->lexer;
    const u32 bytes = next_register(parser);
    u64 number = 0;
    if (before.token.kind == PTX_INTEGER)
        WS_TRY(ptx_parse_constant(&parser->lexer, &number));
    if (number == copy->bytes) /* as nvcc writes copies of everything */
        return WS_STATUS_ok;
    parser->lexer = before;
    struct ws_op choose = ptx_op(WS_OP_selp, WS_TYPE_u32, copy->line);
    u16 policy;
    if (bytes == 8)
        return ptx_parse_source(parser, WS_TYPE_u64, false, &policy);
    if (bytes != 1)
        return ptx_parse_source(parser, WS_TYPE_u32, false, &copy->given);
    choose.width = 4;
    WS_TRY(constant(parser, 0, &choose.src[0]));
    WS_TRY(constant(parser, copy->bytes, &choose.src[1]));
    WS_TRY(ptx_parse_source(parser, WS_TYPE_pred, false, &choose.src[2]));
    WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 4, &choose.dst[0], parser->error));
    copy->given = choose.dst[0];
    return ptx_add_parsed_op(parser, &choose);
}

static enum ws_status parse_operands(struct ptx_parser *parser, struct copy *copy)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    const u32 line = lexer->token.line;
    bool more;
    WS_TRY(parse_place(parser, copy, WS_OP_st, WS_SPACE_shared, &copy->to));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_place(parser, copy, WS_OP_ld, WS_SPACE_global, &copy->from));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(ptx_parse_constant(lexer, &copy->bytes));
    if (copy->bytes != 4 && copy->bytes != 8 && copy->bytes != 16)
        return ptx_fail(lexer, line, "cp.async copies 4, 8 or 16 bytes");
    WS_TRY(ptx_take(lexer, ',', &more));
    while (more) {
        WS_TRY(parse_optional(parser, copy));
        WS_TRY(ptx_take(lexer, ',', &more));
    }
    return WS_STATUS_ok;
}

/* The load's guard: the copy's, where any byte is read. */
static enum ws_status guard_load(struct ptx_parser *parser, struct copy *copy)
{
    struct ws_op asks = ptx_op(WS_OP_setp, WS_TYPE_u32, copy->line);
    WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 1, &asks.dst[0], parser->error));
    asks.compare = WS_COMPARE_ne;
    asks.width = 1;
    asks.src[0] = copy->given;
    WS_TRY(constant(parser, 0, &asks.src[1]));
    if (copy->guard != WS_SLOT_NONE) {
        asks.combine = WS_COMBINE_and;
        asks.src[2] = copy->guard;
        asks.flags = copy->negated ? WS_OP_NOT_SOURCE : 0;
    }
    copy->from.guard = asks.dst[0];
    copy->from.flags = 0;
    return ptx_add_parsed_op(parser, &asks);
}

enum ws_status ptx_parse_copy(struct ptx_parser *parser, u32 line, u16 guard, bool negated, bool bypasses)
{
    struct copy copy = {.line = line, .guard = guard, .negated = negated, .given = WS_SLOT_NONE};
    WS_TRY(parse_operands(parser, &copy));
    const bool is_part = copy.given != WS_SLOT_NONE;
    copy.to.access = WS_ACCESS_ASYNC | (is_part ? WS_ACCESS_PART : 0);
    copy.from.access = copy.to.access | (bypasses ? WS_ACCESS_BYPASS : 0);
    copy.from.src[WS_COPY_GIVEN] = copy.to.src[WS_COPY_GIVEN] = copy.given;
    copy.from.width = PIECE;
    copy.from.count = copy.to.count = (u8)(copy.bytes / PIECE);
    for (u32 n = 0; n < copy.to.count; n++) {
        WS_TRY(ptx_add_register(parser->arena, &parser->function->body, PIECE, &copy.from.dst[n], parser->error));
        copy.to.src[1 + n] = copy.from.dst[n];
    }
    if (is_part)
        WS_TRY(guard_load(parser, &copy));
    WS_TRY(ptx_add_parsed_op(parser, &copy.from));
    WS_TRY(ptx_add_parsed_op(parser, &copy.to));
    return ptx_expect(&parser->lexer, ';');
}
