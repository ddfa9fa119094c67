/* Integer arithmetic, logic and bits. */
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static inline u64 high_unsigned(u64 a, u64 b)
{
    return (u64)((u128)a * b >> 64);
}

static inline u64 high_signed(u64 a, u64 b)
{
    return (u64)((s128)(s64)a * (s64)b >> 64);
}

static inline u64 low24(u64 a)
{
    return a & 0xFFFFFF;
}

static inline u64 shift_signed(u64 a, u32 n)
{
    return (u64)((s64)a >> n);
}

static inline u64 signed24(u64 a)
{
    return shift_signed(a << 40, 40);
}

static inline bool below(u64 a, u64 b)
{
    return (s64)a < (s64)b;
}

/* As on hardware: division by zero gives all ones, its remainder too. */
static inline u64 quotient(u64 a, u64 b)
{
    if (b == 0)
        return UINT64_MAX;
    return b == UINT64_MAX ? 0 - a : (u64)((s64)a / (s64)b);
}

static inline u64 remainder_of(u64 a, u64 b)
{
    if (b == 0)
        return UINT64_MAX;
    return b == UINT64_MAX ? 0 : (u64)((s64)a % (s64)b);
}

static inline u64 ones(u32 n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

static inline u64 extract_unsigned(u64 a, u32 position, u32 length)
{
    return position < 64 ? a >> position & ones(length) : 0;
}

static inline u64 extract_signed(u64 a, u32 position, u32 length)
{
    if (length == 0)
        return 0;
    const u64 field = shift_signed(a, ws_min(position, 63));
    return length < 64 ? shift_signed(field << (64 - length), 64 - length) : field;
}

static inline u64 insert(u64 field, u64 into, u32 position, u32 length)
{
    if (position >= 64)
        return into;
    const u64 mask = ones(length) << position;
    return (into & ~mask) | (field << position & mask);
}

/* lop3: each result bit is looked up in the table by the bits of a, b and c. */
static inline u64 look_up(u64 a, u64 b, u64 c, u32 table)
{
    u64 result = 0;
    for (u32 n = 0; n < 8; n++)
        if (table >> n & 1)
            result |= (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
    return result;
}

/* Position of the highest bit that is set; all ones for none. */
static inline u64 highest(u64 a)
{
    return a ? 63 - (u64)__builtin_clzll(a) : UINT64_MAX;
}

static inline u64 shift_amount(u64 position, u32 top)
{
    return position == UINT64_MAX ? position : top - position;
}

/* The low bits of a, signed or not. */
static inline u64 element(u64 a, u32 bits, bool is_signed)
{
    return is_signed ? shift_signed(a << (64 - bits), 64 - bits) : a & ones(bits);
}

static u64 sum(u64 a, u64 b)
{
    return a + b;
}

static u64 least(u64 a, u64 b)
{
    return below(a, b) ? a : b;
}

static u64 most(u64 a, u64 b)
{
    return below(a, b) ? b : a;
}

static u64 positive_least(u64 a, u64 b)
{
    return most(least(a, b), 0);
}

static u64 positive_most(u64 a, u64 b)
{
    return most(most(a, b), 0);
}

/* A function of the lower 16 bits of a and b, and of the upper ones. */
static inline u64 pairwise(u64 a, u64 b, bool is_signed, u64 (*function)(u64 a, u64 b))
{
    const u64 low = function(element(a, 16, is_signed), element(b, 16, is_signed));
    return (low & UINT16_MAX) | function(element(a >> 16, 16, is_signed), element(b >> 16, 16, is_signed)) << 16;
}

/* tf32: a single-precision number with 10 fraction bits. .rna truncates a NaN like infinity, as NVIDIA's compiler does. */
static u64 to_tf32(u32 bits, const struct ws_op *op)
{
    enum { INFINITE = 0x7F800000, LARGEST = 0x7F7FE000, LOST = 0x1FFF };
    const u32 sign = bits & 0x80000000, size = bits & INT32_MAX, half = LOST / 2;
    const u32 up = op->rounding == WS_ROUND_away ? half + 1 : op->rounding == WS_ROUND_nearest ? half + (size >> 13 & 1) : 0;
    if (size > INFINITE && (op->rounding != WS_ROUND_away || op->flags & WS_OP_RELU))
        return WS_NAN_F32;
    if (op->flags & WS_OP_RELU && sign)
        return 0;
    const u32 rounded = (size < INFINITE ? size + up : size) & ~(u32)LOST;
    return sign | (op->mode == WS_MODE_satfinite && rounded == INFINITE ? LARGEST : rounded);
}

/* dp4a, dp2a: sum of count products of elements of a (of `bits` bits) and bytes of b, lowest first. The operation's types give the
 * signs. */
static inline u64 dot(u64 a, u64 b, u32 bits, u32 count, const struct ws_op *op)
{
    u64 sum = 0;
    for (u32 n = 0; n < count; n++)
        sum += element(a >> n * bits, bits, op->type == WS_TYPE_s32) * element(b >> n * 8, 8, op->from == WS_TYPE_s32);
    return sum;
}

static inline u64 reverse(u64 a)
{
    a = (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
    a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
    a = (a >> 4 & 0x0F0F0F0F0F0F0F0F) | (a & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(a);
}

/* Selects four of eight bytes by the nibbles of the selector. The highest bit of a nibble selects the byte's sign instead. */
static u64 permute(u64 bytes, u32 selector)
{
    u64 result = 0;
    for (u32 n = 0; n < 4; n++) {
        const u32 nibble = selector >> (4 * n);
        const u32 byte = (u32)(bytes >> (8 * (nibble & 7))) & 0xFF;
        const u32 sign = byte & 0x80 ? 0xFF : 0;
        result |= (u64)(nibble & 8 ? sign : byte) << (8 * n);
    }
    return result;
}

/* Selectors of the named modes of prmt. */
static const u32 forward4[] = {0x3210, 0x4321, 0x5432, 0x6543};
static const u32 backward4[] = {0x5670, 0x6701, 0x7012, 0x0123};
static const u32 replicate8[] = {0x0000, 0x1111, 0x2222, 0x3333};
static const u32 clamp_left[] = {0x3210, 0x3211, 0x3222, 0x3333};
static const u32 clamp_right[] = {0x0000, 0x1110, 0x2210, 0x3210};
static const u32 replicate16[] = {0x1010, 0x3232, 0x1010, 0x3232};

/* Position of the offset-th set bit of mask, from bit base on, upwards or downwards; all ones if there is none. */
static u64 find_nth(u32 mask, u32 base, s32 offset)
{
    if (offset == 0)
        return base < 32 && mask >> base & 1 ? base : UINT64_MAX;
    u32 left = offset < 0 ? 0 - (u32)offset : (u32)offset;
    for (u32 at = base; at < 32; at += offset < 0 ? UINT32_MAX : 1) /* wraps below 0, which also ends the loop */
        if (mask >> at & 1 && --left == 0)
            return at;
    return UINT64_MAX;
}

static inline u64 clamped(u64 value, s64 least, s64 most)
{
    const s64 number = (s32)value;
    return (u64)(number < least ? least : number > most ? most : number);
}

/* Two clamped numbers, the second one lower; above them the low bits of the third source. */
static u64 packed(const u64 *slot, const struct ws_step *step, s64 least, s64 most, u32 bits)
{
    const u64 mask = ones(bits);
    const u64 pair = (clamped(slot[step->a], least, most) & mask) << bits | (clamped(slot[step->b], least, most) & mask);
    return bits < 16 ? slot[step->c] << 2 * bits | pair : pair;
}

static inline u64 clamp_s32(u64 exact)
{
    if ((s64)exact > INT32_MAX)
        return INT32_MAX;
    return (s64)exact < INT32_MIN ? (u64)INT32_MIN : exact;
}

#define EXECUTE(name, type, third, mask, expression)                                                                               \
    WS_HANDLER(name)                                                                                                               \
    {                                                                                                                              \
        const u64 a = WS_EXTENDED(type, slot[step->a]);                                                                            \
        const u64 b = WS_EXTENDED(type, slot[step->b]);                                                                            \
        const u64 c = WS_EXTENDED(third, slot[step->c]);                                                                           \
        const u32 n = (u32)slot[step->b], m = (u32)slot[step->c];                                                                  \
        const u32 bits = WS_BITS_OF(type);                                                                                         \
        (void)a, (void)b, (void)c, (void)n, (void)m, (void)bits;                                                                   \
        slot[step->dst] = (u64)(expression) & (mask);                                                                              \
        return ws_next(step, slot, thread);                                                                                        \
    }

/* low and high: halves of the product by the type's sign; both, and the carry, fit the type. mask: the bits of the type. */
#define CARRIED(operation, type, carry_source, without, expression)                                                                \
    WS_HANDLER(operation##_##type)                                                                                                 \
    {                                                                                                                              \
        const struct ws_op *const op = step->op;                                                                                   \
        const u16 source = op->src[carry_source];                                                                                  \
        const u64 mask = WS_MASK_OF(type);                                                                                         \
        const u128 a = slot[step->a] & mask, b = slot[step->b] & mask, c = slot[step->c] & mask;                                   \
        const u128 product = (u128)(s128)(type)a * (u128)(s128)(type)b, low = product & mask;                                      \
        const u128 high = product >> WS_BITS_OF(type) & mask, carry = source != WS_SLOT_NONE ? slot[source] : (without);           \
        (void)c, (void)low, (void)high;                                                                                            \
        const u128 sum = (expression);                                                                                             \
        if (op->dst[1] != WS_SLOT_NONE)                                                                                            \
            slot[op->dst[1]] = sum >> WS_BITS_OF(type) & 1;                                                                        \
        slot[step->dst] = (u64)sum & mask;                                                                                         \
        return ws_next(step, slot, thread);                                                                                        \
    }

#define INTEGER(operation, type, expression)     EXECUTE(operation##_##type, type, type, WS_MASK_OF(type), expression)
#define PATTERN(operation, type, as, expression) EXECUTE(operation##_##type, as, as, WS_MASK_OF(as), expression)
#define NARROW(operation, type, expression)      EXECUTE(operation##_##type, type, type, WS_MASK_OF(u32), expression)
#define WIDE(operation, type, wide, expression)  EXECUTE(operation##_##type, type, wide, WS_MASK_OF(wide), expression)
#define SATURATED(operation, expression)         EXECUTE(operation##_saturated, s32, s32, WS_MASK_OF(u32), clamp_s32(expression))
#include "frontend/exec/arithmetic/integer.def"
#undef INTEGER
#undef PATTERN
#undef NARROW
#undef WIDE
#undef SATURATED
#undef CARRIED

#define CARRIED(operation, type, carry, without, expression) ROW(operation, type)
#define ROW(operation, type)                                 {WS_CODE(WS_OP_##operation, WS_TYPE_##type), operation##_##type, NULL},
#define INTEGER(operation, type, expression)                 ROW(operation, type)
#define PATTERN(operation, type, as, expression)                                                                                   \
    {WS_CODE(WS_OP_##operation, WS_TYPE_##type), operation##_##type, operation##_##type},
#define NARROW(operation, type, expression)     ROW(operation, type)
#define WIDE(operation, type, wide, expression) ROW(operation, type)
#define SATURATED(operation, expression)        {WS_CODE(WS_OP_##operation, WS_TYPE_s32), operation##_s32, operation##_saturated},
const struct ws_handler_row ws_integer_handlers[] = {
#include "frontend/exec/arithmetic/integer.def"
    {0, NULL, NULL},
};
