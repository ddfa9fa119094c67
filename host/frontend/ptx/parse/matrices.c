/* mma, movmatrix and ldmatrix. ldmatrix: each lane with a row address loads 16 bytes, a row of a matrix; a second instruction
 * distributes the words. */
#include <stdio.h>
#include <string.h>

#include "frontend/ptx/matrix.h"
#include "frontend/ptx/parse/parser.h"

enum { ROW_WORDS = 4, MATRIX_ROWS = 8, MEMBERS = WS_OP_SOURCES - 1 };

static bool word_is(const struct ptx_words *words, u32 n, const char *text)
{
    return n < words->count && strcmp(words->word[n], text) == 0;
}

static enum ws_status refuse(struct ptx_parser *parser, const struct ptx_words *words, const struct ws_op *op)
{
    char text[sizeof words->word + 20] = "";
    size_t length = 0;
    for (u32 n = 0; n < words->count; n++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", n ? "." : "", words->word[n]);
    return ptx_fail(&parser->lexer, op->line,
                    "'%s' is not supported: mma of f16, bf16, tf32, f64, s8, u8, wmma, ldmatrix and movmatrix of b16 are", text);
}

/* All lanes of the warp take part. */
static enum ws_status set_members(struct ptx_parser *parser, struct ws_op *op)
{
    const struct ws_input all = {.kind = WS_INPUT_constant, .value = UINT32_MAX};
    return ptx_parsed_input(parser, &all, &op->src[MEMBERS]);
}

/* {r, r, ...}, or a single register without braces. */
static enum ws_status parse_registers(struct ptx_parser *parser, u32 count, u32 bytes, u16 *slots)
{
    bool braces;
    WS_TRY(ptx_take(&parser->lexer, '{', &braces));
    for (u32 n = 0; n < count; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(&parser->lexer, ','));
        WS_TRY(ptx_parse_register(parser, (u8)bytes, false, &slots[n]));
    }
    return braces ? ptx_expect(&parser->lexer, '}') : WS_STATUS_ok;
}

/* ---- mma ---- */

/* Shapes of each type: least and most k of m16n8, and of m8n8. */
static const struct {
    const char *word;
    u8 type;
    bool integer;
    u8 least, most, small;
} types[] = {{"f16", WS_TYPE_f16, false, 8, 16, 0}, {"bf16", WS_TYPE_bf16, false, 8, 16, 0}, {"tf32", WS_TYPE_f32, false, 4, 8, 0},
             {"s8", WS_TYPE_s8, true, 16, 32, 16},  {"u8", WS_TYPE_u8, true, 16, 32, 16},    {"f64", WS_TYPE_f64, false, 0, 0, 4}};
enum { TYPES = sizeof types / sizeof *types };

static u32 type_of(const char *word)
{
    u32 n = 0;
    while (n < TYPES && strcmp(types[n].word, word) != 0)
        n++;
    return n;
}

/* mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C */
static bool match_product(const struct ptx_words *words, struct ws_op *op)
{
    const u32 saturates = word_is(words, 6, "satfinite"), at = 6 + saturates;
    if (words->count != at + 4 || !word_is(words, 1, "sync") || !word_is(words, 2, "aligned") || !word_is(words, 4, "row") ||
        !word_is(words, 5, "col") || strcmp(words->word[at], words->word[at + 3]) != 0)
        return false;
    const u32 a = type_of(words->word[at + 1]), b = type_of(words->word[at + 2]);
    while (op->shape < WS_MATRIX_SHAPES && !word_is(words, 3, ws_matrix_shapes[op->shape].name))
        op->shape++;
    if (a == TYPES || b == TYPES || op->shape == WS_MATRIX_SHAPES || types[a].integer != types[b].integer ||
        (!types[a].integer && a != b))
        return false;
    const struct ws_matrix_shape *const shape = &ws_matrix_shapes[op->shape];
    op->type = word_is(words, at, "s32")   ? WS_TYPE_s32
               : word_is(words, at, "f32") ? WS_TYPE_f32
               : word_is(words, at, "f64") ? WS_TYPE_f64
                                           : WS_TYPE_f16;
    op->from = types[a].type;
    op->mode = types[b].type;
    op->flags = saturates ? WS_OP_SAT : 0;
    const bool fits = shape->n != 8 || shape->m > 16 ? false
                      : shape->m == 16               ? shape->k == types[a].least || shape->k == types[a].most
                                                     : shape->k == types[a].small;
    const bool halves = word_is(words, at, "f16") && op->from == WS_TYPE_f16;
    const bool doubles = op->type == WS_TYPE_f64;
    const bool sums = types[a].integer               ? op->type == WS_TYPE_s32
                      : types[a].type == WS_TYPE_f64 ? doubles
                                                     : op->type == WS_TYPE_f32 || halves;
    return fits && sums && (!saturates || types[a].integer);
}

static enum ws_status parse_product(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    *op = ptx_op(WS_OP_mma, WS_TYPE_none, op->line);
    if (!match_product(words, op))
        return refuse(parser, words, op);
    const u32 a = ws_matrix_registers_a(op), b = ws_matrix_registers_b(op), c = ws_matrix_registers_c(op);
    op->width = op->type == WS_TYPE_f64 ? 8 : 4;
    WS_TRY(parse_registers(parser, c, op->width, op->dst));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, a, op->width, op->src));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, b, op->width, op->src + a));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, c, op->width, op->src + a + b));
    return set_members(parser, op);
}

/* ---- ldmatrix ---- */

/* Predicate of lanes with a row address: those below 8 for each matrix. */
static enum ws_status add_choice(struct ptx_parser *parser, u32 line, u32 lanes, u16 *predicate)
{
    const struct ws_input lane = {.kind = WS_INPUT_special, .width = 4, .value = WS_SPECIAL_laneid};
    const struct ws_input most = {.kind = WS_INPUT_constant, .value = lanes};
    struct ws_op asks = ptx_op(WS_OP_setp, WS_TYPE_u32, line);
    asks.compare = WS_COMPARE_lt;
    asks.width = 1;
    WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 1, predicate, parser->error));
    asks.dst[0] = *predicate;
    WS_TRY(ptx_parsed_input(parser, &lane, &asks.src[0]));
    WS_TRY(ptx_parsed_input(parser, &most, &asks.src[1]));
    return ptx_add_parsed_op(parser, &asks);
}

/* ldmatrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16, the words between .aligned and .b16 in any order. */
static bool match_load(const struct ptx_words *words, struct ws_op *op, struct ws_op *load)
{
    static const char *const counts[] = {"x1", "x2", "x4"};
    u32 shapes = 0, spaces = 0, transposed = 0;
    op->count = 0;
    for (u32 at = 3; at + 1 < words->count; at++) {
        u32 n = 0;
        while (n < 3 && !word_is(words, at, counts[n]))
            n++;
        if (n < 3 && op->count)
            return false;
        op->count = n < 3 ? (u8)(1 << n) : op->count;
        shapes += word_is(words, at, "m8n8");
        spaces += word_is(words, at, "shared");
        transposed += word_is(words, at, "trans");
    }
    op->mode = transposed > 0;
    load->space = spaces ? WS_SPACE_shared : WS_SPACE_generic;
    return word_is(words, 1, "sync") && word_is(words, 2, "aligned") && op->count && shapes == 1 && spaces < 2 && transposed < 2 &&
           words->count == 6 + spaces + transposed && word_is(words, words->count - 1, "b16");
}

static enum ws_status parse_load(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    struct ws_op load = ptx_op(WS_OP_ld, WS_TYPE_u32, op->line);
    *op = ptx_op(WS_OP_deal, WS_TYPE_u32, op->line);
    op->width = load.width = 4;
    if (!match_load(words, op, &load))
        return refuse(parser, words, op);
    WS_TRY(parse_registers(parser, op->count, 4, op->dst));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(ptx_parse_operands(parser, "m", &load));
    load.count = ROW_WORDS;
    for (u32 n = 0; n < ROW_WORDS; n++) {
        WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 4, &load.dst[n], parser->error));
        op->src[n] = load.dst[n];
    }
    if (op->count < ROW_WORDS)
        WS_TRY(add_choice(parser, op->line, op->count * MATRIX_ROWS, &load.guard));
    WS_TRY(ptx_add_parsed_op(parser, &load));
    return set_members(parser, op);
}

/* movmatrix.sync.aligned.m8n8.trans.b16 */
static enum ws_status parse_move(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    static const char *const wanted[] = {"movmatrix", "sync", "aligned", "m8n8", "trans", "b16"};
    *op = ptx_op(WS_OP_deal, WS_TYPE_u32, op->line);
    op->width = 4;
    op->count = 1;
    op->mode = WS_DEAL_MOVE;
    for (u32 n = 0; n < sizeof wanted / sizeof *wanted; n++)
        if (!word_is(words, n, wanted[n]))
            return refuse(parser, words, op);
    WS_TRY(parse_registers(parser, 1, 4, op->dst));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, 1, 4, op->src));
    return set_members(parser, op);
}

bool ptx_is_matrix(const struct ptx_words *words)
{
    static const char *const known[] = {"mma", "ldmatrix", "stmatrix", "movmatrix"};
    for (u32 n = 0; n < sizeof known / sizeof *known; n++)
        if (strcmp(words->word[0], known[n]) == 0)
            return true;
    return false;
}

enum ws_status ptx_parse_matrix(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    if (strcmp(words->word[0], "mma") == 0)
        return parse_product(parser, words, op);
    if (strcmp(words->word[0], "movmatrix") == 0)
        return parse_move(parser, words, op);
    return strcmp(words->word[0], "ldmatrix") == 0 ? parse_load(parser, words, op) : refuse(parser, words, op);
}
