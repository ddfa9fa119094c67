/* `dwf`: dynamic warp formation (docs/model.md 4.3; Fung 4). */
#ifndef WS_PATH_DWF_DWF_H
#define WS_PATH_DWF_DWF_H

#include "path/dwf/form.h"
#include "path/pooled.h"

static inline u32 pooled_lane(PRIVATE const struct sm *sm, u32 warp, u32 n)
{
    const u32 swizzle = sm->machine->dwf_swizzle, size = sm->machine->core_warp_size;
    return swizzle == WS_dwf_swizzle_alternate ? n ^ (warp & 1) : swizzle == WS_dwf_swizzle_rotate ? (n + warp) & (size - 1) : n;
}

static inline void pooled_enter(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 cycle)
{
    const u32 first = warp * sm->machine->core_warp_size, n = form_open(sm, 0, cycle);
    for (u32 thread = 0; thread < threads; ++thread) {
        const u32 aware = sm->machine->dwf_lanes == WS_dwf_lanes_aware;
        form_join(sm, n, aware ? sm_home_lane(sm)[first + thread] : thread, first + thread);
    }
    pool_joins(sm, 0, threads);
}

static inline u32 pooled_place(PRIVATE const struct sm *sm, u32 packet, u32 thread)
{
    const u32 mask = dynamic_warp(sm, packet)->mask;
    const u32 place = sm->machine->dwf_lanes == WS_dwf_lanes_aware ? sm_home_lane(sm)[thread] : ws_popcount(mask);
    return place < sm->machine->core_warp_size && !(mask >> place & 1) ? place : WS_NEVER;
}

static inline void pooled_returned(PRIVATE struct sm *sm)
{
    form_update(sm);
}

/* Cycles over which the packet enters the lanes: those whose registers are in one bank do so one after the other. */
static inline u32 dwf_entry(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    PER_LANE(u32, home);
    u32 most = 0;
    if (sm->machine->dwf_lanes != WS_dwf_lanes_conflicts)
        return sm->plan->entry;
    FOR_LANES (lane)
        home[OF(lane)] = packet->mask >> lane & 1 ? sm_home_lane(sm)[packet->threads.slot[OF(lane)]] : WS_NEVER;
    for (u32 bank = 0; bank < sm->machine->core_warp_size; ++bank) {
        PER_LANE(u32, reads);
        FOR_LANES (lane)
            reads[OF(lane)] = home[OF(lane)] == bank;
        most = ws_max(most, ws_popcount(lanes_ballot(&sm->lanes, reads)));
    }
    return ws_max(sm->plan->entry, most);
}

/* The packet that a dynamic warp would issue. */
static inline void dwf_peek(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    packet->pc = dynamic_warp(sm, packet->slot)->pc;
    packet->instruction = sm->program[packet->pc];
    packet->mask = packet->lanes = dynamic_warp(sm, packet->slot)->mask;
    if (packet->instruction.flags & WS_GUARDED) {
        path_threads(sm, packet, packet->mask);
        peek_decisions(sm, &packet->threads, bits);
        packet->lanes = lanes_ballot(&sm->lanes, bits);
    }
}

/* It is no longer one that forms. */
static inline void dwf_take(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, packet->slot);
    if (lane_first()) {
        forming_remove(sm, packet->slot);
        lut_invalidate(sm, packet->slot);
        pool_leaves(sm, packet->pc, ws_popcount(packet->mask));
        warp->exits = packet->instruction.class_ == WS_CLASS_exit ? packet->mask : 0;
        warp->holds = packet->instruction.class_ == WS_CLASS_barrier ? packet->mask : 0;
    }
    lanes_fence(&sm->lanes);
}

/* Its threads go to their next pcs. */
static inline void dwf_follow(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    PER_LANE(u32, next);
    const u32 branch = packet->instruction.class_ == WS_CLASS_branch;
    path_threads(sm, packet, packet->mask);
    FOR_LANES (lane)
        bits[OF(lane)] = 0;
    if (branch) {
        peek_decisions(sm, &packet->threads, bits);
        const u32 taken = lanes_ballot(&sm->lanes, bits);
        count(sm, taken != 0 && taken != packet->mask ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    }
    if (branch || packet->instruction.flags & WS_GUARDED)
        take(&packet->threads, sm_decisions(sm));
    FOR_LANES (lane)
        next[OF(lane)] = bits[OF(lane)] ? packet->instruction.target : pc_after(&packet->instruction, packet->pc);
    if (packet->instruction.class_ != WS_CLASS_exit)
        pooled_go(sm, packet, packet->mask, next);
}

#endif
