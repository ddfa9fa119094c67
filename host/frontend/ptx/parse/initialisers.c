#include "frontend/ptx/parse/parser.h"

static void store(u8 *to, u64 bits, u32 bytes)
{
    for (u32 n = 0; n < bytes; n++)
        to[n] = (u8)(bits >> 8 * n);
}

static enum ws_status keep_address(struct ptx_parser *parser, struct ptx_image *image, const struct ws_module_address *address)
{
    struct ws_module_address *const larger =
        ws_arena_grow(parser->arena, image->addresses, image->address_count, &image->address_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    image->addresses = larger;
    image->addresses[image->address_count++] = *address;
    return WS_STATUS_ok;
}

/* The address of a variable, known once a launch has placed it. */
static enum ws_status variable_address(struct ptx_parser *parser, const struct ptx_token *name, struct ptx_image *image, u32 at,
                                       u64 addend)
{
    struct ptx_symbol symbol;
    const struct ptx_variable *variable = NULL;
    if (ptx_lookup(&parser->symbols, name->text, name->length, &symbol) && symbol.kind == PTX_VARIABLE)
        variable = &parser->module->variables[symbol.number];
    if (!variable)
        return ptx_fail(&parser->lexer, name->line, "unknown symbol '%.*s'", (int)name->length, name->text);
    WS_TRY(ptx_check_usable(parser, &symbol));
    if (!variable->member)
        return ptx_fail(&parser->lexer, name->line,
                        "'%.*s' is no variable of .global or .const that is defined here: its address is no initial value",
                        (int)name->length, name->text);
    const struct ws_module_address address = {
        .offset = at, .variable = variable->member - 1, .space = variable->space, .addend = addend};
    return keep_address(parser, image, &address);
}

/* name, name+4, generic(name)+4: addresses of global and constant memory are generic ones. */
static enum ws_status parse_address(struct ptx_parser *parser, struct ptx_image *image, u32 at, u32 bytes)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    struct ptx_token name = lexer->token;
    bool generic = ptx_at_word(lexer, "generic");
    u64 addend = 0;
    WS_TRY(ptx_next(lexer));
    if (generic)
        WS_TRY(ptx_take(lexer, '(', &generic));
    if (generic) {
        name = lexer->token;
        if (name.kind != PTX_WORD)
            return ptx_expected(lexer, "a variable");
        WS_TRY(ptx_next(lexer));
        WS_TRY(ptx_expect(lexer, ')'));
    }
    if (ptx_at_mark(lexer, '+') || ptx_at_mark(lexer, '-'))
        WS_TRY(ptx_parse_constant(lexer, &addend));
    if (bytes != 8)
        return ptx_fail(lexer, name.line, "the address '%.*s' does not fit into %u bits", (int)name.length, name.text, bytes * 8);
    const u64 function = ptx_function_address(parser->module, name.text, name.length);
    if (!function)
        return variable_address(parser, &name, image, at, addend);
    store(image->initial + at, function + addend, bytes);
    return WS_STATUS_ok;
}

static enum ws_status parse_value(struct ptx_parser *parser, struct ptx_image *image, u32 at, enum ws_type type)
{
    const u32 bytes = ws_type_bytes(type);
    u64 bits;
    if (parser->lexer.token.kind == PTX_WORD)
        return parse_address(parser, image, at, bytes);
    WS_TRY(ptx_parse_literal(parser, type, &bits));
    store(image->initial + at, bits, bytes);
    return WS_STATUS_ok;
}

/* Values are consecutive, regardless of braces. Missing values at the end are zero. Groups must be complete, because their sizes
 * are not known here. */
enum ws_status ptx_parse_initialiser(struct ptx_parser *parser, struct ptx_image *image, u32 offset, enum ws_type type, u32 count)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const u32 bytes = ws_type_bytes(type);
    u32 depth = 0, deepest = 0, given = 0;
    const u32 line = lexer->token.line;
    do {
        bool opened, comma;
        WS_TRY(ptx_take(lexer, '{', &opened));
        if (opened) {
            if (++depth > PTX_DEEPEST)
                return ptx_fail(lexer, lexer->token.line, "initial values nest deeper than %d", (int)PTX_DEEPEST);
            deepest = ws_max(deepest, depth);
            continue;
        }
        if (!ptx_at_mark(lexer, '}')) {
            if (given == count)
                return ptx_fail(lexer, lexer->token.line, "more than %u initial values", count);
            WS_TRY(parse_value(parser, image, offset + given++ * bytes, type));
        }
        while (depth && ptx_at_mark(lexer, '}')) {
            WS_TRY(ptx_next(lexer));
            depth--;
        }
        if (depth) {
            WS_TRY(ptx_take(lexer, ',', &comma));
            if (!comma)
                return ptx_expected(lexer, "',' or '}'");
        }
    } while (depth);
    if (deepest > 1 && given < count)
        return ptx_fail(lexer, line, "%u of %u initial values in groups: only whole groups are supported", given, count);
    return WS_STATUS_ok;
}
