/* Video instructions. */
#include "frontend/exec/handlers.h"
#include "frontend/exec/value.h"

enum { WHOLE = 32 };

/* Number n of so many bits of a register. */
static s64 number_of(u64 bits, u32 n, u32 width, u8 type)
{
    const u64 field = bits >> n * width & (UINT64_MAX >> (64 - width));
    const bool negative = type == WS_TYPE_s32 && field >> (width - 1);
    return (s64)(negative ? field - ((u64)1 << width) : field);
}

/* A source, or the byte (1 to 4) or half (5, 6) of it. */
static s64 part_of(u64 bits, u32 part, u8 type)
{
    if (part == 0)
        return number_of(bits, 0, WHOLE, type);
    return part <= 4 ? number_of(bits, part - 1, 8, type) : number_of(bits, part - 5, 16, type);
}

static s64 lesser(s64 a, s64 b)
{
    return a < b ? a : b;
}

static s64 greater(s64 a, s64 b)
{
    return a < b ? b : a;
}

static s64 computed(const struct ws_op *op, s64 a, s64 b)
{
    const u32 shift = (u32)(op->flags & WS_OP_RELU ? b & (WHOLE - 1) : lesser(b, WHOLE)); /* RELU: wraps */
    switch (op->mode) {
    case WS_VIDEO_add:
        return a + b;
    case WS_VIDEO_sub:
        return a - b;
    case WS_VIDEO_average:
        return (a + b + (a + b >= 0)) >> 1;
    case WS_VIDEO_absdiff:
        return a < b ? b - a : a - b;
    case WS_VIDEO_min:
        return lesser(a, b);
    case WS_VIDEO_max:
        return greater(a, b);
    case WS_VIDEO_shl:
        return (s64)((u64)a << shift);
    default:
        return a >> shift;
    }
}

/* The result as a number of so many bits of the destination's type: what does not fit is clamped or cut. */
static s64 fitted(const struct ws_op *op, s64 value, u32 width)
{
    const bool is_signed = op->type == WS_TYPE_s32;
    const s64 most = ((s64)1 << (width - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    if (op->flags & WS_OP_SAT)
        return greater(least, lesser(value, most));
    return number_of((u64)value, 0, width, op->type);
}

static u64 single(const struct ws_op *op, const u64 *slot, u64 third)
{
    const s64 a = part_of(slot[op->src[0]], (u32)op->offset & 0xFF, op->from);
    const s64 b = part_of(slot[op->src[1]], (u32)op->offset >> 8 & 0xFF, op->compare);
    const s64 value = fitted(op, computed(op, a, b), WHOLE), c = number_of(third, 0, WHOLE, op->type);
    switch (op->combine) {
    case WS_VIDEO_second_add:
        return (u64)(value + c);
    case WS_VIDEO_second_min:
        return (u64)lesser(value, c);
    case WS_VIDEO_second_max:
        return (u64)greater(value, c);
    default:
        return (u64)value;
    }
}

struct ws_basic_block *ws_video(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    const u64 third = slot[step->c];
    const u32 width = WHOLE / op->count;
    u64 packed = 0, sum = third;
    for (u32 n = 0; n < op->count && op->count > 1; n++) {
        const s64 exact =
            computed(op, number_of(slot[step->a], n, width, op->from), number_of(slot[step->b], n, width, op->compare));
        packed |= ((u64)fitted(op, exact, width) & (UINT64_MAX >> (64 - width))) << n * width;
        sum += (u64)exact;
    }
    const u64 several = op->combine == WS_VIDEO_second_add ? sum : packed;
    slot[step->dst] = (op->count > 1 ? several : single(op, slot, third)) & UINT32_MAX;
    return ws_next(step, slot, thread);
}
