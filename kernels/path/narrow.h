/* Warps of at most 32 threads whose instructions issue as one packet each: shared by `pdom`, `tbc`, `serial`, `vws`. The effect of
 * an instruction is known and applied when it issues, memory waits aside. A warp that is not ready is not examined before its
 * packet completes. */
#ifndef WS_PATH_NARROW_H
#define WS_PATH_NARROW_H

#include "path/stack.h"
#include "path/streams.h"
#include "path/whole.h"

/* ---- Defined by the unit ---- */

/* Lanes of the warp's active threads. */
static inline u32 narrow_mask(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp);

/* The same, for the warp's lane. */
static inline u32 narrow_lane_mask(PRIVATE const struct sm_lanes *lanes, u32 warp);

/* The slot at whose first thread the warp's thread numbers start. */
static inline u32 narrow_home(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp);

/* ---- Shared ---- */

static inline void narrow_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    if (slot_is(warp)) {
        path_open(lanes, warp);
        lanes->mask[AT(warp)] = ws_bits_below(threads);
    }
    FOR_LANES (lane) {
        if (lane < MACHINE(sm, core_warp_size)) {
            sm_decisions(sm)[warp * MACHINE(sm, core_warp_size) + lane] = 0;
            sm_accesses(sm)[warp * MACHINE(sm, core_warp_size) + lane] = 0;
        }
    }
}

static inline u32 path_decode(PRIVATE struct sm *sm, u32 select_free)
{
    return DECODE_FREE;
}

/* Active lanes, and those whose guard is true. */
static inline void path_peek(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    packet->begins = 1;
    packet->skipped = 0;
    packet->mask = narrow_mask(sm, lanes, packet->slot);
    packet->home = narrow_home(sm, lanes, packet->slot);
    packet->first = slots_pick(&sm->lanes, lanes->first, packet->home);
    packet->lanes = packet->mask;
    if (packet->instruction->flags & WS_GUARDED) {
        path_threads(sm, packet, packet->mask);
        peek_decisions(sm, &packet->threads, bits);
        packet->lanes = lanes_ballot(&sm->lanes, bits);
    }
}

static inline u32 path_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    packet->executed = ws_popcount(packet->mask);
    packet->effective = ws_popcount(packet->lanes);
    packet->shown = packet->lanes;
    return 1;
}

/* Next branch decision of each active thread: taken. */
static inline void narrow_decide(PRIVATE struct sm *sm, PRIVATE struct packet *packet, PRIVATE u32 *bits)
{
    path_threads(sm, packet, packet->mask);
    peek_decisions(sm, &packet->threads, bits);
    take(&packet->threads, sm_decisions(sm));
}

/* Consumes the guard bits of the active threads. */
static inline void narrow_take_guards(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    if (!(packet->instruction->flags & WS_GUARDED))
        return;
    path_threads(sm, packet, packet->mask);
    take(&packet->threads, sm_decisions(sm));
}

/* ---- Rounds ---- */

static inline u32 path_only_moves_on(PRIVATE const struct sm *sm, PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    const u32 pc = lanes->pc[AT(warp)];
    if (pc >= sm->job->instructions)
        return 0;
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    return is_plain(instruction) && pc_after(instruction, pc) != lanes->reconverge_pc[AT(warp)];
}

static inline u32 path_moves_on(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                                GLOBAL const struct ws_instruction *instruction)
{
    lanes->pc[AT(warp)] = pc_after(instruction, lanes->pc[AT(warp)]);
    return ws_popcount(narrow_lane_mask(lanes, warp));
}

#endif
