/* wgmma.mma_async: it takes effect when it executes; fences, groups and waits have no effect. Eight columns of D are one operation,
 * like an mma. */
#include <stdlib.h>
#include <string.h>

#include "frontend/ptx/parse/parser.h"
#include "frontend/ptx/warpgroup.h"

enum { MOST_COLUMNS = 256, MEMBERS = WS_OP_SOURCES - 1, MOST_REGISTERS = 128 };

struct product {
    struct ptx_parser *parser;
    struct ws_op op;
    u32 columns;
    bool integer, turns; /* turns: may have its matrices by columns (16-bit types) */
    u16 d[MOST_REGISTERS];
};

static const struct {
    const char *word;
    u8 type;
    const char *k;
} types[] = {{"f16", WS_TYPE_f16, "16"},     {"bf16", WS_TYPE_bf16, "16"},   {"tf32", WS_TYPE_f32, "8"},
             {"e4m3", WS_MATRIX_e4m3, "32"}, {"e5m2", WS_MATRIX_e5m2, "32"}, {"s8", WS_TYPE_s8, "32"},
             {"u8", WS_TYPE_u8, "32"}};
enum { TYPES = sizeof types / sizeof *types };

static u32 type_of(const char *word)
{
    u32 n = 0;
    while (n < TYPES && strcmp(types[n].word, word) != 0)
        n++;
    return n;
}

/* m64nNkK */
static bool match_shape(const char *word, const char *k, u32 *columns)
{
    char *end;
    if (strncmp(word, "m64n", 4) != 0)
        return false;
    *columns = (u32)strtoul(word + 4, &end, 10);
    return *columns >= 8 && *columns <= MOST_COLUMNS && *columns % WS_WGMMA_TILE == 0 && *end == 'k' && strcmp(end + 1, k) == 0;
}

/* wgmma.mma_async.sync.aligned.SHAPE{.satfinite}.D.A.B{.satfinite} */
static bool match(const struct ptx_words *words, struct product *product)
{
    const char *shape = NULL, *given[3];
    u32 count = 0, sync = 0, aligned = 0, saturates = 0;
    for (u32 n = 2; n < words->count; n++) {
        const char *const word = words->word[n];
        if (strcmp(word, "sync") == 0)
            sync++;
        else if (strcmp(word, "aligned") == 0)
            aligned++;
        else if (strcmp(word, "satfinite") == 0)
            saturates++;
        else if (word[0] == 'm' && !shape)
            shape = word;
        else if (count < 3)
            given[count++] = word;
        else
            return false;
    }
    if (sync != 1 || aligned != 1 || saturates > 1 || !shape || count != 3)
        return false;
    const u32 a = type_of(given[1]), b = type_of(given[2]);
    struct ws_op *const op = &product->op;
    if (a == TYPES || b == TYPES || strcmp(types[a].k, types[b].k) != 0 || !match_shape(shape, types[a].k, &product->columns))
        return false;
    product->integer = types[a].type == WS_TYPE_s8 || types[a].type == WS_TYPE_u8;
    product->turns = types[a].type == WS_TYPE_f16 || types[a].type == WS_TYPE_bf16;
    op->from = types[a].type;
    op->mode = types[b].type;
    op->flags = saturates ? WS_OP_SAT : 0;
    op->type = strcmp(given[0], "s32") == 0   ? WS_TYPE_s32
               : strcmp(given[0], "f32") == 0 ? WS_TYPE_f32
               : strcmp(given[0], "f16") == 0 ? WS_TYPE_f16
                                              : WS_TYPE_none;
    const bool eight = types[a].type == WS_MATRIX_e4m3 || types[a].type == WS_MATRIX_e5m2;
    const bool integer_b = types[b].type == WS_TYPE_s8 || types[b].type == WS_TYPE_u8;
    if (product->integer != integer_b || (a != b && !eight && !product->integer) || (saturates && !product->integer))
        return false;
    return product->integer ? op->type == WS_TYPE_s32
                            : op->type == WS_TYPE_f32 || (op->type == WS_TYPE_f16 && (types[a].type == WS_TYPE_f16 || eight));
}

static enum ws_status parse_list(struct product *product, u32 count, u16 *slots)
{
    struct ptx_lexer *const lexer = &product->parser->lexer;
    WS_TRY(ptx_expect(lexer, '{'));
    for (u32 n = 0; n < count; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(lexer, ','));
        WS_TRY(ptx_parse_register(product->parser, 4, false, &slots[n]));
    }
    return ptx_expect(lexer, '}');
}

/* A constant after a comma, for one of two values. */
static enum ws_status parse_choice(struct product *product, u64 set, u8 bit)
{
    struct ptx_lexer *const lexer = &product->parser->lexer;
    u64 value;
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(ptx_parse_constant(lexer, &value));
    product->op.compare |= value == set ? bit : 0;
    return WS_STATUS_ok;
}

/* Whether C is added: a predicate or a number. */
static enum ws_status parse_adds(struct product *product)
{
    struct ptx_lexer *const lexer = &product->parser->lexer;
    struct ws_input number = {.kind = WS_INPUT_constant};
    if (lexer->token.kind == PTX_WORD)
        return ptx_parse_source(product->parser, WS_TYPE_pred, false, &product->op.src[WS_WGMMA_ADDS]);
    WS_TRY(ptx_parse_constant(lexer, &number.value));
    return ptx_parsed_input(product->parser, &number, &product->op.src[WS_WGMMA_ADDS]);
}

/* D, A, B, whether C is added, signs, layouts. A in registers has the layout of mma. */
static enum ws_status parse_operands(struct product *product, u32 registers)
{
    struct ptx_lexer *const lexer = &product->parser->lexer;
    struct ws_op *const op = &product->op;
    WS_TRY(parse_list(product, registers, product->d));
    WS_TRY(ptx_expect(lexer, ','));
    const bool shared = !ptx_at_mark(lexer, '{');
    op->compare = shared ? WS_WGMMA_A_SHARED : 0;
    WS_TRY(shared ? ptx_parse_source(product->parser, WS_TYPE_u64, false, &op->src[WS_WGMMA_A])
                  : parse_list(product, 4, op->src + WS_WGMMA_A));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(ptx_parse_source(product->parser, WS_TYPE_u64, false, &op->src[WS_WGMMA_B]));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_adds(product));
    if (!product->integer && !ptx_at_mark(lexer, ';')) {
        WS_TRY(parse_choice(product, UINT64_MAX, WS_WGMMA_A_NEGATIVE));
        WS_TRY(parse_choice(product, UINT64_MAX, WS_WGMMA_B_NEGATIVE));
    }
    if (product->turns && shared && !ptx_at_mark(lexer, ';'))
        WS_TRY(parse_choice(product, 1, WS_WGMMA_A_COLUMNS));
    if (product->turns && !ptx_at_mark(lexer, ';'))
        WS_TRY(parse_choice(product, 1, WS_WGMMA_B_COLUMNS));
    return ptx_expect(lexer, ';');
}

enum ws_status ptx_parse_warpgroup(struct ptx_parser *parser, const struct ptx_words *words, u32 line)
{
    struct product product = {.parser = parser, .op = ptx_op(WS_OP_wgmma, WS_TYPE_none, line)};
    struct ws_op *const op = &product.op;
    const struct ws_input all = {.kind = WS_INPUT_constant, .value = UINT32_MAX};
    if (!match(words, &product))
        return ptx_fail(&parser->lexer, line,
                        "this form of 'wgmma.mma_async' is not supported: f16, bf16, tf32, e4m3, e5m2, s8 and u8 without .sp are");
    const u32 each = op->type == WS_TYPE_f16 ? 2 : 4;
    op->width = 4;
    WS_TRY(parse_operands(&product, product.columns / WS_WGMMA_TILE * each));
    WS_TRY(ptx_parsed_input(parser, &all, &op->src[MEMBERS]));
    for (u32 tile = 0; tile < product.columns / WS_WGMMA_TILE; tile++) {
        op->offset = (i32)tile;
        memcpy(op->dst, product.d + tile * each, each * sizeof *op->dst);
        memcpy(op->src + WS_WGMMA_C, product.d + tile * each, each * sizeof *op->src);
        WS_TRY(ptx_add_wide_op(parser->arena, &parser->function->body, op, parser->error));
    }
    return WS_STATUS_ok;
}
