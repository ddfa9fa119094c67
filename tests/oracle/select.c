/* Step 6 of a cycle: one unit issues, or the slot is lost (sections 2 and 4). */
#include "oracle/sm.h"

#include <string.h>

bool warp_selectable(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    return warp->resident && !warp->ended && sm->now >= warp->enters && !warp->waits_instruction && !warp->at_barrier &&
           !warp->holds && !warp->out && warp->waits == WAITS_NOT && (!warp->begun || warp_can_pack(warp));
}

static void lose(struct sm *sm, enum oracle_kind kind)
{
    count(sm,
          kind == ORACLE_IDLE         ? WS_COUNT_stall_idle
          : kind == ORACLE_SCOREBOARD ? WS_COUNT_stall_scoreboard
                                      : WS_COUNT_stall_pipeline,
          1);
    log_lost(sm, kind);
}

static void lose_for_room(struct sm *sm)
{
    count(sm, WS_COUNT_dram_queue_full, 1);
    lose(sm, ORACLE_PIPELINE);
}

/* Nothing can be selected. */
static void lose_waiting(struct sm *sm)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++)
        if (sm->warps[slot].resident && !sm->warps[slot].ended && warp_has_units(sm, slot)) {
            lose(sm, ORACLE_SCOREBOARD);
            return;
        }
    lose(sm, ORACLE_IDLE);
}

static u32 holder_of_decode(const struct sm *sm)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++)
        if (sm->warps[slot].holds)
            return slot;
    return NO_WARP;
}

static bool any_selectable(const struct sm *sm)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++)
        if (warp_selectable(sm, slot))
            return true;
    return false;
}

static void lose_to_port(struct sm *sm, u32 holder)
{
    if (holder != NO_WARP && warp_can_pack(&sm->warps[holder]))
        lose(sm, ORACLE_PIPELINE);
    else if (holder != NO_WARP && sm->machine->divergence_decode == WS_decode_hold)
        lose(sm, ORACLE_SCOREBOARD);
    else if (any_selectable(sm))
        lose(sm, ORACLE_PIPELINE);
    else
        lose_waiting(sm);
}

/* The threads that take part in the instruction: the active ones with a true guard. */
static void participants(const struct sm *sm, const struct warp *warp, bool *mask)
{
    const bool guarded = instruction_of(sm, warp)->flags & WS_GUARDED;
    memset(mask, 0, MOST_THREADS * sizeof *mask);
    for (u32 thread = 0; thread < warp->threads; thread++)
        mask[thread] = warp->active[thread] && (!guarded || next_decision(sm, warp, thread));
}

static void begin(struct sm *sm, u32 slot, const bool *todo)
{
    struct warp *warp = &sm->warps[slot];
    const struct ws_instruction *ins = instruction_of(sm, warp);
    fetch_hit(sm, warp->pc);
    schedule_selected(sm, slot);
    schedule_count_begun(sm, slot);
    count(sm, WS_COUNT_instructions_fetched, 1);
    warp->fetched++;
    warp->begun = true;
    warp->instruction++;
    warp->units = 0;
    memcpy(warp->todo, todo, sizeof warp->todo);
    for (u32 thread = 0; thread < warp->threads; thread++) {
        if (!warp->active[thread] || !(ins->flags & WS_GUARDED))
            continue;
        keeper(sm, warp)->decision[thread]++;
        if (todo[thread])
            continue;
        count(sm, WS_COUNT_thread_instructions, 1);
        count(sm, WS_COUNT_thread_class + ins->class_, 1);
        schedule_count_threads(sm, slot, 1);
    }
}

/* Decode stays with a large warp until all its threads are packed. */
static void issue_sub_warp(struct sm *sm, u32 slot, const u16 thread[WS_LANES])
{
    unit_issue(sm, slot, thread);
    sm->warps[slot].holds = !mask_empty(sm->warps[slot].todo, sm->warps[slot].threads);
}

static void begin_and_issue(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    bool todo[MOST_THREADS];
    u16 thread[WS_LANES];
    participants(sm, warp, todo);
    const bool nothing_to_do = mask_empty(todo, warp->threads);
    const bool packed = pack(todo, warp->busy, warp->threads, lanes_of(sm), thread);
    if (!access_fits(sm, warp, thread)) {
        lose_for_room(sm);
        return;
    }
    if (instruction_of(sm, warp)->class_ == WS_CLASS_jump) {
        memset(todo, 0, sizeof todo);
        memset(thread, 0xFF, sizeof thread);
    } else if (!packed && !nothing_to_do) {
        begin(sm, slot, todo);
        count(sm, WS_COUNT_empty_packs, 1);
        lose(sm, ORACLE_SCOREBOARD);
        warp->holds = sm->machine->divergence_decode == WS_decode_hold;
        return;
    }
    begin(sm, slot, todo);
    issue_sub_warp(sm, slot, thread);
}

static void resume_and_issue(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    u16 thread[WS_LANES];
    pack(warp->todo, warp->busy, warp->threads, lanes_of(sm), thread);
    if (!access_fits(sm, warp, thread)) {
        lose_for_room(sm);
        return;
    }
    fetch_hit(sm, warp->pc);
    schedule_selected(sm, slot);
    count(sm, WS_COUNT_resumes, 1);
    issue_sub_warp(sm, slot, thread);
}

static void go_on(struct sm *sm, u32 holder)
{
    struct warp *warp = &sm->warps[holder];
    u16 thread[WS_LANES];
    pack(warp->todo, warp->busy, warp->threads, lanes_of(sm), thread);
    if (access_fits(sm, warp, thread))
        issue_sub_warp(sm, holder, thread);
    else
        lose_for_room(sm);
}

static void select_another(struct sm *sm)
{
    const u32 slot = schedule_choose(sm);
    if (slot == NO_WARP) {
        lose_waiting(sm);
        return;
    }
    if (sm->warps[slot].pc >= sm->image->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return;
    }
    if (code_present(sm, sm->warps[slot].pc)) {
        if (sm->warps[slot].begun)
            resume_and_issue(sm, slot);
        else
            begin_and_issue(sm, slot);
    } else if (fetch_miss(sm, slot)) {
        schedule_selected(sm, slot);
        lose(sm, ORACLE_IDLE);
    } else {
        lose_for_room(sm);
    }
}

void select_and_issue(struct sm *sm)
{
    const u32 holder = holder_of_decode(sm);
    const bool port_blocks = sm->machine->memory_port == WS_port_select && sm->now < sm->port_free;
    if (port_blocks || sm->now < sm->lanes_free) {
        lose_to_port(sm, holder);
        return;
    }
    if (holder != NO_WARP) {
        if (warp_can_pack(&sm->warps[holder])) {
            go_on(sm, holder);
            return;
        }
        if (sm->machine->divergence_decode == WS_decode_hold) {
            lose(sm, ORACLE_SCOREBOARD);
            return;
        }
        sm->warps[holder].holds = false;
    }
    select_another(sm);
}
