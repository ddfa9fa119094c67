/* Single and double precision. */
#include <math.h>

#include "frontend/exec/arithmetic/modifiers.h"
#include "sass/exec/lower.h"

#define FLAGS ((u32)step->offset)

/* Modifiers of three sources, two bits each: 1 negated, 2 absolute value. */
enum { A = 0, B = 2, C = 4, NOT = 64, WHAT = 8, HOW = 12 };

static const u8 roundings[] = {WS_ROUND_nearest, WS_ROUND_down, WS_ROUND_up, WS_ROUND_zero};

static u32 modified(const struct ws_sass_instruction *in, char b)
{
    return sass_modified(in, 'a') << A | sass_modified(in, b) << B | sass_modified(in, 'c') << C |
           (sass_modified(in, 'P') & 1 ? NOT : 0);
}

static void set_mode(const struct ws_sass_instruction *in, struct ws_op *op, bool saturates)
{
    op->rounding = roundings[sass_bits(in, 78, 2)];
    op->flags |= (u8)((sass_bits(in, 80, 1) ? WS_OP_FTZ : 0) | (saturates && sass_bits(in, 77, 1) ? WS_OP_SAT : 0));
}

static inline float input(const struct ws_step *step, const u64 *slot, u32 n, u32 at)
{
    return ws_input_f32(sass_real(slot[step->op->src[n]], FLAGS >> at & 3), step->op->flags);
}

/* Three handlers each: NAME; NAME_signed for sources with modifiers; NAME_modified also for flushed subnormals, directed rounding
 * and saturation. */
#define ARITHMETIC(name, expression)                                                                                               \
    WS_HANDLER(name)                                                                                                               \
    {                                                                                                                              \
        const float a = ws_f32(slot[step->a]), b = ws_f32(slot[step->b]), c = ws_f32(slot[step->c]);                               \
        (void)c;                                                                                                                   \
        slot[step->dst] = ws_bits_f32(expression);                                                                                 \
        return ws_next(step, slot, thread);                                                                                        \
    }                                                                                                                              \
    WS_HANDLER(name##_signed)                                                                                                      \
    {                                                                                                                              \
        const u32 flags = FLAGS;                                                                                                   \
        const float a = ws_f32(sass_real(slot[step->a], flags >> A & 3)), b = ws_f32(sass_real(slot[step->b], flags >> B & 3)),    \
                    c = ws_f32(sass_real(slot[step->c], flags >> C & 3));                                                          \
        (void)c;                                                                                                                   \
        slot[step->dst] = ws_bits_f32(expression);                                                                                 \
        return ws_next(step, slot, thread);                                                                                        \
    }                                                                                                                              \
    WS_HANDLER(name##_modified)                                                                                                    \
    {                                                                                                                              \
        const volatile float a = input(step, slot, 0, A), b = input(step, slot, 1, B), c = input(step, slot, 2, C);                \
        (void)c;                                                                                                                   \
        ws_round_like(step->op->rounding);                                                                                         \
        const volatile float result = (expression);                                                                                \
        ws_round_like(WS_ROUND_nearest);                                                                                           \
        slot[step->dst] = ws_output_f32(result, step->op->flags);                                                                  \
        return ws_next(step, slot, thread);                                                                                        \
    }
ARITHMETIC(fadd, a + b)
ARITHMETIC(fmul, a *b)
ARITHMETIC(ffma, fmaf(a, b, c))

static enum ws_status arithmetic(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op,
                                 ws_handler *const runs[3], char b)
{
    const char sources[] = {'a', b, 'c', 0};
    set_mode(in, op, true);
    op->offset = (i32)modified(in, b);
    const bool mode = op->rounding != WS_ROUND_nearest || (op->flags & (WS_OP_FTZ | WS_OP_SAT));
    return sass_handles(lowering, in, op, runs[mode ? 2 : op->offset ? 1 : 0], "d", sources);
}

enum ws_status sass_lower_fadd(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static ws_handler *const runs[] = {fadd, fadd_signed, fadd_modified};
    return arithmetic(lowering, in, op, runs, ws_sass_operand(in, 'e') ? 'e' : 'E');
}

enum { NO_SCALE = 4 };

/* The rounded product times a power of two, 2^-3 to 2^3. */
WS_HANDLER(fmul_scaled)
{
    const volatile float product = input(step, slot, 0, A) * input(step, slot, 1, B);
    slot[step->dst] = ws_output_f32(ldexpf(product, (int)(FLAGS >> WHAT & 7) - NO_SCALE), step->op->flags);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_fmul(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static ws_handler *const runs[] = {fmul, fmul_signed, fmul_modified};
    const u32 scale = sass_bits(in, 84, 3);
    if (scale == 0 || scale == NO_SCALE)
        return arithmetic(lowering, in, op, runs, 'b');
    set_mode(in, op, true);
    op->offset = (i32)(modified(in, 'b') | scale << WHAT);
    if (op->rounding != WS_ROUND_nearest)
        return sass_refuse(lowering, "FMUL with a scale and directed rounding");
    return sass_handles(lowering, in, op, fmul_scaled, "d", "ab");
}

enum ws_status sass_lower_ffma(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static ws_handler *const runs[] = {ffma, ffma_signed, ffma_modified};
    return arithmetic(lowering, in, op, runs, 'b');
}

/* ---- Comparisons ---- */

static bool takes(const struct ws_step *step, const u64 *slot, u32 n)
{
    return (slot[step->op->src[n]] != 0) != ((FLAGS & NOT) != 0);
}

enum { NAN_WINS = 1, XOR_SIGN = 2 };

WS_HANDLER(fmnmx)
{
    const u32 how = FLAGS >> HOW;
    float a = input(step, slot, 0, A), b = input(step, slot, 1, B), result;
    const bool negative = !signbit(a) != !signbit(b);
    if (how & XOR_SIGN)
        a = fabsf(a), b = fabsf(b);
    if (takes(step, slot, 2))
        result = how & NAN_WINS ? ws_min_nan_f32(a, b) : ws_min_f32(a, b);
    else
        result = how & NAN_WINS ? ws_max_nan_f32(a, b) : ws_max_f32(a, b);
    slot[step->dst] = ws_output_f32(how & XOR_SIGN && negative ? -result : result, step->op->flags);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_fmnmx(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->flags |= sass_bits(in, 80, 1) ? WS_OP_FTZ : 0;
    op->offset = (i32)(modified(in, 'b') | sass_bits(in, 81, 2) << HOW);
    return sass_handles(lowering, in, op, fmnmx, "d", "abP");
}

/* Bits of a comparison operator, from bit 0 on: less, equal, greater, unordered. */
static bool compares(u32 what, bool less, bool equal, bool greater)
{
    return what >> (less ? 0 : equal ? 1 : greater ? 2 : 3) & 1;
}

enum { SET_AND, SET_OR, SET_XOR };

static bool combined(bool test, bool with, u32 how)
{
    return how == SET_AND ? test && with : how == SET_OR ? test || with : test != with;
}

WS_HANDLER(fsetp)
{
    const float a = input(step, slot, 0, A), b = input(step, slot, 1, B);
    const bool test = compares(FLAGS >> WHAT & 15, a<b, a == b, a> b), with = takes(step, slot, 2);
    slot[step->dst] = combined(test, with, FLAGS >> HOW & 3);
    slot[step->op->dst[1]] = combined(!test, with, FLAGS >> HOW & 3);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_fsetp(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->flags |= sass_bits(in, 80, 1) ? WS_OP_FTZ : 0;
    op->offset = (i32)(modified(in, 'b') | sass_bits(in, 76, 4) << WHAT | sass_bits(in, 74, 2) << HOW);
    return sass_handles(lowering, in, op, fsetp, "pq", "abP");
}

enum { AS_REAL = 4 };

WS_HANDLER(fset)
{
    const float a = input(step, slot, 0, A), b = input(step, slot, 1, B);
    const u32 how = FLAGS >> HOW;
    const bool test = compares(FLAGS >> WHAT & 15, a<b, a == b, a> b);
    slot[step->dst] = !combined(test, takes(step, slot, 2), how & 3) ? 0 : how & AS_REAL ? ws_raw_f32(1.0f) : UINT32_MAX;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_fset(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->flags |= sass_bits(in, 80, 1) ? WS_OP_FTZ : 0;
    op->offset = (i32)(modified(in, 'b') | sass_bits(in, 76, 4) << WHAT |
                       (sass_bits(in, 69, 2) | (sass_bits(in, 71, 1) ? 0 : AS_REAL)) << HOW);
    return sass_handles(lowering, in, op, fset, "d", "abP");
}

WS_HANDLER(fsel)
{
    const u32 n = takes(step, slot, 2) ? 0 : 1;
    const u32 bits = sass_real(slot[step->op->src[n]], FLAGS >> 2 * n & 3);
    slot[step->dst] = step->op->flags & WS_OP_FTZ && !(bits & 0x7F800000) ? bits & 0x80000000 : bits;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_fsel(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->flags |= sass_bits(in, 80, 1) ? WS_OP_FTZ : 0;
    op->offset = (i32)modified(in, 'b');
    return sass_handles(lowering, in, op, fsel, "d", "abP");
}

/* FCHK: whether a division must take the slow path, because the fast one may over- or underflow. The hardware's rule is not known.
 * The quotient is the same on both paths. */
WS_HANDLER(fchk)
{
    const int a = (int)(slot[step->a] >> 23 & 0xFF), b = (int)(slot[step->b] >> 23 & 0xFF);
    const bool fast = a > 24 && a < 255 && b > 1 && b < 253 && a - b > -125 && a - b < 125;
    slot[step->dst] = !fast;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_fchk(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_handles(lowering, in, op, fchk, "p", "ab");
}

/* ---- Special functions: those of PTX without range reduction, which is separate code ---- */

enum { MUFU_COS, MUFU_SIN, MUFU_EX2, MUFU_LG2, MUFU_RCP, MUFU_RSQ, MUFU_RCP_UPPER, MUFU_RSQ_UPPER, MUFU_SQRT, MUFU_TANH };

/* The argument of sine and cosine is in turns, not radians. */
static double turned(float turns, bool sine)
{
    const double angle = (double)turns * 6.28318530717958647692;
    return sine ? sin(angle) : cos(angle);
}

static float function_of(u32 which, float a)
{
    switch (which) {
    case MUFU_COS:
    case MUFU_SIN:
        return (float)turned(a, which == MUFU_SIN);
    case MUFU_EX2:
        return exp2f(a);
    case MUFU_LG2:
        return log2f(a);
    case MUFU_RCP:
        return 1 / a;
    case MUFU_RSQ:
        return (float)(1 / sqrt((double)a));
    default:
        return sqrtf(a);
    }
}

/* Flushes subnormals to zero, except for MUFU.TANH. */
WS_HANDLER(mufu)
{
    const u32 which = FLAGS & 15;
    const float a = ws_f32(sass_real(slot[step->a], FLAGS >> 8));
    slot[step->dst] = ws_bits_f32(which == MUFU_TANH ? tanhf(a) : ws_flush_f32(function_of(which, ws_flush_f32(a))));
    return ws_next(step, slot, thread);
}

/* Source and result are upper halves of double-precision numbers with a lower half of 0. */
WS_HANDLER(mufu_upper)
{
    const double a = ws_gross_f64(ws_f64((u64)sass_real(slot[step->a], FLAGS >> 8) << 32));
    const double result = (FLAGS & 15) == MUFU_RCP_UPPER ? 1 / a : 1 / sqrt(a);
    slot[step->dst] = ws_bits_f64(ws_gross_f64(result)) >> 32;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_mufu(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 which = sass_bits(in, 74, 6);
    op->offset = (i32)(which | sass_modified(in, 'b') << 8);
    return sass_handles(lowering, in, op, which == MUFU_RCP_UPPER || which == MUFU_RSQ_UPPER ? mufu_upper : mufu, "d", "b");
}

/* ---- Double precision ---- */

static double input_pair(const struct ws_step *step, const u64 *slot, u32 n, u32 at)
{
    const u32 how = FLAGS >> at & 3;
    const u64 bits = sass_pair(slot, step->op->src[2 * n], step->op->src[2 * n + 1]);
    return ws_f64((bits & (how & 2 ? INT64_MAX : UINT64_MAX)) ^ (how & 1 ? UINT64_C(1) << 63 : 0));
}

#define DOUBLE(name, expression)                                                                                                   \
    WS_HANDLER(name)                                                                                                               \
    {                                                                                                                              \
        const volatile double a = input_pair(step, slot, 0, A), b = input_pair(step, slot, 1, B),                                  \
                              c = input_pair(step, slot, 2, C);                                                                    \
        (void)c;                                                                                                                   \
        const bool directed = step->op->rounding != WS_ROUND_nearest;                                                              \
        if (directed)                                                                                                              \
            ws_round_like(step->op->rounding);                                                                                     \
        const volatile double result = (expression);                                                                               \
        if (directed)                                                                                                              \
            ws_round_like(WS_ROUND_nearest);                                                                                       \
        sass_put_pair(slot, step->dst, step->op->dst[1], ws_bits_f64(result));                                                     \
        return ws_next(step, slot, thread);                                                                                        \
    }                                                                                                                              \
    enum ws_status sass_lower_##name(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)            \
    {                                                                                                                              \
        const char b = ws_sass_operand(in, 'E') ? 'E' : 'b';                                                                       \
        const char sources[] = {'a', 'a', '1', b, b, '1', 'c', 'c', '1', 0};                                                       \
        op->rounding = roundings[sass_bits(in, 78, 2)];                                                                            \
        op->offset = (i32)modified(in, b);                                                                                         \
        return sass_handles(lowering, in, op, name, "dd1", sources);                                                               \
    }
DOUBLE(dadd, a + b)
DOUBLE(dmul, a *b)
DOUBLE(dfma, fma(a, b, c))

enum { DSETP_MIN = 0, DSETP_MAX = 15 };

WS_HANDLER(dsetp)
{
    const double a = input_pair(step, slot, 0, A), b = input_pair(step, slot, 1, B);
    const bool test = compares(FLAGS >> WHAT & 15, a<b, a == b, a> b), with = takes(step, slot, 4);
    slot[step->dst] = combined(test, with, FLAGS >> HOW & 3);
    slot[step->op->dst[1]] = combined(!test, with, FLAGS >> HOW & 3);
    return ws_next(step, slot, thread);
}

/* MIN, MAX: whether a is the smaller, or the larger, number; -0 is less than 0, and a number is preferred to NaN. The second
 * result: whether both are NaN. */
WS_HANDLER(dsetp_chooses)
{
    const double a = input_pair(step, slot, 0, A), b = input_pair(step, slot, 1, B);
    const bool least = (FLAGS >> WHAT & 15) == DSETP_MIN;
    const bool takes_a = a == b ? !signbit(a) != least : isnan(b) ? !isnan(a) : least ? a < b : a > b;
    slot[step->dst] = takes_a;
    slot[step->op->dst[1]] = isnan(a) && isnan(b);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_dsetp(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 what = sass_bits(in, 76, 4);
    const bool chooses = what == DSETP_MIN || what == DSETP_MAX;
    const struct ws_sass_operand *const with = ws_sass_operand(in, 'P');
    if (chooses && (sass_bits(in, 74, 2) || with->number != WS_SASS_ZERO || with->negative))
        return sass_refuse(lowering, "DSETP.MIN or DSETP.MAX with a predicate");
    op->offset = (i32)(modified(in, 'e') | what << WHAT | sass_bits(in, 74, 2) << HOW);
    return sass_handles(lowering, in, op, chooses ? dsetp_chooses : dsetp, "pq", "aa1ee1P");
}
