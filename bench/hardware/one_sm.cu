/* Microbenchmarks of one SM: one block of 1024 threads each, written from descriptions of those in accel-sim/gpu-app-collection
 * (src/cuda/GPU_Microbenchmark/ubench, newest tree of 2026). A kernel warms up, reads the clock around its loop, and stores both times
 * and a sum, so that nothing is optimized away. bench/hardware/make builds their traces. */
typedef unsigned u32;
typedef unsigned long long u64;

__device__ static inline float load_float(const float *from)
{
    float value;
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
    return value;
}

__device__ static inline double load_double(const double *from)
{
    double value;
    asm volatile("ld.global.ca.f64 %0, [%1];" : "=d"(value) : "l"(from) : "memory");
    return value;
}

__device__ static inline u32 load_word(const u32 *from)
{
    u32 value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__device__ static inline u64 clock_long()
{
    u64 value;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(value) :: "memory");
    return value;
}

__device__ static inline u32 clock_short()
{
    u32 value;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(value) :: "memory");
    return value;
}

#define MEET asm volatile("bar.sync 0;" ::: "memory")

/* Only the first words are set: word n leads to n + 1025, and from there all lanes go to word 0 and back. */
extern "C" __global__ void chain(u32 *words)
{
    words[threadIdx.x] = threadIdx.x + 1025;
}

/* Four loads of 4 bytes in neighbouring lines, 4096 times. */
extern "C" __global__ void l1_bw_32f(u64 *start, u64 *stop, float *out, const float *array)
{
    const u32 t = threadIdx.x;
    float a = 0, b = 0, c = 0, d = 0;
    for (u32 i = t; i < 16384; i += 1024)
        a += load_float(array + i);
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 4096; ++j) {
        const float *from = array + (t + j * 128) % 16384;
        a += load_float(from);
        b += load_float(from + 32);
        c += load_float(from + 64);
        d += load_float(from + 96);
    }
    MEET;
    const u64 end = clock_long();
    start[t] = begin;
    stop[t] = end;
    out[t] = a + b + c + d;
}

extern "C" __global__ void l1_bw_64f(u64 *start, u64 *stop, double *out, const double *array)
{
    const u32 t = threadIdx.x;
    double a = 0, b = 0;
    for (u32 i = t; i < 8192; i += 1024)
        a += load_double(array + i);
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 256; ++j) {
        const double *from = array + (t + j * 64) % 8192;
        a += load_double(from);
        b += load_double(from + 32);
    }
    MEET;
    const u64 end = clock_long();
    start[t] = begin;
    stop[t] = end;
    out[t] = a + b;
}

extern "C" __global__ void l1_bw_128(u64 *start, u64 *stop, float *out, const float *array)
{
    const u32 t = threadIdx.x;
    float a = 0, b = 0, c = 0, d = 0;
    for (u32 i = t; i < 16384; i += 1024)
        a += load_float(array + i);
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 4096; ++j) {
        float w, x, y, z;
        const float *from = array + (t * 4 + j * 128) % 16384;
        asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(w), "=f"(x), "=f"(y), "=f"(z) : "l"(from) : "memory");
        a += w;
        b += x;
        c += y;
        d += z;
    }
    MEET;
    const u64 end = clock_long();
    start[t] = begin;
    stop[t] = end;
    out[t] = a + b + c + d;
}

extern "C" __global__ void l1_bw_32f_unroll(u32 *start, u32 *stop, float *out, const float *array)
{
    const u32 t = threadIdx.x;
    float sum = 0;
    for (u32 i = t; i < 16384; i += 1024)
        sum += load_float(array + i);
    MEET;
    const u32 begin = clock_short();
    for (u32 j = 0; j < 4096; ++j)
        sum += load_float(array + (t + j * 32) % 16384);
    MEET;
    const u32 end = clock_short();
    start[t] = begin;
    stop[t] = end;
    out[t] = sum;
}

/* The index is not reduced: it leaves the first 32768 elements. */
extern "C" __global__ void l1_bw_32f_unroll_large(u32 *start, u32 *stop, float *out, const float *array)
{
    const u32 t = threadIdx.x;
    float sum = 0;
    for (u32 i = t; i < 32768; i += 1024)
        sum += load_float(array + i);
    MEET;
    const u32 begin = clock_short();
    for (u32 j = 0; j < 4096; ++j)
        sum += load_float(array + (t + j * 32));
    MEET;
    const u32 end = clock_short();
    start[t] = begin;
    stop[t] = end;
    out[t] = sum;
}

extern "C" __global__ void shared_bw(u64 *start, u64 *stop, u32 *out, u32 step)
{
    __shared__ u32 s[8192];
    const u32 t = threadIdx.x;
    for (u32 i = t; i < 8192; i += 1024)
        s[i] = (i + step) % 8192;
    u32 at = t;
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 4096; ++j)
        at = s[at];
    MEET;
    const u64 end = clock_long();
    start[t] = begin;
    stop[t] = end;
    out[t] = at;
}

extern "C" __global__ void max_iops(u32 *start, u32 *stop, int *out, const int *one, const int *two)
{
    const u32 t = threadIdx.x;
    const int a = one[t], b = two[t];
    int r = 0;
    MEET;
    const u32 begin = clock_short();
    for (u32 j = 0; j < 1024; ++j) {
        asm volatile("mad.lo.s32 %0, %1, %2, %0;" : "+r"(r) : "r"(a), "r"(b));
        asm volatile("mad.lo.s32 %0, %1, %2, %0;" : "+r"(r) : "r"(a), "r"(b));
        asm volatile("mad.lo.s32 %0, %1, %2, %0;" : "+r"(r) : "r"(a), "r"(b));
        asm volatile("mad.lo.s32 %0, %1, %2, %0;" : "+r"(r) : "r"(a), "r"(b));
    }
    MEET;
    const u32 end = clock_short();
    start[t] = begin;
    stop[t] = end;
    out[t] = r;
}

/* The loads of global memory alternate between two words, which all lanes share. */
extern "C" __global__ void l1_shared_bw(u32 *start, u32 *stop, u32 *out, const u32 *array, u32 step)
{
    __shared__ u32 s[8192];
    const u32 t = threadIdx.x;
    for (u32 i = t; i < 8192; i += 1024)
        s[i] = (i + step) % 8192;
    u32 x = t, y = t;
    for (u32 j = 0; j < 32768; ++j)
        y = load_word(array + y);
    MEET;
    const u32 begin = clock_short();
    for (u32 j = 0; j < 4096; ++j) {
        x = s[x];
        y = load_word(array + y);
    }
    MEET;
    const u32 end = clock_short();
    start[t] = begin;
    stop[t] = end;
    out[t] = x + y;
}

/* The last two for a machine that does not scale the index of shared memory: shift is 2. */
extern "C" __global__ void shared_bw_shift(u64 *start, u64 *stop, u32 *out, u32 step, u32 shift)
{
    __shared__ u32 s[8192];
    const u32 t = threadIdx.x;
    for (u32 i = t; i < 8192; i += 1024)
        s[i] = (i + step) % 8192;
    u32 at = t;
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 4096; ++j)
        at = *(const u32 *)((const char *)s + (at << shift));
    MEET;
    const u64 end = clock_long();
    start[t] = begin;
    stop[t] = end;
    out[t] = at;
}

extern "C" __global__ void l1_shared_bw_shift(u32 *start, u32 *stop, u32 *out, const u32 *array, u32 step, u32 shift)
{
    __shared__ u32 s[8192];
    const u32 t = threadIdx.x;
    for (u32 i = t; i < 8192; i += 1024)
        s[i] = (i + step) % 8192;
    u32 x = t, y = t;
    for (u32 j = 0; j < 32768; ++j)
        y = load_word(array + y);
    MEET;
    const u32 begin = clock_short();
    for (u32 j = 0; j < 4096; ++j) {
        x = *(const u32 *)((const char *)s + (x << shift));
        y = load_word(array + y);
    }
    MEET;
    const u32 end = clock_short();
    start[t] = begin;
    stop[t] = end;
    out[t] = x + y;
}
