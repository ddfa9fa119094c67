/* Chains of dependent instructions, one warp: the difference of a chain of 48 and one of 16 in the same loop is the latency of 32.
 * make compiles it, check runs it. */
typedef unsigned u32;
typedef unsigned long long u64;

enum { SHORT = 16, LONG = 48, WORDS = 2048 };

/* words[n * stride] points to the next one, the last to itself. */
extern "C" __global__ void fill(u64 *words, u32 stride, u32 count)
{
    for (u32 n = threadIdx.x; n < count; n += blockDim.x)
        words[n * stride] = (u64)&words[(n + 1 < count ? n + 1 : n) * stride];
}

#define LOOP(number, length, step)                                                                                                 \
    if (which == number) {                                                                                                         \
        _Pragma("unroll 1") for (u32 turn = 0; turn < turns; turn++)                                                               \
        {                                                                                                                          \
            _Pragma("unroll") for (u32 n = 0; n < length; n++)                                                                     \
            {                                                                                                                      \
                step;                                                                                                              \
            }                                                                                                                      \
        }                                                                                                                          \
    }

#define CHAIN(number, step)                                                                                                        \
    LOOP(2 * number, SHORT, step)                                                                                                  \
    LOOP(2 * number + 1, LONG, step)

/* which: number of a chain, doubled; 1 more for the long one. words: for loads of global memory. a, b, c, d: any numbers. */
extern "C" __global__ void chain(u32 *out, u64 *words, u32 which, u32 turns, u32 conflict, u32 a, u32 b, u32 c, u32 d)
{
    __shared__ u32 shared[WORDS];
    __shared__ u32 counters[32];
    const u32 lane = threadIdx.x;
    const u32 base = (u32)__cvta_generic_to_shared(shared), mine = base + 4 * (lane % conflict * 32 + lane / conflict);
    for (u32 n = lane; n < WORDS; n += 32)
        shared[n] = base + 4 * n;
    counters[lane] = 0;
    __syncthreads();
    float f = (float)a, g = (float)b;
    double p = a, q = b;
    const u32 at = (u32)__cvta_generic_to_shared(&counters[lane]);
    u32 x = a + lane, s = mine;
    u64 l = (u64)words;
    CHAIN(0, asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f) : "f"(g)));
    CHAIN(1, asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(n % 2 ? a : b)));
    CHAIN(2, asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(b), "r"(c)));
    CHAIN(3, asm volatile("lop3.b32 %0, %0, %1, %2, 0xd2;" : "+r"(x) : "r"(n % 2 ? a : b), "r"(n % 2 ? c : d)));
    CHAIN(4, asm volatile("mad.lo.u32 %0, %0, %1, %2;\n\tlop3.b32 %0, %0, %3, %4, 0xd2;" : "+r"(x) : "r"(b), "r"(c), "r"(a), "r"(d)));
    CHAIN(5, asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(b), "r"(c)));
    CHAIN(6, asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(p) : "d"(q)));
    CHAIN(7, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f)));
    CHAIN(8, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x)));
    CHAIN(9, asm volatile("ld.shared.u32 %0, [%0];" : "+r"(s) : : "memory"));
    CHAIN(10, asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(l) : : "memory"));
    CHAIN(11, asm volatile("atom.shared.add.u32 %0, [%1], %0;" : "+r"(x) : "r"(at) : "memory"));
    CHAIN(12, asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(x) : "l"(out + 32 + lane) : "memory"));
    out[lane] = x + s + (u32)l + (u32)(f + g) + (u32)(p + q) + counters[lane];
}
