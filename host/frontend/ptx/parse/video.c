/* Video instructions: on one number, or on the two or four of a register. */
#include <string.h>

#include "frontend/ptx/parse/parser.h"

static const char *const functions[] = {
    [WS_VIDEO_add] = "vadd", [WS_VIDEO_sub] = "vsub", [WS_VIDEO_average] = "vavrg", [WS_VIDEO_absdiff] = "vabsdiff",
    [WS_VIDEO_min] = "vmin", [WS_VIDEO_max] = "vmax", [WS_VIDEO_shl] = "vshl",      [WS_VIDEO_shr] = "vshr"};
static const char *const seconds[] = {
    [WS_VIDEO_second_none] = "", [WS_VIDEO_second_add] = "add", [WS_VIDEO_second_min] = "min", [WS_VIDEO_second_max] = "max"};
static const char *const parts[] = {"b0", "b1", "b2", "b3", "h0", "h1"}; /* of a source, from 1 on */

static bool word_is(const struct ptx_words *words, u32 n, const char *text)
{
    return n < words->count && strcmp(words->word[n], text) == 0;
}

/* vadd, vadd2, vadd4; averages are of several numbers, shifts of one. */
static bool match_function(const char *word, struct ws_op *op)
{
    for (u8 n = 0; n < WS_VIDEO_FUNCTIONS; n++) {
        const size_t length = strlen(functions[n]);
        const char *const rest = word + length;
        if (strncmp(word, functions[n], length) != 0 || strspn(rest, "24") != strlen(rest) || strlen(rest) > 1)
            continue;
        op->mode = n;
        op->count = *rest ? (u8)(*rest - '0') : 1;
        return n == WS_VIDEO_average ? op->count > 1 : n < WS_VIDEO_shl || op->count == 1;
    }
    return false;
}

bool ptx_is_video(const struct ptx_words *words)
{
    struct ws_op any;
    return match_function(words->word[0], &any);
}

static bool match_type(const struct ptx_words *words, u32 n, u8 *type)
{
    *type = word_is(words, n, "s32") ? WS_TYPE_s32 : WS_TYPE_u32;
    return *type == WS_TYPE_s32 || word_is(words, n, "u32");
}

/* The words behind the function: three types, .sat, how far shifts go, and what is done with the third source. */
static bool match_words(const struct ptx_words *words, struct ws_op *op)
{
    u32 at = 4;
    u8 second = WS_VIDEO_second_max;
    if (!match_type(words, 1, &op->type) || !match_type(words, 2, &op->from) || !match_type(words, 3, &op->compare))
        return false;
    if (word_is(words, at, "sat")) {
        op->flags |= WS_OP_SAT;
        at++;
    }
    if (op->mode >= WS_VIDEO_shl) {
        if (op->compare != WS_TYPE_u32 || (!word_is(words, at, "clamp") && !word_is(words, at, "wrap")))
            return false;
        op->flags |= word_is(words, at++, "wrap") ? WS_OP_RELU : 0;
    }
    while (second > WS_VIDEO_second_none && !word_is(words, at, seconds[second]))
        second--;
    op->combine = second;
    const bool several = op->count > 1;
    return at + (second > WS_VIDEO_second_none) == words->count &&
           !(several && (second > WS_VIDEO_second_add || (second && op->flags & WS_OP_SAT)));
}

/* A source, or a byte or a half of it: its number goes into the operation's offset. */
static enum ws_status parse_source(struct ptx_parser *parser, struct ws_op *op, u32 n)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(ptx_parse_source(parser, WS_TYPE_u32, false, &op->src[n]));
    if (lexer->token.kind != PTX_DOTTED)
        return WS_STATUS_ok;
    for (u32 part = 0; part < sizeof parts / sizeof *parts; part++)
        if (op->count == 1 && ptx_at_dotted(lexer, parts[part])) {
            op->offset |= (i32)((part + 1) << 8 * n);
            return ptx_next(lexer);
        }
    return ptx_fail(lexer, lexer->token.line, "found '.%.*s', supported are .b0 to .b3, .h0 and .h1 of sources of one number",
                    (int)lexer->token.length, lexer->token.text);
}

enum ws_status ptx_parse_video(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    *op = ptx_op(WS_OP_video, WS_TYPE_u32, op->line);
    if (!match_function(words->word[0], op) || !match_words(words, op))
        return ptx_fail(lexer, op->line, "this form of '%s' is not supported", words->word[0]);
    op->width = 4;
    WS_TRY(ptx_parse_register(parser, 4, false, &op->dst[0]));
    if (lexer->token.kind == PTX_DOTTED)
        return ptx_fail(lexer, op->line, "'%s' of a part of its result is not supported", words->word[0]);
    WS_TRY(parse_source(parser, op, 0));
    WS_TRY(parse_source(parser, op, 1));
    if (op->count == 1 && op->combine == WS_VIDEO_second_none)
        return WS_STATUS_ok;
    WS_TRY(ptx_expect(lexer, ','));
    return ptx_parse_source(parser, WS_TYPE_u32, false, &op->src[2]);
}
