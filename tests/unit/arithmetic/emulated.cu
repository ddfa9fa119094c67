/* What CUDA computes by one instruction on recent hardware and by many on older one: the results are the same (tests/unit/arithmetic/emulated).
 * Each thread takes three words, whose halves and bytes are often edge cases, and leaves 32. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

typedef unsigned u32;

static __device__ u32 next(u32 *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static __device__ u32 draw(u32 *state)
{
    const unsigned short edges[] = {0,      1,      0x7FFF, 0x8000, 0xFFFF, 0x7C00, 0xFC00, 0x7E00, 0x7F80, 0xFF80, 0x7FC0,
                                    0x3C00, 0xBC00, 0x03FF, 0x0400, 0x7BFF, 0x3F80, 0xFFC0, 0x4B00, 0x477F, 0x5F00, 0x5EFF};
    const u32 random = next(state);
    return random & 1 ? edges[(random >> 8) % 22] : random >> 16;
}

static __device__ float close_to_bytes(u32 word) /* magnitudes that 8 bits can tell apart */
{
    return __uint_as_float((word & 0x80000000) | (0x36000000 + (word & 0x7FFFFFFF) % 0x12000000));
}

static __device__ u32 bits(__half2_raw pair)
{
    return pair.x | (u32)pair.y << 16;
}

extern "C" __global__ void emulated(u32 *results)
{
    u32 state = threadIdx.x * 2654435761u + 12345, *out = results + 32 * threadIdx.x;
    for (int n = 0; n < 4; n++)
        next(&state);
    const u32 a = draw(&state) << 16 | draw(&state), b = draw(&state) << 16 | draw(&state), c = draw(&state) << 16 | draw(&state);
    const __half2_raw h = {(unsigned short)c, (unsigned short)(c >> 16)};
    const float2 f = make_float2(__uint_as_float(a), __uint_as_float(b)), g = make_float2(close_to_bytes(a), close_to_bytes(b));
    bool high, low;
    *out++ = __vadd2(a, b);
    *out++ = __vmaxu2(a, b);
    *out++ = __vminu2(a, b);
    *out++ = __vmaxs2(a, c);
    *out++ = __vmins2(a, c);
    *out++ = __vimax_s16x2_relu(a, b);
    *out++ = __vimin_s16x2_relu(a, b);
    *out++ = __vimax3_s16x2(a, b, c);
    *out++ = __vimin3_u16x2(a, b, c);
    *out++ = __vimax3_s16x2_relu(a, b, c);
    *out++ = __viaddmax_u16x2(a, b, c);
    *out++ = __viaddmin_s16x2_relu(a, b, c);
    *out++ = __vimax_s32_relu(a, b);
    *out++ = __vimin_s32_relu(a, c);
    *out++ = __viaddmax_s32_relu(a, b, c);
    *out++ = __vimax3_s32_relu(a, b, c);
    *out++ = __vibmax_s16x2(a, b, &high, &low);
    *out++ = high + 2 * low;
    *out++ = __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __NV_E4M3);
    *out++ = __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __NV_E5M2);
    *out++ = __nv_cvt_float2_to_fp8x2(g, __NV_SATFINITE, __NV_E4M3);
    *out++ = __nv_cvt_float2_to_fp8x2(g, __NV_SATFINITE, __NV_E5M2);
    *out++ = __nv_cvt_halfraw2_to_fp8x2(h, __NV_SATFINITE, __NV_E4M3);
    *out++ = __nv_cvt_halfraw2_to_fp8x2(h, __NV_SATFINITE, __NV_E5M2);
    *out++ = bits(__nv_cvt_fp8x2_to_halfraw2((unsigned short)a, __NV_E4M3));
    *out++ = bits(__nv_cvt_fp8x2_to_halfraw2((unsigned short)b, __NV_E5M2));
}
