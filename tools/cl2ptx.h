/* Included before every kernel by cl2ptx: native_* functions as approximate PTX instructions, one or two each. (Those of libclc
 * call intrinsics that LLVM's PTX back end cannot select.) */
#define WS_INLINE static inline __attribute__((overloadable, always_inline))

#define WS_OF_HALVES(name, type)                                                                                                   \
    WS_INLINE type ws_##name(type x)                                                                                               \
    {                                                                                                                              \
        return (type)(ws_##name(x.lo), ws_##name(x.hi));                                                                           \
    }

#define WS_NATIVE(name, expression)                                                                                                \
    WS_INLINE float ws_##name(float x)                                                                                             \
    {                                                                                                                              \
        return expression;                                                                                                         \
    }                                                                                                                              \
    WS_OF_HALVES(name, float2)                                                                                                     \
    WS_INLINE float3 ws_##name(float3 x)                                                                                           \
    {                                                                                                                              \
        return (float3)(ws_##name(x.xy), ws_##name(x.z));                                                                          \
    }                                                                                                                              \
    WS_OF_HALVES(name, float4)                                                                                                     \
    WS_OF_HALVES(name, float8)                                                                                                     \
    WS_OF_HALVES(name, float16)

#define WS_OF_HALVES_2(name, type)                                                                                                 \
    WS_INLINE type ws_##name(type x, type y)                                                                                       \
    {                                                                                                                              \
        return (type)(ws_##name(x.lo, y.lo), ws_##name(x.hi, y.hi));                                                               \
    }

#define WS_NATIVE_2(name, expression)                                                                                              \
    WS_INLINE float ws_##name(float x, float y)                                                                                    \
    {                                                                                                                              \
        return expression;                                                                                                         \
    }                                                                                                                              \
    WS_OF_HALVES_2(name, float2)                                                                                                   \
    WS_INLINE float3 ws_##name(float3 x, float3 y)                                                                                 \
    {                                                                                                                              \
        return (float3)(ws_##name(x.xy, y.xy), ws_##name(x.z, y.z));                                                               \
    }                                                                                                                              \
    WS_OF_HALVES_2(name, float4)                                                                                                   \
    WS_OF_HALVES_2(name, float8)                                                                                                   \
    WS_OF_HALVES_2(name, float16)

/* It takes products for pointers. */
/* clang-format off */
WS_NATIVE(native_exp2, __nvvm_ex2_approx_f(x))
WS_NATIVE(native_exp, __nvvm_ex2_approx_f(x * M_LOG2E_F))
WS_NATIVE(native_exp10, __nvvm_ex2_approx_f(x * (M_LN10_F * M_LOG2E_F)))
WS_NATIVE(native_log2, __nvvm_lg2_approx_f(x))
WS_NATIVE(native_log, __nvvm_lg2_approx_f(x) * M_LN2_F)
WS_NATIVE(native_log10, __nvvm_lg2_approx_f(x) * (M_LN2_F * M_LOG10E_F))
WS_NATIVE(native_sin, __nvvm_sin_approx_f(x))
WS_NATIVE(native_cos, __nvvm_cos_approx_f(x))
WS_NATIVE(native_tan, __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)))
WS_NATIVE(native_sqrt, __nvvm_sqrt_approx_f(x))
WS_NATIVE(native_rsqrt, __nvvm_rsqrt_approx_f(x))
WS_NATIVE(native_recip, __nvvm_div_approx_f(1.0f, x))
WS_NATIVE_2(native_divide, __nvvm_div_approx_f(x, y))
WS_NATIVE_2(native_powr, __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)))
/* clang-format on */

#define native_exp2   ws_native_exp2
#define native_exp    ws_native_exp
#define native_exp10  ws_native_exp10
#define native_log2   ws_native_log2
#define native_log    ws_native_log
#define native_log10  ws_native_log10
#define native_sin    ws_native_sin
#define native_cos    ws_native_cos
#define native_tan    ws_native_tan
#define native_sqrt   ws_native_sqrt
#define native_rsqrt  ws_native_rsqrt
#define native_recip  ws_native_recip
#define native_divide ws_native_divide
#define native_powr   ws_native_powr

/* Barriers and fences as PTX in the source, which may change any memory. clang 14 takes those of libclc, which are intrinsics, for
 * ones that leave variables of local memory as they are, and moves loads above them (the alias analysis of global variables). */
#define WS_ORDERS(name, instruction)                                                                                               \
    WS_INLINE __attribute__((nodebug)) void ws_##name(uint flags)                                                                  \
    {                                                                                                                              \
        __asm__ volatile(instruction ";" ::: "memory");                                                                            \
    }
WS_ORDERS(barrier, "bar.sync \t0")
WS_ORDERS(mem_fence, "membar.cta")
WS_ORDERS(sub_group_barrier, "bar.warp.sync \t0xFFFFFFFF")
#define barrier                      ws_barrier
#define mem_fence                    ws_mem_fence
#define read_mem_fence               ws_mem_fence
#define write_mem_fence              ws_mem_fence
#define sub_group_barrier(...)       ws_sub_group_barrier(0)
#define wait_group_events(n, events) ((void)(n), (void)(events), ws_barrier(0))

/* To clang a restrict pointer's memory is the work-item's own, and no barrier changes it. Others read and write it behind one. */
#define restrict
#define __restrict
#define __restrict__

/* NVIDIA's OpenCL has PTX in the source. */
#define asm __asm__

/* NVIDIA's OpenCL has the global offset in %envreg3 to %envreg5. Without one, kernels are as libclc has them. */
#ifdef CL2PTX_GLOBAL_OFFSET
WS_INLINE size_t ws_global_offset(uint dimension)
{
    uint x, y, z;
    __asm__("mov.u32 %0, %%envreg3;" : "=r"(x));
    __asm__("mov.u32 %0, %%envreg4;" : "=r"(y));
    __asm__("mov.u32 %0, %%envreg5;" : "=r"(z));
    return dimension == 0 ? x : dimension == 1 ? y : dimension == 2 ? z : 0;
}

WS_INLINE size_t ws_global_id(uint dimension)
{
    return get_global_id(dimension) + ws_global_offset(dimension);
}

#define get_global_offset ws_global_offset
#define get_global_id     ws_global_id
#else
#define get_global_offset(dimension) ((size_t)0)
#endif

/* Sub-groups: the warps of 32 work-items in the order of their numbers (cl_khr_subgroups; of cl_khr_subgroup_shuffle and _ballot
 * what has a name here). All work-items of one come to each call, as OpenCL demands; the last sub-group may have fewer. */
#define WS_SUB_GROUP_ALL 0xFFFFFFFFu

WS_INLINE uint ws_threads(void)
{
    return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}
WS_INLINE uint ws_sub_group_lane(void)
{
    return (uint)__nvvm_read_ptx_sreg_laneid();
}
WS_INLINE uint ws_sub_group_id(void)
{
    return (uint)__nvvm_read_ptx_sreg_warpid();
}
WS_INLINE uint ws_sub_group_count(void)
{
    return (ws_threads() + 31) / 32;
}
WS_INLINE uint ws_sub_group_size(void)
{
    return min(32u, ws_threads() - 32 * ws_sub_group_id());
}
WS_INLINE int ws_sub_group_all(int x)
{
    return __nvvm_vote_all_sync(WS_SUB_GROUP_ALL, x != 0);
}
WS_INLINE int ws_sub_group_any(int x)
{
    return __nvvm_vote_any_sync(WS_SUB_GROUP_ALL, x != 0);
}
WS_INLINE uint4 ws_sub_group_ballot(int x)
{
    return (uint4)((uint)__nvvm_vote_ballot_sync(WS_SUB_GROUP_ALL, x != 0), 0, 0, 0);
}

/* The value of another work-item: by its number, or so many before. */
#define WS_SHUFFLE(mode, clamp)                                                                                                    \
    WS_INLINE int ws_##mode(int x, uint n)                                                                                         \
    {                                                                                                                              \
        return __nvvm_shfl_sync_##mode##_i32(WS_SUB_GROUP_ALL, x, (int)n, clamp);                                                  \
    }                                                                                                                              \
    WS_INLINE uint ws_##mode(uint x, uint n)                                                                                       \
    {                                                                                                                              \
        return as_uint(ws_##mode(as_int(x), n));                                                                                   \
    }                                                                                                                              \
    WS_INLINE float ws_##mode(float x, uint n)                                                                                     \
    {                                                                                                                              \
        return as_float(ws_##mode(as_int(x), n));                                                                                  \
    }                                                                                                                              \
    WS_INLINE ulong ws_##mode(ulong x, uint n)                                                                                     \
    {                                                                                                                              \
        return (ulong)ws_##mode((uint)(x >> 32), n) << 32 | ws_##mode((uint)x, n);                                                 \
    }                                                                                                                              \
    WS_INLINE long ws_##mode(long x, uint n)                                                                                       \
    {                                                                                                                              \
        return as_long(ws_##mode(as_ulong(x), n));                                                                                 \
    }                                                                                                                              \
    WS_INLINE double ws_##mode(double x, uint n)                                                                                   \
    {                                                                                                                              \
        return as_double(ws_##mode(as_ulong(x), n));                                                                               \
    }
WS_SHUFFLE(idx, 31)
WS_SHUFFLE(up, 0)
WS_SHUFFLE(bfly, 31)

/* A scan doubles its reach in each of five steps; a reduction is its last value. */
#define WS_SCAN(name, type, identity, combined)                                                                                    \
    WS_INLINE type ws_scan_inclusive_##name(type x)                                                                                \
    {                                                                                                                              \
        for (uint n = 1; n < 32; n *= 2) {                                                                                         \
            const type y = ws_up(x, n);                                                                                            \
            x = ws_sub_group_lane() >= n ? combined : x;                                                                           \
        }                                                                                                                          \
        return x;                                                                                                                  \
    }                                                                                                                              \
    WS_INLINE type ws_scan_exclusive_##name(type x)                                                                                \
    {                                                                                                                              \
        const type y = ws_up(ws_scan_inclusive_##name(x), 1u);                                                                     \
        return ws_sub_group_lane() > 0 ? y : (identity);                                                                           \
    }                                                                                                                              \
    WS_INLINE type ws_reduce_##name(type x)                                                                                        \
    {                                                                                                                              \
        return ws_idx(ws_scan_inclusive_##name(x), ws_sub_group_size() - 1);                                                       \
    }
#define WS_SCANS(type, least, most)                                                                                                \
    WS_SCAN(add, type, 0, x + y)                                                                                                   \
    WS_SCAN(min, type, most, min(x, y))                                                                                            \
    WS_SCAN(max, type, least, max(x, y))
WS_SCANS(int, INT_MIN, INT_MAX)
WS_SCANS(uint, 0, UINT_MAX)
WS_SCANS(long, LONG_MIN, LONG_MAX)
WS_SCANS(ulong, 0, ULONG_MAX)
WS_SCANS(float, -INFINITY, INFINITY)
WS_SCANS(double, -INFINITY, INFINITY)

#define get_sub_group_size           ws_sub_group_size
#define get_max_sub_group_size()     32u
#define get_num_sub_groups           ws_sub_group_count
#define get_enqueued_num_sub_groups  ws_sub_group_count
#define get_sub_group_id             ws_sub_group_id
#define get_sub_group_local_id       ws_sub_group_lane
#define sub_group_all                ws_sub_group_all
#define sub_group_any                ws_sub_group_any
#define sub_group_ballot             ws_sub_group_ballot
#define sub_group_broadcast          ws_idx
#define sub_group_shuffle            ws_idx
#define sub_group_shuffle_xor        ws_bfly
#define sub_group_reduce_add         ws_reduce_add
#define sub_group_reduce_min         ws_reduce_min
#define sub_group_reduce_max         ws_reduce_max
#define sub_group_scan_inclusive_add ws_scan_inclusive_add
#define sub_group_scan_inclusive_min ws_scan_inclusive_min
#define sub_group_scan_inclusive_max ws_scan_inclusive_max
#define sub_group_scan_exclusive_add ws_scan_exclusive_add
#define sub_group_scan_exclusive_min ws_scan_exclusive_min
#define sub_group_scan_exclusive_max ws_scan_exclusive_max

/* Lines of instructions are those of calls. */
#define WS_CALLED WS_INLINE __attribute__((nodebug))

/* PTX has no number of dimensions: the last one with more than one work-item. */
WS_CALLED uint ws_work_dim(void)
{
    return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1;
}
#define get_work_dim ws_work_dim

/* Drivers take these of any integers, clang of two equal ones, though get_global_id gives 64 bits. */
#define WS_24(name, T)                                                                                                             \
    WS_CALLED T ws_##name(T x, T y)                                                                                                \
    {                                                                                                                              \
        return name(x, y);                                                                                                         \
    }
#define WS_24_ALL(name) WS_24(name, int) WS_24(name, int2) WS_24(name, int3) WS_24(name, int4) WS_24(name, int8) WS_24(name, int16)
#define WS_U24_ALL(name)                                                                                                           \
    WS_24(name, uint) WS_24(name, uint2) WS_24(name, uint3) WS_24(name, uint4) WS_24(name, uint8) WS_24(name, uint16)
#define WS_MIXED_24(A, B)                                                                                                          \
    WS_CALLED uint ws_mul24(A x, B y)                                                                                              \
    {                                                                                                                              \
        return mul24((uint)x, (uint)y);                                                                                            \
    }
WS_24_ALL(mul24)
WS_U24_ALL(mul24)
WS_MIXED_24(int, uint)
WS_MIXED_24(uint, int)
WS_MIXED_24(ulong, int)
WS_MIXED_24(ulong, uint)
WS_MIXED_24(ulong, ulong)
WS_MIXED_24(int, ulong)
WS_MIXED_24(uint, ulong)
#define mul24 ws_mul24

#include "cl2ptx_libclc.h"
#include "cl2ptx_atomics.h"
#if __OPENCL_C_VERSION__ >= 200
#include "cl2ptx_groups.h"
#endif
#include "cl2ptx_images.h"
