/* Video instructions on one number, or on two or four numbers in a register. */
#include <string.h>

#include "frontend/ptx/parse/parser.h"

static const char *const functions[] = {
    [WS_VIDEO_add] = "vadd", [WS_VIDEO_sub] = "vsub", [WS_VIDEO_average] = "vavrg", [WS_VIDEO_absdiff] = "vabsdiff",
    [WS_VIDEO_min] = "vmin", [WS_VIDEO_max] = "vmax", [WS_VIDEO_shl] = "vshl",      [WS_VIDEO_shr] = "vshr",
    [WS_VIDEO_mad] = "vmad", [WS_VIDEO_set] = "vset"};
static const char *const seconds[] = {
    [WS_VIDEO_second_none] = "", [WS_VIDEO_second_add] = "add", [WS_VIDEO_second_min] = "min", [WS_VIDEO_second_max] = "max"};
static const char *const comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};             /* from WS_VIDEO_set on */
static const char *const parts[] = {[WS_VIDEO_byte] = "b0", "b1", "b2", "b3", "h0", "h1"}; /* of one number */

static bool word_is(const struct ptx_words *words, u32 n, const char *text)
{
    return n < words->count && strcmp(words->word[n], text) == 0;
}

/* vadd, vadd2, vadd4; averages are for several numbers, shifts and vmad for one. */
static bool match_function(const char *word, struct ws_op *op)
{
    for (u8 n = 0; n < sizeof functions / sizeof *functions; n++) {
        const size_t length = strlen(functions[n]);
        const char *const rest = word + length;
        if (strncmp(word, functions[n], length) != 0 || strspn(rest, "24") != strlen(rest) || strlen(rest) > 1)
            continue;
        op->mode = n;
        op->count = *rest ? (u8)(*rest - '0') : 1;
        return n == WS_VIDEO_average ? op->count > 1 : n < WS_VIDEO_shl || n == WS_VIDEO_set || op->count == 1;
    }
    return false;
}

bool ptx_is_video(const struct ptx_words *words)
{
    struct ws_op any;
    return match_function(words->word[0], &any);
}

static bool match_type(const struct ptx_words *words, u32 *at, u8 *type)
{
    const u32 n = (*at)++;
    *type = word_is(words, n, "s32") ? WS_TYPE_s32 : WS_TYPE_u32;
    return *type == WS_TYPE_s32 || word_is(words, n, "u32");
}

static bool take_word(const struct ptx_words *words, u32 *at, const char *text)
{
    const bool there = word_is(words, *at, text);
    *at += there;
    return there;
}

/* Overflow of shifts, comparison of vset, sum and scale of vmad. */
static bool match_function_words(const struct ptx_words *words, u32 *at, struct ws_op *op)
{
    if (op->mode == WS_VIDEO_shl || op->mode == WS_VIDEO_shr) {
        op->flags |= word_is(words, *at, "wrap") ? WS_OP_RELU : 0;
        return op->compare == WS_TYPE_u32 && (take_word(words, at, "wrap") || take_word(words, at, "clamp"));
    }
    if (op->mode == WS_VIDEO_mad) {
        op->shape = take_word(words, at, "shr7") ? 7 : take_word(words, at, "shr15") ? 15 : 0;
        return true;
    }
    if (op->mode != WS_VIDEO_set)
        return true;
    for (u8 n = 0; n < sizeof comparisons / sizeof *comparisons; n++)
        if (take_word(words, at, comparisons[n])) {
            op->mode = (u8)(WS_VIDEO_set + n);
            return true;
        }
    return false;
}

/* The words after the function: types, .sat, words of the function, and the use of the third source. */
static bool match_words(const struct ptx_words *words, struct ws_op *op)
{
    u32 at = 1;
    if (op->mode != WS_VIDEO_set && !match_type(words, &at, &op->type))
        return false;
    if (!match_type(words, &at, &op->from) || !match_type(words, &at, &op->compare))
        return false;
    if (op->mode == WS_VIDEO_mad && take_word(words, &at, "po"))
        op->rounding = WS_VIDEO_plus_one;
    if (op->mode != WS_VIDEO_set && take_word(words, &at, "sat"))
        op->flags |= WS_OP_SAT;
    if (!match_function_words(words, &at, op))
        return false;
    u8 second = op->mode == WS_VIDEO_mad ? WS_VIDEO_second_none : op->count > 1 ? WS_VIDEO_second_add : WS_VIDEO_second_max;
    while (second > WS_VIDEO_second_none && !take_word(words, &at, seconds[second]))
        second--;
    op->combine = second;
    return at == words->count && !(op->count > 1 && second && op->flags & WS_OP_SAT);
}

static enum ws_status wrong_part(struct ptx_lexer *lexer, const struct ws_op *op, const char *of)
{
    static const char *const allowed[] = {[1] = ".b0 to .b3, .h0 and .h1",
                                          [2] = ".h and numbers of halves, highest first",
                                          [4] = ".b and numbers of bytes, highest first"};
    return ptx_fail(lexer, lexer->token.line, "found '.%.*s', a part of a %s is %s", (int)lexer->token.length, lexer->token.text,
                    of, allowed[op->count]);
}

/* A byte or a half: its number in parts; 0 for the whole register. */
static enum ws_status parse_part(struct ptx_lexer *lexer, const struct ws_op *op, const char *of, u32 *part)
{
    *part = WS_VIDEO_whole;
    if (lexer->token.kind != PTX_DOTTED)
        return WS_STATUS_ok;
    for (u32 n = WS_VIDEO_byte; n < sizeof parts / sizeof *parts; n++)
        if (ptx_at_dotted(lexer, parts[n])) {
            *part = n;
            return ptx_next(lexer);
        }
    return wrong_part(lexer, op, of);
}

/* After .h or .b, digits below a limit: *count of them, the last one first. */
static bool read_digits(const struct ptx_token *token, const struct ws_op *op, u32 limit, u32 digits[4], u32 *count)
{
    *count = (u32)token->length - 1;
    if (token->length < 2 || *count > op->count || token->text[0] != (op->count == 2 ? 'h' : 'b'))
        return false;
    for (u32 n = 0; n < *count; n++) {
        const char digit = token->text[*count - n];
        if (digit < '0' || (u32)(digit - '0') >= limit)
            return false;
        digits[n] = (u32)(digit - '0');
    }
    return true;
}

/* The numbers of both sources that an operand selects, four bits each. */
static enum ws_status parse_selection(struct ptx_lexer *lexer, const struct ws_op *op, u32 first, u32 *selection)
{
    u32 digits[4], count;
    *selection = 0;
    for (u32 n = 0; n < op->count; n++)
        *selection |= (first + n) << 4 * n;
    if (lexer->token.kind != PTX_DOTTED)
        return WS_STATUS_ok;
    if (!read_digits(&lexer->token, op, 2u * op->count, digits, &count) || count != op->count)
        return wrong_part(lexer, op, "source");
    *selection = 0;
    for (u32 n = 0; n < count; n++)
        *selection |= digits[n] << 4 * n;
    return ptx_next(lexer);
}

/* The numbers of the result that are written or added, a bit each. */
static enum ws_status parse_mask(struct ptx_lexer *lexer, struct ws_op *op)
{
    u32 digits[4], count;
    op->shape = (u8)((1u << op->count) - 1);
    if (lexer->token.kind != PTX_DOTTED)
        return WS_STATUS_ok;
    if (!read_digits(&lexer->token, op, op->count, digits, &count))
        return wrong_part(lexer, op, "result");
    op->shape = 0;
    for (u32 n = 0; n < count; n++) {
        if (n > 0 && digits[n] <= digits[n - 1])
            return wrong_part(lexer, op, "result");
        op->shape |= (u8)(1u << digits[n]);
    }
    return ptx_next(lexer);
}

static enum ws_status parse_result(struct ptx_parser *parser, struct ws_op *op)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    u32 part;
    WS_TRY(ptx_parse_register(parser, 4, false, &op->dst[0]));
    if (op->count > 1)
        return parse_mask(lexer, op);
    if (op->mode == WS_VIDEO_mad)
        return WS_STATUS_ok;
    if (lexer->token.kind == PTX_DOTTED && op->combine)
        return ptx_fail(lexer, op->line, "the third source is either merged into a part of the result or combined with it");
    WS_TRY(parse_part(lexer, op, "result", &part));
    op->shape = (u8)part;
    return WS_STATUS_ok;
}

/* A minus before a register of vmad. */
static enum ws_status parse_sign(struct ptx_parser *parser, const struct ws_op *op, bool *negative)
{
    struct ptx_lexer ahead = parser->lexer;
    *negative = false;
    if (op->mode != WS_VIDEO_mad || !ptx_at_mark(&ahead, '-'))
        return WS_STATUS_ok;
    WS_TRY(ptx_next(&ahead));
    *negative = ahead.token.kind == PTX_WORD;
    parser->lexer = *negative ? ahead : parser->lexer;
    return WS_STATUS_ok;
}

/* A source and its selected part: 16 bits of the operation's offset. */
static enum ws_status parse_source(struct ptx_parser *parser, struct ws_op *op, u32 n, bool *negative)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    u32 part;
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_sign(parser, op, negative));
    WS_TRY(ptx_parse_source(parser, WS_TYPE_u32, false, &op->src[n]));
    if (n == 2)
        return WS_STATUS_ok;
    WS_TRY(op->count > 1 ? parse_selection(lexer, op, n * op->count, &part) : parse_part(lexer, op, "source", &part));
    op->offset = (i32)((u32)op->offset | part << 16 * n);
    return WS_STATUS_ok;
}

/* vmad negates the product or the third source. */
static enum ws_status set_signs(struct ptx_parser *parser, struct ws_op *op, const bool negative[3])
{
    const bool product = negative[0] != negative[1];
    if ((product && negative[2]) || (op->rounding == WS_VIDEO_plus_one && (negative[0] || negative[1] || negative[2])))
        return ptx_fail(&parser->lexer, op->line, "vmad negates the product or the third source, and neither with .po");
    if (product || negative[2])
        op->rounding = product ? WS_VIDEO_negative_product : WS_VIDEO_negative_third;
    return WS_STATUS_ok;
}

enum ws_status ptx_parse_video(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    bool negative[3] = {false, false, false};
    *op = ptx_op(WS_OP_video, WS_TYPE_u32, op->line);
    if (!match_function(words->word[0], op) || !match_words(words, op))
        return ptx_fail(&parser->lexer, op->line, "this form of '%s' is not supported", words->word[0]);
    op->width = 4;
    WS_TRY(parse_result(parser, op));
    WS_TRY(parse_source(parser, op, 0, &negative[0]));
    WS_TRY(parse_source(parser, op, 1, &negative[1]));
    if (op->count > 1 || op->mode == WS_VIDEO_mad || op->combine != WS_VIDEO_second_none || op->shape)
        WS_TRY(parse_source(parser, op, 2, &negative[2]));
    return set_signs(parser, op, negative);
}
