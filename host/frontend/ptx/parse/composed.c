/* Instructions of PTX that are several operations here: moves of 128 bits, accesses of 32 bytes and vectors of eight (two
 * accesses), lop3 with a predicate, sums of numbers of 16 bits in single precision, st.async and red.async, changes and copies of
 * tensor maps. */
#include <string.h>

#include "frontend/ptx/parse/parser.h"

enum { WIDEST = 8 /* elements of a vector */ };

struct composed {
    struct ptx_parser *parser;
    const struct ptx_words *words;
    u32 line;
    u16 guard;
    bool negated;
};

static bool has(const struct ptx_words *words, const char *text)
{
    for (u32 n = 1; n < words->count; n++)
        if (strcmp(words->word[n], text) == 0)
            return true;
    return false;
}

static bool is(const struct ptx_words *words, const char *name)
{
    return strcmp(words->word[0], name) == 0;
}

/* The position of the word, or 0. */
static u32 place_of(const struct ptx_words *words, const char *text)
{
    for (u32 n = 1; n < words->count; n++)
        if (strcmp(words->word[n], text) == 0)
            return n;
    return 0;
}

static void drop(struct ptx_words *words, u32 n)
{
    memmove(words->word[n], words->word[n + 1], (words->count - n - 1) * sizeof *words->word);
    words->count--;
}

static struct ws_op begin(const struct composed *composed, enum ws_opcode opcode, enum ws_type type)
{
    struct ws_op op = ptx_op(opcode, type, composed->line);
    op.guard = composed->guard;
    op.flags = composed->negated ? WS_OP_NOT_GUARD : 0;
    return op;
}

static enum ws_status add(const struct composed *composed, const struct ws_op *op)
{
    return ptx_add_wide_op(composed->parser->arena, &composed->parser->function->body, op, composed->parser->error);
}

static enum ws_status comma(const struct composed *composed)
{
    return ptx_expect(&composed->parser->lexer, ',');
}

static enum ws_status new_register(const struct composed *composed, u8 bytes, u16 *slot)
{
    return ptx_add_register(composed->parser->arena, &composed->parser->function->body, bytes, slot, composed->parser->error);
}

/* The operation of a form of opcodes.def, without operands. */
static enum ws_status match(const struct composed *composed, const struct ptx_words *words, const struct ptx_form **form,
                            struct ws_op *op)
{
    struct ws_op found;
    char reason[100];
    if (!ptx_match(words, form, &found, reason, sizeof reason))
        return ptx_fail(&composed->parser->lexer, composed->line, "'%s' is not supported: %s", words->word[0], reason);
    *op = begin(composed, (enum ws_opcode)found.opcode, (enum ws_type)found.type);
    op->from = found.from;
    op->rounding = found.rounding;
    op->flags |= found.flags;
    op->space = found.space;
    op->count = found.count;
    return WS_STATUS_ok;
}

/* ---- 128 bits ---- */

void ptx_split_wide(struct ptx_words *words)
{
    const u32 at = place_of(words, "b128");
    const bool accesses = is(words, "ld") || is(words, "ldu") || is(words, "st") || is(words, "atom");
    if (!at || !accesses || words->count == sizeof words->word / sizeof *words->word)
        return;
    strcpy(words->word[at], "b64");
    strcpy(words->word[words->count++], "v2");
}

/* A register of 128 bits, or {two of 64}. */
static enum ws_status parse_halves(const struct composed *composed, bool is_source, u16 slots[2])
{
    struct ptx_lexer *const lexer = &composed->parser->lexer;
    struct ptx_symbol symbol;
    bool braces;
    WS_TRY(ptx_take(lexer, '{', &braces));
    for (u32 n = 0; braces && n < 2; n++) {
        if (n > 0)
            WS_TRY(comma(composed));
        if (is_source)
            WS_TRY(ptx_parse_source(composed->parser, WS_TYPE_u64, false, &slots[n]));
        else if (ptx_at_word(lexer, "_"))
            WS_TRY(ptx_next(lexer));
        else
            WS_TRY(ptx_parse_register(composed->parser, 8, false, &slots[n]));
    }
    if (braces)
        return ptx_expect(lexer, '}');
    WS_TRY(ptx_find_symbol(composed->parser, &symbol));
    if (symbol.kind != PTX_VECTOR || symbol.count != 2 || composed->parser->function->body.widths[symbol.number] != 8)
        return ptx_expected(lexer, "a register of 128 bits");
    slots[0] = (u16)symbol.number;
    slots[1] = (u16)(symbol.number + 1);
    return ptx_next(lexer);
}

static enum ws_status parse_move(const struct composed *composed)
{
    u16 to[2] = {WS_SLOT_NONE, WS_SLOT_NONE}, from[2];
    WS_TRY(parse_halves(composed, false, to));
    WS_TRY(comma(composed));
    WS_TRY(parse_halves(composed, true, from));
    for (u32 n = 0; n < 2; n++) {
        struct ws_op move = begin(composed, WS_OP_mov, WS_TYPE_u64);
        if (to[n] == WS_SLOT_NONE)
            continue;
        move.width = 8;
        move.dst[0] = to[n];
        move.src[0] = from[n];
        WS_TRY(add(composed, &move));
    }
    return WS_STATUS_ok;
}

/* ---- Accesses in two halves ---- */

/* The words of half an access of 32 bytes or of eight elements; false for others. */
static bool halve(const struct ptx_words *words, struct ptx_words *half)
{
    static const char *const wide[] = {"b64", "u64", "s64", "f64"}, *const narrow[] = {"b32", "u32", "s32", "f32"};
    const bool plain = is(words, "ld") || is(words, "st"), atomic = is(words, "atom") || is(words, "red");
    const u32 eight = place_of(words, "v8"), four = place_of(words, "v4");
    bool fits = atomic && eight;
    for (u32 n = 0; n < 4 && plain; n++)
        fits |= (eight && has(words, narrow[n])) || (four && has(words, wide[n]));
    if (!fits)
        return false;
    *half = *words;
    strcpy(half->word[eight ? eight : four], eight ? "v4" : "v2");
    return true;
}

/* {all elements} of both halves. */
static enum ws_status parse_elements(const struct composed *composed, struct ws_op ops[2], bool is_source)
{
    struct ptx_parser *const parser = composed->parser;
    const enum ws_type type = (enum ws_type)ops[0].type;
    const u32 count = ops[0].count;
    WS_TRY(ptx_expect(&parser->lexer, '{'));
    for (u32 n = 0; n < 2 * count; n++) {
        struct ws_op *const op = &ops[n / count];
        u16 slot = WS_SLOT_NONE;
        if (n > 0)
            WS_TRY(comma(composed));
        if (is_source) {
            WS_TRY(ptx_parse_source(parser, type, false, &op->src[1 + n % count]));
            continue;
        }
        if (ptx_at_word(&parser->lexer, "_"))
            WS_TRY(ptx_next(&parser->lexer));
        else
            WS_TRY(ptx_parse_register(parser, ws_type_bytes(type), false, &slot));
        op->dst[n % count] = slot;
        op->width = (u8)ws_type_bytes(type);
    }
    return ptx_expect(&parser->lexer, '}');
}

static enum ws_status parse_address(const struct composed *composed, struct ws_op ops[2])
{
    WS_TRY(ptx_parse_operands(composed->parser, "m", &ops[0]));
    ops[1].space = ops[0].space;
    ops[1].src[0] = ops[0].src[0];
    ops[1].offset = ops[0].offset + (i32)(ops[0].count * ws_type_bytes((enum ws_type)ops[0].type));
    return WS_STATUS_ok;
}

/* Two accesses; that which overwrites the address comes last. */
static enum ws_status parse_access(const struct composed *composed, const struct ptx_words *half)
{
    struct ptx_lexer *const lexer = &composed->parser->lexer;
    const struct ptx_form *form;
    struct ws_op ops[2];
    u16 policy;
    bool more;
    WS_TRY(match(composed, half, &form, &ops[0]));
    ops[1] = ops[0];
    for (const char *letter = form->operands; *letter; letter++) {
        if (letter != form->operands)
            WS_TRY(comma(composed));
        WS_TRY(*letter == 'm' ? parse_address(composed, ops) : parse_elements(composed, ops, *letter == 's'));
    }
    WS_TRY(ptx_take(lexer, ',', &more));
    if (more) /* of the caches */
        WS_TRY(ptx_parse_source(composed->parser, WS_TYPE_u64, false, &policy));
    const bool last = ptx_writes(&ops[0], ops[0].src[0]);
    WS_TRY(add(composed, &ops[last]));
    return add(composed, &ops[!last]);
}

/* ---- Logic ---- */

/* lop3.and d|p, a, b, c, table, q: p = (d is not 0) and q */
static enum ws_status parse_logic(const struct composed *composed)
{
    struct ptx_parser *const parser = composed->parser;
    const struct ws_input none = {.kind = WS_INPUT_constant};
    struct ws_op look = begin(composed, WS_OP_lop3, WS_TYPE_u32), asks = begin(composed, WS_OP_setp, WS_TYPE_u32);
    bool inverted;
    if (ptx_at_word(&parser->lexer, "_")) {
        WS_TRY(ptx_next(&parser->lexer));
        WS_TRY(new_register(composed, 4, &look.dst[0]));
    } else {
        WS_TRY(ptx_parse_register(parser, 4, false, &look.dst[0]));
    }
    WS_TRY(ptx_expect(&parser->lexer, '|'));
    WS_TRY(ptx_parse_register(parser, 1, false, &asks.dst[0]));
    for (u32 n = 0; n < 4; n++) {
        WS_TRY(comma(composed));
        WS_TRY(ptx_parse_source(parser, WS_TYPE_u32, false, &look.src[n]));
    }
    WS_TRY(comma(composed));
    WS_TRY(ptx_take(&parser->lexer, '!', &inverted));
    WS_TRY(ptx_parse_source(parser, WS_TYPE_pred, false, &asks.src[2]));
    look.width = 4;
    asks.width = 1;
    asks.compare = WS_COMPARE_ne;
    asks.combine = has(composed->words, "and") ? WS_COMBINE_and : WS_COMBINE_or;
    asks.flags |= inverted ? WS_OP_NOT_SOURCE : 0;
    asks.src[0] = look.dst[0];
    WS_TRY(ptx_parsed_input(parser, &none, &asks.src[1]));
    WS_TRY(add(composed, &look));
    return add(composed, &asks);
}

/* ---- Sums of numbers of 16 bits ---- */

static const char *half_type(const struct ptx_words *words)
{
    const char *const last = words->word[words->count - 1];
    const bool sums = is(words, "add") || is(words, "sub") || is(words, "fma");
    return sums && has(words, "f32") && (strcmp(last, "f16") == 0 || strcmp(last, "bf16") == 0) ? last : NULL;
}

/* A source of 16 bits, converted (exactly) to single precision. */
static enum ws_status parse_widened(const struct composed *composed, u16 *slot)
{
    const enum ws_type type = strcmp(half_type(composed->words), "f16") == 0 ? WS_TYPE_f16 : WS_TYPE_bf16;
    struct ws_op widen = begin(composed, WS_OP_cvt, WS_TYPE_f32);
    widen.from = (u8)type;
    widen.width = 4;
    WS_TRY(ptx_parse_source(composed->parser, type, false, &widen.src[0]));
    WS_TRY(new_register(composed, 4, slot));
    widen.dst[0] = *slot;
    return add(composed, &widen);
}

static enum ws_status parse_mixed(const struct composed *composed)
{
    struct ptx_words words = *composed->words;
    const struct ptx_form *form;
    struct ws_op op;
    u32 n = 0;
    words.count--;
    WS_TRY(match(composed, &words, &form, &op));
    op.width = 4;
    WS_TRY(ptx_parse_register(composed->parser, 4, false, &op.dst[0]));
    for (const u32 halves = is(&words, "fma") ? 2 : 1; n < halves; n++) {
        WS_TRY(comma(composed));
        WS_TRY(parse_widened(composed, &op.src[n]));
    }
    WS_TRY(comma(composed));
    WS_TRY(ptx_parse_source(composed->parser, WS_TYPE_f32, false, &op.src[n]));
    return add(composed, &op);
}

/* ---- Stores that arrive at an mbarrier ---- */

static const char arrival[] = "mbarrier::complete_tx::bytes";

/* The bytes of the access before arrive at [mbarrier]. */
static enum ws_status parse_arrival(const struct composed *composed, const struct ws_op *access)
{
    struct ws_op op = begin(composed, WS_OP_atom_transfer, WS_TYPE_u64);
    const struct ws_input bytes = {.kind = WS_INPUT_constant,
                                   .value = 0 - (u64)access->count * ws_type_bytes((enum ws_type)access->type)};
    op.space = access->space;
    WS_TRY(comma(composed));
    WS_TRY(ptx_parse_operands(composed->parser, "m", &op));
    WS_TRY(ptx_parsed_input(composed->parser, &bytes, &op.src[1]));
    WS_TRY(add(composed, access));
    return add(composed, &op);
}

/* st.async, red.async: an access, and its bytes arrive. */
static enum ws_status parse_async(const struct composed *composed)
{
    struct ptx_words words = *composed->words;
    const struct ptx_form *form;
    struct ws_op op;
    drop(&words, place_of(&words, "async"));
    drop(&words, place_of(&words, arrival));
    WS_TRY(match(composed, &words, &form, &op));
    if (op.space == WS_SPACE_generic)
        op.space = WS_SPACE_shared;
    if (op.space != WS_SPACE_shared)
        return ptx_fail(&composed->parser->lexer, composed->line, "'%s.async' works on .shared::cluster", words.word[0]);
    WS_TRY(ptx_parse_operands(composed->parser, form->operands, &op));
    return parse_arrival(composed, &op);
}

/* ---- Tensor maps ---- */

/* tensormap.replace.tile.FIELD{.space}.b1024.TYPE [map], {dimension,} value */
static enum ws_status parse_replace(const struct composed *composed)
{
    static const struct {
        const char *word;
        bool dimension; /* it has one */
    } fields[] = {
#define TENSOR_FIELD(name, dimension) {#name, dimension},
#include "frontend/ptx/tensor_fields.def"
#undef TENSOR_FIELD
    };
    struct ptx_lexer *const lexer = &composed->parser->lexer;
    struct ws_op op = begin(composed, WS_OP_tensor_replace, WS_TYPE_u64);
    const u32 line = lexer->token.line;
    u64 dimension = 0;
    u32 n = 0;
    while (n < sizeof fields / sizeof *fields && !has(composed->words, fields[n].word))
        n++;
    if (n == sizeof fields / sizeof *fields || !has(composed->words, "tile") || !has(composed->words, "b1024"))
        return ptx_fail(lexer, composed->line,
                        "'tensormap.replace' without a field of a tensor map (.tile.global_address ... .b1024)");
    op.mode = (u8)n;
    op.space = has(composed->words, "shared")   ? WS_SPACE_shared
               : has(composed->words, "global") ? WS_SPACE_global
                                                : WS_SPACE_generic;
    WS_TRY(ptx_parse_operands(composed->parser, "m", &op));
    WS_TRY(comma(composed));
    if (fields[n].dimension) {
        WS_TRY(ptx_parse_constant(lexer, &dimension));
        WS_TRY(comma(composed));
    }
    if (dimension > 4)
        return ptx_fail(lexer, line, "a tensor has dimensions 0 to 4");
    op.shape = (u8)dimension;
    WS_TRY(ptx_parse_source(composed->parser, has(composed->words, "b64") ? WS_TYPE_u64 : WS_TYPE_u32, false, &op.src[1]));
    return add(composed, &op);
}

/* tensormap.cp_fenceproxy.global.shared [to], [from], 128: copies a map, 16 bytes at a time */
static enum ws_status parse_copied_map(const struct composed *composed)
{
    enum { BYTES = 128, PIECE = 16, WORDS = PIECE / 4 };
    struct ptx_lexer *const lexer = &composed->parser->lexer;
    struct ws_op load = begin(composed, WS_OP_ld, WS_TYPE_u32), store = begin(composed, WS_OP_st, WS_TYPE_u32);
    u64 bytes;
    load.space = WS_SPACE_shared;
    store.space = WS_SPACE_global;
    load.count = store.count = WORDS;
    load.width = 4;
    WS_TRY(ptx_parse_operands(composed->parser, "m", &store));
    WS_TRY(comma(composed));
    WS_TRY(ptx_parse_operands(composed->parser, "m", &load));
    WS_TRY(comma(composed));
    WS_TRY(ptx_parse_constant(lexer, &bytes));
    if (bytes != BYTES)
        return ptx_fail(lexer, composed->line, "a tensor map has %d bytes", BYTES);
    for (u32 n = 0; n < WORDS; n++) {
        WS_TRY(new_register(composed, 4, &load.dst[n]));
        store.src[1 + n] = load.dst[n];
    }
    for (u32 at = 0; at < BYTES; at += PIECE) {
        WS_TRY(add(composed, &load));
        WS_TRY(add(composed, &store));
        load.offset += PIECE;
        store.offset += PIECE;
    }
    return WS_STATUS_ok;
}

/* ---- Words ---- */

static bool is_logic(const struct ptx_words *words)
{
    return is(words, "lop3") && (has(words, "and") || has(words, "or"));
}

static bool is_async(const struct ptx_words *words)
{
    return (is(words, "st") || is(words, "red")) && has(words, "async") && has(words, arrival);
}

bool ptx_is_composed(const struct ptx_words *words)
{
    struct ptx_words half;
    const bool map = is(words, "tensormap") && (has(words, "replace") || has(words, "cp_fenceproxy"));
    return map || (is(words, "mov") && has(words, "b128")) || is_logic(words) || half_type(words) || is_async(words) ||
           halve(words, &half);
}

enum ws_status ptx_parse_composed(struct ptx_parser *parser, const struct ptx_words *words, u32 line, u16 guard, bool negated)
{
    const struct composed composed = {.parser = parser, .words = words, .line = line, .guard = guard, .negated = negated};
    struct ptx_words half;
    if (is(words, "tensormap"))
        WS_TRY(has(words, "replace") ? parse_replace(&composed) : parse_copied_map(&composed));
    else if (is(words, "mov"))
        WS_TRY(parse_move(&composed));
    else if (is_logic(words))
        WS_TRY(parse_logic(&composed));
    else if (half_type(words))
        WS_TRY(parse_mixed(&composed));
    else if (is_async(words))
        WS_TRY(parse_async(&composed));
    else if (halve(words, &half))
        WS_TRY(parse_access(&composed, &half));
    return ptx_expect(&parser->lexer, ';');
}
