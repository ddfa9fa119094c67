/* Collectives of an NVIDIA warp as PTX instructions (PTX ISA, 9.7.9 and 9.7.13): bar.warp.sync orders memory among the lanes, the
 * others do not. WS_COMPUTE is the compute capability, 90 for 9.0: match exists from 7.0 on, redux from 8.0. */
#ifndef WS_LANES_PTX_H
#define WS_LANES_PTX_H

#ifdef WS_FIBER
u32 fiber_ballot(u32 predicate);
u32 fiber_shuffle(u32 value, u32 lane);
u32 fiber_alike(u32 value);
#define WARP_ALIKE
#define PTX_FENCE()                      fiber_barrier()
#define PTX_BALLOT(mask, value)          (mask = fiber_ballot(value))
#define PTX_ANY(any, value)              (any = fiber_ballot(value) != 0)
#define PTX_SHUFFLE(result, value, lane) (result = fiber_shuffle(value, (lane)&31u))
#define PTX_CROSS(result, value, bits)   (result = fiber_shuffle(value, LANE_ID() ^ (bits)))
#define PTX_MATCH(mask, value)           (mask = fiber_alike(value))
#else
#if WS_COMPUTE >= 70
#define WARP_ALIKE
#endif
#define PTX_FENCE() __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define PTX_BALLOT(mask, value)                                                                                                    \
    __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"                             \
                     : "=r"(mask)                                                                                                  \
                     : "r"(value)                                                                                                  \
                     : "memory")
#define PTX_ANY(any, value)                                                                                                        \
    __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.any.pred p, p, 0xffffffff; selp.u32 %0, 1, 0, p; }"          \
                     : "=r"(any)                                                                                                   \
                     : "r"(value)                                                                                                  \
                     : "memory")
#define PTX_SHUFFLE(result, value, lane)                                                                                           \
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(value), "r"(lane) : "memory")
#define PTX_CROSS(result, value, bits)                                                                                             \
    __asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(result) : "r"(value), "r"(bits) : "memory")
#define PTX_MATCH(mask, value) __asm__ volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(mask) : "r"(value) : "memory")
#define PTX_REDUCE_MIN(result, value)                                                                                              \
    __asm__ volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value) : "memory")
#endif

/* Without reqd_work_group_size: NVIDIA's compiler ignores a register limit for kernels with a known group size. */
#define LANES_KERNEL __kernel

static inline void warp_fence(void)
{
    PTX_FENCE();
}

static inline u32 warp_ballot(u32 value)
{
    u32 mask;
    PTX_BALLOT(mask, value);
    return mask;
}

static inline u32 warp_any(u32 value)
{
    u32 any;
    PTX_ANY(any, value);
    return any;
}

static inline u32 warp_pick(u32 value, u32 lane)
{
    u32 picked;
    PTX_SHUFFLE(picked, value, lane);
    return picked;
}

#if defined(PTX_REDUCE_MIN) && WS_COMPUTE >= 80
static inline u32 warp_least(u32 value)
{
    u32 least;
    PTX_REDUCE_MIN(least, value);
    return least;
}
#else
static inline u32 warp_least(u32 value)
{
    for (u32 bits = 16; bits != 0; bits >>= 1) {
        u32 other;
        PTX_CROSS(other, value, bits);
        value = ws_min(value, other);
    }
    return value;
}
#endif

#ifdef WARP_ALIKE
/* Mask of the lanes that have this lane's value. */
static inline u32 warp_alike(u32 value)
{
    u32 mask;
    PTX_MATCH(mask, value);
    return mask;
}
#endif

#endif
