/* `predecoded`: warps of at most 32 threads with a pre-decoded trace (shared/packets.h). The trace holds what `pdom` or `serial`
 * does to a warp; the simulation decides only the timing. */
#ifndef WS_PATH_PREDECODED_H
#define WS_PATH_PREDECODED_H

#include "path/alone.h"
#include "shared/packets.h"

/* Stored instead of the count of plain instructions when the warp's record is complete except for the effects of arriving data. */
#define REPLAY_MOVES_LATER WS_NEVER

static inline u32 path_decode(PRIVATE struct sm *sm, u32 select_free)
{
    return DECODE_FREE;
}

/* The warp's next record, in its lane. */
static inline void predecoded_next(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 record)
{
    lanes->record[AT(warp)] = record;
    lanes->plain[AT(warp)] = WS_PACKET_PLAIN(sm->words[record]);
}

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    if (slot_is(warp)) {
        const u32 number = lanes->first[AT(warp)] >> ws_log2(MACHINE(sm, core_warp_size));
        lanes->pc[AT(warp)] = 0;
        lanes->mask[AT(warp)] = ws_bits_below(threads);
        predecoded_next(sm, lanes, warp, (u32)sm->groups[number].decisions);
    }
}

static inline void path_peek(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    packet->begins = 1;
    packet->skipped = 0;
    packet->lanes = packet->mask = slots_pick(&sm->lanes, lanes->mask, packet->slot);
    packet->plain = slots_pick(&sm->lanes, lanes->plain, packet->slot);
    packet->record = slots_pick(&sm->lanes, lanes->record, packet->slot);
    packet->header = packet->plain == 0 ? sm->words[packet->record] : 0;
    if (packet->header & WS_PACKET_GUARD)
        packet->lanes = sm->words[packet->record + ws_packet_guard_at(packet->header)];
}

/* The records hold the accesses. */
static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
}

static inline u32 path_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    packet->executed = ws_popcount(packet->mask);
    packet->effective = ws_popcount(packet->lanes);
    packet->shown = packet->lanes;
    return 1;
}

/* A branch: its counters, and whether the stack has room for it. */
static inline void predecoded_branch(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    const u32 diverged = packet->header & WS_PACKET_DIVERGED;
    count(sm, diverged ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    if (!diverged)
        return;
    const u32 stack = sm->words[packet->record + ws_packet_guard_at(packet->header) - 1], depth = stack & 0xFFFFu;
    if (slot_is(packet->slot))
        sm->scratch->pushes[packet->slot] += stack >> 16;
    count_most(sm, WS_COUNT_stack_deepest, depth);
    if (depth > MACHINE(sm, divergence_stack_depth))
        stack_overflows(sm, packet->slot);
}

/* The warp continues as its record says. Runs in its lane. */
static inline void predecoded_moves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 record = lanes->record[AT(warp)], header = sm->words[record];
    if (header & WS_PACKET_MOVES) {
        const u32 goes = sm->words[record + 1];
        lanes->pc[AT(warp)] = goes & 0xFFFFu;
        lanes->mask[AT(warp)] = sm->words[record + 2];
        sm->scratch->pops[warp] += goes >> 16;
    }
    predecoded_next(sm, lanes, warp, record + ws_packet_words(header));
}

static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    const u32 warp = packet->slot, header = packet->header;
    if (packet->instruction->class_ == WS_CLASS_branch)
        predecoded_branch(sm, packet);
    if (slot_is(warp)) {
        lanes->pc[AT(warp)] = pc_after(packet->instruction, packet->pc);
        if (packet->plain != 0)
            lanes->plain[AT(warp)] = packet->plain - 1;
        else if (packet->access.misses != 0 && header & WS_PACKET_MOVES)
            lanes->plain[AT(warp)] = REPLAY_MOVES_LATER;
        else
            predecoded_moves(sm, lanes, warp);
    }
    if (packet->instruction->class_ == WS_CLASS_barrier)
        named_begins(sm, packet->instruction, warp);
    return header & WS_PACKET_ARRIVES ? OUTCOME_BARRIER : header & WS_PACKET_ENDS ? OUTCOME_PATH : OUTCOME_NEXT;
}

static inline u32 path_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    if (lanes->plain[AT(slot)] == REPLAY_MOVES_LATER)
        predecoded_moves(sm, lanes, slot);
    return OUTCOME_NEXT;
}

static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    path_wake(sm, lanes, slots);
    return slots_none();
}

/* ---- Rounds ---- */

static inline u32 path_only_moves_on(PRIVATE const struct sm *sm, PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    return lanes->plain[AT(warp)] != 0;
}

static inline u32 path_moves_on(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                                GLOBAL const struct ws_instruction *instruction)
{
    lanes->pc[AT(warp)] = pc_after(instruction, lanes->pc[AT(warp)]);
    lanes->plain[AT(warp)] -= 1;
    return ws_popcount(lanes->mask[AT(warp)]);
}

static inline void path_moved_on(PRIVATE struct sm *sm, slot_set warps)
{
}

#endif
