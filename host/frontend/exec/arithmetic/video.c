/* Video instructions. */
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

enum { WHOLE = 32, INTERMEDIATE = 33 /* bits that .min and .max compare */ };

/* Number n of a register, of `bits` bits. */
static s64 number_of(u64 bits, u32 n, u32 width, u8 type)
{
    const u64 field = bits >> n * width & (UINT64_MAX >> (64 - width));
    const bool negative = type == WS_TYPE_s32 && field >> (width - 1);
    return (s64)(negative ? field - ((u64)1 << width) : field);
}

/* First bit and width of a part of a register. */
struct field {
    u32 at, width;
};

static struct field field_of(u32 part)
{
    if (part == WS_VIDEO_whole)
        return (struct field){0, WHOLE};
    return part < WS_VIDEO_half ? (struct field){8 * (part - WS_VIDEO_byte), 8} : (struct field){16 * (part - WS_VIDEO_half), 16};
}

static s64 part_of(u64 bits, u32 part, u8 type)
{
    const struct field field = field_of(part);
    return number_of(bits >> field.at, 0, field.width, type);
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
    case WS_VIDEO_shr:
        return a >> shift;
    default: { /* a bit for less, equal, greater, by WS_VIDEO_set: eq ne lt le gt ge */
        static const u8 holds[] = {2, 5, 1, 3, 4, 6};
        return holds[op->mode - WS_VIDEO_set] >> (a < b ? 0 : a == b ? 1 : 2) & 1;
    }
    }
}

/* The result as a number of the destination's type and width, clamped or truncated. */
static s64 fitted(const struct ws_op *op, s64 value, u32 width)
{
    const bool is_signed = op->type == WS_TYPE_s32;
    const s64 most = ((s64)1 << (width - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    if (op->flags & WS_OP_SAT)
        return greater(least, lesser(value, most));
    return number_of((u64)value, 0, width, op->type);
}

static u64 mask_of(u32 width)
{
    return UINT64_MAX >> (64 - width);
}

static u64 single(const struct ws_op *op, s64 a, s64 b, u64 third)
{
    const struct field field = field_of(op->shape);
    const s64 exact = computed(op, a, b), value = fitted(op, exact, field.width), c = number_of(third, 0, WHOLE, op->type);
    const s64 intermediate = op->flags & WS_OP_SAT ? value : (s64)((u64)exact << (64 - INTERMEDIATE)) >> (64 - INTERMEDIATE);
    if (op->shape != WS_VIDEO_whole)
        return (third & ~(mask_of(field.width) << field.at)) | ((u64)value & mask_of(field.width)) << field.at;
    switch (op->combine) {
    case WS_VIDEO_second_add:
        return (u64)(value + c);
    case WS_VIDEO_second_min:
        return (u64)lesser(intermediate, c);
    case WS_VIDEO_second_max:
        return (u64)greater(intermediate, c);
    default:
        return (u64)value;
    }
}

/* vmad, as in the PTX ISA: complements the product or the third source, and adds one. */
static u64 product(const struct ws_op *op, s64 a, s64 b, u64 third)
{
    __extension__ typedef __int128 s128;
    const bool signed_sources = op->from == WS_TYPE_s32 || op->compare == WS_TYPE_s32;
    const bool is_signed = signed_sources || op->rounding == WS_VIDEO_negative_product || op->rounding == WS_VIDEO_negative_third;
    const u32 c = op->rounding == WS_VIDEO_negative_third ? ~(u32)third : (u32)third;
    const s128 exact = (s128)a * b, sum = op->rounding == WS_VIDEO_negative_product ? ~exact : exact;
    const s128 result = (sum + (is_signed ? (s128)(s32)c : (s128)c) + (op->rounding != WS_VIDEO_plain)) >> op->shape;
    const s128 least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    if (op->flags & WS_OP_SAT && (result < least || result > most))
        return (u64)(result < least ? least : most);
    return (u64)result;
}

/* Numbers in the mask are packed into the third source, or added to it as full 32-bit values. */
static u64 several(const struct ws_op *op, u64 sources, u64 third)
{
    const u32 width = WHOLE / op->count, selection = (u32)op->offset;
    u64 packed = third, sum = third;
    for (u32 n = 0; n < op->count; n++) {
        const s64 exact = computed(op, number_of(sources, selection >> 4 * n & 15, width, op->from),
                                   number_of(sources, selection >> (16 + 4 * n) & 15, width, op->compare));
        if (!(op->shape >> n & 1))
            continue;
        packed &= ~(mask_of(width) << n * width);
        packed |= ((u64)fitted(op, exact, width) & mask_of(width)) << n * width;
        sum += (u64)exact;
    }
    return op->combine == WS_VIDEO_second_add ? sum : packed;
}

struct ws_basic_block *ws_video(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    const u64 a = slot[step->a], b = slot[step->b], third = slot[step->c];
    u64 result;
    if (op->count > 1) {
        result = several(op, b << 32 | (a & UINT32_MAX), third);
    } else {
        const s64 first = part_of(a, (u32)op->offset & UINT16_MAX, op->from),
                  second = part_of(b, (u32)op->offset >> 16, op->compare);
        result = op->mode == WS_VIDEO_mad ? product(op, first, second, third) : single(op, first, second, third);
    }
    slot[step->dst] = result & UINT32_MAX;
    return ws_next(step, slot, thread);
}
