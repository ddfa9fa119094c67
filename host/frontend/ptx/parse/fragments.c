/* wmma: matrices whose layout in registers PTX leaves open. Here, as in the code of NVIDIA's compiler for sm_80 and later, each is
 * made of fragments of mma: m16n16k16 and m32n8k16 are two products m16n8k16, and m8n32k16 is the transpose of m32n8k16. 16-bit A
 * and B of type .f16 have eight registers; those beyond the fragment repeat it. */
#include <string.h>

#include "frontend/ptx/matrix.h"
#include "frontend/ptx/parse/parser.h"

enum { WORD = 4, MEMBERS = WS_OP_SOURCES - 1, REGISTERS = 8 /* most of a matrix */, GROUPS = 8, LANES_OF_GROUP = 4 };

/* An instruction, word by word. */
struct reading {
    struct ptx_parser *parser;
    const struct ptx_words *words;
    u32 left, line;
    bool used[sizeof(((struct ptx_words *)0)->word) / sizeof(((struct ptx_words *)0)->word[0])];
};

/* A shape and the mma that computes it, once or twice. */
static const struct shape {
    const char *name, *product;
    u16 m, n, k;
    bool transposed; /* the shape's m and n here are those of the transpose */
} shapes[] = {{"m16n16k16", "m16n8k16", 16, 16, 16, false}, {"m32n8k16", "m16n8k16", 32, 8, 16, false},
              {"m8n32k16", "m16n8k16", 32, 8, 16, true},    {"m16n16k8", "m16n8k8", 16, 16, 8, false},
              {"m8n8k4", "m8n8k4", 8, 8, 4, false},         {"m8n8k32", "m8n8k32", 8, 8, 32, false},
              {"m8n8k128", "m8n8k128", 8, 8, 128, false}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* A matrix in memory and registers. */
struct fragment {
    char name;   /* a, b, c, d; of the transpose */
    bool column; /* column-major */
    const struct shape *shape;
    u8 type;
    u32 registers, used; /* registers of a thread, in the text; registers that hold something */
    u16 slots[REGISTERS];
    struct ws_op place; /* an access to its start */
    u16 stride;         /* numbers between rows, or columns */
};

/* ---- Words ---- */

/* The first word left that is one of the names, in their number's place; which one, or count. Words may have any order, as for
 * NVIDIA's compiler; of several types, or layouts, the first one in the text comes first. */
static u32 take_one(struct reading *reading, const char *const *names, u32 count)
{
    for (u32 at = 1; at < reading->words->count; at++)
        for (u32 n = 0; !reading->used[at] && n < count; n++)
            if (strcmp(reading->words->word[at], names[n]) == 0) {
                reading->used[at] = true;
                reading->left--;
                return n;
            }
    return count;
}

static bool take(struct reading *reading, const char *word)
{
    return take_one(reading, &word, 1) == 0;
}

static bool take_layout(struct reading *reading, bool *column)
{
    static const char *const layouts[] = {"row", "col"};
    const u32 layout = take_one(reading, layouts, 2);
    *column = layout == 1;
    return layout < 2;
}

static bool take_shape(struct reading *reading, const struct shape **shape)
{
    for (*shape = shapes; *shape < shapes + SHAPES; ++*shape)
        if (take(reading, (*shape)->name))
            return true;
    return false;
}

static bool take_type(struct reading *reading, u8 *type)
{
    static const char *const words[] = {"f16", "bf16", "tf32", "s8", "u8", "f32", "s32", "f64", "s4", "u4", "b1"};
    static const u8 types[] = {WS_TYPE_f16, WS_TYPE_bf16, WS_TYPE_u32,  WS_TYPE_s8,   WS_TYPE_u8,  WS_TYPE_f32,
                               WS_TYPE_s32, WS_TYPE_f64,  WS_MATRIX_s4, WS_MATRIX_u4, WS_MATRIX_b1};
    const u32 n = take_one(reading, words, sizeof types);
    *type = n < sizeof types ? types[n] : (u8)WS_TYPE_none;
    return n < sizeof types;
}

/* Whether A and B may have the type in this shape, and which C and D then have (of f16, or the type alone). */
static bool fits(const struct shape *shape, u8 type)
{
    switch (type) {
    case WS_TYPE_u32:
        return shape->k == 8;
    case WS_TYPE_f64:
        return shape->k == 4;
    case WS_MATRIX_s4:
    case WS_MATRIX_u4:
        return shape->k == 32;
    case WS_MATRIX_b1:
        return shape->k == 128;
    default:
        return shape->k == 16 && type != WS_TYPE_f32 && type != WS_TYPE_s32;
    }
}

static bool sum_fits(u8 factor, u8 sum)
{
    switch (factor) {
    case WS_TYPE_f16:
        return sum == WS_TYPE_f16 || sum == WS_TYPE_f32;
    case WS_TYPE_bf16:
    case WS_TYPE_u32:
        return sum == WS_TYPE_f32;
    case WS_TYPE_f64:
        return sum == WS_TYPE_f64;
    default:
        return sum == WS_TYPE_s32;
    }
}

/* Words of a thread that differ: of A, B; of C and D. */
static u32 words_of(char name, const struct shape *shape, u8 type)
{
    const u32 numbers = name == 'a' ? shape->m * shape->k : name == 'b' ? shape->k * shape->n : shape->m * shape->n;
    return numbers * ws_matrix_bits(type) / 1024;
}

/* Registers of A or B in the text. */
static u32 registers_of(char name, const struct shape *shape, u8 type)
{
    return type == WS_TYPE_f16 && name != 'c' && name != 'd' ? REGISTERS : words_of(name, shape, type);
}

/* ---- Operations ---- */

static enum ws_status add(const struct reading *reading, const struct ws_op *op)
{
    return ptx_add_wide_op(reading->parser->arena, &reading->parser->function->body, op, reading->parser->error);
}

static enum ws_status constant(const struct reading *reading, u64 value, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = value};
    return ptx_parsed_input(reading->parser, &input, slot);
}

static enum ws_status new_register(const struct reading *reading, u8 width, u16 *slot)
{
    return ptx_add_register(reading->parser->arena, &reading->parser->function->body, width, slot, reading->parser->error);
}

/* *result = opcode applied to sources, the second one a constant if it is WS_SLOT_NONE, in a new register. */
static enum ws_status compute(const struct reading *reading, enum ws_opcode opcode, enum ws_type type, u8 width, u16 a, u64 value,
                              u16 b, u16 c, u16 *result)
{
    struct ws_op op = ptx_op(opcode, type, reading->line);
    op.width = width;
    op.src[0] = a;
    op.src[1] = b;
    op.src[2] = c;
    if (b == WS_SLOT_NONE)
        WS_TRY(constant(reading, value, &op.src[1]));
    WS_TRY(new_register(reading, width, &op.dst[0]));
    *result = op.dst[0];
    return add(reading, &op);
}

/* ---- Places ---- */

/* Row and column of number `element` of word `word` for lane 0. The group of a lane adds to one, its number within the group,
 * times the numbers that it holds side by side, to the other. */
struct position {
    u32 row, column;
};

static u32 side_by_side(const struct fragment *fragment)
{
    return fragment->name == 'a' || fragment->name == 'b' ? WORD * 8 / ws_matrix_bits(fragment->type) : 2;
}

static struct position position_of(const struct fragment *fragment, u32 word, u32 element)
{
    const struct shape *const shape = fragment->shape;
    const u32 side = side_by_side(fragment), halves = shape->m >= 16 ? 2 : 1;
    if (fragment->name == 'a' || fragment->name == 'b') {
        const u32 steps = shape->k / (side * LANES_OF_GROUP);
        if (fragment->name == 'b')
            return (struct position){word % steps * side * LANES_OF_GROUP + element, word / steps * GROUPS};
        const u32 tile = word / (halves * steps), rest = word % (halves * steps);
        return (struct position){tile * 16 + rest % halves * GROUPS, rest / halves * side * LANES_OF_GROUP + element};
    }
    const u32 number = word * (ws_matrix_bits(fragment->type) == 16 ? 2 : 1) + element, tile = number / (2 * halves);
    const u32 row = number / 2 % halves * GROUPS, column = number % 2;
    return shape->n == 16 ? (struct position){row, tile * GROUPS + column} : (struct position){tile * 16 + row, column};
}

/* Addresses of a thread's numbers. */
struct addresses {
    u16 start;        /* of lane 0's numbers, for this lane */
    bool fixed;       /* the stride is a constant: */
    u32 stride;       /* numbers */
    u16 step;         /* bytes from a row, or column, to the next; WS_SLOT_NONE: not computed yet */
    u16 at;           /* of the row, or column, number `line`, computed last */
    u32 line, number; /* bytes of a number; 0: bits */
};

/* The lane's own start: major * stride + minor numbers from the matrix. */
static enum ws_status find_start(const struct reading *reading, const struct fragment *fragment, struct addresses *addresses)
{
    const struct ws_input lane = {.kind = WS_INPUT_special, .width = 4, .value = WS_SPECIAL_laneid};
    const u32 bits = fragment->type == WS_TYPE_f64 ? 64 : ws_matrix_bits(fragment->type);
    const bool across = (fragment->name == 'b') == fragment->column; /* groups lie along the major direction */
    u16 number, group, in_group, from;
    WS_TRY(ptx_parsed_input(reading->parser, &lane, &number));
    WS_TRY(compute(reading, WS_OP_shr, WS_TYPE_u32, 4, number, 2, WS_SLOT_NONE, WS_SLOT_NONE, &group));
    WS_TRY(compute(reading, WS_OP_and, WS_TYPE_u32, 4, number, 3, WS_SLOT_NONE, WS_SLOT_NONE, &in_group));
    if (side_by_side(fragment) > 1)
        WS_TRY(compute(reading, WS_OP_mul_lo, WS_TYPE_u32, 4, in_group, side_by_side(fragment), WS_SLOT_NONE, WS_SLOT_NONE,
                       &in_group));
    WS_TRY(compute(reading, WS_OP_mad_lo, WS_TYPE_u32, 4, across ? group : in_group, 0, fragment->stride, across ? in_group : group,
                   &from));
    if (bits < 8)
        WS_TRY(compute(reading, WS_OP_shr, WS_TYPE_u32, 4, from, (u32)__builtin_ctz(8 / bits), WS_SLOT_NONE, WS_SLOT_NONE, &from));
    return compute(reading, WS_OP_mad_wide, WS_TYPE_u32, 8, from, bits < 8 ? 1 : bits / 8, WS_SLOT_NONE, fragment->place.src[0],
                   &addresses->start);
}

/* The place of number `element` of the word: an address and, added to that of the fragment, an offset. */
static enum ws_status find_place(const struct reading *reading, const struct fragment *fragment, struct addresses *addresses,
                                 u32 word, u32 element, struct ws_op *op)
{
    const struct position at = position_of(fragment, word, element);
    const u32 major = fragment->column ? at.column : at.row, minor = fragment->column ? at.row : at.column;
    const u32 bits = fragment->type == WS_TYPE_f64 ? 64 : ws_matrix_bits(fragment->type);
    const u64 offset = (u64)minor * bits / 8 + (addresses->fixed ? (u64)major * addresses->stride * bits / 8 : 0);
    op->offset += (i32)offset;
    op->src[0] = addresses->start;
    if (addresses->fixed || major == 0)
        return WS_STATUS_ok;
    if (addresses->line != major)
        WS_TRY(compute(reading, WS_OP_mad_wide, WS_TYPE_u32, 8, fragment->stride, (u64)major * bits / 8, WS_SLOT_NONE,
                       addresses->start, &addresses->at));
    addresses->line = major;
    op->src[0] = addresses->at;
    return WS_STATUS_ok;
}

/* Whether the numbers of a word, or two neighbouring words of C or D, follow each other in memory. */
static bool is_contiguous(const struct fragment *fragment)
{
    return fragment->name == 'b' ? fragment->column : !fragment->column;
}

/* Words as they are in memory, or 64 bits of f64. */
static enum ws_status access_words(const struct reading *reading, const struct fragment *fragment, struct addresses *addresses)
{
    const bool stores = fragment->name == 'd', wide = fragment->type == WS_TYPE_f64;
    const bool sum = stores || fragment->name == 'c';
    const u32 each = sum && is_contiguous(fragment) && ws_matrix_bits(fragment->type) == 32 ? 2 : 1;
    for (u32 n = 0; n < fragment->used; n += each) {
        struct ws_op op = fragment->place;
        op.type = wide ? WS_TYPE_u64 : WS_TYPE_u32;
        op.width = stores ? 0 : wide ? 8 : WORD;
        op.count = (u8)each;
        WS_TRY(find_place(reading, fragment, addresses, n, 0, &op));
        memcpy(stores ? op.src + 1 : op.dst, fragment->slots + n, each * sizeof *op.src);
        WS_TRY(add(reading, &op));
    }
    return WS_STATUS_ok;
}

/* Access to number n of a word whose numbers are apart in memory. */
static enum ws_status find_part(const struct reading *reading, const struct fragment *fragment, struct addresses *addresses,
                                u32 word, u32 n, struct ws_op *op)
{
    *op = fragment->place;
    op->type = ws_matrix_bits(fragment->type) == 16 ? WS_TYPE_u16 : WS_TYPE_u8;
    op->width = fragment->name == 'd' ? 0 : WORD;
    return find_place(reading, fragment, addresses, word, n, op);
}

static enum ws_status store_parts(const struct reading *reading, const struct fragment *fragment, struct addresses *addresses,
                                  u32 word)
{
    const u32 bits = ws_matrix_bits(fragment->type);
    for (u32 n = 0; n < WORD * 8 / bits; n++) {
        struct ws_op op;
        WS_TRY(find_part(reading, fragment, addresses, word, n, &op));
        op.src[1] = fragment->slots[word];
        if (n > 0)
            WS_TRY(compute(reading, WS_OP_shr, WS_TYPE_u32, WORD, fragment->slots[word], (u64)bits * n, WS_SLOT_NONE, WS_SLOT_NONE,
                           &op.src[1]));
        WS_TRY(add(reading, &op));
    }
    return WS_STATUS_ok;
}

/* Loads the numbers and puts each into the word. */
static enum ws_status load_parts(const struct reading *reading, const struct fragment *fragment, struct addresses *addresses,
                                 u32 word)
{
    const u32 bits = ws_matrix_bits(fragment->type), parts = WORD * 8 / bits;
    u16 whole = WS_SLOT_NONE;
    for (u32 n = 0; n < parts; n++) {
        struct ws_op op, put = ptx_op(WS_OP_bfi, WS_TYPE_u32, reading->line);
        WS_TRY(find_part(reading, fragment, addresses, word, n, &op));
        WS_TRY(new_register(reading, WORD, &op.dst[0]));
        WS_TRY(add(reading, &op));
        put.width = WORD;
        put.src[0] = op.dst[0];
        put.src[1] = whole;
        whole = op.dst[0];
        if (n == 0)
            continue;
        WS_TRY(constant(reading, (u64)bits * n, &put.src[2]));
        WS_TRY(constant(reading, bits, &put.src[3]));
        put.dst[0] = fragment->slots[word];
        if (n + 1 < parts)
            WS_TRY(new_register(reading, WORD, &put.dst[0]));
        whole = put.dst[0];
        WS_TRY(add(reading, &put));
    }
    return WS_STATUS_ok;
}

/* The registers beyond the fragment repeat it. */
static enum ws_status repeat(const struct reading *reading, const struct fragment *fragment)
{
    for (u32 n = fragment->used; n < fragment->registers; n++) {
        struct ws_op op = ptx_op(WS_OP_mov, WS_TYPE_u32, reading->line);
        op.width = WORD;
        op.mode = WS_MODE_repeats;
        op.dst[0] = fragment->slots[n];
        op.src[0] = fragment->slots[n % fragment->used];
        WS_TRY(add(reading, &op));
    }
    return WS_STATUS_ok;
}

static enum ws_status access_fragment(const struct reading *reading, const struct fragment *fragment)
{
    const struct ptx_body *const body = &reading->parser->function->body;
    const u32 bits = fragment->type == WS_TYPE_f64 ? 64 : ws_matrix_bits(fragment->type);
    struct addresses addresses = {.line = 0};
    if (!ptx_is_register(body, fragment->stride) && ptx_input(body, fragment->stride)->kind == WS_INPUT_constant) {
        addresses.stride = (u32)ptx_input(body, fragment->stride)->value;
        addresses.fixed = (u64)addresses.stride * 32 * bits / 8 < 1u << 30; /* offsets have 32 bits */
    }
    WS_TRY(find_start(reading, fragment, &addresses));
    if (bits >= 32 || is_contiguous(fragment))
        WS_TRY(access_words(reading, fragment, &addresses));
    for (u32 n = 0; bits < 32 && !is_contiguous(fragment) && n < fragment->used; n++)
        WS_TRY(fragment->name == 'd' ? store_parts(reading, fragment, &addresses, n)
                                     : load_parts(reading, fragment, &addresses, n));
    return repeat(reading, fragment);
}

/* ---- Loads and stores ---- */

static enum ws_status parse_registers(const struct reading *reading, u32 count, u8 width, u16 *slots)
{
    bool braces;
    WS_TRY(ptx_take(&reading->parser->lexer, '{', &braces));
    for (u32 n = 0; n < count; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(&reading->parser->lexer, ','));
        WS_TRY(ptx_parse_register(reading->parser, width, false, &slots[n]));
    }
    return braces ? ptx_expect(&reading->parser->lexer, '}') : WS_STATUS_ok;
}

/* Behind the name: .sync.aligned.LAYOUT.SHAPE{.SPACE}.TYPE */
static bool match_access(struct reading *reading, struct fragment *fragment)
{
    static const char *const spaces[] = {"global", "shared"};
    const bool factor = fragment->name == 'a' || fragment->name == 'b';
    struct ws_op *const place = &fragment->place;
    *place = ptx_op(fragment->name == 'd' ? WS_OP_st : WS_OP_ld, WS_TYPE_u32, reading->line);
    place->space = WS_SPACE_generic;
    if (!take(reading, "sync") || !take(reading, "aligned") || !take_layout(reading, &fragment->column) ||
        !take_shape(reading, &fragment->shape))
        return false;
    for (u32 n = 0; n < 2; n++)
        place->space = take(reading, spaces[n]) ? (n ? WS_SPACE_shared : WS_SPACE_global) : place->space;
    if (!take_type(reading, &fragment->type) || reading->left > 0)
        return false;
    if (factor && ws_matrix_bits(fragment->type) < 8 && fragment->column != (fragment->name == 'b'))
        return false;
    if (fragment->shape->transposed) {
        fragment->column = !fragment->column;
        fragment->name = fragment->name == 'a' ? 'b' : fragment->name == 'b' ? 'a' : fragment->name;
    }
    fragment->used = words_of(fragment->name, fragment->shape, fragment->type);
    fragment->registers = registers_of(fragment->name, fragment->shape, fragment->type);
    const u32 k = fragment->shape->k;
    const u8 type = fragment->type;
    const bool sum = k == 16  ? type == WS_TYPE_f16 || type == WS_TYPE_f32 || type == WS_TYPE_s32
                     : k == 8 ? type == WS_TYPE_f32
                     : k == 4 ? type == WS_TYPE_f64
                              : type == WS_TYPE_s32;
    return factor ? fits(fragment->shape, type) : sum;
}

/* Distance of rows, or columns, in numbers; without one, they are adjacent. */
static enum ws_status parse_stride(const struct reading *reading, struct fragment *fragment)
{
    const struct shape *const shape = fragment->shape;
    const u32 rows = fragment->name == 'b' ? shape->k : shape->m, columns = fragment->name == 'a' ? shape->k : shape->n;
    bool given;
    WS_TRY(ptx_take(&reading->parser->lexer, ',', &given));
    return given ? ptx_parse_source(reading->parser, WS_TYPE_u32, false, &fragment->stride)
                 : constant(reading, fragment->column ? rows : columns, &fragment->stride);
}

static enum ws_status parse_access(struct reading *reading, struct fragment *fragment)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    const bool stores = fragment->name == 'd';
    if (!match_access(reading, fragment))
        return ptx_fail(lexer, reading->line, "this form of 'wmma' is not supported");
    const u8 width = fragment->type == WS_TYPE_f64 ? 8 : WORD;
    if (!stores) {
        WS_TRY(parse_registers(reading, fragment->registers, width, fragment->slots));
        WS_TRY(ptx_expect(lexer, ','));
    }
    WS_TRY(ptx_parse_operands(reading->parser, "m", &fragment->place));
    if (stores) {
        WS_TRY(ptx_expect(lexer, ','));
        WS_TRY(parse_registers(reading, fragment->registers, width, fragment->slots));
    }
    WS_TRY(parse_stride(reading, fragment));
    return access_fragment(reading, fragment);
}

/* ---- Products ---- */

struct product {
    const struct shape *shape;
    struct ws_op op;
    u16 a[REGISTERS], b[REGISTERS], c[REGISTERS], d[REGISTERS];
};

/* Behind the name: {.xor|and.popc}.sync.aligned.LAYOUT.LAYOUT.SHAPE.D{.A.B}.C{.satfinite} */
static bool match_product(struct reading *reading, struct product *product)
{
    struct ws_op *const op = &product->op;
    bool a, b;
    u8 c;
    const bool and = take(reading, "and"), bits = (take(reading, "xor") || and) && take(reading, "popc");
    if (!take(reading, "sync") || !take(reading, "aligned") || !take_layout(reading, &a) || !take_layout(reading, &b) ||
        !take_shape(reading, &product->shape) || !take_type(reading, &op->type))
        return false;
    op->from = op->mode = WS_TYPE_f16;
    op->flags = take(reading, "satfinite") ? WS_OP_SAT : 0;
    const bool short_form = reading->left <= 2 && product->shape->k == 16 && op->type != WS_TYPE_s32;
    if (!short_form && (!take_type(reading, &op->from) || !take_type(reading, &op->mode)))
        return false;
    if (!take_type(reading, &c))
        return false;
    op->compare = and? WS_MATRIX_AND : 0;
    if (op->type == WS_TYPE_f64)
        (void)take(reading, "rn");
    const bool integer = op->type == WS_TYPE_s32;
    const bool alike = integer ? ws_matrix_bits(op->mode) == ws_matrix_bits(op->from) && sum_fits(op->mode, op->type)
                               : op->mode == op->from && !op->flags;
    return c == op->type && alike && sum_fits(op->from, op->type) && fits(product->shape, op->from) &&
           fits(product->shape, op->mode) && (op->from == WS_MATRIX_b1) == bits && reading->left == 0;
}

/* Whether the first product writes a register that the second one reads: one of A or B, or another number of C. */
static bool overwrites(const struct product *product, u32 sums)
{
    for (u32 d = 0; d < sums / 2; d++) {
        for (u32 n = 0; n < REGISTERS; n++)
            if (product->d[d] == product->a[n] || product->d[d] == product->b[n])
                return true;
        for (u32 n = sums / 2; n < sums; n++)
            if (product->d[d] == product->c[n])
                return true;
    }
    return false;
}

/* Product `part` of `parts`: the operands that differ follow each other in the registers. */
static enum ws_status add_part(const struct reading *reading, struct product *product, u32 part, u32 parts, const u16 *results)
{
    struct ws_op *const op = &product->op;
    const u32 a = ws_matrix_registers_a(op), b = ws_matrix_registers_b(op), c = ws_matrix_registers_c(op);
    const bool columns = product->shape->n == 16; /* both products have the same A; else the same B */
    memset(op->src, 0xFF, sizeof op->src);
    memcpy(op->src, product->a + (parts == 2 && !columns ? part * a : 0), a * sizeof *op->src);
    memcpy(op->src + a, product->b + (columns ? part * b : 0), b * sizeof *op->src);
    memcpy(op->src + a + b, product->c + part * c, c * sizeof *op->src);
    memcpy(op->dst, results + part * c, c * sizeof *op->dst);
    const struct ws_input all = {.kind = WS_INPUT_constant, .value = UINT32_MAX};
    WS_TRY(ptx_parsed_input(reading->parser, &all, &op->src[MEMBERS]));
    return add(reading, op);
}

static enum ws_status add_products(const struct reading *reading, struct product *product, u32 sums)
{
    const u32 each = ws_matrix_registers_c(&product->op), parts = sums / each;
    const bool copies = parts == 2 && overwrites(product, sums);
    u16 results[REGISTERS];
    memcpy(results, product->d, sizeof results);
    for (u32 n = 0; copies && n < each; n++)
        WS_TRY(new_register(reading, product->op.width, &results[n]));
    for (u32 part = 0; part < parts; part++)
        WS_TRY(add_part(reading, product, part, parts, results));
    for (u32 n = 0; copies && n < each; n++) {
        struct ws_op move = ptx_op(WS_OP_mov, product->op.width == 8 ? WS_TYPE_u64 : WS_TYPE_u32, reading->line);
        move.width = product->op.width;
        move.dst[0] = product->d[n];
        move.src[0] = results[n];
        WS_TRY(add(reading, &move));
    }
    return WS_STATUS_ok;
}

static enum ws_status parse_product(struct reading *reading)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    struct product product = {.op = ptx_op(WS_OP_mma, WS_TYPE_none, reading->line)};
    struct ws_op *const op = &product.op;
    memset(product.a, 0xFF, sizeof product.a + sizeof product.b + sizeof product.c + sizeof product.d);
    if (!match_product(reading, &product))
        return ptx_fail(lexer, reading->line, "this form of 'wmma.mma' is not supported");
    const bool transposed = product.shape->transposed;
    const u32 sums = words_of('c', product.shape, op->type);
    op->from = op->from == WS_TYPE_u32 ? WS_TYPE_f32 : op->from; /* tf32 */
    op->mode = op->mode == WS_TYPE_u32 ? WS_TYPE_f32 : op->mode;
    op->width = op->type == WS_TYPE_f64 ? 8 : WORD;
    while (strcmp(ws_matrix_shapes[op->shape].name, product.shape->product) != 0)
        op->shape++;
    WS_TRY(parse_registers(reading, sums, op->width, product.d));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_registers(reading, registers_of(transposed ? 'b' : 'a', product.shape, op->from), op->width,
                           transposed ? product.b : product.a));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_registers(reading, registers_of(transposed ? 'a' : 'b', product.shape, op->from), op->width,
                           transposed ? product.a : product.b));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_registers(reading, sums, op->width, product.c));
    if (transposed) {
        const u8 from = op->from;
        op->from = op->mode;
        op->mode = from;
    }
    return add_products(reading, &product, sums);
}

enum ws_status ptx_parse_fragment(struct ptx_parser *parser, const struct ptx_words *words, u32 line)
{
    struct reading reading = {.parser = parser, .words = words, .left = words->count - 1, .line = line};
    struct fragment fragment = {.name = 0};
    if (take(&reading, "mma"))
        WS_TRY(parse_product(&reading));
    else {
        const bool load = take(&reading, "load");
        static const char *const names[] = {"a", "b", "c"};
        for (u32 n = 0; load && n < 3; n++)
            fragment.name = take(&reading, names[n]) ? names[n][0] : fragment.name;
        if (!load && take(&reading, "store") && take(&reading, "d"))
            fragment.name = 'd';
        if (!fragment.name)
            return ptx_fail(&parser->lexer, line, "this form of 'wmma' is not supported");
        WS_TRY(parse_access(&reading, &fragment));
    }
    return ptx_expect(&parser->lexer, ';');
}
