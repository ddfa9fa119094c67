/* Units of issue: packing, counting, completing (sections 2 and 4). */
#include "oracle/sm.h"

#include <stdlib.h>
#include <string.h>

bool mask_empty(const bool *mask, u32 threads)
{
    for (u32 thread = 0; thread < threads; thread++)
        if (mask[thread])
            return false;
    return true;
}

bool warp_can_pack(const struct warp *warp)
{
    for (u32 thread = 0; thread < warp->threads; thread++)
        if (warp->todo[thread] && !warp->busy[thread])
            return true;
    return false;
}

bool pack(const bool *todo, const bool *busy, u32 threads, u32 lanes, u16 thread[WS_LANES])
{
    bool any = false;
    for (u32 column = 0; column < WS_LANES; column++) {
        thread[column] = ORACLE_NO_THREAD;
        for (u32 candidate = column; column < lanes && candidate < threads && thread[column] == ORACLE_NO_THREAD;
             candidate += lanes)
            if (todo[candidate] && !busy[candidate])
                thread[column] = (u16)candidate;
        any |= thread[column] != ORACLE_NO_THREAD;
    }
    return any;
}

bool warp_has_units(const struct sm *sm, u32 slot)
{
    for (const struct unit *unit = sm->units; unit; unit = unit->next)
        if (unit->warp == slot)
            return true;
    return false;
}

bool warp_waits_for_memory(const struct sm *sm, u32 slot)
{
    if (warp_selectable(sm, slot) || sm->warps[slot].holds)
        return false;
    for (const struct unit *unit = sm->units; unit; unit = unit->next)
        if (unit->warp == slot && !unit->missed)
            return false;
    return warp_has_units(sm, slot);
}

static void count_issue(struct sm *sm, u32 slot, const struct ws_instruction *ins, u32 lanes, u32 threads)
{
    count(sm, WS_COUNT_warp_instructions, 1);
    count(sm, WS_COUNT_warp_class + ins->class_, 1);
    count(sm, WS_COUNT_active_lanes + lanes, 1);
    count(sm, WS_COUNT_thread_instructions, threads);
    count(sm, WS_COUNT_thread_class + ins->class_, threads);
    count(sm, WS_COUNT_register_reads, (u64)threads * ins->reads);
    count(sm, WS_COUNT_register_writes, (u64)threads * ins->writes);
    schedule_count_threads(sm, slot, threads);
}

static u32 occupied(const u16 thread[WS_LANES])
{
    u32 lanes = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        lanes += thread[lane] != ORACLE_NO_THREAD;
    return lanes;
}

/* A jump takes along all active threads, without packing them. */
static u32 all_threads(const struct warp *warp)
{
    u32 threads = 0;
    for (u32 thread = 0; thread < warp->threads; thread++)
        threads += warp->active[thread];
    return threads;
}

static void take_threads(const struct sm *sm, struct warp *warp, const struct ws_instruction *ins, const u16 thread[WS_LANES])
{
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        const u32 t = thread[lane];
        if (t == ORACLE_NO_THREAD)
            continue;
        warp->todo[t] = false;
        warp->busy[t] = true;
        if (ins->class_ == WS_CLASS_branch) {
            warp->taken[t] = next_decision(sm, warp, t);
            keeper(sm, warp)->decision[t]++;
        }
    }
}

/* The lanes that a slot shows: of a jump, which packs nothing, those that have an active thread. */
static void log_slot(struct sm *sm, u32 slot, const struct ws_instruction *ins, const u16 thread[WS_LANES])
{
    static const bool nobody_busy[MOST_THREADS];
    const struct warp *warp = &sm->warps[slot];
    u16 shown[WS_LANES];
    memcpy(shown, thread, sizeof shown);
    if (ins->class_ == WS_CLASS_jump)
        pack(warp->active, nobody_busy, warp->threads, lanes_of(sm), shown);
    log_issue(sm, slot, warp->pc, shown);
}

void unit_issue(struct sm *sm, u32 slot, const u16 thread[WS_LANES])
{
    struct warp *warp = &sm->warps[slot];
    const struct ws_instruction *ins = instruction_of(sm, warp);
    struct unit *unit = oracle_allocate(1, sizeof *unit);
    unit->warp = slot;
    unit->instruction = warp->instruction;
    memcpy(unit->thread, thread, sizeof unit->thread);
    unit->next = sm->units;
    sm->units = unit;
    warp->units++;
    if (ins->class_ == WS_CLASS_jump) {
        const u32 threads = all_threads(warp);
        count_issue(sm, slot, ins, threads < WS_LANES ? threads : WS_LANES, threads);
    } else {
        const u32 threads = occupied(thread);
        count_issue(sm, slot, ins, threads, threads);
    }
    access_perform(sm, warp, unit);
    take_threads(sm, warp, ins, thread);
    sm->last_issue = sm->now;
    log_slot(sm, slot, ins, thread);
}

static void retire(struct sm *sm, struct unit **place)
{
    struct unit *unit = *place;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (unit->thread[lane] != ORACLE_NO_THREAD)
            sm->warps[unit->warp].busy[unit->thread[lane]] = false;
    *place = unit->next;
    free(unit);
}

static u32 units_in_flight(const struct sm *sm, u32 slot)
{
    u32 units = 0;
    for (const struct unit *unit = sm->units; unit; unit = unit->next)
        units += unit->warp == slot && unit->instruction == sm->warps[slot].instruction;
    return units;
}

/* The rule "advance" of section 4; of a small warp, which has one unit, it leaves "its unit has completed". */
static bool instruction_done(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    if (!warp->begun || !mask_empty(warp->todo, warp->threads))
        return false;
    const u32 class_ = instruction_of(sm, warp)->class_;
    const bool all = class_ == WS_CLASS_branch || class_ == WS_CLASS_barrier || class_ == WS_CLASS_exit ||
                     sm->machine->divergence_refetch == WS_refetch_last;
    const u32 in_flight = units_in_flight(sm, slot);
    return all ? in_flight == 0 : in_flight < warp->units;
}

void units_complete(struct sm *sm)
{
    struct unit **place = &sm->units;
    compaction_begin_waiting(sm);
    while (*place) {
        if ((*place)->earliest <= sm->now && (*place)->wait_count == 0)
            retire(sm, place);
        else
            place = &(*place)->next;
    }
    for (u32 slot = 0; slot < MOST_WARPS; slot++)
        if (instruction_done(sm, slot))
            warp_advance(sm, slot);
    compaction_advance(sm);
}
