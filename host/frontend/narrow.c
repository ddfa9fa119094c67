#include "frontend/narrow.h"

#include "frontend/exec/arithmetic/half.h"

static u32 type_of(enum ws_narrow format)
{
    return format == WS_NARROW_f16 ? WS_TYPE_f16 : WS_TYPE_bf16;
}

u32 ws_narrow_bits(enum ws_narrow format, double value)
{
    return format <= WS_NARROW_e5m2 ? ws_byte_bits(value, format == WS_NARROW_e4m3)
                                    : (u32)ws_half_bits(value, type_of(format), WS_ROUND_nearest, 0);
}

double ws_narrow_number(enum ws_narrow format, u32 bits)
{
    return format <= WS_NARROW_e5m2 ? ws_byte_value(bits, format == WS_NARROW_e4m3) : ws_half_value(bits, 0, type_of(format));
}
