/* Collectives of a sub-group (cl_khr_subgroups; the ballot of cl_khr_subgroup_ballot where available). Assumes that work-item n of
 * the work-group is lane n of its only sub-group. No specification promises that; the self-test verifies it. */
#ifndef WS_LANES_SUBGROUP_H
#define WS_LANES_SUBGROUP_H

#ifdef WS_FIBER

u32 fiber_ballot(u32 predicate);
u32 fiber_shuffle(u32 value, u32 lane);
u32 fiber_least(u32 value);
#define SUB_GROUP_FENCE()           fiber_barrier()
#define SUB_GROUP_BALLOT(value)     fiber_ballot(value)
#define SUB_GROUP_ANY(value)        (fiber_ballot(value) != 0)
#define SUB_GROUP_LEAST(value)      fiber_least(value)
#define SUB_GROUP_PICK(value, lane) fiber_shuffle(value, lane)

#else

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

#ifdef cl_khr_subgroup_ballot
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#define SUB_GROUP_BALLOT(value) sub_group_ballot((value) != 0).x
#else
#define SUB_GROUP_BALLOT(value) sub_group_reduce_add((value) != 0 ? ws_bit(LANE_ID()) : 0u)
#endif
#define SUB_GROUP_FENCE()           sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define SUB_GROUP_ANY(value)        (sub_group_any((value) != 0) != 0)
#define SUB_GROUP_LEAST(value)      sub_group_reduce_min(value)
#define SUB_GROUP_PICK(value, lane) sub_group_broadcast(value, lane)

#ifdef cl_intel_required_subgroup_size
#define LANES_KERNEL __kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(32)))
#endif

#endif

static inline void warp_fence(void)
{
    SUB_GROUP_FENCE();
}

static inline u32 warp_ballot(u32 value)
{
    return SUB_GROUP_BALLOT(value);
}

static inline u32 warp_any(u32 value)
{
    return SUB_GROUP_ANY(value);
}

static inline u32 warp_least(u32 value)
{
    return SUB_GROUP_LEAST(value);
}

static inline u32 warp_pick(u32 value, u32 lane)
{
    return SUB_GROUP_PICK(value, lane);
}

#endif
