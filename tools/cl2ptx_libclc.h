/* Built-in functions whose definitions in libclc 14 to 16 are wrong or missing; docs/frontend.md lists them with what was wrong.
 * tests/builtins checks them and all others. Included by cl2ptx.h, after which their names mean these. */

#define WS_EACH_WIDTH(EACH, ...)                                                                                                   \
    EACH(, __VA_ARGS__)                                                                                                            \
    WS_EACH_VECTOR(EACH, __VA_ARGS__)
#define WS_EACH_VECTOR(EACH, ...)                                                                                                  \
    EACH(2, __VA_ARGS__)                                                                                                           \
    EACH(3, __VA_ARGS__)                                                                                                           \
    EACH(4, __VA_ARGS__)                                                                                                           \
    EACH(8, __VA_ARGS__)                                                                                                           \
    EACH(16, __VA_ARGS__)

/* As libclc has it for other types. */
#define WS_LIBRARY_1(n, name, T)                                                                                                   \
    WS_CALLED T##n ws_##name(T##n x)                                                                                               \
    {                                                                                                                              \
        return name(x);                                                                                                            \
    }
#define WS_LIBRARY_2(n, name, T)                                                                                                   \
    WS_CALLED T##n ws_##name(T##n x, T##n y)                                                                                       \
    {                                                                                                                              \
        return name(x, y);                                                                                                         \
    }
#define WS_LIBRARY_3(n, name, T)                                                                                                   \
    WS_CALLED T##n ws_##name(T##n x, T##n y, T##n z)                                                                               \
    {                                                                                                                              \
        return name(x, y, z);                                                                                                      \
    }
#define WS_LIBRARY(arity, name, T) WS_EACH_WIDTH(WS_LIBRARY_##arity, name, T)

/* ---- Integers ---- */

/* A difference overflows where the signs of the operands differ, and that of the first from its own. */
#define WS_SUB_SAT(n, T, U, most, bits)                                                                                            \
    WS_CALLED T##n ws_sub_sat(T##n x, T##n y)                                                                                      \
    {                                                                                                                              \
        const T##n r = as_##T##n(as_##U##n(x) - as_##U##n(y));                                                                     \
        return ((x ^ y) & (x ^ r)) < 0 ? (x >> (bits - 1)) ^ most : r;                                                             \
    }
WS_EACH_WIDTH(WS_SUB_SAT, int, uint, INT_MAX, 32)
WS_EACH_WIDTH(WS_SUB_SAT, long, ulong, LONG_MAX, 64)
WS_LIBRARY(2, sub_sat, char)
WS_LIBRARY(2, sub_sat, uchar)
WS_LIBRARY(2, sub_sat, short)
WS_LIBRARY(2, sub_sat, ushort)
WS_LIBRARY(2, sub_sat, uint)
WS_LIBRARY(2, sub_sat, ulong)
#define sub_sat ws_sub_sat

/* In 128 bits, which fit into 64 where the upper half is the lower one's sign. */
WS_CALLED long ws_mad_sat(long x, long y, long z)
{
    const ulong product = (ulong)x * (ulong)y, low = product + (ulong)z;
    const long high = mul_hi(x, y) + (z >> 63) + (low < product);
    return high == (long)low >> 63 ? (long)low : (high >> 63) ^ LONG_MAX;
}
#define WS_MAD_SAT(n, _)                                                                                                           \
    WS_CALLED long##n ws_mad_sat(long##n x, long##n y, long##n z)                                                                  \
    {                                                                                                                              \
        const ulong##n product = as_ulong##n(x) * as_ulong##n(y), low = product + as_ulong##n(z);                                  \
        const long##n high = mul_hi(x, y) + (z >> 63) - (low < product);                                                           \
        return high == as_long##n(low) >> 63 ? as_long##n(low) : (high >> 63) ^ LONG_MAX;                                          \
    }
WS_EACH_VECTOR(WS_MAD_SAT, )
WS_LIBRARY(3, mad_sat, char)
WS_LIBRARY(3, mad_sat, uchar)
WS_LIBRARY(3, mad_sat, short)
WS_LIBRARY(3, mad_sat, ushort)
WS_LIBRARY(3, mad_sat, int)
WS_LIBRARY(3, mad_sat, uint)
WS_LIBRARY(3, mad_sat, ulong)
#define mad_sat ws_mad_sat

/* libclc has it as a macro of its own, whose sum of small numbers is an int. */
#define mad_hi(x, y, z) ((__typeof__(mul_hi(x, y)))(mul_hi(x, y) + (z)))

/* ---- Conversions of integers to reals, rounded otherwise than to even ---- */

/* In PTX: LLVM takes __nvvm_i2f_rz and the like for conversions to even, and loses operands of __nvvm_ull2f_rm. */
#define WS_ROUNDED(mode, of, R, to, c, T, from, r)                                                                                 \
    WS_CALLED R ws_convert_##R##_##mode(T x)                                                                                       \
    {                                                                                                                              \
        R rounded;                                                                                                                 \
        __asm__("cvt." of "." to "." from " %0, %1;" : "=" c(rounded) : r(x));                                                     \
        return rounded;                                                                                                            \
    }                                                                                                                              \
    WS_ROUNDED_VECTORS(mode, R, T)
/* The library's is right: numbers of a few bits, and reals. */
#define WS_ROUNDED_BY_LIBRARY(mode, R, T)                                                                                          \
    WS_CALLED R ws_convert_##R##_##mode(T x)                                                                                       \
    {                                                                                                                              \
        return convert_##R##_##mode(x);                                                                                            \
    }                                                                                                                              \
    WS_ROUNDED_VECTORS(mode, R, T)
#define WS_ROUNDED_VECTORS(mode, R, T)                                                                                             \
    WS_CALLED R##2 ws_convert_##R##2_##mode(T##2 x)                                                                                \
    {                                                                                                                              \
        return (R##2)(ws_convert_##R##_##mode(x.x), ws_convert_##R##_##mode(x.y));                                                 \
    }                                                                                                                              \
    WS_CALLED R##3 ws_convert_##R##3_##mode(T##3 x)                                                                                \
    {                                                                                                                              \
        return (R##3)(ws_convert_##R##2_##mode(x.xy), ws_convert_##R##_##mode(x.z));                                               \
    }                                                                                                                              \
    WS_CALLED R##4 ws_convert_##R##4_##mode(T##4 x)                                                                                \
    {                                                                                                                              \
        return (R##4)(ws_convert_##R##2_##mode(x.lo), ws_convert_##R##2_##mode(x.hi));                                             \
    }                                                                                                                              \
    WS_CALLED R##8 ws_convert_##R##8_##mode(T##8 x)                                                                                \
    {                                                                                                                              \
        return (R##8)(ws_convert_##R##4_##mode(x.lo), ws_convert_##R##4_##mode(x.hi));                                             \
    }                                                                                                                              \
    WS_CALLED R##16 ws_convert_##R##16_##mode(T##16 x)                                                                             \
    {                                                                                                                              \
        return (R##16)(ws_convert_##R##8_##mode(x.lo), ws_convert_##R##8_##mode(x.hi));                                            \
    }
#define WS_ROUNDED_MODE(mode, of)                                                                                                  \
    WS_ROUNDED(mode, of, float, "f32", "f", int, "s32", "r")                                                                       \
    WS_ROUNDED(mode, of, float, "f32", "f", uint, "u32", "r")                                                                      \
    WS_ROUNDED(mode, of, float, "f32", "f", long, "s64", "l")                                                                      \
    WS_ROUNDED(mode, of, float, "f32", "f", ulong, "u64", "l")                                                                     \
    WS_ROUNDED_BY_LIBRARY(mode, float, char)                                                                                       \
    WS_ROUNDED_BY_LIBRARY(mode, float, uchar)                                                                                      \
    WS_ROUNDED_BY_LIBRARY(mode, float, short)                                                                                      \
    WS_ROUNDED_BY_LIBRARY(mode, float, ushort)                                                                                     \
    WS_ROUNDED_BY_LIBRARY(mode, float, float)                                                                                      \
    WS_ROUNDED_BY_LIBRARY(mode, float, double)                                                                                     \
    WS_ROUNDED(mode, of, double, "f64", "d", long, "s64", "l")                                                                     \
    WS_ROUNDED(mode, of, double, "f64", "d", ulong, "u64", "l")                                                                    \
    WS_ROUNDED_BY_LIBRARY(mode, double, char)                                                                                      \
    WS_ROUNDED_BY_LIBRARY(mode, double, uchar)                                                                                     \
    WS_ROUNDED_BY_LIBRARY(mode, double, short)                                                                                     \
    WS_ROUNDED_BY_LIBRARY(mode, double, ushort)                                                                                    \
    WS_ROUNDED_BY_LIBRARY(mode, double, int)                                                                                       \
    WS_ROUNDED_BY_LIBRARY(mode, double, uint)                                                                                      \
    WS_ROUNDED_BY_LIBRARY(mode, double, float)                                                                                     \
    WS_ROUNDED_BY_LIBRARY(mode, double, double)
WS_ROUNDED_MODE(rtz, "rz")
WS_ROUNDED_MODE(rtp, "rp")
WS_ROUNDED_MODE(rtn, "rm")
#define convert_float_rtz    ws_convert_float_rtz
#define convert_float2_rtz   ws_convert_float2_rtz
#define convert_float3_rtz   ws_convert_float3_rtz
#define convert_float4_rtz   ws_convert_float4_rtz
#define convert_float8_rtz   ws_convert_float8_rtz
#define convert_float16_rtz  ws_convert_float16_rtz
#define convert_float_rtp    ws_convert_float_rtp
#define convert_float2_rtp   ws_convert_float2_rtp
#define convert_float3_rtp   ws_convert_float3_rtp
#define convert_float4_rtp   ws_convert_float4_rtp
#define convert_float8_rtp   ws_convert_float8_rtp
#define convert_float16_rtp  ws_convert_float16_rtp
#define convert_float_rtn    ws_convert_float_rtn
#define convert_float2_rtn   ws_convert_float2_rtn
#define convert_float3_rtn   ws_convert_float3_rtn
#define convert_float4_rtn   ws_convert_float4_rtn
#define convert_float8_rtn   ws_convert_float8_rtn
#define convert_float16_rtn  ws_convert_float16_rtn
#define convert_double_rtz   ws_convert_double_rtz
#define convert_double2_rtz  ws_convert_double2_rtz
#define convert_double3_rtz  ws_convert_double3_rtz
#define convert_double4_rtz  ws_convert_double4_rtz
#define convert_double8_rtz  ws_convert_double8_rtz
#define convert_double16_rtz ws_convert_double16_rtz
#define convert_double_rtp   ws_convert_double_rtp
#define convert_double2_rtp  ws_convert_double2_rtp
#define convert_double3_rtp  ws_convert_double3_rtp
#define convert_double4_rtp  ws_convert_double4_rtp
#define convert_double8_rtp  ws_convert_double8_rtp
#define convert_double16_rtp ws_convert_double16_rtp
#define convert_double_rtn   ws_convert_double_rtn
#define convert_double2_rtn  ws_convert_double2_rtn
#define convert_double3_rtn  ws_convert_double3_rtn
#define convert_double4_rtn  ws_convert_double4_rtn
#define convert_double8_rtn  ws_convert_double8_rtn
#define convert_double16_rtn ws_convert_double16_rtn

/* ---- NaN to integers ---- */

/* 0 by OpenCL where conversions saturate; PTX has the highest bit where the source or the result has 64 bits. */
#define WS_NUMBER(n, name, T)                                                                                                      \
    WS_CALLED T##n ws_##name(T##n x)                                                                                               \
    {                                                                                                                              \
        return isnan(x) ? (T##n)(0) : x;                                                                                           \
    }
#define WS_SAME(n, name, T)                                                                                                        \
    WS_CALLED T##n ws_##name(T##n x)                                                                                               \
    {                                                                                                                              \
        return x;                                                                                                                  \
    }
#define WS_SAME_INTEGERS(name)                                                                                                     \
    WS_EACH_WIDTH(WS_SAME, name, char)                                                                                             \
    WS_EACH_WIDTH(WS_SAME, name, uchar)                                                                                            \
    WS_EACH_WIDTH(WS_SAME, name, short)                                                                                            \
    WS_EACH_WIDTH(WS_SAME, name, ushort)                                                                                           \
    WS_EACH_WIDTH(WS_SAME, name, int)                                                                                              \
    WS_EACH_WIDTH(WS_SAME, name, uint)                                                                                             \
    WS_EACH_WIDTH(WS_SAME, name, long)                                                                                             \
    WS_EACH_WIDTH(WS_SAME, name, ulong)
WS_SAME_INTEGERS(number)
WS_EACH_WIDTH(WS_NUMBER, number, float)
WS_EACH_WIDTH(WS_NUMBER, number, double)
WS_SAME_INTEGERS(number_32)
WS_EACH_WIDTH(WS_SAME, number_32, float)
WS_EACH_WIDTH(WS_NUMBER, number_32, double)
#include "cl2ptx_saturated.h"

/* ---- Half in memory, rounded up and down ---- */

#define WS_HALF(R, r, bits, mode, of)                                                                                              \
    WS_CALLED ushort ws_half_##mode(R x)                                                                                           \
    {                                                                                                                              \
        ushort half_bits;                                                                                                          \
        __asm__("cvt." of ".f16.f" bits " %0, %1;" : "=h"(half_bits) : r(x));                                                      \
        return half_bits;                                                                                                          \
    }                                                                                                                              \
    WS_CALLED ushort2 ws_half_##mode(R##2 x)                                                                                       \
    {                                                                                                                              \
        return (ushort2)(ws_half_##mode(x.x), ws_half_##mode(x.y));                                                                \
    }                                                                                                                              \
    WS_CALLED ushort3 ws_half_##mode(R##3 x)                                                                                       \
    {                                                                                                                              \
        return (ushort3)(ws_half_##mode(x.xy), ws_half_##mode(x.z));                                                               \
    }                                                                                                                              \
    WS_CALLED ushort4 ws_half_##mode(R##4 x)                                                                                       \
    {                                                                                                                              \
        return (ushort4)(ws_half_##mode(x.lo), ws_half_##mode(x.hi));                                                              \
    }                                                                                                                              \
    WS_CALLED ushort8 ws_half_##mode(R##8 x)                                                                                       \
    {                                                                                                                              \
        return (ushort8)(ws_half_##mode(x.lo), ws_half_##mode(x.hi));                                                              \
    }                                                                                                                              \
    WS_CALLED ushort16 ws_half_##mode(R##16 x)                                                                                     \
    {                                                                                                                              \
        return (ushort16)(ws_half_##mode(x.lo), ws_half_##mode(x.hi));                                                             \
    }
WS_HALF(float, "f", "32", rtp, "rp")
WS_HALF(float, "f", "32", rtn, "rm")
WS_HALF(double, "d", "64", rtp, "rp")
WS_HALF(double, "d", "64", rtn, "rm")

/* vstorea: three elements take the place of four. */
#define WS_STORE_HALF(n, mode, R, space)                                                                                           \
    WS_CALLED void ws_vstore_half##n##_##mode(R##n x, size_t at, space half *to)                                                   \
    {                                                                                                                              \
        vstore##n(ws_half_##mode(x), at, (space ushort *)to);                                                                      \
    }                                                                                                                              \
    WS_CALLED void ws_vstorea_half##n##_##mode(R##n x, size_t at, space half *to)                                                  \
    {                                                                                                                              \
        vstore##n(ws_half_##mode(x), 0, (space ushort *)to + sizeof(ushort##n) / sizeof(ushort) * at);                             \
    }
#define WS_STORE_HALVES(mode, R, space)                                                                                            \
    WS_CALLED void ws_vstore_half_##mode(R x, size_t at, space half *to)                                                           \
    {                                                                                                                              \
        ((space ushort *)to)[at] = ws_half_##mode(x);                                                                              \
    }                                                                                                                              \
    WS_EACH_VECTOR(WS_STORE_HALF, mode, R, space)
#define WS_STORES_OF(space)                                                                                                        \
    WS_STORE_HALVES(rtp, float, space)                                                                                             \
    WS_STORE_HALVES(rtn, float, space)                                                                                             \
    WS_STORE_HALVES(rtp, double, space)                                                                                            \
    WS_STORE_HALVES(rtn, double, space)
WS_STORES_OF(__global)
WS_STORES_OF(__local)
WS_STORES_OF(__private)
#if __OPENCL_C_VERSION__ >= 200
WS_STORES_OF(__generic)
#endif
#define vstore_half_rtp    ws_vstore_half_rtp
#define vstore_half2_rtp   ws_vstore_half2_rtp
#define vstore_half3_rtp   ws_vstore_half3_rtp
#define vstore_half4_rtp   ws_vstore_half4_rtp
#define vstore_half8_rtp   ws_vstore_half8_rtp
#define vstore_half16_rtp  ws_vstore_half16_rtp
#define vstore_half_rtn    ws_vstore_half_rtn
#define vstore_half2_rtn   ws_vstore_half2_rtn
#define vstore_half3_rtn   ws_vstore_half3_rtn
#define vstore_half4_rtn   ws_vstore_half4_rtn
#define vstore_half8_rtn   ws_vstore_half8_rtn
#define vstore_half16_rtn  ws_vstore_half16_rtn
#define vstorea_half2_rtp  ws_vstorea_half2_rtp
#define vstorea_half3_rtp  ws_vstorea_half3_rtp
#define vstorea_half4_rtp  ws_vstorea_half4_rtp
#define vstorea_half8_rtp  ws_vstorea_half8_rtp
#define vstorea_half16_rtp ws_vstorea_half16_rtp
#define vstorea_half2_rtn  ws_vstorea_half2_rtn
#define vstorea_half3_rtn  ws_vstorea_half3_rtn
#define vstorea_half4_rtn  ws_vstorea_half4_rtn
#define vstorea_half8_rtn  ws_vstorea_half8_rtn
#define vstorea_half16_rtn ws_vstorea_half16_rtn

/* ---- Functions of reals ---- */

/* Steps of powers of two that round nothing (down leaves room for a whole mantissa), then one that rounds once. */
#define WS_LDEXP(n, T, I, most, up, least, down, mantissa)                                                                         \
    WS_CALLED T##n ws_ldexp(T##n x, int##n by)                                                                                     \
    {                                                                                                                              \
        I##n left = convert_##I##n(by);                                                                                            \
        for (int step = 0; step < 2; step++) {                                                                                     \
            x = left > most ? x * up : left < least ? x * down : x;                                                                \
            left = left > most ? left - most : left < least ? left - (least + mantissa + 1) : left;                                \
        }                                                                                                                          \
        return x * as_##T##n((clamp(left, (I)least, (I)most) + most) << mantissa);                                                 \
    }
#define WS_LDEXP_ALIKE(n, T)                                                                                                       \
    WS_CALLED T##n ws_ldexp(T##n x, int by)                                                                                        \
    {                                                                                                                              \
        return ws_ldexp(x, (int##n)(by));                                                                                          \
    }
WS_EACH_WIDTH(WS_LDEXP, float, int, 127, 0x1p127f, -126, 0x1p-102f, 23)
WS_EACH_WIDTH(WS_LDEXP, double, long, 1023, 0x1p1023, -1022, 0x1p-969, 52)
WS_EACH_VECTOR(WS_LDEXP_ALIKE, float)
WS_EACH_VECTOR(WS_LDEXP_ALIKE, double)
#define ldexp ws_ldexp

#define WS_FRACT_AT(n, T, most, space)                                                                                             \
    WS_CALLED T##n ws_fract(T##n x, space T##n *whole)                                                                             \
    {                                                                                                                              \
        *whole = floor(x);                                                                                                         \
        return (x == 0) | isinf(x) ? copysign((T##n)(0), x) : isnan(x) ? x : fmin(x - *whole, (T##n)(most));                       \
    }
/* Infinite at -INFINITY too. */
#define WS_LGAMMA_AT(n, T, _, space)                                                                                               \
    WS_CALLED T##n ws_lgamma_r(T##n x, space int##n *sign)                                                                         \
    {                                                                                                                              \
        const T##n y = lgamma_r(x, sign);                                                                                          \
        return isinf(x) ? (T##n)(INFINITY) : y;                                                                                    \
    }
#define WS_LGAMMA(n, T)                                                                                                            \
    WS_CALLED T##n ws_lgamma(T##n x)                                                                                               \
    {                                                                                                                              \
        return isinf(x) ? (T##n)(INFINITY) : lgamma(x);                                                                            \
    }
#define WS_EACH_SPACE(EACH, T, most)                                                                                               \
    WS_EACH_WIDTH(EACH, T, most, __global)                                                                                         \
    WS_EACH_WIDTH(EACH, T, most, __local)                                                                                          \
    WS_EACH_WIDTH(EACH, T, most, __private)
WS_EACH_SPACE(WS_FRACT_AT, float, 0x1.fffffep-1f)
WS_EACH_SPACE(WS_FRACT_AT, double, 0x1.fffffffffffffp-1)
WS_EACH_SPACE(WS_LGAMMA_AT, float, )
WS_EACH_SPACE(WS_LGAMMA_AT, double, )
WS_EACH_WIDTH(WS_LGAMMA, float)
WS_EACH_WIDTH(WS_LGAMMA, double)
#define fract    ws_fract
#define lgamma   ws_lgamma
#define lgamma_r ws_lgamma_r

/* libclc takes a NaN as an index into a table, which LLVM lets be any. */
#define WS_OF_NUMBER(n, name, T)                                                                                                   \
    WS_CALLED T##n ws_##name(T##n x)                                                                                               \
    {                                                                                                                              \
        const T##n y = name(ws_number(x));                                                                                         \
        return isnan(x) ? x : y;                                                                                                   \
    }
WS_EACH_WIDTH(WS_OF_NUMBER, cosh, double)
WS_EACH_WIDTH(WS_OF_NUMBER, sinh, double)
WS_LIBRARY(1, cosh, float)
WS_LIBRARY(1, sinh, float)
#define cosh ws_cosh
#define sinh ws_sinh

#define WS_NAN(n, _)                                                                                                               \
    WS_CALLED float##n ws_nan(uint##n x)                                                                                           \
    {                                                                                                                              \
        return nan(x);                                                                                                             \
    }                                                                                                                              \
    WS_CALLED double##n ws_nan(ulong##n x)                                                                                         \
    {                                                                                                                              \
        return as_double##n(x | 0x7FF8000000000000ul);                                                                             \
    }
WS_EACH_WIDTH(WS_NAN, )
#define nan ws_nan

/* One function of float and of double for all widths, from that of one element. */
#define WS_OF_ELEMENTS(name, R)                                                                                                    \
    WS_OF_HALVES(name, R##2)                                                                                                       \
    WS_INLINE R##3 ws_##name(R##3 x)                                                                                               \
    {                                                                                                                              \
        return (R##3)(ws_##name(x.xy), ws_##name(x.z));                                                                            \
    }                                                                                                                              \
    WS_OF_HALVES(name, R##4)                                                                                                       \
    WS_OF_HALVES(name, R##8)                                                                                                       \
    WS_OF_HALVES(name, R##16)

/* Gamma between 1 and 2 times the exact factors up to |x|, a product of two numbers, scaled against overflow; then by reflection.
 */
WS_CALLED double ws_tgamma(double x)
{
    const double y = fabs(x), scale = y < 1 ? 1 : 0x1p-200;
    if (x == 0)
        return copysign((double)INFINITY, x);
    if (isnan(x) || (x < 0 && x == floor(x)))
        return NAN;
    if (y > 190)
        return x > 0 ? INFINITY : 0;
    double at = y < 1 ? y + 1 : y, high = scale, low = 0;
    while (at >= 2) {
        at -= 1;
        const double product = high * at;
        low = fma(low, at, fma(high, at, -product));
        high = product;
    }
    const double gamma = exp(lgamma(at)) * (high + low);
    if (x > 0)
        return y < 1 ? gamma / y : gamma / scale;
    return -M_PI / sinpi(y) / (y < 1 ? gamma : gamma * y) * scale;
}
WS_CALLED float ws_tgamma(float x)
{
    return (float)ws_tgamma((double)x);
}
WS_OF_ELEMENTS(tgamma, float)
WS_OF_ELEMENTS(tgamma, double)
#define tgamma ws_tgamma

#define WS_SMOOTHSTEP(n, T)                                                                                                        \
    WS_CALLED T##n ws_smoothstep(T x, T y, T##n z)                                                                                 \
    {                                                                                                                              \
        return smoothstep((T##n)(x), (T##n)(y), z);                                                                                \
    }
WS_EACH_VECTOR(WS_SMOOTHSTEP, float)
WS_EACH_VECTOR(WS_SMOOTHSTEP, double)
WS_LIBRARY(3, smoothstep, float)
WS_LIBRARY(3, smoothstep, double)
#define smoothstep ws_smoothstep
