/* Effects of .ftz, .sat and a rounding mode on floating-point operands and results. */
#pragma once

#include <fenv.h>

#include "frontend/exec/arithmetic/ieee.h"
#include "frontend/ptx/ir.h"

/* Sets the host's rounding mode. Handlers that change it set it back to nearest. */
static inline void ws_round_like(u32 rounding)
{
    static const int modes[] = {[WS_ROUND_nearest] = FE_TONEAREST,
                                [WS_ROUND_zero] = FE_TOWARDZERO,
                                [WS_ROUND_down] = FE_DOWNWARD,
                                [WS_ROUND_up] = FE_UPWARD};
    fesetround(modes[rounding]);
}

static inline float ws_input_f32(u64 slot, u32 flags)
{
    const float value = ws_f32(slot);
    return flags & WS_OP_FTZ ? ws_flush_f32(value) : value;
}

static inline double ws_input_f64(u64 slot, u32 flags)
{
    const double value = ws_f64(slot);
    return flags & WS_OP_FTZ ? ws_flush_f64(value) : value;
}

static inline u64 ws_output_f32(float value, u32 flags)
{
    if (flags & WS_OP_FTZ)
        value = ws_flush_f32(value);
    return ws_bits_f32(flags & WS_OP_SAT ? ws_saturate_f32(value) : value);
}

static inline u64 ws_output_f64(double value, u32 flags)
{
    if (flags & WS_OP_FTZ)
        value = ws_flush_f64(value);
    return ws_bits_f64(flags & WS_OP_SAT ? ws_saturate_f64(value) : value);
}

/* The integral value nearest in the direction of the rounding. */
static inline double ws_integral(double value, u32 rounding)
{
    switch (rounding) {
    case WS_ROUND_zero:
        return trunc(value);
    case WS_ROUND_down:
        return floor(value);
    case WS_ROUND_up:
        return ceil(value);
    default:
        return nearbyint(value);
    }
}
