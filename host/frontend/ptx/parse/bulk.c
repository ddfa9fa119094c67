/* cp.async.bulk, cp.reduce.async.bulk, their tensor forms, st.async and red.async. The thread copies everything when it executes
 * the instruction: a loop over lines of 128 bytes, or over rows of a box. Then the bytes arrive at the mbarrier. */
#include <string.h>

#include "frontend/ptx/bulk.h"
#include "frontend/ptx/parse/parser.h"

enum { MOST_COORDINATES = 5, PIECE = 16 };

struct bulk {
    struct ptx_parser *parser;
    const struct ptx_words *words;
    u32 line;
    u32 rank;     /* of a tensor; 0: no tensor */
    bool writes;  /* to global memory, or to another block's */
    u8 reduction; /* enum ws_bulk */
    u8 type;      /* of its elements */
    u16 to, from; /* addresses; of a tensor: in shared memory and of the map */
    u16 bytes;    /* of a copy without tensor */
    u16 at[MOST_COORDINATES];
    u16 barrier; /* WS_SLOT_NONE: none */
    u16 mask;    /* of a multicast, the blocks of the cluster; WS_SLOT_NONE: none */
};

static bool has(const struct ptx_words *words, const char *text)
{
    for (u32 n = 1; n < words->count; n++)
        if (strcmp(words->word[n], text) == 0)
            return true;
    return false;
}

/* ---- Operations ---- */

static enum ws_status constant(const struct bulk *bulk, u64 value, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = value};
    return ptx_parsed_input(bulk->parser, &input, slot);
}

static enum ws_status new_register(const struct bulk *bulk, u8 width, u16 *slot)
{
    return ptx_add_register(bulk->parser->arena, &bulk->parser->function->body, width, slot, bulk->parser->error);
}

static enum ws_status add(const struct bulk *bulk, const struct ws_op *op)
{
    return ptx_add_wide_op(bulk->parser->arena, &bulk->parser->function->body, op, bulk->parser->error);
}

/* to = a opcode b, a register that may be one of its sources. */
static enum ws_status compute(const struct bulk *bulk, enum ws_opcode opcode, enum ws_type type, u16 a, u16 b, u16 to)
{
    struct ws_op op = ptx_op(opcode, type, bulk->line);
    op.width = opcode == WS_OP_mul_wide ? 8 : (u8)ws_type_bytes(type);
    op.src[0] = a;
    op.src[1] = b;
    op.dst[0] = to;
    return add(bulk, &op);
}

/* A copy of a value in a register of its own. */
static enum ws_status copied(const struct bulk *bulk, enum ws_type type, u16 value, u16 *copy)
{
    struct ws_op op = ptx_op(WS_OP_mov, type, bulk->line);
    op.width = (u8)ws_type_bytes(type);
    op.src[0] = value;
    WS_TRY(new_register(bulk, op.width, &op.dst[0]));
    *copy = op.dst[0];
    return add(bulk, &op);
}

/* Jumps to the label if a compares so with b. */
static enum ws_status jump_if(const struct bulk *bulk, enum ws_compare compare, u16 a, u16 b, u32 label)
{
    struct ws_op asks = ptx_op(WS_OP_setp, WS_TYPE_u32, bulk->line), branch = ptx_op(WS_OP_branch, WS_TYPE_none, bulk->line);
    asks.compare = (u8)compare;
    asks.width = 1;
    asks.src[0] = a;
    asks.src[1] = b;
    WS_TRY(new_register(bulk, 1, &asks.dst[0]));
    branch.guard = asks.dst[0];
    branch.target = label;
    WS_TRY(add(bulk, &asks));
    return add(bulk, &branch);
}

static enum ws_status new_label(const struct bulk *bulk, bool here, u32 *label)
{
    struct ptx_body *const body = &bulk->parser->function->body;
    WS_TRY(ptx_add_label(bulk->parser->arena, body, label, bulk->parser->error));
    if (here)
        body->labels[*label] = (u32)body->op_count;
    return WS_STATUS_ok;
}

/* The bytes (of 32 bits) arrive at the mbarrier. */
static enum ws_status complete(const struct bulk *bulk, u16 bytes)
{
    struct ws_op op = ptx_op(WS_OP_atom_transfer, WS_TYPE_u64, bulk->line);
    u16 minus;
    if (bulk->barrier == WS_SLOT_NONE)
        return WS_STATUS_ok;
    op.space = WS_SPACE_shared;
    op.src[0] = bulk->barrier;
    WS_TRY(new_register(bulk, 8, &op.src[1]));
    WS_TRY(constant(bulk, UINT32_MAX, &minus));
    WS_TRY(compute(bulk, WS_OP_mul_wide, WS_TYPE_s32, bytes, minus, op.src[1]));
    if (bulk->mask != WS_SLOT_NONE) {
        op.opcode = WS_OP_atom_multicast;
        op.src[2] = bulk->mask;
    }
    return add(bulk, &op);
}

/* ---- Copies of lines ---- */

static enum ws_status copy_lines(const struct bulk *bulk)
{
    struct ws_op line = ptx_op(bulk->writes ? WS_OP_bulk_out : WS_OP_bulk_in, WS_TYPE_u32, bulk->line);
    const bool inside = !has(bulk->words, "global"); /* between shared memories */
    const enum ws_type wide = WS_TYPE_u64, narrow = WS_TYPE_u32;
    u16 step, step_narrow, zero;
    u32 again, end;
    line.space = inside ? WS_SPACE_shared : WS_SPACE_global;
    line.from = WS_SPACE_shared;
    line.count = PIECE / 4;
    line.combine = bulk->reduction;
    line.compare = bulk->type;
    line.shape = bulk->mask != WS_SLOT_NONE;
    line.src[WS_MULTICAST_MASK] = bulk->mask;
    WS_TRY(copied(bulk, inside ? narrow : wide, bulk->writes ? bulk->to : bulk->from, &line.src[0]));
    WS_TRY(copied(bulk, narrow, bulk->writes ? bulk->from : bulk->to, &line.src[1]));
    WS_TRY(copied(bulk, narrow, bulk->bytes, &line.src[2]));
    WS_TRY(constant(bulk, WS_BULK_LINE, &step));
    WS_TRY(constant(bulk, 0, &zero));
    WS_TRY(new_label(bulk, false, &end));
    WS_TRY(jump_if(bulk, WS_COMPARE_eq, line.src[2], zero, end));
    WS_TRY(new_label(bulk, true, &again));
    WS_TRY(add(bulk, &line));
    WS_TRY(compute(bulk, WS_OP_add, inside ? narrow : wide, line.src[0], step, line.src[0]));
    WS_TRY(compute(bulk, WS_OP_add, narrow, line.src[1], step, line.src[1]));
    WS_TRY(new_register(bulk, 4, &step_narrow));
    WS_TRY(compute(bulk, WS_OP_min, narrow, line.src[2], step, step_narrow));
    WS_TRY(compute(bulk, WS_OP_sub, narrow, line.src[2], step_narrow, line.src[2]));
    WS_TRY(jump_if(bulk, WS_COMPARE_ne, line.src[2], zero, again));
    bulk->parser->function->body.labels[end] = (u32)bulk->parser->function->body.op_count;
    return complete(bulk, bulk->bytes);
}

/* ---- Copies of boxes ---- */

/* Rows of the box, or its bytes. */
static enum ws_status box_size(const struct bulk *bulk, u8 mode, u16 *size)
{
    struct ws_op op = ptx_op(WS_OP_tensor_size, WS_TYPE_u32, bulk->line);
    op.width = 4;
    op.mode = mode;
    op.space = WS_SPACE_generic;
    op.src[0] = bulk->from;
    WS_TRY(new_register(bulk, 4, &op.dst[0]));
    *size = op.dst[0];
    return add(bulk, &op);
}

static enum ws_status copy_rows(const struct bulk *bulk)
{
    struct ws_op row = ptx_op(bulk->writes ? WS_OP_tensor_out : WS_OP_tensor_in, WS_TYPE_u32, bulk->line);
    u16 rows, bytes, one, zero;
    u32 again;
    row.space = WS_SPACE_global;
    row.count = PIECE / 4;
    row.mode = (u8)bulk->rank;
    row.combine = bulk->reduction;
    row.shape = bulk->mask != WS_SLOT_NONE;
    row.src[WS_MULTICAST_MASK] = bulk->mask;
    row.src[0] = bulk->from;
    row.src[1] = bulk->to;
    memcpy(row.src + 3, bulk->at, bulk->rank * sizeof *bulk->at);
    WS_TRY(box_size(bulk, 0, &rows));
    WS_TRY(constant(bulk, 0, &zero));
    WS_TRY(constant(bulk, 1, &one));
    WS_TRY(copied(bulk, WS_TYPE_u32, zero, &row.src[2]));
    WS_TRY(new_label(bulk, true, &again));
    WS_TRY(add(bulk, &row));
    WS_TRY(compute(bulk, WS_OP_add, WS_TYPE_u32, row.src[2], one, row.src[2]));
    WS_TRY(jump_if(bulk, WS_COMPARE_lt, row.src[2], rows, again));
    if (bulk->barrier == WS_SLOT_NONE)
        return WS_STATUS_ok;
    WS_TRY(box_size(bulk, 1, &bytes));
    return complete(bulk, bytes);
}

/* ---- Operands ---- */

/* [address] or [map, {coordinates}]; the address, with its offset, in a register. */
static enum ws_status parse_place(struct bulk *bulk, u8 space, u16 *address)
{
    struct ptx_lexer *const lexer = &bulk->parser->lexer;
    struct ws_op op = ptx_op(WS_OP_ld, WS_TYPE_u32, bulk->line);
    const enum ws_type type = space == WS_SPACE_shared ? WS_TYPE_u32 : WS_TYPE_u64;
    u16 offset;
    op.space = space;
    WS_TRY(ptx_parse_operands(bulk->parser, "m", &op));
    *address = op.src[0];
    if (op.offset == 0)
        return WS_STATUS_ok;
    WS_TRY(constant(bulk, (u64)(int64_t)op.offset & (type == WS_TYPE_u32 ? UINT32_MAX : UINT64_MAX), &offset));
    WS_TRY(new_register(bulk, (u8)ws_type_bytes(type), address));
    (void)lexer;
    return compute(bulk, WS_OP_add, type, op.src[0], offset, *address);
}

static enum ws_status parse_tensor(struct bulk *bulk)
{
    struct ptx_lexer *const lexer = &bulk->parser->lexer;
    WS_TRY(ptx_expect(lexer, '['));
    WS_TRY(ptx_parse_source(bulk->parser, WS_TYPE_u64, false, &bulk->from));
    WS_TRY(ptx_expect(lexer, ','));
    bool braces;
    WS_TRY(ptx_take(lexer, '{', &braces));
    for (u32 n = 0; n < bulk->rank; n++) {
        if (n > 0)
            WS_TRY(ptx_expect(lexer, ','));
        WS_TRY(ptx_parse_source(bulk->parser, WS_TYPE_u32, false, &bulk->at[n]));
    }
    if (braces)
        WS_TRY(ptx_expect(lexer, '}'));
    return ptx_expect(lexer, ']');
}

/* , [mbarrier], then a mask of blocks, and a cache policy, without effect here. */
static enum ws_status parse_end(struct bulk *bulk)
{
    struct ptx_lexer *const lexer = &bulk->parser->lexer;
    u16 unused;
    if (has(bulk->words, "mbarrier::complete_tx::bytes")) {
        WS_TRY(ptx_expect(lexer, ','));
        WS_TRY(parse_place(bulk, WS_SPACE_shared, &bulk->barrier));
    }
    while (!ptx_at_mark(lexer, ';')) {
        const bool mask = has(bulk->words, "multicast::cluster") && bulk->mask == WS_SLOT_NONE;
        WS_TRY(ptx_expect(lexer, ','));
        const struct ptx_lexer start = *lexer;
        struct ws_error own = {.status = WS_STATUS_ok};
        struct ws_error *const outer = bulk->parser->error;
        bulk->parser->error = lexer->error = &own;
        const bool narrow = mask && ptx_parse_source(bulk->parser, WS_TYPE_u16, false, &bulk->mask) == WS_STATUS_ok;
        bulk->parser->error = lexer->error = outer;
        if (narrow)
            continue;
        *lexer = start;
        lexer->error = outer;
        WS_TRY(ptx_parse_source(bulk->parser, WS_TYPE_u64, false, &unused));
    }
    return ptx_expect(lexer, ';');
}

static enum ws_status parse_copy(struct bulk *bulk)
{
    struct ptx_lexer *const lexer = &bulk->parser->lexer;
    const u8 to = bulk->writes && has(bulk->words, "global") ? WS_SPACE_global : WS_SPACE_shared;
    const u8 from = !bulk->writes && has(bulk->words, "global") ? WS_SPACE_global : WS_SPACE_shared;
    WS_TRY(parse_place(bulk, to, &bulk->to));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(parse_place(bulk, from, &bulk->from));
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(ptx_parse_source(bulk->parser, WS_TYPE_u32, false, &bulk->bytes));
    WS_TRY(parse_end(bulk));
    return copy_lines(bulk);
}

static enum ws_status parse_box(struct bulk *bulk)
{
    struct ptx_lexer *const lexer = &bulk->parser->lexer;
    if (bulk->writes)
        WS_TRY(parse_tensor(bulk));
    else
        WS_TRY(parse_place(bulk, WS_SPACE_shared, &bulk->to));
    WS_TRY(ptx_expect(lexer, ','));
    if (bulk->writes)
        WS_TRY(parse_place(bulk, WS_SPACE_shared, &bulk->to));
    else
        WS_TRY(parse_tensor(bulk));
    WS_TRY(parse_end(bulk));
    return copy_rows(bulk);
}

/* ---- Words ---- */

static bool match_reduction(struct bulk *bulk)
{
    static const char *const reductions[] = {"", "add", "min", "max", "and", "or", "xor", "inc", "dec"};
    static const struct {
        const char *word;
        u8 type;
    } types[] = {{"f16", WS_TYPE_f16}, {"bf16", WS_TYPE_bf16}, {"f32", WS_TYPE_f32}, {"f64", WS_TYPE_f64}, {"u32", WS_TYPE_u32},
                 {"s32", WS_TYPE_s32}, {"u64", WS_TYPE_u64},   {"s64", WS_TYPE_s64}, {"b32", WS_TYPE_u32}, {"b64", WS_TYPE_u64}};
    for (u8 n = 1; n < sizeof reductions / sizeof *reductions; n++)
        bulk->reduction = has(bulk->words, reductions[n]) ? n : bulk->reduction;
    for (u32 n = 0; n < sizeof types / sizeof *types; n++)
        bulk->type = has(bulk->words, types[n].word) ? types[n].type : bulk->type;
    return bulk->reduction && (bulk->rank || bulk->type);
}

/* Words that a bulk copy may have; those of prefetches are forms of their own. */
static const char *unknown_word(const struct ptx_words *words)
{
    static const char *const known[] = {"async",      "reduce",
                                        "bulk",       "shared",
                                        "global",     "mbarrier::complete_tx::bytes",
                                        "bulk_group", "multicast::cluster",
                                        "tensor",     "1d",
                                        "2d",         "3d",
                                        "4d",         "5d",
                                        "tile",       "add",
                                        "min",        "max",
                                        "and",        "or",
                                        "xor",        "inc",
                                        "dec",        "f16",
                                        "bf16",       "f32",
                                        "f64",        "u32",
                                        "s32",        "u64",
                                        "s64",        "b32",
                                        "b64",        "noftz",
                                        "prefetch",   "L2"};
    for (u32 n = 1; n < words->count; n++) {
        u32 k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k], words->word[n]) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            return words->word[n];
    }
    return NULL;
}

bool ptx_is_bulk(const struct ptx_words *words)
{
    return strcmp(words->word[0], "cp") == 0 && has(words, "bulk") && !has(words, "commit_group") && !has(words, "wait_group");
}

/* A prefetch has no effect. */
static enum ws_status parse_prefetch(struct bulk *bulk)
{
    const struct ws_op nothing = ptx_op(WS_OP_fence, WS_TYPE_none, bulk->line);
    u16 unused;
    if (bulk->rank)
        WS_TRY(parse_tensor(bulk));
    else {
        WS_TRY(parse_place(bulk, WS_SPACE_global, &unused));
        WS_TRY(ptx_expect(&bulk->parser->lexer, ','));
        WS_TRY(ptx_parse_source(bulk->parser, WS_TYPE_u32, false, &unused));
    }
    WS_TRY(add(bulk, &nothing));
    return parse_end(bulk);
}

enum ws_status ptx_parse_bulk(struct ptx_parser *parser, const struct ptx_words *words, u32 line)
{
    struct bulk bulk = {.parser = parser, .words = words, .line = line, .barrier = WS_SLOT_NONE, .mask = WS_SLOT_NONE};
    const char *const unknown = unknown_word(words);
    for (u32 n = 1; n < words->count; n++)
        if (words->word[n][1] == 'd' && words->word[n][2] == '\0')
            bulk.rank = (u32)(words->word[n][0] - '0');
    if (unknown || has(words, "tensor") != (bulk.rank > 0))
        return ptx_fail(&parser->lexer, line, "'cp.async.bulk' is not supported with .%s", unknown ? unknown : "tensor");
    u32 at = 1; /* the first of the two spaces is the one that is written */
    while (at < words->count && strcmp(words->word[at], "global") != 0 && strcmp(words->word[at], "shared") != 0)
        at++;
    bulk.writes = at < words->count && strcmp(words->word[at], "global") == 0;
    if (has(words, "prefetch"))
        return parse_prefetch(&bulk);
    if (has(words, "reduce") && !match_reduction(&bulk))
        return ptx_fail(&parser->lexer, line, "'cp.reduce.async.bulk' without an operation and a type");
    return bulk.rank ? parse_box(&bulk) : parse_copy(&bulk);
}
