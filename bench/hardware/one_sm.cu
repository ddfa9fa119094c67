/* Microbenchmarks of one SM: one block of 1024 threads each, written from descriptions of those in accel-sim/gpu-app-collection
 * (src/cuda/GPU_Microbenchmark/ubench, newest tree of 2026). A kernel warms up, reads the clock around its loop, and stores both times
 * and a sum, so that nothing is optimized away. bench/hardware/make builds their traces. */
typedef unsigned u32;
typedef unsigned long long u64;

/* A load and its addition are one piece of assembly, as in what was measured: the compiler cannot part them. */
__device__ static inline void add_float(float *sum, const float *from)
{
    asm volatile("{.reg .f32 v; ld.global.ca.f32 v, [%1]; add.f32 %0, v, %0;}" : "+f"(*sum) : "l"(from) : "memory");
}

__device__ static inline void add_double(double *sum, const double *from)
{
    asm volatile("{.reg .f64 v; ld.global.ca.f64 v, [%1]; add.f64 %0, v, %0;}" : "+d"(*sum) : "l"(from) : "memory");
}

__device__ static inline void add_four(float *a, float *b, float *c, float *d, const float *from)
{
    asm volatile("{.reg .f32 v<4>; ld.global.ca.v4.f32 {v0, v1, v2, v3}, [%4];"
                 "add.f32 %0, v0, %0; add.f32 %1, v1, %1; add.f32 %2, v2, %2; add.f32 %3, v3, %3;}"
                 : "+f"(*a), "+f"(*b), "+f"(*c), "+f"(*d)
                 : "l"(from)
                 : "memory");
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
    for (u32 i = t; i < 16384; i += blockDim.x)
        add_float(&a, array + i);
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 4096; ++j) {
        const float *from = array + (t + j * warpSize * 4) % 16384;
        asm volatile("{.reg .f32 v<4>; ld.global.ca.f32 v0, [%4]; ld.global.ca.f32 v1, [%4+128];"
                     "ld.global.ca.f32 v2, [%4+256]; ld.global.ca.f32 v3, [%4+384];"
                     "add.f32 %0, v0, %0; add.f32 %1, v1, %1; add.f32 %2, v2, %2; add.f32 %3, v3, %3;}"
                     : "+f"(a), "+f"(b), "+f"(c), "+f"(d)
                     : "l"(from)
                     : "memory");
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
    for (u32 i = t; i < 8192; i += blockDim.x)
        add_double(&a, array + i);
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 256; ++j) {
        const double *from = array + (t + j * warpSize * 2) % 8192;
        asm volatile("{.reg .f64 v<2>; ld.global.ca.f64 v0, [%2]; ld.global.ca.f64 v1, [%2+256];"
                     "add.f64 %0, v0, %0; add.f64 %1, v1, %1;}"
                     : "+d"(a), "+d"(b)
                     : "l"(from)
                     : "memory");
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
    for (u32 i = t * 4; i < 16384; i += blockDim.x * 4)
        add_four(&a, &b, &c, &d, array + i);
    MEET;
    const u64 begin = clock_long();
    for (u32 j = 0; j < 4096; ++j)
        add_four(&a, &b, &c, &d, array + (t * 4 + j * warpSize * 4) % 16384);
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
    for (u32 i = t; i < 16384; i += blockDim.x)
        add_float(&sum, array + i);
    MEET;
    const u32 begin = clock_short();
    for (u32 j = 0; j < 4096; ++j)
        add_float(&sum, array + (t + j * warpSize) % 16384);
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
    for (u32 i = t; i < 32768; i += blockDim.x)
        add_float(&sum, array + i);
    MEET;
    const u32 begin = clock_short();
    for (u32 j = 0; j < 4096; ++j)
        add_float(&sum, array + t + j * warpSize);
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
    for (u32 i = t; i < 8192; i += blockDim.x)
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
    for (u32 i = t; i < 8192; i += blockDim.x)
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
    for (u32 i = t; i < 8192; i += blockDim.x)
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
    for (u32 i = t; i < 8192; i += blockDim.x)
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
