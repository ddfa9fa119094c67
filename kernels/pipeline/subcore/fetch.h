/* The step fetch: each sub-core tries one warp, then its stream asks for a line (docs/model/subcore.md). */
#ifndef WS_PIPELINE_SUBCORE_FETCH_H
#define WS_PIPELINE_SUBCORE_FETCH_H

#include "pipeline/subcore/head.h"
#include "pipeline/subcore/lines.h"
#include "schedule/cggty.h"

/* What a sub-core did: buffered an instruction, the first one of its warp; waits for a line; accessed the instruction cache, which
 * had the line. */
enum { FETCH_BUFFERS = 1, FETCH_HEAD = 2, FETCH_WAITS = 4, FETCH_ACCESSES = 8, FETCH_HITS = 16 };

static inline u32 outcome_of_access(u32 outcome)
{
    return FETCH_ACCESSES | (outcome == ACCESS_HIT ? FETCH_HITS : 0);
}

/* The warp waits for a line. */
static inline u32 fetch_waits(PRIVATE struct sm *sm, u32 slot, u32 line)
{
    warp_at(sm, slot)->line = (u16)line;
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_l0_misses, 1);
    return FETCH_WAITS;
}

/* A miss for which the sub-core has no line under way. */
static inline u32 fetch_misses(PRIVATE struct sm *sm, u32 port, u32 slot, u32 line, u32 accessed)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    GLOBAL struct ws_line_entry *entry = entry_of(core, LINE_FREE, 0);
    if (!entry || accessed)
        return 0;
    const u32 outcome = line_asks(sm, port, entry, line, LINE_DEMANDED);
    if (outcome == ACCESS_REFUSED)
        return FETCH_ACCESSES;
    const u32 begins = core->stream_begun && core->stream_line == line + 1;
    const u32 waited = core->stream_count != 0 && slots_any(waiting_for(sm, port, core->stream_line));
    if (MACHINE(sm, subcore_stream) != 0 && !begins && !waited)
        stream_restarts(sm, port, line + 1);
    return fetch_waits(sm, slot, line) | outcome_of_access(outcome);
}

/* The warp gets an instruction from L0. */
static inline u32 fetch_hits(PRIVATE struct sm *sm, u32 slot)
{
    GLOBAL struct ws_sub_warp *warp = warp_at(sm, slot);
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_l0_hits, 1);
    warp->valid_at[warp->buffered] = sm->now + MACHINE(sm, core_fetch_latency);
    warp->buffered += 1;
    return warp->buffered == 1 ? FETCH_BUFFERS | FETCH_HEAD : FETCH_BUFFERS;
}

/* Tries a fetch for the warp, whose first buffered instruction is at pc. First lane only. */
static inline u32 fetch_tries(PRIVATE struct sm *sm, u32 port, u32 slot, u32 pc, u32 accessed)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    const u32 line = line_of(sm, pc + warp_at(sm, slot)->buffered), head = stream_has_head(core, line);
    if (l0_touches(sm, port, line))
        return fetch_hits(sm, slot);
    GLOBAL struct ws_line_entry *entry = head ? entry_of(core, LINE_STREAM, line) : 0;
    if (entry && entry->at <= sm->now) {
        stream_pops(sm, port, entry);
        count(sm, WS_COUNT_stream_hits, 1);
        return fetch_hits(sm, slot);
    }
    if (head || entry_of(core, LINE_DEMANDED, line))
        return fetch_waits(sm, slot, line);
    return fetch_misses(sm, port, slot, line, accessed);
}

/* The stream of a sub-core asks for its next line. First lane only. */
static inline u32 stream_fetches(PRIVATE struct sm *sm, u32 port, u32 accessed)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    if (!(sm_busy(sm)->streams >> port & 1))
        return 0;
    const u32 line = core->stream_line + core->stream_count;
    if (l0_has(sm, port, line) || entry_of(core, LINE_DEMANDED, line)) {
        core->stream_stopped = 1;
        stream_changes(sm, port);
        return 0;
    }
    GLOBAL struct ws_line_entry *entry = entry_of(core, LINE_FREE, 0);
    if (!entry || accessed)
        return 0;
    const u32 outcome = line_asks(sm, port, entry, line, LINE_STREAM);
    if (outcome == ACCESS_REFUSED)
        return FETCH_ACCESSES;
    core->stream_count += 1;
    stream_changes(sm, port);
    count(sm, WS_COUNT_prefetches, 1);
    return outcome_of_access(outcome);
}

/* Whether the warp can be tried: its buffer has room, and its next instruction is inside the program; pc: of the first buffered
 * one. First lane only. */
static inline u32 fetch_can(PRIVATE const struct sm *sm, u32 slot, u32 pc)
{
    const u32 buffered = warp_at(sm, slot)->buffered;
    return buffered < MACHINE(sm, subcore_buffer) && pc + buffered < sm->job->instructions;
}

/* Notes whether the warp, which waits for no line, can be tried. */
static inline void fetch_check(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, slot);
    const u32 can = lanes_from_first(&sm->lanes, lane_first() ? fetch_can(sm, slot, pc) : 0);
    sm->needs_fetch = slots_put(sm->needs_fetch, slot, can);
}

/* The warp that a sub-core tries; there is one. */
static inline u32 fetch_chooses(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 port, slot_set slots)
{
    const u32 last = port_value(sm->issued_last, port);
    return last != WS_NEVER && slots_has(slots, last) ? last : slots_youngest(sm, lanes, slots);
}

/* The fetch of a sub-core; returns what it did. */
static inline u32 subcore_fetches(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 port, u32 accessed)
{
    const slot_set slots = slots_and(sm->needs_fetch, slots_of_port(sm, port));
    u32 done = 0;
    if (slots_any(slots)) {
        const u32 slot = fetch_chooses(sm, lanes, port, slots), pc = slots_pick(&sm->lanes, lanes->pc, slot);
        done = lanes_from_first(&sm->lanes, lane_first() ? fetch_tries(sm, port, slot, pc, accessed) : 0);
        if (done & FETCH_BUFFERS)
            fetch_check(sm, lanes, slot);
        if (done & FETCH_HEAD)
            head_comes(sm, lanes, slot);
        sm->needs_fetch = slots_put(sm->needs_fetch, slot, slots_has(sm->needs_fetch, slot) && !(done & FETCH_WAITS));
        sm->asleep = slots_put(sm->asleep, slot, (done & FETCH_WAITS) != 0);
    }
    return done;
}

/* A sub-core has accessed the instruction cache; a line that it has arrives after the way. */
static inline void access_made(PRIVATE struct sm *sm, u32 port, u32 done)
{
    sm->code_turn = port + 1 == ports(sm) ? 0 : port + 1;
    if (done & FETCH_HITS)
        sm->lines_at = ws_min(sm->lines_at, sm->now + 2 * MACHINE(sm, subcore_l0_latency));
}

static inline void fetch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 turn = sm->code_turn;
    const u32 acts = LANE_COPIES > 1 ? ports_of(sm, sm->needs_fetch) | sm_busy(sm)->streams : ws_bits_below(ports(sm));
    u32 accessed = 0;
    for (u32 left = ports_turned(acts, ports(sm), turn); left != 0; left &= left - 1) {
        const u32 port = (turn + ws_ctz(left)) & (ports(sm) - 1);
        u32 done = subcore_fetches(sm, lanes, port, accessed);
        if (done & FETCH_ACCESSES)
            access_made(sm, port, done);
        accessed |= done & FETCH_ACCESSES;
        done = lanes_from_first(&sm->lanes, lane_first() ? stream_fetches(sm, port, accessed) : 0);
        if (done & FETCH_ACCESSES)
            access_made(sm, port, done);
        accessed |= done & FETCH_ACCESSES;
    }
}

/* The instruction at pc has left the buffer; the warp's pc is already the next one. */
static inline void buffer_moves_on(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc)
{
    const u32 next = slots_pick(&sm->lanes, lanes->pc, slot), taken = next != pc + 1;
    u32 left = 0;
    if (lane_first()) {
        GLOBAL struct ws_sub_warp *warp = warp_at(sm, slot);
        left = warp->buffered - 1u;
        warp->buffered = (u8)(taken ? 0 : left);
        for (u32 n = 0; n < WS_SUB_BUFFER - 1; ++n)
            warp->valid_at[n] = warp->valid_at[n + 1];
    }
    left = lanes_from_first(&sm->lanes, left);
    if (taken) {
        count(sm, WS_COUNT_buffer_flushes, left != 0);
        sm->asleep = slots_without(sm->asleep, slot);
    }
    if (!slots_has(sm->asleep, slot))
        fetch_check(sm, lanes, slot);
    if (left != 0 && !taken) {
        head_comes(sm, lanes, slot);
        return;
    }
    head_goes(sm, slot);
    if (next >= sm->job->instructions)
        sm->status = WS_STATUS_bad_trace;
}

/* The warp has ended. */
static inline void warp_leaves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 left = lanes_from_first(&sm->lanes, lane_first() ? warp_at(sm, slot)->buffered - 1u : 0);
    count(sm, WS_COUNT_buffer_flushes, left != 0);
    head_goes(sm, slot);
    sm->leaving = slots_with(sm->leaving, slot);
    sm->needs_fetch = slots_without(sm->needs_fetch, slot);
    sm->asleep = slots_without(sm->asleep, slot);
    if (lane_first())
        warp_at(sm, slot)->buffered = 0;
}

#endif
