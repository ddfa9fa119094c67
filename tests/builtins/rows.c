#include "builtins/rows.h"

#include <math.h>
#include <string.h>

/* Alone it leaves the result open. */
static int undefined(struct call *c)
{
    c->undefined = true;
    return 0;
}

static real either(struct call *c)
{
    return undefined(c);
}

/* The sign of a zero is open. */
static real either_zero(struct call *c, real x)
{
    c->any_zero = true;
    return x;
}

static real scaled(struct call *c, real magnitude, real x)
{
    c->scale = fabsl(magnitude);
    return x;
}

/* libclc flushes subnormal floats here, which OpenCL allows (7.5.3). */
static real flushing(struct call *c, real x)
{
    for (size_t k = 0; k < OPERANDS; k++)
        c->undefined |= c->type->bits == 32 && c->v[k] != 0 && fabsl(c->v[k]) < 0x1p-126L;
    c->flushes = c->type->bits == 32;
    return x;
}

/* ---- Integers ---- */

static wide mask(const struct call *c)
{
    return ((wide)1 << c->type->bits) - 1;
}

static wide saturated(const struct call *c, wide x)
{
    return x < (wide)c->type->least ? (wide)c->type->least : x > (wide)c->type->most ? (wide)c->type->most : x;
}

static wide wrapped(const struct call *c, wide x)
{
    x &= mask(c);
    return c->type->is_signed && x > mask(c) / 2 ? x - mask(c) - 1 : x;
}

static wide product_high(const struct call *c, wide x, wide y)
{
    __extension__ typedef unsigned __int128 bits;
    return c->type->is_signed ? (x * y) >> c->type->bits : (wide)((bits)x * (bits)y >> c->type->bits);
}

static wide leading_zeros(const struct call *c, wide x)
{
    int count = 0;
    while (count < c->type->bits && !(x >> (c->type->bits - 1 - count) & 1))
        count++;
    return count;
}

static wide rotated(const struct call *c, wide x, wide y)
{
    const int by = (int)(y & (c->type->bits - 1));
    x &= mask(c);
    return wrapped(c, x << by | x >> (c->type->bits - by));
}

static bool fits_24(const struct call *c, wide x)
{
    return c->type->is_signed ? x >= -(1 << 23) && x < 1 << 23 : x < 1 << 24;
}

/* Whether an element has its highest bit set; with a negative width, whether one has not. */
static bool any(const struct call *c, int width)
{
    for (int n = 0; n < c->width; n++)
        if ((c->all[0][n] < 0) == (width > 0))
            return true;
    return false;
}

/* ---- Reals ---- */

static real truth(const struct call *c, bool is)
{
    return c->width == 1 ? is : -(real)is;
}

static real sinpi_exact(real x)
{
    const real rest = fmodl(x, 2);
    return isinf(x)              ? NAN
           : fmodl(rest, 1) == 0 ? copysignl(0, x)
                                 : sinl(PI * (fabsl(rest) > 0.5L ? copysignl(1, rest) - rest : rest));
}

static real cospi_exact(real x)
{
    const real rest = fabsl(fmodl(x, 2));
    return isinf(x) ? NAN : fmodl(rest, 1) == 0.5L ? 0 : sinl(PI * (rest > 1 ? rest - 1.5L : 0.5L - rest));
}

static real tanpi_exact(real x)
{
    const real rest = fmodl(x, 1);
    const bool odd = fmodl(floorl(x), 2) != 0;
    if (rest == 0)
        return copysignl(0, odd ? -x : x);
    if (fabsl(rest) == 0.5L)
        return odd ? -INFINITY : INFINITY;
    return isinf(x) ? NAN : sinpi_exact(rest) / cospi_exact(rest);
}

static real fract(struct call *c, real x)
{
    c->second = floorl(x);
    if (isnan(x) || isinf(x))
        return isnan(x) ? x : copysignl(0, x);
    return x == 0 ? x : fminl(x - floorl(x), 1 - ldexpl(1, -c->type->mantissa));
}

static real split(struct call *c, real x)
{
    int exponent = 0;
    const real y = frexpl(x, &exponent);
    c->second = exponent;
    c->second_open = isnan(x) || isinf(x);
    return y;
}

/* An absolute error near the zeros at 1 and 2, and between poles. */
static real log_gamma(struct call *c, real x)
{
    c->scale = 1;
    c->second_open = !(isfinite(x) && (x > 0 || x != floorl(x)));
    c->second = x > 0 || fmodl(floorl(x), 2) == 0 ? 1 : -1;
    return lgammal(x);
}

static real remainder_quotient(struct call *c, real x, real y)
{
    c->second_open = isnan(x) || isnan(y) || isinf(x) || y == 0;
    if (c->second_open)
        return NAN;
    const real divisor = fabsl(y), whole = isinf(y) ? fabsl(x) : fmodl(fabsl(x), 128 * divisor);
    int quotient = isinf(y) ? 0 : (int)floorl(whole / divisor);
    const real left = isinf(y) ? 0 : whole - quotient * divisor;
    quotient += left * 2 > divisor || (left * 2 == divisor && quotient % 2 == 1);
    c->second = signbit(x) == signbit(y) ? quotient & 127 : -(quotient & 127);
    return remainderl(x, y);
}

static real power_of_positive(real x, real y)
{
    if (isnan(x) || isnan(y) || x < 0 || (y == 0 && (x == 0 || isinf(x))) || (x == 1 && isinf(y)))
        return NAN;
    return powl(fabsl(x), y);
}

static real root(real x, int n)
{
    const bool odd = n % 2 != 0;
    if (n == 0 || isnan(x) || (x < 0 && !odd))
        return NAN;
    if (x == 0)
        return odd ? copysignl(n < 0 ? INFINITY : 0, x) : n < 0 ? INFINITY : 0;
    return copysignl(powl(fabsl(x), 1.0L / n), x);
}

/* Where y - x does not overflow. */
static real mixed(struct call *c, real x, real y, real z)
{
    return fabsl(y - x) > c->type->most ? either(c)
                                        : scaled(c, 2 * fmaxl(fabsl(x), fmaxl(fabsl(y), fabsl((y - x) * z))), x + (y - x) * z);
}

static real after(struct call *c, real x, real y)
{
    const real next = c->type->bits == 32 ? (real)nextafterf((float)x, (float)y) : (real)nextafter((double)x, (double)y);
    return next == 0 ? either_zero(c, next) : next;
}

static real smooth(struct call *c, real x, real y, real z)
{
    if (!(x < y) || isnan(z) || isinf(x) || isinf(y) || isinf(z) || fabsl(z) > c->type->most / 4 || y - x > c->type->most ||
        x < -c->type->most / 4)
        return undefined(c);
    const real t = fminl(fmaxl((z - x) / (y - x), 0), 1);
    return scaled(c, 1, t * t * (3 - 2 * t));
}

/* ---- Geometry ---- */

static real dot(struct call *c)
{
    real sum = 0, magnitude = 0;
    for (int n = 0; n < c->width; n++) {
        const real product = c->all[0][n] * c->all[1][n];
        sum += product;
        magnitude = fmaxl(magnitude, fabsl(product));
    }
    return magnitude * 4 > c->type->most ? either(c) : scaled(c, magnitude * 2, sum);
}

/* OpenCL does not define their length. */
static bool any_nan(const struct call *c)
{
    for (int n = 0; n < c->width; n++)
        if (isnan(c->all[0][n]) || (c->all[1] && isnan(c->all[1][n])))
            return true;
    return false;
}

static real norm(struct call *c)
{
    real sum = 0;
    for (int n = 0; n < c->width; n++)
        sum = hypotl(sum, c->all[0][n]);
    return any_nan(c) ? either(c) : sum;
}

static real distance(struct call *c)
{
    real sum = 0;
    for (int n = 0; n < c->width; n++)
        sum = hypotl(sum, round_to(c->all[0][n] - c->all[1][n], c->type, TO_EVEN));
    return any_nan(c) ? either(c) : sum;
}

static real normalized(struct call *c, real x)
{
    const real length = norm(c);
    return any_nan(c) || isinf(length) || length == 0 ? either(c) : x / length;
}

static real cross(struct call *c)
{
    const int a = (c->lane + 1) % 3, b = (c->lane + 2) % 3;
    const real *const x = c->all[0], *const y = c->all[1], one = x[a] * y[b], two = x[b] * y[a];
    if (c->lane == 3)
        return 0;
    return fmaxl(fabsl(one), fabsl(two)) * 4 > c->type->most ? either(c) : scaled(c, fmaxl(fabsl(one), fabsl(two)), one - two);
}

/* Where squares do not overflow. */
static real moderate(struct call *c, real x)
{
    return x > 0x1p60L || x < 0x1p-60L ? either(c) : x;
}

/* ---- Conversions ---- */

static real convert(struct call *c)
{
    const struct type *const to = &types[c->row->to];
    real x = c->v[0];
    if (to->is_real)
        return round_to(x, to, c->row->rounding);
    if (c->type->is_real)
        x = c->row->rounding == TO_ZERO ? truncl(x)
            : c->row->rounding == UP    ? ceill(x)
            : c->row->rounding == DOWN  ? floorl(x)
                                        : rintl(x);
    if (c->row->saturates)
        return isnan(x) ? 0 : fminl(fmaxl(x, to->least), to->most) + 0.0L;
    if (c->type->is_real)
        return isnan(x) || x < to->least || x > to->most ? either(c) : x + 0.0L;
    return (real)wrapped(&(struct call){.type = to}, (wide)x);
}

/* ---- Table ---- */

#define INTEGERS (0xFFu)
#define SIGNED   (1u << T_char | 1u << T_short | 1u << T_int | 1u << T_long)
#define HALVES   (0x3Fu)
#define MIDDLE   (1u << T_int | 1u << T_uint)
static const int every[] = {1, 2, 3, 4, 8, 16, 0}, vectors[] = {2, 3, 4, 8, 16, 0}, even[] = {2, 4, 8, 16, 0},
                 even4[] = {4, 8, 16, 0}, short_vectors[] = {1, 2, 3, 4, 0}, spatial[] = {3, 4, 0};

#define INTEGER(id, text, signature, of, widths, result)                                                                           \
    static real integer_##id(struct call *c)                                                                                       \
    {                                                                                                                              \
        const wide x = (wide)c->v[0], y = (wide)c->v[1], z = (wide)c->v[2];                                                        \
        (void)x, (void)y, (void)z;                                                                                                 \
        return (real)(result);                                                                                                     \
    }
#define REAL(id, text, signature, ulp_float, ulp_double, widths, result)                                                           \
    static real real_##id(struct call *c)                                                                                          \
    {                                                                                                                              \
        const real x = c->v[0], y = c->v[1], z = c->v[2];                                                                          \
        const int n = c->n;                                                                                                        \
        (void)x, (void)y, (void)z, (void)n;                                                                                        \
        return result;                                                                                                             \
    }
#define FLOAT(id, text, signature, ulp, widths, result) REAL(id, text, signature, ulp, ulp, widths, result)
#include "builtins/integer.def"
#include "builtins/real.def"
#undef INTEGER
#undef REAL
#undef FLOAT

#define INTEGER(id, text, signature, of, widths, result)                                                                           \
    {#id, text, signature, of, widths, {0, 0}, integer_##id, T_long, TO_EVEN, false},
#define REAL(id, text, signature, ulp_float, ulp_double, widths, result)                                                           \
    {#id, text, signature, 1u << T_float | 1u << T_double, widths, {ulp_float, ulp_double}, real_##id, 0, TO_EVEN, false},
#define FLOAT(id, text, signature, ulp, widths, result)                                                                            \
    {#id, text, signature, 1u << T_float, widths, {ulp, ulp}, real_##id, 0, TO_EVEN, false},
static const struct row written[] = {
#include "builtins/integer.def"
#include "builtins/real.def"
};

enum { WRITTEN = sizeof written / sizeof *written, NUMBERS = T_double + 1, SUFFIXES = 5, MOST = WRITTEN + NUMBERS * 2 * SUFFIXES };

static const struct {
    const char *text;
    enum rounding of_integers, of_reals; /* sources of conversions to an integer, and to a real */
} suffixes[SUFFIXES] = {
    {"", TO_ZERO, TO_EVEN}, {"_rte", TO_EVEN, TO_EVEN}, {"_rtz", TO_ZERO, TO_ZERO}, {"_rtp", UP, UP}, {"_rtn", DOWN, DOWN}};

size_t list_rows(const struct row **rows)
{
    static struct row all[MOST];
    static char names[MOST][48];
    size_t count = WRITTEN;
    memcpy(all, written, sizeof written);
    for (enum type_id to = T_char; to <= T_double; to++)
        for (int saturates = 0; saturates <= !types[to].is_real; saturates++)
            for (size_t n = 0; n < SUFFIXES; n++) {
                char *const name = names[count];
                snprintf(name, sizeof *names, "convert_%s%%w%s%s(x)", types[to].name, saturates ? "_sat" : "", suffixes[n].text);
                all[count++] = (struct row){name,
                                            name,
                                            "t:g",
                                            (1u << NUMBERS) - 1,
                                            every,
                                            {0, 0},
                                            convert,
                                            to,
                                            types[to].is_real ? suffixes[n].of_reals : suffixes[n].of_integers,
                                            saturates};
            }
    *rows = all;
    return count;
}
