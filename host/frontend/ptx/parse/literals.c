#include <string.h>

#include "frontend/ptx/parse/parser.h"

static bool fits(u64 value, u32 bytes)
{
    if (bytes == 8)
        return true;
    const u64 limit = (u64)1 << 8 * bytes;
    return value < limit || value >= 0 - limit / 2;
}

/* Converts between precisions where the literal's differs from the type's. */
static u64 convert_float(const struct ptx_token *token, enum ws_type type, bool minus)
{
    const bool is_single = token->kind == PTX_FLOAT32;
    double number;
    float single;
    if (is_single) {
        const u32 bits = (u32)token->value ^ (minus ? 0x80000000u : 0);
        if (type != WS_TYPE_f64)
            return bits;
        memcpy(&single, &bits, sizeof single);
        number = (double)single;
    } else {
        const u64 bits = token->value ^ (minus ? (u64)1 << 63 : 0);
        memcpy(&number, &bits, sizeof number);
    }
    if (ws_type_bytes(type) == 4) {
        u32 bits;
        single = (float)number;
        memcpy(&bits, &single, sizeof bits);
        return bits;
    }
    u64 bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Text from a token up to the current one, without trailing blanks. */
static int text_length(const struct ptx_token *from, const struct ptx_lexer *lexer)
{
    size_t length = (size_t)(lexer->token.text - from->text);
    while (length > 0 && strchr(" \t\r\n.", from->text[length - 1]))
        length--;
    return (int)ws_min((u32)length, 60);
}

/* A floating-point literal is also the bits of an integer of its size. */
static bool float_suits(const struct ptx_token *token, enum ws_type type)
{
    if (type >= WS_TYPE_f16)
        return false; /* PTX has none of 16 bits */
    return ws_type_is_float(type) || ws_type_bytes(type) == (token->kind == PTX_FLOAT32 ? 4u : 8u);
}

/* A floating-point literal, with an optional minus, for the type; *found: whether there is one. */
static enum ws_status take_float(struct ptx_lexer *lexer, enum ws_type type, u64 *bits, bool *found)
{
    const struct ptx_lexer start = *lexer;
    bool minus;
    WS_TRY(ptx_take(lexer, '-', &minus));
    const struct ptx_token token = lexer->token;
    *found = (token.kind == PTX_FLOAT32 || token.kind == PTX_FLOAT64) && float_suits(&token, type);
    if (!*found) {
        *lexer = start;
        return WS_STATUS_ok;
    }
    *bits = convert_float(&token, type, minus);
    return ptx_next(lexer);
}

static bool begins_constant(const struct ptx_token *token)
{
    return token->kind == PTX_INTEGER || (token->kind == PTX_MARK && strchr("-+~!(", token->mark));
}

enum ws_status ptx_parse_literal(struct ptx_parser *parser, enum ws_type type, u64 *bits)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const struct ptx_token token = lexer->token;
    const u32 bytes = ws_type_bytes(type);
    bool is_float = false;
    u64 value;
    WS_TRY(take_float(lexer, type, bits, &is_float));
    if (is_float)
        return WS_STATUS_ok;
    const bool number = token.kind == PTX_FLOAT32 || token.kind == PTX_FLOAT64 || begins_constant(&token);
    if (number && ws_type_is_float(type) && type >= WS_TYPE_f16)
        return ptx_fail(
            lexer, token.line,
            "found '%.*s', but PTX has no constants of 16-bit floating point; move its bits into a register first, as in "
            "mov.b16 %%h1, 0x3C00 for 1.0 of .f16",
            (int)token.length, token.text);
    if (ws_type_is_float(type) || !begins_constant(&token))
        return ptx_expected(lexer, ws_type_is_float(type) ? "a floating-point constant" : "a constant");
    WS_TRY(ptx_parse_constant(lexer, &value));
    if (type == WS_TYPE_pred)
        *bits = value != 0;
    else if (!fits(value, bytes))
        return ptx_fail(lexer, token.line, "%.*s does not fit into %u bits", text_length(&token, lexer), token.text, bytes * 8);
    else
        *bits = bytes == 8 ? value : value & (((u64)1 << 8 * bytes) - 1);
    return WS_STATUS_ok;
}
