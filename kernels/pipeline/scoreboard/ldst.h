/* Instructions of single warps in the LD/ST unit (docs/model/pipelines.md). */
#ifndef WS_PIPELINE_SCOREBOARD_LDST_H
#define WS_PIPELINE_SCOREBOARD_LDST_H

#include "pipeline/parts/ldst.h"

/* The packet enters the unit. */
static inline void ldst_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    PER_LANE(u32, line);
    GLOBAL struct ws_ldst *entry = ldst_at(sm, sm->ldst_count);
    const u32 slot = packet->slot, kind = ldst_kind_of(sm, packet);
    if (lane_first()) {
        entry->at = operands_collected(sm, sm->program + packet->pc);
        entry->pc = (u16)packet->pc;
        entry->answers = (u16)slot;
        entry->ticket = (u16)ldst_ticket(sm, slot, sm->program + packet->pc, kind);
        entry->next = entry->missed = 0;
        entry->kind = (u8)kind;
        entry->class_ = packet->instruction->class_;
    }
    if (has_addresses(packet))
        path_threads(sm, packet, packet->lanes);
    ldst_enter_accesses(sm, entry, packet, line);
    sm->ldst_count += 1;
    ldst_begins(sm, lanes, slot, packet->pc, kind == LDST_ATOMIC);
}

/* Outcome of the unit's cycle. */
struct ldst_step {
    u32 outcome; /* enum access_outcome; WS_NEVER: no access */
    u32 place, slot, pc, kind, missed;
    u32 ends; /* it was the entry's last access */
};

/* Makes the cycle's access. First lane only. */
static inline void ldst_access(PRIVATE struct sm *sm, PRIVATE struct ldst_step *step)
{
    step->outcome = ldst_choose(sm, &step->place);
    if (step->outcome >= ACCESS_REFUSED)
        return;
    GLOBAL struct ws_ldst *entry = ldst_at(sm, step->place);
    entry->next += 1;
    entry->missed |= step->outcome != ACCESS_HIT;
    step->slot = entry->answers;
    step->pc = entry->pc;
    step->kind = entry->kind;
    step->missed = entry->missed;
    step->ends = entry->next == entry->count;
}

/* Broadcasts the access from the first lane. A single work-item for all lanes has it already. */
static inline void step_from_first(PRIVATE struct sm *sm, PRIVATE struct ldst_step *step)
{
    if (LANE_COPIES > 1)
        return;
    const u32 rest = step->slot | step->kind << 16 | step->missed << 20 | step->ends << 21 | step->place << 24;
    const u32 from_first = lanes_from_first(&sm->lanes, rest);
    step->pc = lanes_from_first(&sm->lanes, step->pc);
    step->slot = from_first & 0xFFFFu;
    step->kind = from_first >> 16 & 15;
    step->missed = from_first >> 20 & 1;
    step->ends = from_first >> 21 & 1;
    step->place = from_first >> 24;
}

/* Looks at the next access: if memory refuses it until a response arrives, it is not tried before. */
static inline void ldst_look_ahead(PRIVATE struct sm *sm)
{
    if (!ldst_keeps(sm) || sm->ldst_count == 0)
        return;
    GLOBAL const struct ws_ldst *entry = ldst_at(sm, 0);
    const u32 kind = entry->kind;
    if (entry->at > sm->now + 1 || kind >= WS_L1_CACHES || (kind == WS_CACHE_DATA && MACHINE(sm, l1_bypass)))
        return;
    if (l1_is_full_for(sm, kind, entry->line[entry->next])) {
        sm_levels(sm)->retry_at = WS_NEVER;
        sm->ldst_refused = LDST_REFUSED_NEXT;
    }
}

/* Makes the cycle's access. */
static inline void ldst_cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct ldst_step step = {WS_NEVER, 0, 0, 0, 0, 0, 0};
    sm->ldst_refused = 0;
    if (sm->ldst_count == 0)
        return;
    if (lane_first())
        ldst_access(sm, &step);
    step.outcome = lanes_from_first(&sm->lanes, step.outcome);
    sm->ldst_refused = step.outcome == ACCESS_REFUSED;
    if (step.outcome >= ACCESS_REFUSED)
        return;
    step_from_first(sm, &step);
    GLOBAL const struct ws_instruction *const instruction = sm->program + step.pc;
    count_access(sm, instruction, step.kind);
    if (step.outcome != ACCESS_HIT)
        ldst_waits(sm, lanes, step.slot, step.pc, step.kind);
    if (step.outcome == ACCESS_WAITS && step.kind != LDST_STORE)
        time_misses(sm, lanes, step.slot, step.kind == LDST_ATOMIC ? WS_CACHE_DATA : step.kind, 1);
    if (step.ends) {
        u32 at = WS_NEVER;
        ldst_remove(sm, step.place);
        ldst_leaves(sm, lanes, step.slot, step.pc, step.kind, step.missed, &at);
    }
    ldst_look_ahead(sm);
}

/* ---- Answers ---- */

/* A write of the warp in a slot has been acknowledged. */
static inline void write_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    access_returns(sm, lanes, slot);
}

static inline void atomic_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    u32 at = WS_NEVER;
    atomic_lowers(sm, lanes, slot, &at);
}

static inline void line_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket)
{
    u32 at = WS_NEVER;
    line_returns(sm, lanes, ticket, &at);
}

#endif
