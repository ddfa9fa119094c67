/* Instruction lines of sub-cores: L0 caches, lines on their way, stream buffers (docs/model/subcore.md). First lane only, but for
 * the steps at the end. */
#ifndef WS_PIPELINE_SUBCORE_LINES_H
#define WS_PIPELINE_SUBCORE_LINES_H

#include "memory/levels/levels.h"
#include "pipeline/subcore/constants.h"

/* Kinds of line entries. */
enum { LINE_FREE, LINE_DEMANDED, LINE_STREAM, LINE_ABANDONED };

static inline u32 line_of(PRIVATE const struct sm *sm, u32 pc)
{
    return pc >> PLAN(sm, code_line_shift);
}

/* ---- L0: a set holds line + 1, last touched first ---- */

static inline GLOBAL u16 *l0_set(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    const u32 lines = PLAN(sm, l0_lines), way_bits = ws_log2(MACHINE(sm, subcore_l0_ways));
    return sm_l0_lines(sm) + port * lines + ((line & ((lines >> way_bits) - 1)) << way_bits);
}

/* Way of a line, or the number of ways. */
static inline u32 l0_way(PRIVATE const struct sm *sm, GLOBAL const u16 *set, u32 line)
{
    u32 way = 0;
    while (way < MACHINE(sm, subcore_l0_ways) && set[way] != line + 1)
        ++way;
    return way;
}

/* A line comes to the front of its set, from a way. */
static inline void l0_to_front(PRIVATE const struct sm *sm, u32 port, GLOBAL u16 *set, u32 way, u32 line)
{
    subcore_at(sm, port)->l0_last = (u16)(line + 1);
    for (; way > 0; --way)
        set[way] = set[way - 1];
    set[0] = (u16)(line + 1);
}

static inline u32 l0_has(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    return l0_way(sm, l0_set(sm, port, line), line) < MACHINE(sm, subcore_l0_ways);
}

/* Touches a line that is present; returns whether it is. */
static inline u32 l0_touches(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    if (subcore_at(sm, port)->l0_last == line + 1)
        return 1;
    GLOBAL u16 *set = l0_set(sm, port, line);
    const u32 way = l0_way(sm, set, line), hit = way < MACHINE(sm, subcore_l0_ways);
    if (hit)
        l0_to_front(sm, port, set, way, line);
    return hit;
}

/* A line enters, in the place of the one touched longest ago, or is touched. */
static inline void l0_fill(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    GLOBAL u16 *set = l0_set(sm, port, line);
    l0_to_front(sm, port, set, ws_min(l0_way(sm, set, line), MACHINE(sm, subcore_l0_ways) - 1), line);
}

/* ---- Entries ---- */

/* The first entry of a kind, with a line unless it is free; NULL without one. */
static inline GLOBAL struct ws_line_entry *entry_of(GLOBAL struct ws_subcore *core, u32 kind, u32 line)
{
    for (u32 n = 0; n < WS_SUB_ENTRIES; ++n)
        if (core->lines[n].kind == kind && (kind == LINE_FREE || core->lines[n].line == line))
            return core->lines + n;
    return 0;
}

/* Asks the instruction cache for a line, which an entry (free) gets if the access is not refused; returns the outcome. */
static inline u32 line_asks(PRIVATE struct sm *sm, u32 port, GLOBAL struct ws_line_entry *entry, u32 line, u32 kind)
{
    const u32 granule = WS_CODE_GRANULE + (line << (PLAN(sm, code_line_shift) - PLAN(sm, code_shift)));
    const u32 ticket = port * WS_SUB_ENTRIES + (u32)(entry - subcore_at(sm, port)->lines);
    const u32 ideal = MACHINE(sm, icache_size) == 0;
    const u32 outcome = ideal ? (u32)ACCESS_HIT : l1_access(sm, WS_CACHE_CODE, granule, ticket, 0);
    count(sm, WS_COUNT_icache_hits, ideal);
    if (outcome == ACCESS_REFUSED)
        return outcome;
    entry->line = (u16)line;
    entry->kind = (u16)kind;
    entry->at = outcome == ACCESS_HIT ? sm->now + 2 * MACHINE(sm, subcore_l0_latency) : WS_NEVER;
    return outcome;
}

/* ---- Stream ---- */

static inline u32 stream_has_head(GLOBAL const struct ws_subcore *core, u32 line)
{
    return core->stream_count != 0 && core->stream_line == line;
}

/* Line that the stream asks for next; WS_NEVER for none. */
static inline u32 stream_wants(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core)
{
    const u32 line = core->stream_line + core->stream_count;
    const u32 wants = core->stream_begun && !core->stream_stopped && core->stream_count < MACHINE(sm, subcore_stream) &&
                      line << PLAN(sm, code_line_shift) < sm->job->instructions;
    return wants ? line : WS_NEVER;
}

/* The stream of a sub-core has changed. */
static inline void stream_changes(PRIVATE const struct sm *sm, u32 port)
{
    busy_put(&sm_busy(sm)->streams, port, stream_wants(sm, subcore_at(sm, port)) != WS_NEVER);
}

/* The head leaves the stream for L0. */
static inline void stream_pops(PRIVATE const struct sm *sm, u32 port, GLOBAL struct ws_line_entry *head)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    l0_fill(sm, port, head->line);
    head->kind = LINE_FREE;
    core->stream_line += 1;
    core->stream_count -= 1;
    stream_changes(sm, port);
}

/* The stream becomes empty and begins with a line. */
static inline void stream_restarts(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    for (u32 n = 0; n < WS_SUB_ENTRIES; ++n)
        if (core->lines[n].kind == LINE_STREAM)
            core->lines[n].kind = core->lines[n].at > sm->now ? LINE_ABANDONED : LINE_FREE;
    core->stream_begun = 1;
    core->stream_stopped = 0;
    core->stream_line = (u16)line;
    core->stream_count = 0;
    stream_changes(sm, port);
}

/* ---- Steps ---- */

/* Warps of a sub-core that wait for a line. */
static inline slot_set waiting_for(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    slot_set waiting = slots_none();
    for (slot_set left = slots_and(sm->asleep, slots_of_port(sm, port)); slots_any(left); left = slots_rest(left))
        if (warp_at(sm, slots_first(left))->line == line)
            waiting = slots_with(waiting, slots_first(left));
    return waiting;
}

/* The cycle of an entry has come; returns the warps that waited for its line, without those that an earlier entry has woken. */
static inline slot_set line_arrives_at(PRIVATE const struct sm *sm, u32 port, GLOBAL struct ws_line_entry *entry, slot_set awake)
{
    slot_set waiting = slots_none();
    if (entry->kind == LINE_ABANDONED)
        entry->kind = LINE_FREE;
    if (entry->kind == LINE_DEMANDED || (entry->kind == LINE_STREAM && stream_has_head(subcore_at(sm, port), entry->line)))
        waiting = slots_minus(waiting_for(sm, port, entry->line), awake);
    if (entry->kind == LINE_DEMANDED) {
        l0_fill(sm, port, entry->line);
        entry->kind = LINE_FREE;
    } else if (slots_any(waiting)) {
        stream_pops(sm, port, entry);
    }
    return waiting;
}

/* The step lines. */
static inline void lines_arrive(PRIVATE struct sm *sm)
{
    slot_set awake = slots_none();
    u32 next = WS_NEVER;
    if (sm->lines_at > sm->now)
        return;
    if (lane_first()) {
        for (u32 port = 0; port < ports(sm); ++port) {
            next = ws_min(next, constant_arrives(sm, port));
            for (u32 n = 0; n < WS_SUB_ENTRIES; ++n) {
                GLOBAL struct ws_line_entry *entry = subcore_at(sm, port)->lines + n;
                if (entry->kind != LINE_FREE && entry->at <= sm->now)
                    awake = slots_or(awake, line_arrives_at(sm, port, entry, awake));
                else if (entry->kind != LINE_FREE)
                    next = ws_min(next, entry->at);
            }
        }
    }
    awake = slots_from_first(&sm->lanes, awake);
    sm->lines_at = lanes_from_first(&sm->lanes, next);
    sm->asleep = slots_minus(sm->asleep, awake);
    sm->needs_fetch = slots_or(sm->needs_fetch, awake);
}

/* The line of an entry has arrived at the instruction cache. */
static inline void code_arrives(PRIVATE struct sm *sm, u32 ticket)
{
    const u32 at = sm->now + 2 * MACHINE(sm, subcore_l0_latency);
    if (lane_first())
        subcore_at(sm, ticket / WS_SUB_ENTRIES)->lines[ticket % WS_SUB_ENTRIES].at = at;
    sm->lines_at = ws_min(sm->lines_at, at);
}

#endif
