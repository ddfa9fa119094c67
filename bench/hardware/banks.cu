/* Loads from shared memory in 30 patterns: four blocks of 512 threads, which fill the SM. Thread t reads the elements f(t) + j,
 * j = 0 to 255, of an array of 16 KB and adds them up; then it stores the sum; all of this REPEATS times (step is 0, which the
 * compiler does not know). f(t) is t / divisor (multicast), or t % modulus * 32 + t / modulus (conflict). Written from the
 * description of a public table (docs/accuracy/hardware.md). */
typedef unsigned u32;

enum { THREADS = 512, BYTES = 16384, LOADS = 256, REPEATS = 4 };

__device__ static inline void set(float &element, float value)
{
    element = value;
}

__device__ static inline void set(float2 &element, float value)
{
    element = make_float2(value, value);
}

__device__ static inline void set(float4 &element, float value)
{
    element = make_float4(value, value, value, value);
}

__device__ static inline void add(float &sum, float value)
{
    sum += value;
}

__device__ static inline void add(float2 &sum, float2 value)
{
    sum.x += value.x;
    sum.y += value.y;
}

__device__ static inline void add(float4 &sum, float4 value)
{
    sum.x += value.x;
    sum.y += value.y;
    sum.z += value.z;
    sum.w += value.w;
}

template <typename T, u32 MODULUS, u32 DIVISOR> __device__ static inline void sums(T *out, u32 step)
{
    __shared__ T array[BYTES / sizeof(T)];
    const u32 t = threadIdx.x;
    for (u32 i = t; i < BYTES / sizeof(T); i += THREADS)
        set(array[i], (float)i);
    __syncthreads();
    const T *from = array + t % MODULUS * 32 + t / DIVISOR;
#pragma unroll 1
    for (u32 repeat = 0; repeat < REPEATS; ++repeat, from += step) {
        T sum = {};
        for (u32 j = 0; j < LOADS; ++j)
            add(sum, from[j]);
        out[(blockIdx.x * REPEATS + repeat) * THREADS + t] = sum;
    }
}

#define PATTERN(name, modulus, divisor)                                                                                            \
    extern "C" __global__ void banks_4_##name(float *out, u32 step)                                                                \
    {                                                                                                                              \
        sums<float, modulus, divisor>(out, step);                                                                                  \
    }                                                                                                                              \
    extern "C" __global__ void banks_8_##name(float2 *out, u32 step)                                                               \
    {                                                                                                                              \
        sums<float2, modulus, divisor>(out, step);                                                                                 \
    }                                                                                                                              \
    extern "C" __global__ void banks_16_##name(float4 *out, u32 step)                                                              \
    {                                                                                                                              \
        sums<float4, modulus, divisor>(out, step);                                                                                 \
    }

PATTERN(normal, 1, 1)
PATTERN(multicast2, 1, 2)
PATTERN(multicast4, 1, 4)
PATTERN(multicast8, 1, 8)
PATTERN(multicast16, 1, 16)
PATTERN(broadcast, 1, 32)
PATTERN(conflict2, 2, 2)
PATTERN(conflict4, 4, 4)
PATTERN(conflict8, 8, 8)
PATTERN(conflict16, 16, 16)
