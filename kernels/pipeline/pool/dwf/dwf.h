/* `dwf`: dynamic warp formation (docs/model/divergence.md; Fung 4). */
#ifndef WS_PIPELINE_POOL_DWF_DWF_H
#define WS_PIPELINE_POOL_DWF_DWF_H

#include "pipeline/pool/dwf/returns.h"

static inline u32 pooled_lane(PRIVATE const struct sm *sm, u32 warp, u32 n)
{
    const u32 swizzle = MACHINE(sm, dwf_swizzle), size = MACHINE(sm, core_warp_size);
    return swizzle == WS_dwf_swizzle_alternate ? n ^ (warp & 1) : swizzle == WS_dwf_swizzle_rotate ? (n + warp) & (size - 1) : n;
}

static inline void pooled_enter(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 cycle)
{
    const u32 first = warp * MACHINE(sm, core_warp_size), n = dynamic_take(sm);
    for (u32 thread = 0; thread < threads; ++thread)
        dynamic_place(sm, n, is_aware(sm) ? sm_home_lane(sm)[first + thread] : thread, first + thread);
    form_begins(sm, n, 0, cycle);
    pool_joins(sm, 0, threads);
}

static inline void pooled_released(PRIVATE struct sm *sm, u32 n)
{
    const u32 mask = dynamic_warp(sm, n)->mask, pc = dynamic_warp(sm, n)->pc;
    if (MACHINE(sm, dwf_release) == WS_dwf_release_update) {
        dynamic_returns(sm, n);
        return;
    }
    dynamic_warp(sm, n)->left = 0;
    if (form_diverged(sm, n, mask, pc) != n)
        dynamic_free(sm, n);
    count(sm, WS_COUNT_warps_formed, 1);
    pool_joins(sm, pc, ws_popcount(mask));
}

static inline void pooled_returned(PRIVATE struct sm *sm)
{
    form_update(sm);
}

/* Cycles over which the packet enters the lanes: threads with registers in one bank enter one after the other. */
static inline u32 dwf_entry(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, packet->slot);
    PER_LANE(u32, home);
    u32 most = 0;
    if (MACHINE(sm, dwf_lanes) != WS_dwf_lanes_conflicts)
        return PLAN(sm, entry);
    FOR_LANES (lane)
        home[OF(lane)] = packet->mask >> lane & 1 ? sm_home_lane(sm)[threads[lane]] : WS_NEVER;
    for (u32 bank = 0; bank < MACHINE(sm, core_warp_size); ++bank) {
        PER_LANE(u32, reads);
        FOR_LANES (lane)
            reads[OF(lane)] = home[OF(lane)] == bank;
        most = ws_max(most, ws_popcount(lanes_ballot(&sm->lanes, reads)));
    }
    return ws_max(PLAN(sm, entry), most);
}

/* The packet that a dynamic warp would issue. */
static inline void dwf_peek(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    packet->pc = dynamic_warp(sm, packet->slot)->pc;
    packet->instruction = sm->program + packet->pc;
    packet->mask = packet->lanes = dynamic_warp(sm, packet->slot)->mask;
    if (packet->instruction->flags & WS_GUARDED) {
        path_threads(sm, packet, packet->mask);
        peek_decisions(sm, &packet->threads, bits);
        packet->lanes = lanes_ballot(&sm->lanes, bits);
    }
}

/* The warp stops forming; place: its place in the list of forming warps. First lane only. */
static inline void dwf_take(PRIVATE struct sm *sm, PRIVATE const struct packet *packet, u32 place)
{
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, packet->slot);
    if (lane_first()) {
        forming_remove(sm, place);
        lut_invalidate(sm, packet->slot);
        pool_leaves(sm, packet->pc, ws_popcount(packet->mask));
        warp->exits = packet->instruction->class_ == WS_CLASS_exit ? packet->lanes : 0;
        warp->holds = packet->instruction->class_ == WS_CLASS_barrier ? packet->mask : 0;
    }
    lanes_fence(&sm->lanes);
}

/* Lanes whose threads take the branch; consumes their branch or guard decisions. */
static inline u32 dwf_taken(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    const u32 branch = packet->instruction->class_ == WS_CLASS_branch;
    u32 taken = 0;
    if (!branch && !(packet->instruction->flags & WS_GUARDED))
        return 0;
    path_threads(sm, packet, packet->mask);
    if (branch) {
        peek_decisions(sm, &packet->threads, bits);
        taken = lanes_ballot(&sm->lanes, bits);
        count(sm, taken != 0 && taken != packet->mask ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    }
    take(&packet->threads, sm_decisions(sm));
    return taken;
}

/* The threads go to their next pcs. */
static inline void dwf_follow(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, packet->slot);
    const u32 taken = dwf_taken(sm, packet), target = packet->instruction->target;
    const u32 after = pc_after(packet->instruction, packet->pc), parts = taken != 0 && taken != packet->mask;
    if (WS_ENDS_ALL(packet->instruction))
        return;
    if ((taken != 0 && target >= sm->job->instructions) || (taken != packet->mask && after >= sm->job->instructions)) {
        sm->status = WS_STATUS_bad_trace;
        return;
    }
    if (lane_first()) {
        dynamic_warp(sm, packet->slot)->pc = (u16)(taken != 0 ? target : after);
        dynamic_warp(sm, packet->slot)->apart = (u16)parts;
    }
    if (parts)
        FOR_LANES_OF (lane, packet->mask)
            sm_thread_pc(sm)[threads[lane]] = (u16)(taken >> lane & 1 ? target : after);
    if (pool_uses_passed(sm))
        FOR_LANES_OF (lane, packet->mask) {
            GLOBAL u32 *passed = &sm_thread_passed(sm)[threads[lane]];
            const u32 before = MACHINE(sm, dwf_passed) == WS_dwf_passed_warp ? dynamic_warp(sm, packet->slot)->passed : *passed;
            *passed = before + sm_pc_reconverges(sm)[taken >> lane & 1 ? target : after];
        }
}

#endif
