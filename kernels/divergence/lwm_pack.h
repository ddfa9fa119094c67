/* Packing a large warp's threads into a sub-warp and issuing it (docs/model.md 4, fetch and pack; Narasiman 3.1, Figure 6). */
#ifndef WS_DIVERGENCE_LWM_PACK_H
#define WS_DIVERGENCE_LWM_PACK_H

#include "core/issue.h"
#include "divergence/lwm_units.h"
#include "memory/access.h"
#include "schedule/policy.h"

/* How the large warp comes to its slot: it begins an instruction, is selected again after stepping aside, or holds decode. */
enum { PACK_BEGINS, PACK_RESUMES, PACK_GOES_ON };

/* A slot of a large warp. */
struct lwm_issue {
    struct ws_instruction instruction;
    struct threads threads;
    struct access access;
    PER_LANE(u32, row); /* bit of the row that the column gives, or 0 */
    u32 warp, pc, first, how;
    u32 mask;    /* columns that give a thread */
    u32 shown;   /* columns that the slot executes: of a jump all active ones */
    u32 skipped; /* threads whose guard is false */
};

static inline void unit_waits(PRIVATE struct sm *sm, u32 request, u32 unit, u32 n)
{
    const u32 lane = sm->scratch->leads[n];
    const u32 slot = thread_slot(sm, unit_at(sm, unit)->warp, row_of(unit_at(sm, unit)->row[lane]), lane);
    *waiter(sm, WAITER_NEXT, slot) = (u16)sm_request(sm, request)->waiters;
    sm_request(sm, request)->waiters = slot + 1;
}

/* Threads whose guard is false leave todo; they are counted. */
static inline void pack_guarded(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    PER_LANE(u32, active);
    PER_LANE(u32, skipped);
    PER_LANE(u32, bits);
    FOR_LANES (lane) {
        active[OF(lane)] = *column(sm, COLUMN_ACTIVE, issue->warp, lane);
        skipped[OF(lane)] = active[OF(lane)];
    }
    for (u32 row = 0; row < sm->plan->rows; ++row) {
        const u32 mask = row_mask(sm, active, row);
        if (mask == 0)
            continue;
        threads_of_row(sm, &issue->threads, mask, thread_slot(sm, issue->warp, row, 0), issue->first + row * WS_LANES);
        peek_decisions(sm, &issue->threads, bits);
        FOR_LANES (lane)
            skipped[OF(lane)] &= ~(bits[OF(lane)] << row);
    }
    FOR_LANES (lane)
        *column(sm, COLUMN_TODO, issue->warp, lane) &= (u16)~skipped[OF(lane)];
    issue->skipped = count_threads(sm, skipped);
}

/* Sets todo to the threads that an instruction has to pack if it begins: the active ones, or those whose guard is true. */
static inline void pack_what(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    GLOBAL const u16 *active = column(sm, COLUMN_ACTIVE, issue->warp, 0);
    GLOBAL u16 *todo = column(sm, COLUMN_TODO, issue->warp, 0);
    const u32 none = issue->instruction.class_ == WS_CLASS_jump;
    FOR_LANES (lane)
        todo[lane] = none ? 0 : active[lane];
    issue->skipped = 0;
    if (issue->instruction.flags & WS_GUARDED)
        pack_guarded(sm, issue);
}

/* Every column gives its lowest row that is to be packed and not busy. */
static inline void pack_rows(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    GLOBAL const u16 *todo = column(sm, COLUMN_TODO, issue->warp, 0);
    GLOBAL const u16 *busy = column(sm, COLUMN_BUSY, issue->warp, 0);
    FOR_LANES (lane) {
        const u32 free = todo[lane] & ~(u32)busy[lane];
        issue->row[OF(lane)] = free & (0u - free);
    }
    issue->mask = lanes_ballot(&sm->lanes, issue->row);
}

/* The threads of those rows, for instructions that read the trace. */
static inline void pack_who(PRIVATE const struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    const u32 slot = thread_slot(sm, issue->warp, 0, 0);
    if (lanes_agree(issue->row, issue->mask)) {
        const u32 row = row_of(issue->row[OF(ws_ctz(issue->mask))]);
        threads_of_row(sm, &issue->threads, issue->mask, slot + row * WS_LANES, issue->first + row * WS_LANES);
        return;
    }
    issue->threads.mask = issue->mask;
    issue->threads.row = 0;
    FOR_LANES (lane) {
        const u32 thread = row_of(issue->row[OF(lane)]) * WS_LANES + lane;
        issue->threads.slot[OF(lane)] = slot + thread;
        issue->threads.thread[OF(lane)] = issue->first + thread;
    }
}

/* Guard bits of all active threads are used. */
static inline void take_guards(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    PER_LANE(u32, active);
    struct threads threads;
    FOR_LANES (lane)
        active[OF(lane)] = *column(sm, COLUMN_ACTIVE, issue->warp, lane);
    for (u32 row = 0; row < sm->plan->rows; ++row) {
        threads_of_row(sm, &threads, row_mask(sm, active, row), thread_slot(sm, issue->warp, row, 0),
                       issue->first + row * WS_LANES);
        take(&threads, sm_decisions(sm));
    }
}

/* The selected warp begins its instruction. */
static inline void lwm_begin(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct lwm_issue *issue)
{
    const u32 warp = issue->warp, bit = ws_bit(warp), class_ = issue->instruction.class_;
    const u32 all = class_ == WS_CLASS_branch || class_ == WS_CLASS_barrier || class_ == WS_CLASS_exit ||
                    sm->machine->divergence_refetch == WS_refetch_last;
    sm->begun |= bit;
    sm->any_done &= ~bit;
    sm->needs_all = all ? sm->needs_all | bit : sm->needs_all & ~bit;
    if (lane_is(warp)) {
        lanes->fetched[OF(warp)] += 1;
        lanes->units[OF(warp)] = 0;
    }
    if (class_ == WS_CLASS_branch) {
        FOR_LANES (lane)
            *column(sm, COLUMN_TAKEN, warp, lane) = 0;
    }
    if (issue->instruction.flags & WS_GUARDED)
        take_guards(sm, issue);
    count(sm, WS_COUNT_instructions_fetched, 1);
    count(sm, WS_COUNT_thread_class + class_, issue->skipped);
    policy_issued(sm, warp, issue->skipped, 1);
}

/* The selection of the warp is used: it begins, resumes or goes on. */
static inline void lwm_start(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct lwm_issue *issue)
{
    if (issue->how == PACK_GOES_ON)
        return;
    fetch_taken(sm, issue->pc);
    policy_chosen(sm, lanes, issue->warp);
    sm->selectable &= ~ws_bit(issue->warp);
    if (issue->how == PACK_BEGINS)
        lwm_begin(sm, lanes, issue);
    else
        count(sm, WS_COUNT_resumes, 1);
}

/* Looks up what the sub-warp accesses; returns the room in memory that it waits for, 0 for none. */
static inline u32 subwarp_prepare(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    PER_LANE(u32, address);
    issue->access.passes = issue->access.misses = 0;
    if (!(issue->instruction.flags & WS_ADDRESSED) || issue->mask == 0)
        return 0;
    pack_who(sm, issue);
    peek_accesses(sm, &issue->threads, address);
    if (issue->instruction.space == WS_SPACE_global)
        return access_global(sm, address, issue->mask, issue->instruction.class_, &issue->access);
    access_shared(sm, address, issue->mask, &issue->access);
    return 0;
}

/* Puts the unit into the pipeline, its access on its way. */
static inline void unit_issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct lwm_issue *issue)
{
    const u32 index = sm->unit_first + sm->unit_count, warp = issue->warp;
    const u32 lead = issue->mask ? ws_ctz(issue->mask) : 0;
    GLOBAL struct ws_unit *unit = unit_at(sm, index);
    const u32 instruction = lanes_pick(&sm->lanes, lanes->fetched, warp) & 0xFFFFu;
    FOR_LANES (lane)
        unit->row[lane] = (u16)issue->row[OF(lane)];
    if (lane_first())
        unit->warp = warp;
    lanes_fence(&sm->lanes);
    if (issue->access.passes != 0) {
        take(&issue->threads, sm_accesses(sm));
        if (issue->instruction.space == WS_SPACE_global) {
            access_send(sm, issue->instruction.class_, index, &issue->access);
        } else {
            count(sm, WS_COUNT_shared_accesses, 1);
            count(sm, WS_COUNT_shared_conflicts, issue->access.passes - 1);
        }
    }
    const u32 missed = issue->access.misses;
    const u32 leader = thread_slot(sm, warp, row_of(lanes_pick(&sm->lanes, issue->row, lead)), lead);
    const u32 completes = port_pass(sm, issue->access.passes);
    FOR_LANES (lane)
        if (missed != 0 && issue->row[OF(lane)] != 0)
            *waiter(sm, WAITER_LEADER, thread_slot(sm, warp, row_of(issue->row[OF(lane)]), lane)) = (u16)(leader + 1);
    if (lane_first()) {
        unit->completes = completes;
        unit->leader = missed ? leader + 1 : 0;
        unit->instruction = instruction;
        if (missed) {
            *waiter(sm, WAITER_LEFT, leader) = (u16)(missed | LEFT_IN_PIPELINE);
            *waiter(sm, WAITER_INSTRUCTION, leader) = (u16)instruction;
        }
    }
    sm->unit_count += 1;
    units_change(sm, lanes, warp, 1, 1, missed != 0);
    lanes_fence(&sm->lanes);
}

/* Decisions of the packed threads of a branch. */
static inline void pack_decisions(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    PER_LANE(u32, bits);
    GLOBAL u16 *taken = column(sm, COLUMN_TAKEN, issue->warp, 0);
    pack_who(sm, issue);
    peek_decisions(sm, &issue->threads, bits);
    take(&issue->threads, sm_decisions(sm));
    FOR_LANES (lane)
        taken[lane] |= (u16)(bits[OF(lane)] ? issue->row[OF(lane)] : 0);
}

/* The packed threads leave todo and are busy. */
static inline void pack_threads(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    GLOBAL u16 *busy = column(sm, COLUMN_BUSY, issue->warp, 0);
    GLOBAL u16 *todo = column(sm, COLUMN_TODO, issue->warp, 0);
    FOR_LANES (lane) {
        todo[lane] &= (u16)~issue->row[OF(lane)];
        busy[lane] |= (u16)issue->row[OF(lane)];
    }
    if (issue->instruction.class_ == WS_CLASS_branch && issue->mask != 0)
        pack_decisions(sm, issue);
}

/* Number of threads that the slot executes. */
static inline u32 slot_threads(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    PER_LANE(u32, active);
    issue->shown = issue->mask;
    if (issue->instruction.class_ != WS_CLASS_jump)
        return ws_popcount(issue->mask);
    FOR_LANES (lane)
        active[OF(lane)] = *column(sm, COLUMN_ACTIVE, issue->warp, lane);
    issue->shown = lanes_ballot(&sm->lanes, active);
    return count_threads(sm, active);
}

/* Who has decode after the slot: the warp while threads remain to pack. */
static inline void pass_decode(PRIVATE struct sm *sm, PRIVATE struct lwm_issue *issue)
{
    const u32 bit = ws_bit(issue->warp);
    if (any_of(sm, issue->warp, COLUMN_TODO)) {
        sm->holder = issue->warp;
        return;
    }
    sm->holder = WS_NEVER;
    sm->drained |= bit;
    sm->touched |= bit;
}

/* Issues the warp's next sub-warp, or loses the slot. */
static inline u32 lwm_pack(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 how)
{
    struct lwm_issue issue;
    if (sm->refused >> warp & 1)
        return SLOT_QUEUE_FULL;
    issue.warp = warp;
    issue.how = how;
    issue.pc = lanes_pick(&sm->lanes, lanes->pc, warp);
    issue.first = lanes_pick(&sm->lanes, lanes->first, warp);
    issue.instruction = sm->program[issue.pc];
    if (how == PACK_BEGINS)
        pack_what(sm, &issue);
    const u32 some = any_of(sm, warp, COLUMN_TODO);
    pack_rows(sm, &issue);
    const u32 wanted = subwarp_prepare(sm, &issue);
    if (wanted != 0)
        return refuse(sm, warp, wanted);
    lwm_start(sm, lanes, &issue);
    pack_threads(sm, &issue);
    if (some && issue.mask == 0) {
        sm->holder = sm->machine->divergence_decode == WS_decode_hold ? warp : WS_NEVER;
        sm->changed = 1;
        count(sm, WS_COUNT_empty_packs, 1);
        return SLOT_SCOREBOARD;
    }
    const u32 threads = slot_threads(sm, &issue);
    if (lane_first())
        count_issue(sm, &issue.instruction, threads, threads);
    policy_issued(sm, warp, threads, 0);
    record_event(sm, 1, SLOT_ISSUED, warp, issue.pc, issue.shown);
    unit_issue(sm, lanes, &issue);
    pass_decode(sm, &issue);
    return SLOT_ISSUED;
}

#endif
