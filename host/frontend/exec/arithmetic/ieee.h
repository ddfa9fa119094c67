/* PTX floating point on top of the host's: IEEE 754 arithmetic plus the rules that PTX adds (flushed subnormals, saturation, NaN
 * results, directed rounding). Functions end in the width they are for. */
#pragma once

#include <math.h>
#include <string.h>

#include "shared/dialect.h"

/* The NaN of every single-precision result (PTX ISA, "NaN payloads are not supported"). */
#define WS_NAN_F32 0x7FFFFFFFu

static inline float ws_f32(u64 slot)
{
    const u32 bits = (u32)slot;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double ws_f64(u64 slot)
{
    double value;
    memcpy(&value, &slot, sizeof value);
    return value;
}

/* Bits unchanged: moves, loads, selections. */
static inline u64 ws_raw_f32(float value)
{
    u32 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline u64 ws_bits_f64(double value)
{
    u64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The result of an operation: a NaN becomes the canonical one. */
static inline u64 ws_bits_f32(float value)
{
    return value == value ? ws_raw_f32(value) : WS_NAN_F32;
}

static inline float ws_flush_f32(float value)
{
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0.0f, value) : value;
}

static inline double ws_flush_f64(double value)
{
    return fpclassify(value) == FP_SUBNORMAL ? copysign(0.0, value) : value;
}

/* Operand and result of rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper half counts; subnormal numbers are zero. */
static inline double ws_gross_f64(double value)
{
    return value == value ? ws_f64(ws_bits_f64(ws_flush_f64(value)) & ~(u64)UINT32_MAX) : value;
}

/* Clamps to [0, 1]; NaN gives 0. */
static inline float ws_saturate_f32(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

static inline double ws_saturate_f64(double value)
{
    return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
}

/* div.approx of PTX: a divisor beyond 2^126 has the reciprocal 0. */
static inline float ws_divide_f32(float a, float b)
{
    return fabsf(b) > 0x1p126f && !isinf(b) ? a * copysignf(0.0f, b) : a / b;
}

/* A magnitude with the sign that the product of two numbers has. */
static inline float ws_xorsign_f32(float a, float b, float magnitude)
{
    return !signbit(a) != !signbit(b) ? -magnitude : magnitude;
}

static inline double ws_xorsign_f64(double a, double b, double magnitude)
{
    return !signbit(a) != !signbit(b) ? -magnitude : magnitude;
}

/* min and max of PTX: a NaN loses against a number, -0 is below +0. */
static inline float ws_min_f32(float a, float b)
{
    if (a != a || b != b)
        return a != a ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static inline float ws_max_f32(float a, float b)
{
    if (a != a || b != b)
        return a != a ? b : a;
    return a > b || (a == b && !signbit(a)) ? a : b;
}

/* The forms in which a NaN wins. */
static inline float ws_min_nan_f32(float a, float b)
{
    return a != a || b != b ? NAN : ws_min_f32(a, b);
}

static inline float ws_max_nan_f32(float a, float b)
{
    return a != a || b != b ? NAN : ws_max_f32(a, b);
}

static inline double ws_min_f64(double a, double b)
{
    if (a != a || b != b)
        return a != a ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static inline double ws_max_f64(double a, double b)
{
    if (a != a || b != b)
        return a != a ? b : a;
    return a > b || (a == b && !signbit(a)) ? a : b;
}

static inline double ws_min_nan_f64(double a, double b)
{
    return a != a || b != b ? (double)NAN : ws_min_f64(a, b);
}

static inline double ws_max_nan_f64(double a, double b)
{
    return a != a || b != b ? (double)NAN : ws_max_f64(a, b);
}
