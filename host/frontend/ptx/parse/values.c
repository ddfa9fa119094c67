#include <stdio.h>
#include <string.h>

#include "frontend/ptx/parse/parser.h"

static bool text_is(const struct ptx_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

/* ---- Registers ---- */

enum ws_status ptx_find_symbol(struct ptx_parser *parser, struct ptx_symbol *symbol)
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

/* v.x: adds the element's number to that of the symbol, which becomes a register. */
static enum ws_status take_element(struct ptx_parser *parser, struct ptx_symbol *symbol)
{
    static const char names[] = "xyzwrgba";
    struct ptx_lexer *const lexer = &parser->lexer;
    WS_TRY(ptx_next(lexer));
    const char *const at = lexer->token.kind == PTX_DOTTED && lexer->token.length == 1 ? strchr(names, lexer->token.text[0]) : NULL;
    if (!at || (u32)(at - names) % 4 >= symbol->count)
        return ptx_expected(lexer, "an element of a vector");
    symbol->number += (u32)(at - names) % 4;
    symbol->kind = PTX_REGISTER;
    return WS_STATUS_ok;
}

enum ws_status ptx_parse_register(struct ptx_parser *parser, u32 bytes, bool or_wider, u16 *slot)
{
    struct ptx_symbol symbol;
    WS_TRY(ptx_find_symbol(parser, &symbol));
    if (symbol.kind == PTX_VECTOR)
        WS_TRY(take_element(parser, &symbol));
    if (symbol.kind != PTX_REGISTER)
        return ptx_expected(&parser->lexer, "a register");
    *slot = (u16)symbol.number;
    WS_TRY(check_width(parser, *slot, bytes, or_wider));
    return ptx_next(&parser->lexer);
}

/* ---- Sources ---- */

enum ws_status ptx_parsed_input(struct ptx_parser *parser, const struct ws_input *input, u16 *slot)
{
    return ptx_add_input(parser->arena, &parser->function->body, input, slot, parser->error);
}

enum ws_status ptx_add_parsed_op(struct ptx_parser *parser, const struct ws_op *op)
{
    return ptx_add_op(parser->arena, &parser->function->body, op, parser->error);
}

static const char *const special_names[] = {
#define SPECIAL(name, spelling, value) spelling,
#include "frontend/ptx/specials.def"
#undef SPECIAL
};

/* The spelling of a special register from its one or two tokens: "%laneid", "%tid.x". */
static enum ws_status take_spelling(struct ptx_lexer *lexer, char *spelling, size_t room)
{
    const struct ptx_token name = lexer->token;
    WS_TRY(ptx_next(lexer));
    const bool dotted = lexer->token.kind == PTX_DOTTED;
    snprintf(spelling, room, "%.*s%s%.*s", (int)ws_min((u32)name.length, 60), name.text, dotted ? "." : "",
             dotted ? (int)ws_min((u32)lexer->token.length, 60) : 0, lexer->token.text);
    return dotted ? ptx_next(lexer) : WS_STATUS_ok;
}

/* %envreg1 and %envreg2: upper and lower half of the address of the grid's barrier, for CUDA's cooperative groups. */
static enum ws_status parse_grid_barrier(struct ptx_parser *parser, bool upper, u16 *slot)
{
    u32 number;
    WS_TRY(ptx_grid_barrier(parser, &number));
    const struct ws_input input = {.kind = WS_INPUT_address, .space = WS_SPACE_global, .half = upper ? 2 : 1, .value = number};
    return ptx_parsed_input(parser, &input, slot);
}

/* 32-bit registers, of which 16 bits may be read; %gridid may be read in 64 bits. */
static enum ws_status parse_special(struct ptx_parser *parser, enum ws_type type, u16 *slot)
{
    const u32 line = parser->lexer.token.line, bytes = ws_type_bytes(type);
    char spelling[130];
    WS_TRY(take_spelling(&parser->lexer, spelling, sizeof spelling));
    const bool upper = strcmp(spelling, "%envreg1") == 0;
    if (bytes == 4 && (upper || strcmp(spelling, "%envreg2") == 0))
        return parse_grid_barrier(parser, upper, slot);
    for (u32 n = 0; n < WS_SPECIALS; n++) {
        const struct ws_input input = {.kind = WS_INPUT_special, .width = (u8)bytes, .value = n};
        const bool fits =
            n == WS_SPECIAL_is_explicit_cluster ? bytes == 1 : bytes == 2 || bytes == 4 || (bytes == 8 && n == WS_SPECIAL_gridid);
        if (fits && strcmp(spelling, special_names[n]) == 0)
            return ptx_parsed_input(parser, &input, slot);
    }
    return ptx_fail(&parser->lexer, line, "unknown or unsupported register '%s'", spelling);
}

/* The number of lanes of a warp, as hardware has it. */
static enum ws_status parse_warp_size(struct ptx_parser *parser, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = 32};
    WS_TRY(ptx_next(&parser->lexer));
    return ptx_parsed_input(parser, &input, slot);
}

static enum ws_status parse_function_address(struct ptx_parser *parser, u16 *slot)
{
    const struct ptx_token *const token = &parser->lexer.token;
    const struct ws_input input = {.kind = WS_INPUT_constant,
                                   .value = ptx_function_address(parser->module, token->text, token->length)};
    WS_TRY(ptx_next(&parser->lexer));
    return ptx_parsed_input(parser, &input, slot);
}

struct ws_input ptx_symbol_address(const struct ptx_parser *parser, const struct ptx_symbol *symbol, u64 offset)
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
        WS_TRY(ptx_parse_constant(lexer, &offset));
    if (offset > 0x7FFFFFFF)
        return ptx_fail(lexer, line, "the offset does not fit into 31 bits");
    const struct ws_input input = ptx_symbol_address(parser, symbol, offset);
    return ptx_parsed_input(parser, &input, slot);
}

static enum ws_status parse_named_source(struct ptx_parser *parser, enum ws_type type, bool or_wider, u16 *slot)
{
    const struct ptx_token *token = &parser->lexer.token;
    struct ptx_symbol symbol;
    if (!ptx_lookup(&parser->symbols, token->text, token->length, &symbol)) {
        if (token->text[0] == '%')
            return parse_special(parser, type, slot);
        if (type == WS_TYPE_u64 && ptx_function_address(parser->module, token->text, token->length))
            return parse_function_address(parser, slot);
        if (text_is(token, "WARP_SZ") && !ws_type_is_float(type))
            return parse_warp_size(parser, slot);
        return ptx_fail(&parser->lexer, token->line, "unknown symbol '%.*s'", (int)token->length, token->text);
    }
    if (symbol.kind == PTX_REGISTER || symbol.kind == PTX_VECTOR)
        return ptx_parse_register(parser, ws_type_bytes(type), or_wider, slot);
    WS_TRY(ptx_check_usable(parser, &symbol));
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
    return ptx_parsed_input(parser, &input, slot);
}
