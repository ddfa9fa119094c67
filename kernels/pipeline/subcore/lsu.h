/* The LD/ST unit of the SM: one instruction at a time, from the memory queues in turn (docs/model/subcore.md). An access that waits
 * leaves as ticket the number of its instruction among those pending. */
#ifndef WS_PIPELINE_SUBCORE_LSU_H
#define WS_PIPELINE_SUBCORE_LSU_H

#include "pipeline/parts/accesses.h"
#include "pipeline/subcore/stages.h"

/* ---- Write events of memory instructions. First lane only ---- */

/* The write event of a pending instruction is known; it is pending no more. */
static inline void pending_ends(PRIVATE const struct sm *sm, u32 number, u32 at)
{
    GLOBAL struct ws_lsu *lsu = sm_lsu(sm);
    GLOBAL const struct ws_pending *const pending = lsu->pending + number;
    const u32 port = MACHINE(sm, subcore_write_port) == WS_write_port_shared && (pending->flags & WS_OPERANDS_RESULT);
    if (is_copy(sm, pending->flags))
        counter_changes_at(sm, pending->slot, COUNTER_GROUPS + pending->group, at, port ? FALL | NEEDS_PORT : FALL);
    if (port)
        counter_changes_at(sm, pending->slot, pending->counter, at, FALL | NEEDS_PORT);
    else
        fall_at(sm, pending->slot, pending->counter, at);
    instruction_ends(sm, pending->slot, at);
    lsu->used[number / 32] &= ~ws_bit(number % 32);
    lsu->count -= 1;
}

/* An access of a pending instruction is answered. */
static inline void pending_answered(PRIVATE const struct sm *sm, u32 number)
{
    GLOBAL struct ws_pending *pending = sm_lsu(sm)->pending + number;
    pending->left -= 1;
    if (pending->left == 0 && pending->accessed)
        pending_ends(sm, number, sm->now + pending->extra);
}

/* Write event of a load or an atomic that hits; its last access is made now. */
static inline u32 hit_at(PRIVATE const struct sm *sm, GLOBAL const struct ws_ldst *entry)
{
    GLOBAL const struct ws_instruction *const instruction = sm->program + entry->pc;
    const u32 words = words_of(instruction), regular = !(operands_at(sm, entry->pc)->flags & WS_OPERANDS_UNIFORM);
    if (!is_access(instruction))
        return sm->now + MACHINE(sm, memory_shared_latency) + regular;
    if (entry->kind == LDST_PASSES && instruction->space == WS_SPACE_shared)
        return ws_max(sm->now, sm->now + MACHINE(sm, memory_shared_latency) + regular - (words > 1));
    const u32 space = entry->kind == LDST_NOTHING ? (u32)WS_SPACE_none : instruction->space;
    return ws_max(sm->now, sm_lsu(sm)->began + 2 * (words - 1)) + space_latency(sm, space) + regular;
}

/* The unit has made the last access of its instruction. */
static inline void lsu_finishes(PRIVATE const struct sm *sm, GLOBAL const struct ws_ldst *entry)
{
    GLOBAL struct ws_lsu *lsu = sm_lsu(sm);
    GLOBAL struct ws_pending *pending = lsu->pending + entry->ticket;
    lsu->holds = 0;
    pending->accessed = 1;
    if (pending->left == 0)
        pending_ends(sm, entry->ticket,
                     entry->missed || entry->class_ == WS_CLASS_store ? sm->now + pending->extra : hit_at(sm, entry));
}

/* ---- Acceptance. First lane only ---- */

/* Takes a place among those pending. */
static inline u32 pending_take(GLOBAL struct ws_lsu *lsu)
{
    u32 word = 0;
    while (lsu->used[word] == 0xFFFFFFFFu)
        ++word;
    const u32 bit = ws_ctz(~lsu->used[word]);
    lsu->used[word] |= ws_bit(bit);
    lsu->count += 1;
    return word * 32 + bit;
}

/* The unit accepts the oldest instruction of a sub-core. */
static inline void lsu_takes(PRIVATE const struct sm *sm, u32 port, GLOBAL struct ws_ldst *entry)
{
    GLOBAL struct ws_lsu *lsu = sm_lsu(sm);
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    const u32 number = pending_take(lsu), store = entry->class_ == WS_CLASS_store;
    GLOBAL struct ws_pending *pending = lsu->pending + number;
    pending->slot = (u8)entry->answers;
    pending->counter = WS_CONTROL_WRITES(operands_at(sm, entry->pc)->control);
    pending->flags = operands_at(sm, entry->pc)->flags;
    pending->extra = (u8)(store ? 0 : MACHINE(sm, unit_writeback) + 2 * (words_of(sm->program + entry->pc) - 1));
    pending->group = entry->members;
    pending->accessed = 0;
    pending->left = 0;
    entry->answers = entry->ticket = (u16)number;
    lsu->holds = (u16)(entry - sm_sub_ldst(sm) + 1);
    lsu->began = sm->now;
    lsu->accept_at = sm->now + MACHINE(sm, subcore_accept);
    lsu->turn = (u16)(port + 1 == ports(sm) ? 0 : port + 1);
    core->ldst_first = (u8)(core->ldst_first + 1u == MACHINE(sm, subcore_memory_queue) + 2 ? 0 : core->ldst_first + 1);
    core->ldst_count -= 1;
    core->ldst_started -= 1;
    busy_put(&sm_busy(sm)->sends, port, core->ldst_started != 0);
}

static inline void lsu_accepts(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_lsu *lsu = sm_lsu(sm);
    const u32 sends = sm_busy(sm)->sends;
    if (sends == 0 || lsu->holds || lsu->accept_at > sm->now || lsu->count >= MACHINE(sm, subcore_pending))
        return;
    for (u32 n = 0; n < ports(sm); ++n) {
        const u32 port = (lsu->turn + n) & (ports(sm) - 1);
        if (!(sends >> port & 1))
            continue;
        GLOBAL struct ws_ldst *entry = memory_at_place(sm, port, 0);
        if (entry->at <= sm->now) {
            lsu_takes(sm, port, entry);
            return;
        }
    }
}

/* ---- The unit's cycle ---- */

/* What it did: the slot and cache of loads that missed, and how many; whether its access was refused. */
struct lsu_step {
    u32 slot, cache, misses, refused;
};

/* Makes one access; returns its outcome. */
static inline u32 lsu_access(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct lsu_step *step)
{
    const u32 outcome =
        entry->kind == LDST_LOAD ? l1_pass(sm, REQUEST_LOAD, entry->line[entry->next], entry->ticket, 0) : ldst_try(sm, entry);
    if (outcome == ACCESS_REFUSED)
        return outcome;
    entry->next += 1;
    entry->missed |= outcome != ACCESS_HIT;
    if (outcome != ACCESS_HIT)
        sm_lsu(sm)->pending[entry->ticket].left += 1;
    count_access(sm, sm->program + entry->pc, entry->kind);
    step->misses += outcome == ACCESS_WAITS && entry->kind != LDST_STORE;
    return outcome;
}

/* Accepts an instruction and makes accesses. First lane only. */
static inline void lsu_works(PRIVATE struct sm *sm, PRIVATE struct lsu_step *step)
{
    lsu_accepts(sm);
    if (!sm_lsu(sm)->holds)
        return;
    GLOBAL struct ws_ldst *entry = sm_sub_ldst(sm) + (sm_lsu(sm)->holds - 1);
    const u32 most = entry->kind >= LDST_PASSES ? 1 : MACHINE(sm, subcore_lookups);
    u32 made = 0;
    if (sm_levels(sm)->retry_at > sm->now) {
        step->refused = 1;
        return;
    }
    while (made < most && entry->next < entry->count && lsu_access(sm, entry, step) != ACCESS_REFUSED)
        ++made;
    step->refused = made == 0;
    if (made == 0)
        sm_levels(sm)->retry_at = send_room_at(sm);
    step->slot = sm_lsu(sm)->pending[entry->ticket].slot;
    step->cache = entry->kind == LDST_ATOMIC || entry->kind == LDST_LOAD ? (u32)WS_CACHE_DATA : entry->kind;
    if (entry->next == entry->count)
        lsu_finishes(sm, entry);
}

/* Next cycle after this one in which the unit may act, responses of memory aside. First lane only. */
static inline u32 lsu_next(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_lsu *lsu = sm_lsu(sm);
    u32 next = WS_NEVER;
    if (lsu->holds) {
        GLOBAL const struct ws_ldst *const entry = sm_sub_ldst(sm) + (lsu->holds - 1);
        next = sm->ldst_refused ? sm_levels(sm)->retry_at : entry->kind == LDST_PASSES ? sm->now + (entry->count - entry->next) : 0;
    } else if (lsu->count < MACHINE(sm, subcore_pending))
        for (u32 left = sm_busy(sm)->sends; left != 0; left &= left - 1)
            next = ws_min(next, ws_max(lsu->accept_at, memory_at_place(sm, ws_ctz(left), 0)->at));
    return ws_max(next, sm->now + 1);
}

/* The passes of so many skipped cycles, all but the last one of an instruction at most. First lane only. */
static inline void passes_skipped(PRIVATE struct sm *sm, u32 cycles)
{
    if (!sm_lsu(sm)->holds || cycles == 0 || sm->ldst_refused)
        return;
    GLOBAL struct ws_ldst *entry = sm_sub_ldst(sm) + (sm_lsu(sm)->holds - 1);
    if (entry->kind != LDST_PASSES)
        return;
    entry->next += (u8)cycles;
    count(sm, WS_COUNT_data_port_busy, cycles);
}

/* The step LD/ST. */
static inline void lsu_cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct lsu_step step = {0, 0, 0, 0};
    if (lane_first())
        lsu_works(sm, &step);
    const u32 said = lanes_from_first(&sm->lanes, step.slot | step.cache << 8 | step.refused << 16 | step.misses << 24);
    sm->ldst_refused = said >> 16 & 1;
    if (said >> 24 != 0)
        time_misses(sm, lanes, said & 0xFF, said >> 8 & 0xFF, said >> 24);
}

/* ---- Answers ---- */

static inline void line_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket)
{
    if (lane_first())
        pending_answered(sm, ticket);
}

static inline void write_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket)
{
    line_arrives(sm, lanes, ticket);
}

static inline void atomic_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket)
{
    line_arrives(sm, lanes, ticket);
}

#endif
