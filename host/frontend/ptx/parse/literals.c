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

/* A floating-point literal is also the bits of an integer of its size. */
static bool float_suits(const struct ptx_token *token, enum ws_type type)
{
    return ws_type_is_float(type) || ws_type_bytes(type) == (token->kind == PTX_FLOAT32 ? 4u : 8u);
}

enum ws_status ptx_parse_literal(struct ptx_parser *parser, enum ws_type type, u64 *bits)
{
    struct ptx_lexer *lexer = &parser->lexer;
    bool minus, complement = false;
    WS_TRY(ptx_take(lexer, '-', &minus));
    if (!minus)
        WS_TRY(ptx_take(lexer, '~', &complement));
    const struct ptx_token token = lexer->token;
    const bool is_float = token.kind == PTX_FLOAT32 || token.kind == PTX_FLOAT64;
    if (is_float && !complement && float_suits(&token, type)) {
        *bits = convert_float(&token, type, minus);
        return ptx_next(lexer);
    }
    if (token.kind != PTX_INTEGER || ws_type_is_float(type))
        return ptx_expected(lexer, ws_type_is_float(type) ? "a floating-point constant" : "a constant");
    const u64 value = minus ? 0 - token.value : complement ? ~token.value : token.value;
    const u32 bytes = ws_type_bytes(type);
    if (type == WS_TYPE_pred)
        *bits = value != 0;
    else if (!fits(value, bytes))
        return ptx_fail(lexer, token.line, "%s%.*s does not fit into %u bits",
                        minus        ? "-"
                        : complement ? "~"
                                     : "",
                        (int)token.length, token.text, bytes * 8);
    else
        *bits = bytes == 8 ? value : value & (((u64)1 << 8 * bytes) - 1);
    return ptx_next(lexer);
}
