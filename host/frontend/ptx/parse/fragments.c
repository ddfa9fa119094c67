/* wmma: matrices with an unspecified assignment of numbers to threads. Here each thread holds as many consecutive words as it has
 * registers, along a row (or column) of the matrix: a load or store of several words. 16-bit A and B have eight registers, which
 * hold numbers twice. Only the first ones are used. */
#include <string.h>

#include "frontend/ptx/matrix.h"
#include "frontend/ptx/parse/parser.h"

enum { WORD = 4, VECTOR = 4, MEMBERS = WS_OP_SOURCES - 1, HALF_REGISTERS = 8, NUMBERS = 8 /* of C and D */ };

/* An instruction, word by word. */
struct reading {
    struct ptx_parser *parser;
    const struct ptx_words *words;
    u32 at, line;
    u16 guard;
    u8 negated; /* WS_OP_NOT_GUARD or 0 */
};

/* A matrix in memory. */
struct fragment {
    char name; /* a, b, c, d */
    bool column;
    u8 shape, type;
    u32 registers, used; /* registers of a thread, in the text; registers that hold something */
    u16 slots[HALF_REGISTERS];
    struct ws_op place; /* an access to its start */
    u16 stride;         /* numbers between rows, or columns */
};

/* ---- Words ---- */

static bool take(struct reading *reading, const char *word)
{
    const bool found = reading->at < reading->words->count && strcmp(reading->words->word[reading->at], word) == 0;
    reading->at += found;
    return found;
}

static bool take_layout(struct reading *reading, bool *column)
{
    *column = take(reading, "col");
    return *column || take(reading, "row");
}

static bool take_shape(struct reading *reading, u8 *shape)
{
    for (*shape = 0; *shape < WS_MATRIX_SHAPES; ++*shape)
        if (ws_matrix_shapes[*shape].m * ws_matrix_shapes[*shape].n == 256 && take(reading, ws_matrix_shapes[*shape].name))
            return true;
    return false;
}

static bool take_type(struct reading *reading, u8 *type)
{
    static const struct {
        const char *word;
        u8 type;
    } types[] = {{"f16", WS_TYPE_f16}, {"bf16", WS_TYPE_bf16}, {"tf32", WS_TYPE_u32}, {"s8", WS_TYPE_s8},
                 {"u8", WS_TYPE_u8},   {"f32", WS_TYPE_f32},   {"s32", WS_TYPE_s32}};
    for (size_t n = 0; n < sizeof types / sizeof *types; n++)
        if (take(reading, types[n].word)) {
            *type = types[n].type;
            return true;
        }
    return false;
}

/* Whether A and B may have the type in this shape. tf32 has its own shape. */
static bool fits(u8 shape, u8 type)
{
    const bool factor = type != WS_TYPE_f32 && type != WS_TYPE_s32;
    return factor && (ws_matrix_shapes[shape].k == 8) == (type == WS_TYPE_u32);
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

/* *result = opcode applied to up to three sources, in a new register. */
static enum ws_status compute(const struct reading *reading, enum ws_opcode opcode, enum ws_type type, u8 width,
                              const u16 sources[3], u16 *result)
{
    struct ws_op op = ptx_op(opcode, type, reading->line);
    op.width = width;
    memcpy(op.src, sources, 3 * sizeof *sources);
    WS_TRY(ptx_add_register(reading->parser->arena, &reading->parser->function->body, width, &op.dst[0], reading->parser->error));
    *result = op.dst[0];
    return add(reading, &op);
}

static u32 logarithm(u32 value)
{
    return (u32)__builtin_ctz(value);
}

/* The address of the thread's first number. Consecutive threads lie along rows of `across` numbers, with `each` per thread. If
 * memory runs along columns and threads along rows, steps over them. */
static enum ws_status find_start(const struct reading *reading, const struct fragment *fragment, u32 across, u32 each, bool steps,
                                 u16 *address)
{
    const struct ws_input lane = {.kind = WS_INPUT_special, .width = 4, .value = WS_SPECIAL_laneid};
    const u32 threads = across / each;
    u16 number, by, row, along, from, bytes;
    WS_TRY(ptx_parsed_input(reading->parser, &lane, &number));
    WS_TRY(constant(reading, logarithm(threads), &by));
    WS_TRY(compute(reading, WS_OP_shr, WS_TYPE_u32, 4, (const u16[]){number, by, WS_SLOT_NONE}, &row));
    WS_TRY(constant(reading, threads - 1, &by));
    WS_TRY(compute(reading, WS_OP_and, WS_TYPE_u32, 4, (const u16[]){number, by, WS_SLOT_NONE}, &along));
    WS_TRY(constant(reading, logarithm(each), &by));
    WS_TRY(compute(reading, WS_OP_shl, WS_TYPE_u32, 4, (const u16[]){along, by, WS_SLOT_NONE}, &along));
    WS_TRY(compute(reading, WS_OP_mad_lo, WS_TYPE_u32, 4,
                   steps ? (const u16[]){along, fragment->stride, row} : (const u16[]){row, fragment->stride, along}, &from));
    WS_TRY(constant(reading, ws_matrix_bits(fragment->type) / 8, &bytes));
    return compute(reading, WS_OP_mad_wide, WS_TYPE_u32, 8, (const u16[]){from, bytes, fragment->place.src[0]}, address);
}

/* Words of the thread that follow each other. */
static enum ws_status access_words(const struct reading *reading, const struct fragment *fragment, u16 address)
{
    const bool stores = fragment->name == 'd';
    for (u32 n = 0; n < fragment->used; n += VECTOR) {
        struct ws_op op = fragment->place;
        const u32 count = ws_min(VECTOR, fragment->used - n);
        op.src[0] = address;
        op.offset += (i32)(WORD * n);
        op.count = (u8)count;
        op.width = stores ? 0 : WORD;
        memcpy(stores ? op.src + 1 : op.dst, fragment->slots + n, count * sizeof *op.src);
        WS_TRY(add(reading, &op));
    }
    return WS_STATUS_ok;
}

/* Moves a 16-bit number into or out of half a register; of 32 bits, the register itself. */
static enum ws_status access_number(const struct reading *reading, const struct fragment *fragment, u16 address, u16 slot)
{
    const bool stores = fragment->name == 'd';
    struct ws_op op = fragment->place;
    op.type = ws_matrix_bits(fragment->type) == 16 ? WS_TYPE_u16 : WS_TYPE_u32;
    op.src[0] = address;
    *(stores ? &op.src[1] : &op.dst[0]) = slot;
    op.width = stores ? 0 : (u8)(ws_matrix_bits(fragment->type) / 8);
    return add(reading, &op);
}

/* Both halves of register n. */
static enum ws_status add_halves(const struct reading *reading, const struct fragment *fragment, u32 n, u16 halves[2], bool unpacks)
{
    struct ws_op op = ptx_op(unpacks ? WS_OP_unpack : WS_OP_pack, WS_TYPE_u32, reading->line);
    op.count = 2;
    op.from = WS_TYPE_u16;
    op.width = unpacks ? 2 : 4;
    op.guard = unpacks ? WS_SLOT_NONE : reading->guard;
    op.flags = unpacks ? 0 : reading->negated;
    memcpy(unpacks ? op.dst : op.src, halves, 2 * sizeof *halves);
    *(unpacks ? op.src : op.dst) = fragment->slots[n];
    return add(reading, &op);
}

/* Registers for both halves of register n, filled for a store. */
static enum ws_status begin_halves(const struct reading *reading, const struct fragment *fragment, u32 n, u16 halves[2])
{
    struct ptx_parser *const parser = reading->parser;
    for (u32 i = 0; i < 2; i++)
        WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 2, &halves[i], parser->error));
    return fragment->name == 'd' ? add_halves(reading, fragment, n, halves, true) : WS_STATUS_ok;
}

/* C or D in column-major order: number by number, one column apart. */
static enum ws_status access_numbers(const struct reading *reading, const struct fragment *fragment, u16 address)
{
    const u32 bytes = ws_matrix_bits(fragment->type) / 8, per = WORD / bytes;
    const bool stores = fragment->name == 'd';
    u16 step, size, halves[2];
    WS_TRY(constant(reading, bytes, &size));
    WS_TRY(compute(reading, WS_OP_mul_wide, WS_TYPE_u32, 8, (const u16[]){fragment->stride, size, WS_SLOT_NONE}, &step));
    for (u32 n = 0; n < NUMBERS; n++) {
        u16 slot = fragment->slots[n / per];
        if (per == 2) {
            if (n % 2 == 0)
                WS_TRY(begin_halves(reading, fragment, n / 2, halves));
            slot = halves[n % 2];
        }
        WS_TRY(access_number(reading, fragment, address, slot));
        if (per == 2 && !stores && n % 2 == 1)
            WS_TRY(add_halves(reading, fragment, n / 2, halves, false));
        if (n + 1 < NUMBERS)
            WS_TRY(compute(reading, WS_OP_add, WS_TYPE_u64, 8, (const u16[]){address, step, WS_SLOT_NONE}, &address));
    }
    return WS_STATUS_ok;
}

static enum ws_status access_fragment(const struct reading *reading, const struct fragment *fragment)
{
    const struct ws_matrix_shape *const shape = &ws_matrix_shapes[fragment->shape];
    const u32 per = WORD * 8 / ws_matrix_bits(fragment->type);
    const bool factor = fragment->name == 'a' || fragment->name == 'b';
    const u32 rows = fragment->name == 'b' ? shape->k : shape->m, columns = fragment->name == 'a' ? shape->k : shape->n;
    u16 address;
    if (factor || !fragment->column) {
        WS_TRY(find_start(reading, fragment, fragment->column ? rows : columns, fragment->used * per, false, &address));
        return access_words(reading, fragment, address);
    }
    WS_TRY(find_start(reading, fragment, columns, NUMBERS, true, &address));
    return access_numbers(reading, fragment, address);
}

/* ---- Loads and stores ---- */

static enum ws_status parse_registers(const struct reading *reading, u32 count, u16 *slots)
{
    bool braces;
    WS_TRY(ptx_take(&reading->parser->lexer, '{', &braces));
    for (u32 n = 0; n < count; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(&reading->parser->lexer, ','));
        WS_TRY(ptx_parse_register(reading->parser, 4, false, &slots[n]));
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
    place->guard = reading->guard;
    place->flags = reading->negated;
    if (!take(reading, "sync") || !take(reading, "aligned") || !take_layout(reading, &fragment->column) ||
        !take_shape(reading, &fragment->shape))
        return false;
    for (u32 n = 0; n < 2; n++)
        place->space = take(reading, spaces[n]) ? (n ? WS_SPACE_shared : WS_SPACE_global) : place->space;
    if (!take_type(reading, &fragment->type) || reading->at < reading->words->count)
        return false;
    const struct ws_matrix_shape *const shape = &ws_matrix_shapes[fragment->shape];
    const u32 numbers = fragment->name == 'a' ? shape->m * shape->k : fragment->name == 'b' ? shape->k * shape->n : 256u;
    fragment->used = numbers * ws_matrix_bits(fragment->type) / 1024;
    fragment->registers = factor && fragment->type == WS_TYPE_f16 ? HALF_REGISTERS : fragment->used;
    const bool sum = fragment->type == WS_TYPE_f16 || fragment->type == WS_TYPE_f32 || fragment->type == WS_TYPE_s32;
    return factor ? fits(fragment->shape, fragment->type) : sum;
}

/* Distance of rows, or columns, in numbers; without one, they are adjacent. */
static enum ws_status parse_stride(const struct reading *reading, struct fragment *fragment)
{
    const struct ws_matrix_shape *const shape = &ws_matrix_shapes[fragment->shape];
    const u32 rows = fragment->name == 'b' ? shape->k : shape->m, columns = fragment->name == 'a' ? shape->k : shape->n;
    bool given;
    WS_TRY(ptx_take(&reading->parser->lexer, ',', &given));
    return given ? ptx_parse_source(reading->parser, WS_TYPE_u32, false, &fragment->stride)
                 : constant(reading, fragment->column ? rows : columns, &fragment->stride);
}

static enum ws_status parse_access(struct reading *reading, struct fragment *fragment)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    if (!match_access(reading, fragment))
        return ptx_fail(lexer, reading->line, "this form of 'wmma' is not supported");
    if (fragment->name != 'd') {
        WS_TRY(parse_registers(reading, fragment->registers, fragment->slots));
        WS_TRY(ptx_expect(lexer, ','));
    }
    WS_TRY(ptx_parse_operands(reading->parser, "m", &fragment->place));
    if (fragment->name == 'd') {
        WS_TRY(ptx_expect(lexer, ','));
        WS_TRY(parse_registers(reading, fragment->registers, fragment->slots));
    }
    WS_TRY(parse_stride(reading, fragment));
    return access_fragment(reading, fragment);
}

/* ---- Products ---- */

/* Behind the name: .sync.aligned.LAYOUT.LAYOUT.SHAPE.D{.A.B}.C{.satfinite} */
static bool match_product(struct reading *reading, struct ws_op *op)
{
    bool a, b;
    u8 c;
    if (!take(reading, "sync") || !take(reading, "aligned") || !take_layout(reading, &a) || !take_layout(reading, &b) ||
        !take_shape(reading, &op->shape) || !take_type(reading, &op->type))
        return false;
    op->from = op->mode = WS_TYPE_f16;
    const bool short_form = reading->words->count - reading->at <= 2 && op->type != WS_TYPE_s32;
    if (!short_form && (!take_type(reading, &op->from) || !take_type(reading, &op->mode)))
        return false;
    if (!take_type(reading, &c))
        return false;
    op->flags = take(reading, "satfinite") ? WS_OP_SAT : 0;
    op->compare = (u8)(a | (u32)!b << 1);
    const bool integer = ws_matrix_bits(op->from) == 8;
    const bool sums =
        integer ? op->type == WS_TYPE_s32 : op->type == WS_TYPE_f32 || (op->type == WS_TYPE_f16 && op->from == WS_TYPE_f16);
    return c == op->type && sums && reading->at == reading->words->count && fits(op->shape, op->from) &&
           fits(op->shape, op->mode) && (integer ? ws_matrix_bits(op->mode) == 8 : op->from == op->mode && !op->flags);
}

/* Whether a register of D is read after it is written: as one of A or B, or as another number of C. */
static bool overwrites(const struct ws_op *op, const u16 *d, u32 factors, const u16 *c, u32 count)
{
    for (u32 n = 0; n < VECTOR; n++) {
        for (u32 s = 0; s < factors; s++)
            if (op->src[s] == d[n])
                return true;
        for (u32 s = VECTOR; s < count; s++)
            if (c[s] == d[n])
                return true;
    }
    return false;
}

/* D has up to eight registers: two operations of four. */
static enum ws_status parse_product(struct reading *reading, struct ws_op *op)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    const struct ws_input all = {.kind = WS_INPUT_constant, .value = UINT32_MAX};
    u16 d[HALF_REGISTERS], a[HALF_REGISTERS], b[HALF_REGISTERS], c[HALF_REGISTERS];
    *op = ptx_op(WS_OP_wmma, WS_TYPE_none, reading->line);
    if (!match_product(reading, op))
        return ptx_fail(lexer, reading->line, "this form of 'wmma.mma' is not supported");
    const u32 used_a = ws_matrix_registers_a(op), used_b = ws_matrix_registers_b(op), sums = ws_matrix_registers_c(op);
    const bool halves = op->from == WS_TYPE_f16;
    WS_TRY(parse_registers(reading, sums, d));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_registers(reading, halves ? HALF_REGISTERS : used_a, a));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_registers(reading, halves ? HALF_REGISTERS : used_b, b));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_registers(reading, sums, c));
    op->width = 4;
    op->guard = reading->guard;
    op->flags |= reading->negated;
    memcpy(op->src, a, used_a * sizeof *a);
    memcpy(op->src + used_a, b, used_b * sizeof *b);
    WS_TRY(ptx_parsed_input(reading->parser, &all, &op->src[MEMBERS]));
    if (sums > VECTOR && overwrites(op, d, used_a + used_b, c, sums))
        return ptx_fail(lexer, reading->line,
                        "'wmma.mma' with a result in a register of A or B, or of another one of C, is not supported");
    for (u32 part = 0; VECTOR * part < sums; part++) {
        op->combine = (u8)part;
        memcpy(op->dst, d + VECTOR * part, VECTOR * sizeof *d);
        memcpy(op->src + used_a + used_b, c + VECTOR * part, VECTOR * sizeof *c);
        WS_TRY(add(reading, op));
    }
    return WS_STATUS_ok;
}

enum ws_status ptx_parse_fragment(struct ptx_parser *parser, const struct ptx_words *words, u32 line, u16 guard, bool negated)
{
    struct reading reading = {parser, words, 1, line, guard, negated ? WS_OP_NOT_GUARD : 0};
    struct fragment fragment = {.name = 0};
    struct ws_op op;
    if (take(&reading, "mma"))
        WS_TRY(parse_product(&reading, &op));
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
