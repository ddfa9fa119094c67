/* mbarrier: a 64-bit word in memory that counts arrivals. Arrival is an atomic; waiting is a load and a test. cp.async has arrived
 * once it has executed. Fields from the lowest bit on: missing arrivals (20 bits), arrivals per phase (20), bytes of copies that
 * are expected and have not arrived (21), number of the phase (3). */
#include <string.h>

#include "frontend/ptx/parse/parser.h"

enum { PHASE = 61 };
#define BOTH_COUNTS UINT64_C(0x100001) /* multiplied by a count: missing arrivals, and arrivals of the next phase */

struct barrier {
    struct ptx_parser *parser;
    const struct ptx_words *words;
    u32 line;
    u16 guard;
    bool negated;
};

static bool has(const struct barrier *barrier, const char *text)
{
    for (u32 n = 1; n < barrier->words->count; n++)
        if (strcmp(barrier->words->word[n], text) == 0)
            return true;
    return false;
}

static struct ws_op begin(const struct barrier *barrier, enum ws_opcode opcode, enum ws_type type)
{
    struct ws_op op = ptx_op(opcode, type, barrier->line);
    op.guard = barrier->guard;
    op.flags = barrier->negated ? WS_OP_NOT_GUARD : 0;
    op.count = 1;
    return op;
}

static enum ws_status add(const struct barrier *barrier, const struct ws_op *op)
{
    return ptx_add_parsed_op(barrier->parser, op);
}

static enum ws_status new_register(const struct barrier *barrier, u8 bytes, u16 *slot)
{
    return ptx_add_register(barrier->parser->arena, &barrier->parser->function->body, bytes, slot, barrier->parser->error);
}

/* dst = a operation b, of 64 bits. */
static enum ws_status add_words(const struct barrier *barrier, enum ws_opcode opcode, u16 a, u64 b, u16 *dst)
{
    struct ws_op op = begin(barrier, opcode, WS_TYPE_u64);
    const struct ws_input constant = {.kind = WS_INPUT_constant, .value = b};
    op.width = 8;
    op.src[0] = a;
    WS_TRY(ptx_parsed_input(barrier->parser, &constant, &op.src[1]));
    WS_TRY(new_register(barrier, 8, dst));
    op.dst[0] = *dst;
    return add(barrier, &op);
}

/* [address] of an access to the barrier. */
static enum ws_status parse_place(const struct barrier *barrier, enum ws_opcode opcode, struct ws_op *op)
{
    *op = begin(barrier, opcode, WS_TYPE_u64);
    op->space = has(barrier, "shared") ? WS_SPACE_shared : WS_SPACE_generic;
    return ptx_parse_operands(barrier->parser, "m", op);
}

static enum ws_status parse_count(const struct barrier *barrier, u16 *slot)
{
    return ptx_parse_source(barrier->parser, WS_TYPE_u32, false, slot);
}

static enum ws_status parse_init(const struct barrier *barrier)
{
    struct ws_op store, counts = begin(barrier, WS_OP_mul_wide, WS_TYPE_u32);
    const struct ws_input both = {.kind = WS_INPUT_constant, .value = BOTH_COUNTS};
    WS_TRY(parse_place(barrier, WS_OP_st, &store));
    WS_TRY(ptx_expect(&barrier->parser->lexer, ','));
    WS_TRY(parse_count(barrier, &counts.src[0]));
    WS_TRY(ptx_parsed_input(barrier->parser, &both, &counts.src[1]));
    WS_TRY(new_register(barrier, 8, &counts.dst[0]));
    counts.width = 8;
    store.src[1] = counts.dst[0];
    WS_TRY(add(barrier, &counts));
    return add(barrier, &store);
}

/* A state, '_', or no destination. */
static enum ws_status parse_state(const struct barrier *barrier, u16 *slot)
{
    struct ptx_lexer *const lexer = &barrier->parser->lexer;
    *slot = WS_SLOT_NONE;
    if (ptx_at_mark(lexer, '['))
        return WS_STATUS_ok;
    if (ptx_at_word(lexer, "_"))
        WS_TRY(ptx_next(lexer));
    else
        WS_TRY(ptx_parse_register(barrier->parser, 8, false, slot));
    return ptx_expect(lexer, ',');
}

/* A number of bytes, as 64 bits; negative if they arrive. */
static enum ws_status parse_bytes(const struct barrier *barrier, bool arrive, u16 *slot)
{
    struct ws_op widen = begin(barrier, WS_OP_mul_wide, WS_TYPE_s32);
    const struct ws_input factor = {.kind = WS_INPUT_constant, .value = arrive ? UINT32_MAX : 1};
    widen.width = 8;
    WS_TRY(parse_count(barrier, &widen.src[0]));
    WS_TRY(ptx_parsed_input(barrier->parser, &factor, &widen.src[1]));
    WS_TRY(new_register(barrier, 8, &widen.dst[0]));
    *slot = widen.dst[0];
    return add(barrier, &widen);
}

static enum ws_status parse_arrive(const struct barrier *barrier)
{
    struct ws_op op;
    u16 state;
    bool more;
    const struct ws_input one = {.kind = WS_INPUT_constant, .value = 1}, no_bytes = {.kind = WS_INPUT_constant};
    WS_TRY(parse_state(barrier, &state));
    WS_TRY(parse_place(barrier, has(barrier, "arrive_drop") ? WS_OP_atom_leave : WS_OP_atom_arrive, &op));
    op.dst[0] = state;
    op.width = state == WS_SLOT_NONE ? 0 : 8;
    WS_TRY(ptx_parsed_input(barrier->parser, &no_bytes, &op.src[2]));
    WS_TRY(ptx_take(&barrier->parser->lexer, ',', &more));
    if (has(barrier, "expect_tx")) { /* one arrival, and bytes */
        if (!more)
            return ptx_expected(&barrier->parser->lexer, "',' and the number of bytes");
        WS_TRY(ptx_parsed_input(barrier->parser, &one, &op.src[1]));
        WS_TRY(parse_bytes(barrier, false, &op.src[2]));
        return add(barrier, &op);
    }
    WS_TRY(more ? parse_count(barrier, &op.src[1]) : ptx_parsed_input(barrier->parser, &one, &op.src[1]));
    return add(barrier, &op);
}

/* expect_tx, complete_tx */
static enum ws_status parse_transfer(const struct barrier *barrier)
{
    struct ws_op op;
    WS_TRY(parse_place(barrier, WS_OP_atom_transfer, &op));
    WS_TRY(ptx_expect(&barrier->parser->lexer, ','));
    WS_TRY(parse_bytes(barrier, has(barrier, "complete_tx"), &op.src[1]));
    return add(barrier, &op);
}

/* Whether the word is in another phase than the state, or than one of that parity. */
static enum ws_status ask(const struct barrier *barrier, u16 word, u16 answer)
{
    struct ptx_parser *const parser = barrier->parser;
    struct ws_op differs = begin(barrier, WS_OP_ask, WS_TYPE_u64);
    const bool parity = has(barrier, "parity");
    u16 given, phase;
    differs.width = 1;
    differs.dst[0] = answer;
    WS_TRY(ptx_parse_source(parser, parity ? WS_TYPE_u32 : WS_TYPE_u64, false, &given));
    WS_TRY(add_words(barrier, WS_OP_shr, word, PHASE, &differs.src[0]));
    if (parity) {
        struct ws_op widen = begin(barrier, WS_OP_cvt, WS_TYPE_u64);
        WS_TRY(add_words(barrier, WS_OP_and, differs.src[0], 1, &differs.src[0]));
        widen.from = WS_TYPE_u32;
        widen.width = 8;
        widen.src[0] = given;
        WS_TRY(new_register(barrier, 8, &widen.dst[0]));
        WS_TRY(add(barrier, &widen));
        differs.src[1] = widen.dst[0];
    } else {
        WS_TRY(add_words(barrier, WS_OP_shr, given, PHASE, &phase));
        differs.src[1] = phase;
    }
    return add(barrier, &differs);
}

static enum ws_status parse_wait(const struct barrier *barrier)
{
    struct ptx_parser *const parser = barrier->parser;
    struct ws_op load;
    u16 answer, hint;
    bool more;
    WS_TRY(ptx_parse_register(parser, 1, false, &answer));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(parse_place(barrier, WS_OP_ld, &load));
    load.width = 8;
    load.flags |= WS_OP_VOLATILE;
    WS_TRY(new_register(barrier, 8, &load.dst[0]));
    WS_TRY(add(barrier, &load));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(ask(barrier, load.dst[0], answer));
    WS_TRY(ptx_take(&parser->lexer, ',', &more));
    return more ? ptx_parse_source(parser, WS_TYPE_u32, false, &hint) : WS_STATUS_ok; /* how long it may sleep */
}

/* cp.async.mbarrier.arrive: a pending copy would add one arrival and remove it when done; with .noinc it was counted at the start.
 */
static enum ws_status parse_copied(const struct barrier *barrier)
{
    struct ws_op op, nothing = begin(barrier, WS_OP_fence, WS_TYPE_none);
    const struct ws_input one = {.kind = WS_INPUT_constant, .value = 1}, no_bytes = {.kind = WS_INPUT_constant};
    WS_TRY(parse_place(barrier, WS_OP_atom_arrive, &op));
    WS_TRY(ptx_parsed_input(barrier->parser, &one, &op.src[1]));
    WS_TRY(ptx_parsed_input(barrier->parser, &no_bytes, &op.src[2]));
    return add(barrier, has(barrier, "noinc") ? &op : &nothing);
}

static enum ws_status parse_pending(const struct barrier *barrier)
{
    struct ws_op cut = begin(barrier, WS_OP_cvt, WS_TYPE_u32);
    u16 state;
    WS_TRY(ptx_parse_register(barrier->parser, 4, false, &cut.dst[0]));
    WS_TRY(ptx_expect(&barrier->parser->lexer, ','));
    WS_TRY(ptx_parse_register(barrier->parser, 8, false, &state));
    WS_TRY(add_words(barrier, WS_OP_and, state, 0xFFFFF, &cut.src[0]));
    cut.from = WS_TYPE_u64;
    cut.width = 4;
    return add(barrier, &cut);
}

static enum ws_status parse_end(const struct barrier *barrier)
{
    struct ws_op place, nothing = begin(barrier, WS_OP_fence, WS_TYPE_none);
    WS_TRY(parse_place(barrier, WS_OP_st, &place));
    return add(barrier, &nothing);
}

static const struct {
    const char *word;
    enum ws_status (*parse)(const struct barrier *barrier);
} rows[] = {
    {"init", parse_init},           {"inval", parse_end},     {"arrive", parse_arrive},         {"arrive_drop", parse_arrive},
    {"test_wait", parse_wait},      {"try_wait", parse_wait}, {"pending_count", parse_pending}, {"expect_tx", parse_transfer},
    {"complete_tx", parse_transfer}};

bool ptx_is_mbarrier(const struct ptx_words *words)
{
    const bool copied = words->count > 3 && strcmp(words->word[0], "cp") == 0 && strcmp(words->word[2], "mbarrier") == 0;
    return copied || strcmp(words->word[0], "mbarrier") == 0;
}

enum ws_status ptx_parse_mbarrier(struct ptx_parser *parser, const struct ptx_words *words, u32 line, u16 guard, bool negated)
{
    static const char *const known[] = {"shared",  "b64",     "noComplete", "noinc",   "parity",   "release",
                                        "acquire", "relaxed", "cta",        "cluster", "expect_tx"};
    const struct barrier barrier = {.parser = parser, .words = words, .line = line, .guard = guard, .negated = negated};
    const bool copied = strcmp(words->word[0], "cp") == 0;
    u32 row = 0;
    for (u32 n = copied ? 4 : 2; n < words->count; n++) {
        u32 k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k], words->word[n]) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            return ptx_fail(&parser->lexer, line, "'%s' is not supported with .%s", words->word[0], words->word[n]);
    }
    while (!copied && row < sizeof rows / sizeof *rows && (words->count < 2 || strcmp(rows[row].word, words->word[1]) != 0))
        row++;
    if (row == sizeof rows / sizeof *rows)
        return ptx_fail(&parser->lexer, line, "'mbarrier.%s' is not supported", words->count > 1 ? words->word[1] : "");
    WS_TRY(copied ? parse_copied(&barrier) : rows[row].parse(&barrier));
    return ptx_expect(&parser->lexer, ';');
}
