/* Integers, logic and predicates. */
#include "sass/exec/lower.h"

#define SOURCE(n) ((u32)slot[step->op->src[n]])
#define FLAGS     ((u32)step->offset)

/* ---- Moves ---- */

static enum ws_status as_mov(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, char to, char from)
{
    op->opcode = WS_OP_mov;
    op->type = WS_TYPE_u32;
    op->width = 4;
    op->dst[0] = sass_result(lowering, in, to, 0);
    op->src[0] = sass_source(lowering, in, from, 0);
    return WS_STATUS_ok;
}

WS_HANDLER(mov_pair)
{
    const u64 high = slot[step->b];
    slot[step->dst] = slot[step->a];
    slot[step->op->dst[1]] = high;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_mov(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const bool wide = in->architecture >= 100 && sass_bits(in, 80, 1);
    return wide ? sass_handles(lowering, in, op, mov_pair, "dd1", "bb1") : as_mov(lowering, in, op, 'd', 'b');
}

enum ws_status sass_lower_mov64(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_handles(lowering, in, op, mov_pair, "dd1", "ll1");
}

enum ws_status sass_lower_r2ur(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (ws_sass_operand(in, 'p')->number == WS_SASS_ZERO)
        return as_mov(lowering, in, op, 'D', 'A');
    if (sass_bits(in, 84, 1))
        op->src[2] = sass_source(lowering, in, 'p', 0);
    op->opcode = WS_OP_first;
    op->type = WS_TYPE_u32;
    op->dst[0] = sass_result(lowering, in, 'D', 0);
    op->dst[1] = sass_result(lowering, in, 'p', 0);
    op->src[0] = sass_source(lowering, in, 'A', 0);
    return WS_STATUS_ok;
}

WS_HANDLER(sel)
{
    slot[step->dst] = slot[step->c] != FLAGS ? slot[step->a] : slot[step->b];
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_sel(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)(sass_modified(in, 'P') & 1);
    return sass_handles(lowering, in, op, sel, "d", "abP");
}

WS_HANDLER(sel_pair)
{
    const struct ws_op *const op = step->op;
    const u32 from = (slot[op->src[4]] != 0) != FLAGS ? 0 : 2;
    const u64 low = slot[op->src[from]], high = slot[op->src[from + 1]];
    slot[step->dst] = low;
    slot[op->dst[1]] = high;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_sel64(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)(sass_modified(in, 'P') & 1);
    if (ws_sass_operand(in, 'b'))
        return sass_handles(lowering, in, op, sel_pair, "dd1", "AA1bb1P");
    return sass_handles(lowering, in, op, sel_pair, "dd1", ws_sass_operand(in, 'r') ? "AA1rr1P" : "AA1II1P");
}

/* ---- Sums ---- */

enum { NEGATIVE_A = 1, NEGATIVE_B = 2, NEGATIVE_C = 4, EXTENDED = 8, NOT_FIRST = 16, NOT_SECOND = 32, SIGNED = 64 };

static u32 negations(const struct ws_sass_instruction *in)
{
    return (sass_modified(in, 'a') & 1 ? NEGATIVE_A : 0) | (sass_modified(in, 'b') & 1 ? NEGATIVE_B : 0) |
           (sass_modified(in, 'c') & 1 ? NEGATIVE_C : 0) | (sass_modified(in, 'P') & 1 ? NOT_FIRST : 0) |
           (sass_modified(in, 'Q') & 1 ? NOT_SECOND : 0);
}

WS_HANDLER(iadd3_plain)
{
    slot[step->dst] = (u32)(slot[step->a] + slot[step->b] + slot[step->c]);
    return ws_next(step, slot, thread);
}

/* A negated term is inverted; 1 is added unless a carry comes in. */
static u64 term(u64 slot, bool negative, u32 flags)
{
    return negative ? (u64)(u32)~slot + (flags & EXTENDED ? 0 : 1) : (u32)slot;
}

WS_HANDLER(iadd3)
{
    const struct ws_op *const op = step->op;
    const u32 flags = FLAGS;
    u64 sum = term(slot[step->a], flags & NEGATIVE_A, flags) + term(slot[step->b], flags & NEGATIVE_B, flags) +
              term(slot[step->c], flags & NEGATIVE_C, flags);
    if (flags & EXTENDED)
        sum += (slot[op->src[3]] != 0) != ((flags & NOT_FIRST) != 0), sum += (slot[op->src[4]] != 0) != ((flags & NOT_SECOND) != 0);
    slot[step->dst] = (u32)sum;
    slot[op->dst[1]] = sum >> 32 >= 1;
    slot[op->dst[2]] = sum >> 32 >= 2;
    return ws_next(step, slot, thread);
}

/* Without negation: a carry goes out, or comes in. */
WS_HANDLER(iadd3_carry)
{
    const u64 sum = (u64)(u32)slot[step->a] + (u32)slot[step->b] + (u32)slot[step->c];
    slot[step->dst] = (u32)sum;
    slot[step->op->dst[1]] = sum >> 32 >= 1;
    return ws_next(step, slot, thread);
}

WS_HANDLER(iadd3_with)
{
    slot[step->dst] = (u32)(slot[step->a] + slot[step->b] + slot[step->c] + (slot[step->op->src[3]] != 0));
    return ws_next(step, slot, thread);
}

static ws_handler *iadd3_of(const struct ws_sass_instruction *in, u32 flags)
{
    const struct ws_sass_operand *const first = ws_sass_operand(in, 'p'), *const second = ws_sass_operand(in, 'q');
    const struct ws_sass_operand *const more = ws_sass_operand(in, 'Q');
    const bool carries = first->number != WS_SASS_ZERO, extended = sass_bits(in, 74, 1);
    if (flags & (NEGATIVE_A | NEGATIVE_B | NEGATIVE_C) || second->number != WS_SASS_ZERO)
        return iadd3;
    if (!extended)
        return carries ? iadd3_carry : iadd3_plain;
    const bool one = more->number == WS_SASS_ZERO && more->negative && !(flags & NOT_FIRST);
    return one && !carries ? iadd3_with : iadd3;
}

enum ws_status sass_lower_iadd3(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 flags = negations(in);
    op->offset = (i32)(flags | (sass_bits(in, 74, 1) ? EXTENDED : 0));
    return sass_handles(lowering, in, op, iadd3_of(in, flags), "dpq", "abcPQ");
}

WS_HANDLER(iadd_pair)
{
    const struct ws_op *const op = step->op;
    const u64 a = sass_pair(slot, op->src[0], op->src[1]), b = sass_pair(slot, op->src[2], op->src[3]);
    const u32 flags = FLAGS;
    const u64 first = flags & NEGATIVE_A ? ~a : a, second = flags & NEGATIVE_B ? ~b : b, sum = first + second;
    const u64 more = flags & EXTENDED ? (slot[op->src[4]] != 0) != ((flags & NOT_FIRST) != 0)
                                      : (u64)((flags & NEGATIVE_A) != 0) + ((flags & NEGATIVE_B) != 0);
    sass_put_pair(slot, step->dst, op->dst[1], sum + more);
    slot[op->dst[2]] = sum < first || sum + more < sum;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_iadd64(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)(negations(in) | (sass_bits(in, 74, 1) ? EXTENDED : 0));
    return sass_handles(lowering, in, op, iadd_pair, "dd1p", "aa1bb1P");
}

WS_HANDLER(iadd3_pair)
{
    const struct ws_op *const op = step->op;
    u64 sum = 0;
    for (u32 n = 0; n < 3; n++) {
        const u64 value = sass_pair(slot, op->src[2 * n], op->src[2 * n + 1]);
        sum += FLAGS >> n & 1 ? 0 - value : value;
    }
    sass_put_pair(slot, step->dst, op->dst[1], sum);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_iadd3_64(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (ws_sass_operand(in, 'p')->number != WS_SASS_ZERO || ws_sass_operand(in, 'q')->number != WS_SASS_ZERO)
        return sass_refuse(lowering, "a 64-bit sum with a carry out");
    op->offset = (i32)negations(in);
    return sass_handles(lowering, in, op, iadd3_pair, "dd1", "aa1bb1cc1");
}

WS_HANDLER(viadd)
{
    const u32 a = SOURCE(0), b = SOURCE(1);
    slot[step->dst] = (FLAGS & NEGATIVE_A ? 0 - a : a) + (FLAGS & NEGATIVE_B ? 0 - b : b);
    return ws_next(step, slot, thread);
}

WS_HANDLER(viadd_halves)
{
    const u32 a = SOURCE(0), b = SOURCE(1);
    slot[step->dst] = ((a + b) & 0xFFFF) | ((a >> 16) + (b >> 16)) << 16;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_viadd(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const bool halves = sass_bits(in, 73, 1);
    if (halves && negations(in))
        return sass_refuse(lowering, "VIADD.16x2 with a negated source");
    op->offset = (i32)negations(in);
    return sass_handles(lowering, in, op, halves ? viadd_halves : viadd, "d", "ab");
}

/* ---- Products ---- */

WS_HANDLER(imad_plain)
{
    slot[step->dst] = (u32)slot[step->a] * (u32)slot[step->b] + (u32)slot[step->c];
    return ws_next(step, slot, thread);
}

WS_HANDLER(imad)
{
    const u32 flags = FLAGS;
    const u32 product = SOURCE(0) * SOURCE(1), c = SOURCE(2);
    const bool extended = flags & EXTENDED;
    const u32 more = extended ? (slot[step->op->src[3]] != 0) != ((flags & NOT_FIRST) != 0) : 0;
    const u32 last = flags & NEGATIVE_C ? (extended ? ~c : 0 - c) : c;
    slot[step->dst] = (flags & NEGATIVE_B ? 0 - product : product) + last + more;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_imad(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 flags = negations(in);
    const bool extended = sass_bits(in, 74, 1);
    const struct ws_sass_operand *const a = ws_sass_operand(in, 'a');
    if (ws_sass_operand(in, 'p')->number != WS_SASS_ZERO)
        return sass_refuse(lowering, "IMAD with a carry out");
    if (!extended && !(flags & NEGATIVE_C) && a->kind == WS_SASS_IS_REGISTER && a->number == WS_SASS_ZERO)
        return as_mov(lowering, in, op, 'd', 'c');
    op->offset = (i32)(flags | (extended ? EXTENDED : 0));
    const bool plain = !extended && !(flags & (NEGATIVE_B | NEGATIVE_C));
    return sass_handles(lowering, in, op, plain ? imad_plain : imad, "d", "abcP");
}

static u64 product_of(u32 a, u32 b, u32 flags)
{
    const u64 product = flags & SIGNED ? (u64)((s64)(s32)a * (s32)b) : (u64)a * b;
    return flags & NEGATIVE_B ? 0 - product : product;
}

WS_HANDLER(imad_wide_plain)
{
    const struct ws_op *const op = step->op;
    const u64 product =
        FLAGS & SIGNED ? (u64)((s64)(s32)slot[step->a] * (s32)slot[step->b]) : (u64)(u32)slot[step->a] * (u32)slot[step->b];
    sass_put_pair(slot, step->dst, op->dst[1], product + sass_pair(slot, step->c, op->src[3]));
    return ws_next(step, slot, thread);
}

/* The 64-bit sum and its carry out. */
static u64 wide_sum(const struct ws_step *step, const u64 *slot, bool *carry)
{
    const struct ws_op *const op = step->op;
    const u32 flags = FLAGS;
    const u64 product = product_of(SOURCE(0), SOURCE(1), flags), c = sass_pair(slot, op->src[2], op->src[3]);
    const u64 added = flags & NEGATIVE_C ? (flags & EXTENDED ? ~c : 0 - c) : c;
    const u64 more = flags & EXTENDED ? (slot[op->src[4]] != 0) != ((flags & NOT_FIRST) != 0) : 0;
    const u64 sum = product + added, all = sum + more;
    *carry = sum < product || all < sum;
    return all;
}

WS_HANDLER(imad_wide)
{
    bool carry;
    const u64 sum = wide_sum(step, slot, &carry);
    sass_put_pair(slot, step->dst, step->op->dst[1], sum);
    slot[step->op->dst[2]] = carry;
    return ws_next(step, slot, thread);
}

WS_HANDLER(imad_hi)
{
    bool carry;
    const u64 sum = wide_sum(step, slot, &carry);
    slot[step->dst] = sum >> 32;
    slot[step->op->dst[1]] = carry;
    return ws_next(step, slot, thread);
}

static u32 product_flags(const struct ws_sass_instruction *in)
{
    return negations(in) | (sass_bits(in, 73, 1) ? SIGNED : 0) | (sass_bits(in, 74, 1) ? EXTENDED : 0);
}

enum ws_status sass_lower_imad_wide(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 flags = product_flags(in);
    const bool plain = !(flags & (EXTENDED | NEGATIVE_B | NEGATIVE_C)) && ws_sass_operand(in, 'p')->number == WS_SASS_ZERO;
    op->offset = (i32)flags;
    return sass_handles(lowering, in, op, plain ? imad_wide_plain : imad_wide, "dd1p", "abcc1P");
}

enum ws_status sass_lower_imad_hi(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)product_flags(in);
    return sass_handles(lowering, in, op, imad_hi, "dp", "abcc1P");
}

enum { WIDE_B = 1, UPPER_B = 2, SIGNED_A = 4, SIGNED_B = 8 };

static s64 part(u32 value, u32 n, u32 bits, bool is_signed)
{
    const u32 bare = value >> n * bits & ((1u << bits) - 1);
    return is_signed && bare >> (bits - 1) ? (s64)bare - ((s64)1 << bits) : (s64)bare;
}

WS_HANDLER(idp)
{
    const u32 flags = FLAGS, bits = flags & WIDE_B ? 16 : 8, count = flags & WIDE_B ? 2 : 4;
    u32 sum = SOURCE(2);
    for (u32 n = 0; n < count; n++)
        sum +=
            (u32)(part(SOURCE(0), n, bits, flags & SIGNED_A) * part(SOURCE(1), flags & UPPER_B ? n + 2 : n, 8, flags & SIGNED_B));
    slot[step->dst] = sum;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_idp(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)((sass_bits(in, 76, 1) ? WIDE_B : 0) | (sass_bits(in, 77, 1) ? UPPER_B : 0) |
                       (sass_bits(in, 73, 1) ? SIGNED_A : 0) | (sass_bits(in, 74, 1) ? SIGNED_B : 0));
    return sass_handles(lowering, in, op, idp, "d", "abc");
}

/* ---- Comparisons ---- */

enum { SET_AND, SET_OR, SET_XOR };

/* Writes a comparison and its negation, each combined with a predicate. */
static void put_test(const struct ws_step *step, u64 *slot, bool test, bool with, u32 how)
{
    const struct ws_op *const op = step->op;
    slot[step->dst] = how == SET_AND ? test && with : how == SET_OR ? test || with : test != with;
    slot[op->dst[1]] = how == SET_AND ? !test && with : how == SET_OR ? !test || with : !test != with;
}

/* Bits of a comparison operator, from bit 0 on: less, equal, greater. */
static bool compares(u32 what, bool less, bool equal)
{
    return what >> (less ? 0 : equal ? 1 : 2) & 1;
}

enum { TEST_WHAT = 7, TEST_SIGNED = 8, TEST_HOW = 4, TEST_EXTENDED = 64, TEST_NOT = 128, TEST_LOW_NOT = 256 };

WS_HANDLER(isetp)
{
    const u32 flags = FLAGS, a = SOURCE(0), b = SOURCE(1);
    bool test = compares(flags & TEST_WHAT, flags & TEST_SIGNED ? (s32)a < (s32)b : a < b, a == b);
    if (flags & TEST_EXTENDED && a == b)
        test = (slot[step->op->src[3]] != 0) != ((flags & TEST_LOW_NOT) != 0);
    put_test(step, slot, test, (slot[step->c] != 0) != ((flags & TEST_NOT) != 0), flags >> TEST_HOW & 3);
    return ws_next(step, slot, thread);
}

/* A comparison alone. */
#define ISETP(name, type, operator)                                                                                                \
    WS_HANDLER(isetp_##name##_##type)                                                                                              \
    {                                                                                                                              \
        slot[step->dst] = (type)slot[step->a] operator(type) slot[step->b];                                                        \
        return ws_next(step, slot, thread);                                                                                        \
    }
#define ISETPS(type)                                                                                                               \
    ISETP(lt, type, <) ISETP(eq, type, ==) ISETP(le, type, <=) ISETP(gt, type, >) ISETP(ne, type, !=) ISETP(ge, type, >=)
ISETPS(u32)
ISETPS(s32)
#define ISETP_ROW(type)                                                                                                            \
    {                                                                                                                              \
        NULL, isetp_lt_##type, isetp_eq_##type, isetp_le_##type, isetp_gt_##type, isetp_ne_##type, isetp_ge_##type, NULL           \
    }
static ws_handler *const comparisons[2][8] = {ISETP_ROW(u32), ISETP_ROW(s32)};

static ws_handler *isetp_of(const struct ws_sass_instruction *in)
{
    const struct ws_sass_operand *const with = ws_sass_operand(in, 'P');
    const bool alone = with->number == WS_SASS_ZERO && !with->negative && ws_sass_operand(in, 'q')->number == WS_SASS_ZERO &&
                       !sass_bits(in, 72, 1) && sass_bits(in, 74, 2) == SET_AND;
    ws_handler *const run = comparisons[sass_bits(in, 73, 1)][sass_bits(in, 76, 3)];
    return alone && run ? run : isetp;
}

WS_HANDLER(isetp_pair)
{
    const struct ws_op *const op = step->op;
    const u32 flags = FLAGS;
    const u64 a = sass_pair(slot, op->src[0], op->src[1]), b = sass_pair(slot, op->src[2], op->src[3]);
    const bool test = compares(flags & TEST_WHAT, flags & TEST_SIGNED ? (s64)a < (s64)b : a < b, a == b);
    put_test(step, slot, test, (slot[op->src[4]] != 0) != ((flags & TEST_NOT) != 0), flags >> TEST_HOW & 3);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_isetp(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const bool is_signed = sass_bits(in, 73, 1);
    op->offset = (i32)(sass_bits(in, 76, 3) | (is_signed ? TEST_SIGNED : 0) | sass_bits(in, 74, 2) << TEST_HOW |
                       (sass_bits(in, 72, 1) ? TEST_EXTENDED : 0) | (sass_modified(in, 'P') & 1 ? TEST_NOT : 0) |
                       (sass_modified(in, 'L') & 1 ? TEST_LOW_NOT : 0));
    if (in->architecture < 100 || !sass_bits(in, 80, 1))
        return sass_handles(lowering, in, op, isetp_of(in), "pq", "abPL");
    WS_TRY(sass_handles(lowering, in, op, isetp_pair, "pq", "aa1bb1P"));
    const struct ws_sass_operand *const b = ws_sass_operand(in, 'b');
    if (b->kind == WS_SASS_IS_IMMEDIATE)
        op->src[3] = sass_value(lowering, is_signed && b->value < 0 ? UINT32_MAX : 0);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_isetp64(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_lower_isetp(lowering, in, op);
}

/* ---- Logic ---- */

static u32 looked_up(u32 table, u32 a, u32 b, u32 c)
{
    u32 result = 0;
    for (u32 n = 0; n < 8; n++)
        result |= table >> n & 1 ? (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c) : 0;
    return result;
}

#define LOGIC(name, expression)                                                                                                    \
    WS_HANDLER(logic_##name)                                                                                                       \
    {                                                                                                                              \
        const u32 a = (u32)slot[step->a], b = (u32)slot[step->b], c = (u32)slot[step->c];                                          \
        (void)a, (void)b, (void)c;                                                                                                 \
        slot[step->dst] = (expression);                                                                                            \
        return ws_next(step, slot, thread);                                                                                        \
    }
LOGIC(and, a &b)
LOGIC(or, a | b)
LOGIC(xor, a ^ b)
LOGIC(and_and, a &b &c)
LOGIC(or_or, a | b | c)
LOGIC(xor_xor, a ^ b ^ c)
LOGIC(and_or, (a & b) | c)
LOGIC(not_b, ~b)
LOGIC(not_c, ~c)
LOGIC(select, (a & b) | (~a & c))

static const struct logic {
    u8 table;
    ws_handler *run;
} logics[] = {{0xC0, logic_and},     {0xFC, logic_or},     {0x3C, logic_xor},   {0x80, logic_and_and}, {0xFE, logic_or_or},
              {0x96, logic_xor_xor}, {0xEA, logic_and_or}, {0x33, logic_not_b}, {0x55, logic_not_c},   {0xCA, logic_select}};

enum { LOP_TABLE = 0xFF, LOP_AND = 256, LOP_NOT = 512, LOP_WAITS = 1024 };

WS_HANDLER(lop3)
{
    const u32 flags = FLAGS, result = looked_up(flags & LOP_TABLE, SOURCE(0), SOURCE(1), SOURCE(2));
    const bool with = (slot[step->op->src[3]] != 0) != ((flags & LOP_NOT) != 0);
    slot[step->dst] = result;
    const bool holds = flags & LOP_AND ? result != 0 && with : result != 0 || with;
    slot[step->op->dst[1]] = holds;
    thread->yields |= (flags & LOP_WAITS) && !holds;
    return ws_next(step, slot, thread);
}

/* Whether the result is the phase of an mbarrier, in bit 31. On sm_80 a test of an mbarrier is a load and this. */
static bool tests_phase(const struct lowering *lowering, const struct ws_sass_instruction *in)
{
    const struct ws_sass_operand *const b = ws_sass_operand(in, 'b');
    bool arrives = false;
    if (ws_sass_operand(in, 'd')->number != WS_SASS_ZERO || b->kind != WS_SASS_IS_IMMEDIATE || (u32)b->value != 0x80000000u)
        return false;
    for (u32 n = 0; n < lowering->machine->words && !arrives; n++)
        arrives = lowering->code[n].row && (lowering->code[n].row->does == WS_SASS_DOES_gate_arrive_sm80 ||
                                            lowering->code[n].row->does == WS_SASS_DOES_gate_copied);
    return arrives;
}

enum ws_status sass_lower_lop3(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 table = sass_bits(in, 72, 8);
    ws_handler *run = lop3;
    for (u32 n = 0; n < sizeof logics / sizeof *logics; n++)
        if (logics[n].table == table && ws_sass_operand(in, 'p')->number == WS_SASS_ZERO)
            run = logics[n].run;
    op->offset = (i32)(table | (sass_bits(in, 80, 1) ? LOP_AND : 0) | (sass_modified(in, 'P') & 1 ? LOP_NOT : 0) |
                       (tests_phase(lowering, in) ? LOP_WAITS : 0));
    return sass_handles(lowering, in, op, run, "dp", "abcP");
}

WS_HANDLER(plop3)
{
    const struct ws_op *const op = step->op;
    const u32 flags = FLAGS;
    u32 at = 0;
    for (u32 n = 0; n < 3; n++)
        at |= ((slot[op->src[n]] != 0) ^ (flags >> (16 + n) & 1)) << (2 - n);
    slot[step->dst] = flags >> at & 1;
    slot[op->dst[1]] = flags >> (8 + at) & 1;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_plop3(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 first = sass_bits(in, 72, 5) << 3 | sass_bits(in, 64, 3);
    op->offset = (i32)(first | sass_bits(in, 16, 8) << 8 | (sass_modified(in, 'P') & 1) << 16 | (sass_modified(in, 'Q') & 1) << 17 |
                       (sass_modified(in, 'M') & 1) << 18);
    return sass_handles(lowering, in, op, plop3, "pq", "PQM");
}

/* Moves predicates to and from bits of a byte of a register. */
enum { FLAG_PREDICATES = 7 };

WS_HANDLER(p2r)
{
    const struct sass_op *const own = sass_own(step);
    u32 bits = 0;
    for (u32 n = 0; n < FLAG_PREDICATES; n++)
        bits |= (u32)(slot[own->value + n] != 0) << n;
    const u32 mask = SOURCE(1), shift = FLAGS;
    slot[step->dst] = (SOURCE(0) & ~(mask << shift)) | (bits & mask) << shift;
    return ws_next(step, slot, thread);
}

WS_HANDLER(r2p)
{
    const struct sass_op *const own = sass_own(step);
    for (u32 n = 0; n < FLAG_PREDICATES; n++)
        if (SOURCE(1) >> n & 1)
            slot[own->value + n] = SOURCE(0) >> FLAGS >> n & 1;
    return ws_next(step, slot, thread);
}

static enum ws_status predicates(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, ws_handler *run)
{
    op->offset = (i32)(8 * sass_bits(in, 76, 2));
    WS_TRY(sass_handles(lowering, in, op, run, "d", in->uniform ? "fi" : "Ai"));
    lowering->own->value = lowering->first[in->uniform ? WS_SASS_UP : WS_SASS_P];
    return WS_STATUS_ok;
}

enum ws_status sass_lower_p2r(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return predicates(lowering, in, op, p2r);
}

enum ws_status sass_lower_r2p(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return predicates(lowering, in, op, r2p);
}
