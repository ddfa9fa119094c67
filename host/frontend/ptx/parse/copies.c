/* cp.async as a load and a store, like the code of compilers for hardware without it. The copy takes effect immediately. */
#include "frontend/ptx/parse/parser.h"

enum { PIECE = 4, MOST_PIECES = 4 };

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

/* value = its low bytes; count follows the pieces before it. */
static enum ws_status cut_piece(struct ptx_parser *parser, const struct copy *copy, u32 piece, u16 guard, u16 value)
{
    struct ws_op left = ptx_op(WS_OP_sub, WS_TYPE_u32, copy->line), bits = ptx_op(WS_OP_shl, WS_TYPE_u32, copy->line);
    struct ws_op cut = ptx_op(WS_OP_bfe, WS_TYPE_u32, copy->line);
    left.width = bits.width = cut.width = PIECE;
    WS_TRY(ptx_add_register(parser->arena, &parser->function->body, PIECE, &left.dst[0], parser->error));
    left.src[0] = copy->given;
    WS_TRY(constant(parser, (u64)piece * PIECE, &left.src[1]));
    WS_TRY(ptx_add_parsed_op(parser, &left));
    bits.dst[0] = bits.src[0] = left.dst[0];
    WS_TRY(constant(parser, 3, &bits.src[1]));
    WS_TRY(ptx_add_parsed_op(parser, &bits));
    cut.guard = guard;
    cut.dst[0] = cut.src[0] = value;
    WS_TRY(constant(parser, 0, &cut.src[1]));
    cut.src[2] = left.dst[0];
    return ptx_add_parsed_op(parser, &cut);
}

/* One piece of a partial read: loaded if inside, else zero. The store's guard combines both guards. */
static enum ws_status load_piece(struct ptx_parser *parser, const struct copy *copy, u32 piece, u16 value)
{
    struct ws_op zero = ptx_op(WS_OP_mov, WS_TYPE_u32, copy->line), asks = ptx_op(WS_OP_setp, WS_TYPE_u32, copy->line),
                 load = copy->from;
    zero.width = PIECE;
    zero.dst[0] = value;
    WS_TRY(constant(parser, 0, &zero.src[0]));
    WS_TRY(ptx_add_parsed_op(parser, &zero));
    WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 1, &asks.dst[0], parser->error));
    asks.compare = WS_COMPARE_gt;
    asks.width = 1;
    asks.src[0] = copy->given;
    WS_TRY(constant(parser, (u64)piece * PIECE, &asks.src[1]));
    if (copy->guard != WS_SLOT_NONE) {
        asks.combine = WS_COMBINE_and;
        asks.src[2] = copy->guard;
        asks.flags = copy->negated ? WS_OP_NOT_SOURCE : 0;
    }
    WS_TRY(ptx_add_parsed_op(parser, &asks));
    load.guard = asks.dst[0];
    load.flags = 0;
    load.width = PIECE;
    load.dst[0] = value;
    load.offset += (i32)(piece * PIECE);
    WS_TRY(ptx_add_parsed_op(parser, &load));
    return cut_piece(parser, copy, piece, load.guard, value);
}

/* Without partial reads the copy is asynchronous for the timing, too. */
static void set_access(struct copy *copy, bool bypasses)
{
    const u8 async = copy->given == WS_SLOT_NONE ? WS_ACCESS_ASYNC : 0;
    copy->from.access = async | (bypasses ? WS_ACCESS_BYPASS : 0);
    copy->to.access = async;
}

enum ws_status ptx_parse_copy(struct ptx_parser *parser, u32 line, u16 guard, bool negated, bool bypasses)
{
    struct copy copy = {.line = line, .guard = guard, .negated = negated, .given = WS_SLOT_NONE};
    WS_TRY(parse_operands(parser, &copy));
    set_access(&copy, bypasses);
    const u32 pieces = (u32)copy.bytes / PIECE;
    u16 values[MOST_PIECES];
    for (u32 n = 0; n < pieces; n++) {
        WS_TRY(ptx_add_register(parser->arena, &parser->function->body, PIECE, &values[n], parser->error));
        copy.from.dst[n] = copy.to.src[1 + n] = values[n];
    }
    copy.to.count = (u8)pieces;
    if (copy.given == WS_SLOT_NONE) {
        copy.from.count = (u8)pieces;
        copy.from.width = PIECE;
        WS_TRY(ptx_add_parsed_op(parser, &copy.from));
    } else {
        for (u32 n = 0; n < pieces; n++)
            copy.from.dst[n] = WS_SLOT_NONE;
        for (u32 n = 0; n < pieces; n++)
            WS_TRY(load_piece(parser, &copy, n, values[n]));
    }
    WS_TRY(ptx_add_parsed_op(parser, &copy.to));
    return ptx_expect(&parser->lexer, ';');
}
