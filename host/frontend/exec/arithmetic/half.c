#include "frontend/exec/arithmetic/half.h"

#include "frontend/exec/arithmetic/modifiers.h"
#include "frontend/exec/handlers.h"

/* ---- Formats ---- */

struct format {
    u32 mantissa; /* bits */
    int least;    /* exponent of the smallest normal number, and of subnormal ones */
    u32 infinity; /* or the only NaN */
    u32 nan, sign;
};

enum { NAN_BITS = 0x7FFF };

static const struct format half_format = {10, -14, 0x7C00, NAN_BITS, 0x8000}, brain_format = {7, -126, 0x7F80, NAN_BITS, 0x8000},
                           e4m3_format = {3, -6, 0x7F, 0x7F, 0x80}, e5m2_format = {2, -14, 0x7C, 0x7F, 0x80};

static const struct format *format_of(u32 type)
{
    return type == WS_TYPE_f16 || type == WS_TYPE_f16x2 ? &half_format : &brain_format;
}

static double value_of(const struct format *format, u32 bits)
{
    const u32 magnitude = bits & (format->sign - 1);
    const u32 exponent = magnitude >> format->mantissa, fraction = magnitude & ((1u << format->mantissa) - 1);
    double value;
    if (magnitude >= format->infinity)
        value = fraction ? (double)NAN : (double)INFINITY;
    else
        value = ldexp(exponent ? fraction + (1u << format->mantissa) : fraction,
                      (int)(exponent ? exponent - 1 : 0) + format->least - (int)format->mantissa);
    return bits & format->sign ? -value : value;
}

double ws_half_value(u64 slot, u32 n, u32 type)
{
    return value_of(format_of(type), (u32)(slot >> 16 * n) & 0xFFFF);
}

double ws_byte_value(u32 bits, bool e4m3)
{
    return value_of(e4m3 ? &e4m3_format : &e5m2_format, bits);
}

/* A magnitude in units of the last place. Rounds it; the direction already accounts for the sign. */
static double rounded(double units, u32 rounding, bool negative)
{
    switch (rounding) {
    case WS_ROUND_zero:
        return trunc(units);
    case WS_ROUND_down:
        return negative ? ceil(units) : floor(units);
    case WS_ROUND_up:
        return negative ? floor(units) : ceil(units);
    default:
        return nearbyint(units);
    }
}

static u32 magnitude_bits(double magnitude, const struct format *format, u32 rounding, bool negative)
{
    if (magnitude == 0)
        return 0;
    int exponent = isinf(magnitude) ? 1024 : ilogb(magnitude);
    if (exponent < format->least)
        exponent = format->least;
    const u32 places = format->mantissa, most = format->infinity - 1;
    const bool beyond = exponent > format->least + (int)(most >> places) - 1;
    const double units = beyond ? 0 : rounded(ldexp(magnitude, (int)places - exponent), rounding, negative);
    const u32 bits = beyond ? format->infinity : (u32)units + ((u32)(exponent - format->least) << places);
    const bool outwards = rounding == WS_ROUND_nearest || rounding == (negative ? WS_ROUND_down : WS_ROUND_up);
    return bits <= most || isinf(magnitude) || outwards ? (bits < format->infinity ? bits : format->infinity) : most;
}

static u64 bits_of(const struct format *format, double value, u32 rounding, u32 flags)
{
    if (flags & WS_OP_SAT)
        value = ws_saturate_f64(value);
    if (value != value)
        return format->nan;
    if (flags & WS_OP_RELU && signbit(value))
        value = 0;
    const bool negative = signbit(value);
    u32 bits = magnitude_bits(fabs(value), format, rounding, negative);
    if (flags & WS_OP_FTZ && bits >> format->mantissa == 0)
        bits = 0;
    if (flags & WS_HALF_SATFINITE && bits >= format->infinity)
        bits = format->infinity - 1;
    return bits | (negative ? format->sign : 0);
}

u64 ws_half_bits(double value, u32 type, u32 rounding, u32 flags)
{
    return bits_of(format_of(type), value, rounding, flags);
}

u32 ws_byte_bits(double value, bool e4m3)
{
    return (u32)bits_of(e4m3 ? &e4m3_format : &e5m2_format, value, WS_ROUND_nearest, 0);
}

/* ---- Exact, or odd ---- */

/* Rounds to odd: of the two neighbours of the exact value, the one whose last bit is set. error = exact value - value. */
static double to_odd(double value, double error)
{
    const u64 bits = ws_bits_f64(value);
    if (error == 0 || error != error || isinf(value) || bits & 1)
        return value;
    return ws_f64((error > 0) == (value > 0) ? bits + 1 : bits - 1);
}

/* Knuth's sum of two: the error of a sum is a double. */
double ws_half_sum(double a, double b)
{
    const volatile double sum = a + b;
    const volatile double b_part = sum - a, a_part = sum - b_part;
    const volatile double b_rest = b - b_part, a_rest = a - a_part;
    return to_odd(sum, a_rest + b_rest);
}

double ws_half_integer(u64 magnitude, bool negative)
{
    if (magnitude >> 53)
        magnitude = (magnitude & ~UINT64_C(0x7FF)) | (magnitude & 0x7FF ? 0x800 : 0);
    return negative ? -(double)magnitude : (double)magnitude;
}

/* ---- Arithmetic ---- */

typedef double operation(double a, double b, double c);

#define HALF(name, expression)                                                                                                     \
    static double name##_half(double a, double b, double c)                                                                        \
    {                                                                                                                              \
        (void)a, (void)b, (void)c;                                                                                                 \
        return (expression);                                                                                                       \
    }
#include "frontend/exec/arithmetic/half.def"
#undef HALF

static operation *const operations[WS_OPCODES] = {
#define HALF(name, expression) [WS_OP_##name] = name##_half,
#include "frontend/exec/arithmetic/half.def"
#undef HALF
};

static double input(u64 slot, u32 n, const struct ws_op *op)
{
    const double value = ws_half_value(slot, n, op->type);
    const bool subnormal = op->flags & WS_OP_FTZ && fabs(value) < ldexp(1, format_of(op->type)->least);
    return subnormal ? copysign(0.0, value) : value;
}

WS_HANDLER(half)
{
    const struct ws_op *const op = step->op;
    u64 result = 0;
    for (u32 n = 0; n < ws_half_count(op->type); n++) {
        const double value =
            operations[op->opcode](input(slot[step->a], n, op), input(slot[step->b], n, op), input(slot[step->c], n, op));
        result |= ws_half_bits(value, op->type, op->rounding, op->flags) << 16 * n;
    }
    slot[step->dst] = result;
    return ws_next(step, slot, thread);
}

/* Packs two single-precision numbers into one register; the second is the lower one. */
WS_HANDLER(pair)
{
    const struct ws_op *const op = step->op;
    const double high = (double)ws_f32(slot[step->a]), low = (double)ws_f32(slot[step->b]);
    const u32 flags = ws_half_flags(op);
    slot[step->dst] = ws_half_bits(high, op->type, op->rounding, flags) << 16 | ws_half_bits(low, op->type, op->rounding, flags);
    return ws_next(step, slot, thread);
}

/* ---- Numbers of 8 bits, two in 16 ---- */

static const struct format *byte_format(u8 opcode)
{
    return opcode == WS_OP_cvt_e4m3x2 || opcode == WS_OP_cvt_from_e4m3x2 ? &e4m3_format : &e5m2_format;
}

WS_HANDLER(to_bytes)
{
    const struct ws_op *const op = step->op;
    const bool pairs = op->from == WS_TYPE_f16x2;
    const double high = pairs ? ws_half_value(slot[step->a], 1, op->from) : (double)ws_f32(slot[step->a]);
    const double low = pairs ? ws_half_value(slot[step->a], 0, op->from) : (double)ws_f32(slot[step->b]);
    const struct format *const format = byte_format(op->opcode);
    const u32 flags = ws_half_flags(op);
    slot[step->dst] = bits_of(format, high, op->rounding, flags) << 8 | bits_of(format, low, op->rounding, flags);
    return ws_next(step, slot, thread);
}

WS_HANDLER(from_bytes)
{
    const struct ws_op *const op = step->op;
    u64 result = 0;
    for (u32 n = 0; n < 2; n++) {
        const double value = value_of(byte_format(op->opcode), (u32)(slot[step->a] >> 8 * n) & 0xFF);
        result |= ws_half_bits(value, op->type, op->rounding, op->flags) << 16 * n;
    }
    slot[step->dst] = result;
    return ws_next(step, slot, thread);
}

#define HALF(name, expression)                                                                                                     \
    {WS_CODE(WS_OP_##name, WS_TYPE_f16), half, half}, {WS_CODE(WS_OP_##name, WS_TYPE_bf16), half, half},                           \
        {WS_CODE(WS_OP_##name, WS_TYPE_f16x2), half, half}, {WS_CODE(WS_OP_##name, WS_TYPE_bf16x2), half, half},
const struct ws_handler_row ws_half_handlers[] = {
#include "frontend/exec/arithmetic/half.def"
    {WS_CODE(WS_OP_cvt_pair, WS_TYPE_f16x2), pair, pair},
    {WS_CODE(WS_OP_cvt_pair, WS_TYPE_bf16x2), pair, pair},
    {WS_CODE(WS_OP_cvt_e4m3x2, WS_TYPE_u16), to_bytes, to_bytes},
    {WS_CODE(WS_OP_cvt_e5m2x2, WS_TYPE_u16), to_bytes, to_bytes},
    {WS_CODE(WS_OP_cvt_from_e4m3x2, WS_TYPE_f16x2), from_bytes, from_bytes},
    {WS_CODE(WS_OP_cvt_from_e5m2x2, WS_TYPE_f16x2), from_bytes, from_bytes},
    {0, NULL, NULL}};
