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

/* NVIDIA's OpenCL has the global offset in %envreg3 to %envreg5. Without one, kernels are as libclc has them. */
#ifdef CL2PTX_GLOBAL_OFFSET
static inline __attribute__((always_inline)) size_t ws_global_offset(uint dimension)
{
    uint x, y, z;
    __asm__("mov.u32 %0, %%envreg3;" : "=r"(x));
    __asm__("mov.u32 %0, %%envreg4;" : "=r"(y));
    __asm__("mov.u32 %0, %%envreg5;" : "=r"(z));
    return dimension == 0 ? x : dimension == 1 ? y : dimension == 2 ? z : 0;
}

static inline __attribute__((always_inline)) size_t ws_global_id(uint dimension)
{
    return get_global_id(dimension) + ws_global_offset(dimension);
}

#define get_global_offset ws_global_offset
#define get_global_id     ws_global_id
#else
#define get_global_offset(dimension) ((size_t)0)
#endif
