/* Pipeline `subcore`: its interface. */
#ifndef WS_PIPELINE_SUBCORE_SUBCORE_H
#define WS_PIPELINE_SUBCORE_SUBCORE_H

#include "pipeline/subcore/cycle.h"
#if defined(WS_RECORDS)
#include "pipeline/parts/ldst_predecoded.h"
#else
#include "pipeline/parts/ldst_streams.h"
#endif

/* A warp enters with nothing under way. */
static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle)
{
    const u32 block = slots_pick(&sm->lanes, lanes->block, slots_pick(&sm->lanes, lanes->block_slot, warp));
    const u32 rank = rank_of_warp(sm, lanes, warp, block);
    if (lane_first()) {
        GLOBAL struct ws_sub_warp *fresh = warp_at(sm, warp);
        for (u32 n = 0; n < sizeof fresh->counters; ++n)
            fresh->counters[n] = 0;
        for (u32 n = 0; n < WS_SUB_GROUPS; ++n)
            fresh->groups[n] = 0;
        fresh->group_first = fresh->group_count = 0;
        fresh->issue_at = cycle + rank * MACHINE(sm, subcore_warp_start);
        fresh->done_at = 0;
        fresh->buffered = 0;
    }
    sm->needs_fetch = slots_with(sm->needs_fetch, warp);
}

static inline void path_wake(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
}

static inline void pipeline_open(PRIVATE struct sm *sm)
{
    levels_open(sm);
    latencies_open(sm);
    for (u32 port = 0; port < ports(sm); ++port) {
        GLOBAL struct ws_subcore *core = subcore_at(sm, port);
        core->reads_from = sm->now;
        for (u32 bank = 0; bank < WS_SUB_BANKS; ++bank)
            for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
                core->reuse_slot[bank][k] = WS_NO_REUSE;
    }
}

static inline u32 pipeline_wants_room(PRIVATE const struct sm *sm)
{
    return pool_crowded(sm);
}

static inline void pipeline_totals(PRIVATE struct sm *sm)
{
    count_tallied_slots(sm);
}

/* A cycle of this quantum, for the next one. */
static inline void rebase(GLOBAL u32 *at, u32 elapsed)
{
    *at = *at == WS_NEVER ? WS_NEVER : *at - ws_min(*at, elapsed);
}

static inline void subcore_rebase(GLOBAL struct ws_subcore *core, u32 elapsed)
{
    rebase(&core->opens_at, elapsed);
    rebase(&core->allocated, elapsed);
    rebase(&core->constant_at, elapsed);
    rebase(&core->missed_at, elapsed);
    rebase(&core->sfu_free, elapsed);
    rebase(&core->address_free, elapsed);
    rebase(&core->written, elapsed);
    rebase(&core->reads_from, elapsed);
    for (u32 unit = 0; unit < WS_SUB_SFU; ++unit)
        rebase(&core->unit_free[unit], elapsed);
    for (u32 n = 0; n < WS_SUB_RESULTS; ++n)
        rebase(&core->results[n], elapsed);
    for (u32 n = 0; n < WS_SUB_ENTRIES; ++n)
        rebase(&core->lines[n].at, elapsed);
}

static inline void pipeline_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    levels_rebase(sm, elapsed);
    agenda_rebase(sm, elapsed);
    rebase(&sm_fp64(sm)->free_at, elapsed);
    rebase(&sm_lsu(sm)->accept_at, elapsed);
    rebase(&sm_lsu(sm)->began, elapsed);
    for (u32 port = 0; port < ports(sm); ++port)
        subcore_rebase(subcore_at(sm, port), elapsed);
    for (u32 n = 0; n < ports(sm) * (MACHINE(sm, subcore_memory_queue) + 2); ++n)
        rebase(&sm_sub_ldst(sm)[n].at, elapsed);
    for (u32 slot = 0; slot < MACHINE(sm, core_warps); ++slot) {
        rebase(&warp_at(sm, slot)->issue_at, elapsed);
        rebase(&warp_at(sm, slot)->done_at, elapsed);
        for (u32 n = 0; n < WS_SUB_BUFFER; ++n)
            rebase(&warp_at(sm, slot)->valid_at[n], elapsed);
    }
}

#endif
