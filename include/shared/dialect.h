/* The differences between C11 and OpenCL C 1.2. Everything in include/shared and kernels uses these names. */
#ifndef WS_SHARED_DIALECT_H
#define WS_SHARED_DIALECT_H

#ifdef WS_LANES_LOOP
/* Every call is inlined, for two reasons. PoCL's optimizer may move the address of the kernel's local memory, of which each
 * work-group has a copy only in the kernel itself. gcc keeps the fields of struct sm in registers only in inlined functions. */
#undef inline /* PoCL has a macro */
#define inline inline __attribute__((always_inline))
#endif

#ifdef __OPENCL_C_VERSION__

typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef int i32;

#define GLOBAL           __global
#define LOCAL            __local
#define PRIVATE          __private
#define CONSTANT         __constant
#define ws_popcount(x)   popcount((u32)(x))
#define ws_clz(x)        clz((u32)(x))
#define ws_popcount64(x) ((u32)popcount((u64)(x)))
#define ws_clz64(x)      ((u32)clz((u64)(x)))
#define ws_min(a, b)     min((u32)(a), (u32)(b))
#define ws_max(a, b)     max((u32)(a), (u32)(b))
#define ws_prefetch(address)

/* Trailing zeros; 32 for zero. (OpenCL C 1.2 has no ctz.) */
static inline u32 ws_ctz(u32 x)
{
    return x ? 31u - clz(x & (0u - x)) : 32u;
}

static inline u32 ws_ctz64(u64 x)
{
    return x ? 63u - (u32)clz(x & (0ul - x)) : 64u;
}

#else

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;

#define GLOBAL
#define LOCAL
#define PRIVATE
#define CONSTANT             static const
#define ws_prefetch(address) __builtin_prefetch(address)

static inline u32 ws_popcount(u32 x)
{
    return (u32)__builtin_popcount(x);
}

/* Leading zeros; 32 for zero, as OpenCL has it. */
static inline u32 ws_clz(u32 x)
{
    return x ? (u32)__builtin_clz(x) : 32u;
}

/* Trailing zeros; 32 for zero. */
static inline u32 ws_ctz(u32 x)
{
    return x ? (u32)__builtin_ctz(x) : 32u;
}

/* The same of 64 bits. */
static inline u32 ws_popcount64(u64 x)
{
    return (u32)__builtin_popcountll(x);
}

static inline u32 ws_clz64(u64 x)
{
    return x ? (u32)__builtin_clzll(x) : 64u;
}

static inline u32 ws_ctz64(u64 x)
{
    return x ? (u32)__builtin_ctzll(x) : 64u;
}

static inline u32 ws_min(u32 a, u32 b)
{
    return a < b ? a : b;
}

static inline u32 ws_max(u32 a, u32 b)
{
    return a > b ? a : b;
}

#endif

/* Bit n, for n below 32. */
static inline u32 ws_bit(u32 n)
{
    return 1u << n;
}

/* The n lowest bits, for n up to and including 32. */
static inline u32 ws_bits_below(u32 n)
{
    return n >= 32u ? 0xFFFFFFFFu : (1u << n) - 1u;
}

/* Base-2 logarithm of a power of two. */
static inline u32 ws_log2(u32 x)
{
    return 31u - ws_clz(x);
}

#endif
