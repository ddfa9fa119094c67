/* Warps of at most 32 threads, every instruction of which issues as one unit: what `pdom` and `tbc` share. What follows from an
 * instruction is known when it issues and is done then, but for what waits for memory; a warp that is not selectable is not looked
 * at before it completes. */
#ifndef WS_DIVERGENCE_NARROW_H
#define WS_DIVERGENCE_NARROW_H

#include "core/fetch.h"
#include "core/fill.h"
#include "core/issue.h"
#include "dispatch/block.h"
#include "divergence/narrow_round.h"
#include "divergence/pdom_stack.h"
#include "memory/access.h"
#include "schedule/policy.h"

/* What a warp comes to with an instruction, other than the next one. */
enum event { EVENT_NONE, EVENT_BARRIER, EVENT_ENDS, EVENT_MEETS, EVENT_BRANCH, EVENT_EXIT };

/* A warp's instruction on its way through an issue slot. */
struct narrow_issue {
    struct ws_instruction instruction;
    struct threads threads;
    struct access access;
    u32 warp, pc, mask, guard;
    u32 home, first; /* slot, and its first thread, from which the warp's threads count */
};

/* ---- Defined by the unit ---- */

/* Lanes of the warp's active threads. */
static inline u32 unit_mask(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp);

static inline u32 unit_home(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp);

/* The threads of the lanes in mask, for instructions that read the trace. */
static inline void unit_threads(PRIVATE const struct sm *sm, PRIVATE struct narrow_issue *issue, u32 mask);

/* What the instruction does to the warp's path; returns its event. */
static inline u32 unit_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct narrow_issue *issue);

/* Warps that have nothing in the pipeline and wait for no memory, for reasons of the unit's own. */
static inline u32 unit_resting(PRIVATE const struct sm *sm);

/* ---- Entering and waking ---- */

static inline void narrow_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    if (cycle > sm->now)
        sm->entering |= ws_bit(warp);
    if (lane_is(warp)) {
        lanes->mask[OF(warp)] = ws_bits_below(threads);
        lanes->missing[OF(warp)] = 0;
        lanes->ready_at[OF(warp)] = cycle;
        lanes->warp_event_at[OF(warp)] = WS_NEVER;
    }
    FOR_LANES (lane) {
        if (lane < sm->machine->core_warp_size) {
            sm_decisions(sm)[warp * sm->machine->core_warp_size + lane] = 0;
            sm_accesses(sm)[warp * sm->machine->core_warp_size + lane] = 0;
        }
    }
}

static inline void unit_waits(PRIVATE struct sm *sm, u32 request, u32 unit, u32 n)
{
    (void)n;
    sm_request(sm, request)->waiters |= ws_bit(unit);
}

static inline void unit_code_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warps)
{
    FOR_LANES (lane)
        if (warps >> lane & 1)
            lanes->ready_at[OF(lane)] = sm->now;
}

/* A line for which the warps wait has arrived, in a warp's lane: whether it was its last. */
static inline u32 last_line_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 waiters, u32 warp)
{
    if (!(waiters >> warp & 1) || --lanes->missing[OF(warp)] != 0)
        return 0;
    lanes->ready_at[OF(warp)] = ws_max(sm->now, lanes->done_at[OF(warp)]);
    return 1;
}

/* Warps whose events are due. Barrier instructions among them arrive; the others are returned. */
static inline u32 events_due(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_LANE(u32, due);
    PER_LANE(u32, arrives);
    FOR_LANES (lane) {
        due[OF(lane)] = lanes->warp_event_at[OF(lane)] <= sm->now;
        arrives[OF(lane)] = due[OF(lane)] && lanes->event[OF(lane)] == EVENT_BARRIER;
        if (due[OF(lane)])
            lanes->warp_event_at[OF(lane)] = WS_NEVER;
    }
    const u32 all = lanes_ballot(&sm->lanes, due), arriving = lanes_ballot(&sm->lanes, arrives);
    for (u32 warps = arriving; warps != 0; warps &= warps - 1)
        warp_arrives(sm, ws_ctz(warps));
    return all & ~arriving;
}

/* ---- Selecting ---- */

/* Mask of selectable warps; those no longer wait for data. */
static inline u32 unit_selectable(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_LANE(u32, ready);
    FOR_LANES (lane)
        ready[OF(lane)] = lanes->ready_at[OF(lane)] <= sm->now;
    const u32 selectable = lanes_ballot(&sm->lanes, ready);
    sm->data_missing &= ~selectable;
    return selectable;
}

/* First cycle after this one in which a warp's state may change by itself, other than through memory. */
static inline u32 unit_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_LANE(u32, later);
    FOR_LANES (lane)
        later[OF(lane)] = lanes->ready_at[OF(lane)] > sm->now ? lanes->ready_at[OF(lane)] : WS_NEVER;
    return ws_min(lanes_least(&sm->lanes, later), sm->event_at);
}

/* Cycles outside the fields, at the end of a slice: none. */
static inline void unit_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    (void)sm;
    (void)elapsed;
}

/* ---- Issuing ---- */

/* Looks up what the instruction accesses; returns the room in memory that it waits for, 0 for none. */
static inline u32 narrow_prepare(PRIVATE struct sm *sm, PRIVATE struct narrow_issue *issue)
{
    PER_LANE(u32, address);
    const u32 space = issue->instruction.space;
    issue->access.passes = issue->access.misses = 0;
    if (!(issue->instruction.flags & WS_ADDRESSED) || issue->guard == 0)
        return 0;
    unit_threads(sm, issue, issue->guard);
    peek_accesses(sm, &issue->threads, address);
    if (space == WS_SPACE_global)
        return access_global(sm, address, issue->guard, issue->instruction.class_, &issue->access);
    access_shared(sm, address, issue->guard, &issue->access);
    return 0;
}

/* Sends the access and returns the cycle in which the warp leaves the pipeline. */
static inline u32 narrow_access(PRIVATE struct sm *sm, PRIVATE struct narrow_issue *issue)
{
    if (issue->access.passes != 0) {
        take(&issue->threads, sm_accesses(sm));
        if (issue->instruction.space == WS_SPACE_global) {
            access_send(sm, issue->instruction.class_, issue->warp, &issue->access);
        } else {
            count(sm, WS_COUNT_shared_accesses, 1);
            count(sm, WS_COUNT_shared_conflicts, issue->access.passes - 1);
        }
    }
    return port_pass(sm, issue->access.passes);
}

/* Sets when the warp is selectable again: the warp's own lane. */
static inline void narrow_put_aside(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct narrow_issue *issue,
                                    u32 done, u32 event)
{
    const u32 warp = issue->warp;
    if (issue->access.misses != 0)
        sm->data_missing |= ws_bit(warp);
    if (event != EVENT_NONE)
        sm->event_at = ws_min(sm->event_at, done);
    if (lane_is(warp)) {
        lanes->missing[OF(warp)] = issue->access.misses;
        lanes->done_at[OF(warp)] = done;
        lanes->ready_at[OF(warp)] = event != EVENT_NONE || issue->access.misses != 0 ? WS_NEVER : done;
        lanes->event[OF(warp)] = event;
        lanes->warp_event_at[OF(warp)] = event != EVENT_NONE ? done : WS_NEVER;
    }
}

/* Issues the warp's next instruction, or loses the slot. */
static inline u32 narrow_issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct narrow_issue *issue)
{
    PER_LANE(u32, bits);
    issue->home = unit_home(sm, lanes, issue->warp);
    issue->first = lanes_pick(&sm->lanes, lanes->first, issue->home);
    issue->guard = issue->mask;
    const u32 guarded = issue->instruction.flags & WS_GUARDED;
    if (guarded) {
        unit_threads(sm, issue, issue->mask);
        peek_decisions(sm, &issue->threads, bits);
        issue->guard = lanes_ballot(&sm->lanes, bits);
    }
    const u32 wanted = narrow_prepare(sm, issue);
    if (wanted != 0)
        return refuse(sm, issue->warp, wanted);

    fetch_taken(sm, issue->pc);
    policy_chosen(sm, lanes, issue->warp);
    if (lane_is(issue->warp))
        lanes->fetched[OF(issue->warp)] += 1;
    count(sm, WS_COUNT_instructions_fetched, 1);
    const u32 threads = ws_popcount(issue->mask);
    if (lane_first())
        count_issue(sm, &issue->instruction, threads, ws_popcount(issue->guard));
    policy_issued(sm, issue->warp, threads, 1);
    record_event(sm, 1, SLOT_ISSUED, issue->warp, issue->pc, issue->guard);
    const u32 done = narrow_access(sm, issue);
    if (guarded) {
        unit_threads(sm, issue, issue->mask);
        take(&issue->threads, sm_decisions(sm));
    }
    narrow_put_aside(sm, lanes, issue, done, unit_follow(sm, lanes, issue));
    return SLOT_ISSUED;
}

/* Uses the cycle's issue slot. */
static inline u32 unit_select(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
    struct narrow_issue issue;
    if (selectable == 0)
        return sm->live & ~(sm->code_missing | sm->at_barrier | sm->entering | unit_resting(sm)) ? SLOT_SCOREBOARD : SLOT_IDLE;
    if (sm->now < sm->select_at)
        return SLOT_PIPELINE;
    issue.warp = policy_choose(sm, lanes, selectable);
    if (sm->refused >> issue.warp & 1)
        return SLOT_QUEUE_FULL;
    issue.pc = lanes_pick(&sm->lanes, lanes->pc, issue.warp);
    issue.mask = unit_mask(sm, lanes, issue.warp);
    if (issue.pc >= sm->job->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return SLOT_IDLE;
    }
    issue.instruction = sm->program[issue.pc];
    if (is_plain(&issue.instruction) && narrow_round(sm, lanes, issue.warp))
        return SLOT_ISSUED;
    const u32 outcome = fetch(sm, issue.warp, issue.pc);
    if (outcome == FETCH_FULL)
        return refuse(sm, issue.warp, 1);
    if (outcome == FETCH_MISS) {
        policy_chosen(sm, lanes, issue.warp);
        if (lane_is(issue.warp))
            lanes->ready_at[OF(issue.warp)] = WS_NEVER;
        return SLOT_IDLE;
    }
    return narrow_issue(sm, lanes, &issue);
}

#endif
