/* mma, movmatrix, ldmatrix and stmatrix. ldmatrix: each lane with a row address loads 16 bytes, a row of a matrix; a second
 * instruction distributes the words. */
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
                    "'%s' is not supported: mma of f16, bf16, tf32, f64, s8, u8, s4, u4, b1, e4m3, e5m2 without .sp, wmma, and "
                    "ldmatrix, stmatrix and movmatrix of b16 are",
                    text);
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

/* Types of A and B, and the shapes of each. A and B have types of one kind. */
enum kind { HALF, BRAIN, SINGLE, DOUBLE, BYTE, NIBBLE, BIT, SMALL };
static const struct {
    const char *word;
    u8 type;
    enum kind kind;
    const char *shapes;
} types[] = {
    {"f16", WS_TYPE_f16, HALF, "m8n8k4 m16n8k8 m16n8k16"},     {"bf16", WS_TYPE_bf16, BRAIN, "m16n8k8 m16n8k16"},
    {"tf32", WS_TYPE_f32, SINGLE, "m16n8k4 m16n8k8"},          {"f64", WS_TYPE_f64, DOUBLE, "m8n8k4 m16n8k4 m16n8k8 m16n8k16"},
    {"s8", WS_TYPE_s8, BYTE, "m8n8k16 m16n8k16 m16n8k32"},     {"u8", WS_TYPE_u8, BYTE, "m8n8k16 m16n8k16 m16n8k32"},
    {"s4", WS_MATRIX_s4, NIBBLE, "m8n8k32 m16n8k32 m16n8k64"}, {"u4", WS_MATRIX_u4, NIBBLE, "m8n8k32 m16n8k32 m16n8k64"},
    {"b1", WS_MATRIX_b1, BIT, "m8n8k128 m16n8k128 m16n8k256"}, {"e4m3", WS_MATRIX_e4m3, SMALL, "m16n8k16 m16n8k32"},
    {"e5m2", WS_MATRIX_e5m2, SMALL, "m16n8k16 m16n8k32"}};
enum { TYPES = sizeof types / sizeof *types };

static u32 type_of(const char *word)
{
    u32 n = 0;
    while (n < TYPES && strcmp(types[n].word, word) != 0)
        n++;
    return n;
}

/* Whether the word is one of a list, separated by blanks. */
static bool is_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (; *list; list += *list == ' ') {
        const size_t next = strcspn(list, " ");
        if (next == length && memcmp(list, word, length) == 0)
            return true;
        list += next;
    }
    return false;
}

/* Words of an mma that are no types: each of the needed ones once. The layouts are row.col but for m8n8k4 of f16. */
struct product_words {
    const char *shape, *types[4]; /* of D, A, B, C */
    u32 type_count, layout_count;
    bool columns[2]; /* layouts of A and B */
    bool sync, aligned, saturates, xor, and, popc;
};

static bool take_product_word(struct product_words *product, const char *word)
{
    const struct {
        const char *word;
        bool *taken;
    } flags[] = {{"sync", &product->sync}, {"aligned", &product->aligned}, {"satfinite", &product->saturates},
                 {"xor", &product->xor },  {"and", &product->and },        {"popc", &product->popc}};
    for (size_t n = 0; n < sizeof flags / sizeof *flags; n++)
        if (strcmp(word, flags[n].word) == 0)
            return !*flags[n].taken && (*flags[n].taken = true);
    if (strcmp(word, "row") == 0 || strcmp(word, "col") == 0) {
        if (product->layout_count == 2)
            return false;
        product->columns[product->layout_count++] = word[0] == 'c';
        return true;
    }
    if (word[0] == 'm' && !product->shape) {
        product->shape = word;
        return true;
    }
    if (strcmp(word, "rn") == 0) /* of f64: the default */
        return product->type_count == 0 || type_of(product->types[0]) == type_of("f64");
    if (product->type_count == 4)
        return false;
    product->types[product->type_count++] = word;
    return true;
}

/* The type of C and D. */
static u8 sum_type(const char *word)
{
    return strcmp(word, "s32") == 0   ? WS_TYPE_s32
           : strcmp(word, "f32") == 0 ? WS_TYPE_f32
           : strcmp(word, "f64") == 0 ? WS_TYPE_f64
           : strcmp(word, "f16") == 0 ? WS_TYPE_f16
                                      : WS_TYPE_none;
}

static bool sum_fits(enum kind kind, u8 sum)
{
    switch (kind) {
    case BYTE:
    case NIBBLE:
    case BIT:
        return sum == WS_TYPE_s32;
    case DOUBLE:
        return sum == WS_TYPE_f64;
    case HALF:
    case SMALL:
        return sum == WS_TYPE_f32 || sum == WS_TYPE_f16;
    default:
        return sum == WS_TYPE_f32;
    }
}

/* mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C{.xor.popc} */
static bool match_product(const struct ptx_words *words, struct ws_op *op)
{
    struct product_words product = {.shape = NULL};
    for (u32 n = 1; n < words->count; n++)
        if (!take_product_word(&product, words->word[n]))
            return false;
    if (!product.sync || !product.aligned || product.layout_count != 2 || !product.shape || product.type_count != 4)
        return false;
    const u32 a = type_of(product.types[1]), b = type_of(product.types[2]);
    while (op->shape < WS_MATRIX_SHAPES && strcmp(product.shape, ws_matrix_shapes[op->shape].name) != 0)
        op->shape++;
    if (a == TYPES || b == TYPES || op->shape == WS_MATRIX_SHAPES || types[a].kind != types[b].kind)
        return false;
    const enum kind kind = types[a].kind;
    op->type = sum_type(product.types[0]);
    op->from = types[a].type;
    op->mode = types[b].type;
    op->flags = product.saturates ? WS_OP_SAT : 0;
    op->compare = product.and ? WS_MATRIX_AND : 0;
    if (ws_matrix_is_of_quads(op))
        op->compare = (u8)((product.columns[0] ? WS_MATRIX_A_COLUMNS : 0) | (product.columns[1] ? 0 : WS_MATRIX_B_ROWS));
    else if (product.columns[0] || !product.columns[1])
        return false;
    return is_listed(types[a].shapes, product.shape) && strcmp(product.types[0], product.types[3]) == 0 &&
           sum_fits(kind, op->type) && (!product.saturates || kind == BYTE || kind == NIBBLE) &&
           (kind == BIT ? product.popc && product.xor != product.and : !product.popc && !product.xor &&!product.and);
}

/* An m8n8k4 of f16 with numbers of f32, {d0, ..., d7}, A, B, {c0, ..., c7}: the operation for d0 to d3 is added, that for the
 * others is *op. */
static enum ws_status parse_halves(struct ptx_parser *parser, struct ws_op *op)
{
    enum { ALL = 8, EACH = 4, FACTORS = 4 };
    u16 to[ALL], from[ALL];
    WS_TRY(parse_registers(parser, ALL, op->width, to));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, FACTORS / 2, op->width, op->src));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, FACTORS / 2, op->width, op->src + FACTORS / 2));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, ALL, op->width, from));
    WS_TRY(set_members(parser, op));
    for (u32 n = 0; n < EACH; n++)
        for (u32 i = 0; i < FACTORS + EACH; i++)
            if (to[n] == (i < FACTORS ? op->src[i] : from[i]))
                return ptx_fail(&parser->lexer, op->line,
                                "'mma' of m8n8k4: a register of D is also one of A, of B or of another number of C");
    for (u32 half = 0; half < 2; half++) {
        op->count = (u8)half;
        memcpy(op->dst, to + EACH * half, EACH * sizeof *to);
        memcpy(op->src + FACTORS, from + EACH * half, EACH * sizeof *from);
        if (half == 0)
            WS_TRY(ptx_add_parsed_op(parser, op));
    }
    return WS_STATUS_ok;
}

static enum ws_status parse_product(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    *op = ptx_op(WS_OP_mma, WS_TYPE_none, op->line);
    if (!match_product(words, op))
        return refuse(parser, words, op);
    const u32 a = ws_matrix_registers_a(op), b = ws_matrix_registers_b(op), c = ws_matrix_registers_c(op);
    op->width = op->type == WS_TYPE_f64 ? 8 : 4;
    if (ws_matrix_is_of_quads(op) && op->type == WS_TYPE_f32)
        return parse_halves(parser, op);
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

/* The number of words that are `text`. */
static u32 count_of(const struct ptx_words *words, const char *text)
{
    u32 count = 0;
    for (u32 n = 1; n < words->count; n++)
        count += word_is(words, n, text);
    return count;
}

/* ldmatrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16 in any order; stmatrix alike. */
static bool match_access(const struct ptx_words *words, struct ws_op *op, struct ws_op *access)
{
    const u32 spaces = count_of(words, "shared"), transposed = count_of(words, "trans");
    const u32 counts = count_of(words, "x1") + count_of(words, "x2") + count_of(words, "x4");
    op->count = (u8)(count_of(words, "x1") + 2 * count_of(words, "x2") + 4 * count_of(words, "x4"));
    op->mode = transposed > 0;
    access->space = spaces ? WS_SPACE_shared : WS_SPACE_generic;
    return counts == 1 && count_of(words, "sync") == 1 && count_of(words, "aligned") == 1 && count_of(words, "m8n8") == 1 &&
           count_of(words, "b16") == 1 && spaces < 2 && transposed < 2 && words->count == 6 + spaces + transposed;
}

static enum ws_status parse_load(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    struct ws_op load = ptx_op(WS_OP_ld, WS_TYPE_u32, op->line);
    *op = ptx_op(WS_OP_deal, WS_TYPE_u32, op->line);
    op->width = load.width = 4;
    if (!match_access(words, op, &load))
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

/* The reverse: the lanes collect the words of their rows, and store them. */
static enum ws_status parse_store(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *store)
{
    struct ws_op op = ptx_op(WS_OP_deal, WS_TYPE_u32, store->line);
    *store = ptx_op(WS_OP_st, WS_TYPE_u32, store->line);
    op.width = 4;
    if (!match_access(words, &op, store))
        return refuse(parser, words, &op);
    op.mode = op.mode ? WS_DEAL_GATHER_COLUMNS : WS_DEAL_GATHER;
    WS_TRY(ptx_parse_operands(parser, "m", store));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_registers(parser, op.count, 4, op.src));
    WS_TRY(set_members(parser, &op));
    for (u32 n = 0; n < ROW_WORDS; n++) {
        WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 4, &op.dst[n], parser->error));
        store->src[1 + n] = op.dst[n];
    }
    WS_TRY(ptx_add_parsed_op(parser, &op));
    store->count = ROW_WORDS;
    return op.count < ROW_WORDS ? add_choice(parser, op.line, op.count * MATRIX_ROWS, &store->guard) : WS_STATUS_ok;
}

/* movmatrix.sync.aligned.m8n8.trans.b16 */
static enum ws_status parse_move(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    static const char *const wanted[] = {"sync", "aligned", "m8n8", "trans", "b16"};
    *op = ptx_op(WS_OP_deal, WS_TYPE_u32, op->line);
    op->width = 4;
    op->count = 1;
    op->mode = WS_DEAL_MOVE;
    for (u32 n = 0; n < sizeof wanted / sizeof *wanted; n++)
        if (count_of(words, wanted[n]) != 1 || words->count != 6)
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
    return strcmp(words->word[0], "ldmatrix") == 0 ? parse_load(parser, words, op) : parse_store(parser, words, op);
}
