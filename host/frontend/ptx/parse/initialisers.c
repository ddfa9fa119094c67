#include "frontend/ptx/parse/parser.h"

static void store(u8 *to, u64 bits, u32 bytes)
{
    for (u32 n = 0; n < bytes; n++)
        to[n] = (u8)(bits >> 8 * n);
}

/* Values are consecutive however braces group them. Missing values at the end are zero; groups must be complete, as group sizes are
 * not known here. */
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
        if (lexer->token.kind == PTX_WORD)
            return ptx_fail(lexer, lexer->token.line, "the address '%.*s' as an initial value is not supported",
                            (int)lexer->token.length, lexer->token.text);
        if (!ptx_at_mark(lexer, '}')) {
            u64 bits;
            if (given == count)
                return ptx_fail(lexer, lexer->token.line, "more than %u initial values", count);
            WS_TRY(ptx_parse_literal(parser, type, &bits));
            store(image->initial + offset + (size_t)given++ * bytes, bits, bytes);
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
