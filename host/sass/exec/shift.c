/* Shifts, fields and bits of integers, minima and maxima. */
#include "sass/exec/lower.h"

#define SOURCE(n) ((u32)slot[step->op->src[n]])
#define FLAGS     ((u32)step->offset)

enum { LEA_HIGH = 32, LEA_EXTENDED = 64, LEA_SIGN = 128, LEA_NEGATIVE_A = 256, LEA_NEGATIVE_B = 512, LEA_NOT = 1024 };

WS_HANDLER(lea_plain)
{
    slot[step->dst] = ((u32)slot[step->a] << FLAGS) + (u32)slot[step->b];
    return ws_next(step, slot, thread);
}

WS_HANDLER(lea)
{
    const struct ws_op *const op = step->op;
    const u32 flags = FLAGS, shift = flags & 31, a = SOURCE(0), b = SOURCE(1);
    const u32 upper = flags & LEA_SIGN ? (a >> 31 ? UINT32_MAX : 0) : SOURCE(2);
    const u64 one = flags & LEA_EXTENDED ? 0 : 1;
    u64 first = flags & LEA_HIGH ? ((u64)upper << 32 | a) << shift >> 32 : (u32)(a << shift), second = b;
    if (flags & LEA_NEGATIVE_A)
        first = (u32)~first + one;
    if (flags & LEA_NEGATIVE_B)
        second = (u32)~b + one;
    const u64 carry = flags & LEA_EXTENDED ? (slot[op->src[3]] != 0) != ((flags & LEA_NOT) != 0) : 0;
    const u64 sum = first + second + carry;
    slot[step->dst] = (u32)sum;
    slot[op->dst[1]] = sum >> 32 != 0;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_lea(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 flags = sass_bits(in, 75, 5) | (sass_bits(in, 80, 1) ? LEA_HIGH : 0) | (sass_bits(in, 74, 1) ? LEA_EXTENDED : 0) |
                      (sass_bits(in, 73, 1) ? LEA_SIGN : 0) | (sass_bits(in, 72, 1) ? LEA_NEGATIVE_A : 0) |
                      (sass_modified(in, 'b') & 1 ? LEA_NEGATIVE_B : 0) | (sass_modified(in, 'P') & 1 ? LEA_NOT : 0);
    const bool plain = !(flags & ~(31u | LEA_NOT)) && ws_sass_operand(in, 'p')->number == WS_SASS_ZERO;
    op->offset = (i32)(plain ? flags & 31 : flags);
    return sass_handles(lowering, in, op, plain ? lea_plain : lea, "dp", "abcP");
}

enum { SHF_RIGHT = 1, SHF_WRAP = 2, SHF_HIGH = 4, SHF_TYPE = 3 /* two bits: 0 s64, 1 u64, 2 s32, 3 u32 */ };

WS_HANDLER(shift_left)
{
    const u32 count = (u32)slot[step->b];
    slot[step->dst] = count < 32 ? (u32)slot[step->a] << count : 0;
    return ws_next(step, slot, thread);
}

WS_HANDLER(shift_right)
{
    const u32 count = (u32)slot[step->b];
    slot[step->dst] = count < 32 ? (u32)slot[step->c] >> count : 0;
    return ws_next(step, slot, thread);
}

WS_HANDLER(shf)
{
    const u32 flags = FLAGS, type = flags >> SHF_TYPE & 3, bits = type >= 2 ? 32 : 64, given = SOURCE(1);
    const u32 count = flags & SHF_WRAP ? given & (bits - 1) : given < bits ? given : bits;
    const u64 both = (u64)SOURCE(2) << 32 | SOURCE(0);
    const bool is_signed = !(type & 1);
    u64 result;
    if (!(flags & SHF_RIGHT))
        result = count < 64 ? both << count : 0;
    else if (is_signed)
        result = (u64)((s64)both >> (count < 64 ? count : 63));
    else
        result = count < 64 ? both >> count : 0;
    slot[step->dst] = flags & SHF_HIGH ? result >> 32 : (u32)result;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_shf(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const a = ws_sass_operand(in, 'a'), *const c = ws_sass_operand(in, 'c');
    const bool right = sass_bits(in, 76, 1), wrap = sass_bits(in, 75, 1), high = sass_bits(in, 80, 1);
    const u32 type = sass_bits(in, 73, 2);
    op->offset = (i32)((right ? SHF_RIGHT : 0) | (wrap ? SHF_WRAP : 0) | (high ? SHF_HIGH : 0) | type << SHF_TYPE);
    ws_handler *run = shf;
    if (!wrap && !right && !high && type >= 2)
        run = shift_left;
    if (!wrap && right && high && type == 3 && a->kind == WS_SASS_IS_REGISTER && a->number == WS_SASS_ZERO && c)
        run = shift_right;
    return sass_handles(lowering, in, op, run, "d", "abc");
}

enum { PRMT_INDEX, PRMT_FORWARD, PRMT_BACKWARD, PRMT_BYTE, PRMT_CLAMP_LEFT, PRMT_CLAMP_RIGHT, PRMT_HALF };

/* The number of the byte, of the eight bytes of a and c, that becomes byte n (PTX ISA, prmt). */
static u32 chosen(u32 mode, u32 selector, u32 n)
{
    const u32 s = selector & 3;
    switch (mode) {
    case PRMT_INDEX:
        return selector >> 4 * n & 15;
    case PRMT_FORWARD:
        return s + n;
    case PRMT_BACKWARD:
        return (s - n) & 7;
    case PRMT_BYTE:
        return s;
    case PRMT_CLAMP_LEFT:
        return n > s ? n : s;
    case PRMT_CLAMP_RIGHT:
        return n < s ? n : s;
    default:
        return (s & 1) * 2 + (n & 1);
    }
}

WS_HANDLER(prmt)
{
    const u64 bytes = (u64)SOURCE(2) << 32 | SOURCE(0);
    u32 result = 0;
    for (u32 n = 0; n < 4; n++) {
        const u32 which = chosen(FLAGS, SOURCE(1), n), byte = (u32)(bytes >> 8 * (which & 7)) & 0xFF;
        result |= (which & 8 ? (byte >> 7 ? 0xFF : 0) : byte) << 8 * n;
    }
    slot[step->dst] = result;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_prmt(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)sass_bits(in, 72, 3);
    return sass_handles(lowering, in, op, prmt, "d", "abc");
}

/* ---- Minima and maxima ---- */

enum { IS_SIGNED = 1, NOT_MINIMUM = 2, NEGATIVE_B = 4, NOT_NEGATIVE = 8 };

static u32 lesser(u32 a, u32 b, bool is_signed, bool least)
{
    const bool below = is_signed ? (s32)a < (s32)b : a < b;
    return below == least ? a : b;
}

static bool takes_least(const struct ws_step *step, const u64 *slot, u32 n)
{
    return (slot[step->op->src[n]] != 0) != ((FLAGS & NOT_MINIMUM) != 0);
}

WS_HANDLER(imnmx)
{
    const u32 result = lesser(SOURCE(0), SOURCE(1), FLAGS & IS_SIGNED, takes_least(step, slot, 2));
    slot[step->dst] = FLAGS & NOT_NEGATIVE && result >> 31 ? 0 : result;
    return ws_next(step, slot, thread);
}

static u32 minimum_flags(const struct ws_sass_instruction *in, u32 sign)
{
    return (sass_bits(in, sign, 1) ? IS_SIGNED : 0) | (sass_modified(in, 'P') & 1 ? NOT_MINIMUM : 0) |
           (sass_modified(in, 'b') & 1 ? NEGATIVE_B : 0);
}

enum ws_status sass_lower_imnmx(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)minimum_flags(in, 73);
    return sass_handles(lowering, in, op, imnmx, "d", "abP");
}

WS_HANDLER(imnmx_pair)
{
    const struct ws_op *const op = step->op;
    const u64 a = sass_pair(slot, op->src[0], op->src[1]), b = sass_pair(slot, op->src[2], op->src[3]);
    const bool below = FLAGS & IS_SIGNED ? (s64)a < (s64)b : a < b;
    sass_put_pair(slot, step->dst, op->dst[1], below == takes_least(step, slot, 4) ? a : b);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_imnmx64(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (ws_sass_operand(in, 'p')->number != WS_SASS_ZERO || ws_sass_operand(in, 'q')->number != WS_SASS_ZERO ||
        ws_sass_operand(in, 'Q')->number != WS_SASS_ZERO)
        return sass_refuse(lowering, "IMNMX of 64 bits with predicates other than its selector");
    op->offset = (i32)minimum_flags(in, 73);
    return sass_handles(lowering, in, op, imnmx_pair, "dd1", "aa1bb1P");
}

WS_HANDLER(imnmx_halves)
{
    const bool least = takes_least(step, slot, 2), is_signed = FLAGS & IS_SIGNED;
    u32 result = 0;
    for (u32 n = 0; n < 32; n += 16) {
        const u32 a = SOURCE(0) >> n & 0xFFFF, b = SOURCE(1) >> n & 0xFFFF, sign = is_signed ? 0x8000 : 0;
        const u32 one = lesser(a ^ sign, b ^ sign, false, least) ^ sign;
        result |= (FLAGS & NOT_NEGATIVE && one >> 15 ? 0 : one) << n;
    }
    slot[step->dst] = result;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_vimnmx(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (ws_sass_operand(in, 'p')->number != WS_SASS_ZERO || ws_sass_operand(in, 'q')->number != WS_SASS_ZERO)
        return sass_refuse(lowering, "VIMNMX with a predicate result");
    if (sass_bits(in, 76, 1) && !sass_bits(in, 72, 1))
        return sass_refuse(lowering, "VIMNMX.RELU of unsigned numbers");
    op->offset = (i32)(minimum_flags(in, 72) | (sass_bits(in, 76, 1) ? NOT_NEGATIVE : 0));
    return sass_handles(lowering, in, op, sass_bits(in, 73, 1) ? imnmx_halves : imnmx, "d", "abP");
}

WS_HANDLER(viaddmnmx)
{
    const u32 b = SOURCE(1), sum = SOURCE(0) + (FLAGS & NEGATIVE_B ? 0 - b : b);
    slot[step->dst] = lesser(sum, SOURCE(2), FLAGS & IS_SIGNED, takes_least(step, slot, 3));
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_viaddmnmx(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)minimum_flags(in, 72);
    return sass_handles(lowering, in, op, viaddmnmx, "d", "abcP");
}

WS_HANDLER(vimnmx3)
{
    const bool least = takes_least(step, slot, 3), is_signed = FLAGS & IS_SIGNED;
    slot[step->dst] = lesser(lesser(SOURCE(0), SOURCE(1), is_signed, least), SOURCE(2), is_signed, least);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_vimnmx3(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)minimum_flags(in, 72);
    return sass_handles(lowering, in, op, vimnmx3, "d", "abcP");
}

WS_HANDLER(iabs)
{
    const u32 value = SOURCE(0);
    slot[step->dst] = value >> 31 ? 0 - value : value;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_iabs(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_handles(lowering, in, op, iabs, "d", "b");
}

WS_HANDLER(vabsdiff)
{
    const u32 a = SOURCE(0), b = SOURCE(1);
    const bool below = FLAGS ? (s32)a < (s32)b : a < b;
    slot[step->dst] = (below ? b - a : a - b) + SOURCE(2);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_vabsdiff(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (ws_sass_operand(in, 'p')->number != WS_SASS_ZERO)
        return sass_refuse(lowering, "VABSDIFF with a predicate result");
    op->offset = (i32)sass_bits(in, 73, 1);
    return sass_handles(lowering, in, op, vabsdiff, "d", "abc");
}

/* ---- Bits ---- */

enum { FLO_SIGNED = 1, FLO_SHIFT = 2, INVERTED = 4 };

WS_HANDLER(flo)
{
    const u32 flags = FLAGS, given = flags & INVERTED ? ~SOURCE(0) : SOURCE(0);
    const u32 value = flags & FLO_SIGNED && given >> 31 ? ~given : given;
    const u32 zeros = value ? (u32)__builtin_clz(value) : 0;
    slot[step->dst] = !value ? UINT32_MAX : flags & FLO_SHIFT ? zeros : 31 - zeros;
    slot[step->op->dst[1]] = value != 0;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_flo(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)((sass_bits(in, 73, 1) ? FLO_SIGNED : 0) | (sass_bits(in, 74, 1) ? FLO_SHIFT : 0) |
                       (sass_modified(in, 'b') & 1 ? INVERTED : 0));
    return sass_handles(lowering, in, op, flo, "dp", "b");
}

WS_HANDLER(brev)
{
    u32 value = SOURCE(0), result = 0;
    for (u32 n = 0; n < 32; n++, value >>= 1)
        result = result << 1 | (value & 1);
    slot[step->dst] = result;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_brev(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_handles(lowering, in, op, brev, "d", "b");
}

WS_HANDLER(popc)
{
    slot[step->dst] = (u32)__builtin_popcount(SOURCE(0) ^ FLAGS);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_popc(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = sass_modified(in, 'b') & 1 ? -1 : 0;
    return sass_handles(lowering, in, op, popc, "d", "b");
}

enum { WRAPS = 2 };

/* A bit count: modulo 32, or clamped to 32. */
static u32 bits_of(u32 given, u32 flags)
{
    return flags & WRAPS ? given & 31 : given < 32 ? given : 32;
}

WS_HANDLER(sgxt)
{
    const u32 bits = bits_of(SOURCE(1), FLAGS), value = SOURCE(0);
    const u32 bare = bits < 32 ? value & ((1u << bits) - 1) : value;
    const bool negative = FLAGS & IS_SIGNED && bits > 0 && bare >> (bits - 1) & 1;
    slot[step->dst] = negative && bits < 32 ? bare | UINT32_MAX << bits : bare;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_sgxt(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)((sass_bits(in, 73, 1) ? IS_SIGNED : 0) | (sass_bits(in, 75, 1) ? WRAPS : 0));
    return sass_handles(lowering, in, op, sgxt, "d", "ab");
}

WS_HANDLER(bmsk)
{
    const u32 at = bits_of(SOURCE(0), FLAGS), bits = bits_of(SOURCE(1), FLAGS);
    slot[step->dst] = (u32)(((UINT64_C(1) << bits) - 1) << at);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_bmsk(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = sass_bits(in, 75, 1) ? WRAPS : 0;
    return sass_handles(lowering, in, op, bmsk, "d", "ab");
}
