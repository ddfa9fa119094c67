/* `pdom`: a stack of reconvergence points for every warp (docs/model.md 3; Narasiman 2.3, Fung 3.2). What follows from an
 * instruction is known when it issues and is done then, but for what waits for memory; a warp that is not selectable is not looked
 * at before it completes. */
#ifndef WS_DIVERGENCE_PDOM_H
#define WS_DIVERGENCE_PDOM_H

#include "core/fetch.h"
#include "core/fill.h"
#include "core/issue.h"
#include "dispatch/block.h"
#include "divergence/pdom_stack.h"
#include "memory/access.h"
#include "schedule/policy.h"

static inline void unit_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
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
            sm->decisions[warp * sm->machine->core_warp_size + lane] = 0;
            sm->accesses[warp * sm->machine->core_warp_size + lane] = 0;
        }
    }
}

static inline void unit_waits(PRIVATE struct sm *sm, u32 request, u32 unit, u32 n)
{
    (void)n;
    sm->requests[request].waiters |= ws_bit(unit);
}

static inline void unit_code_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warps)
{
    FOR_LANES (lane)
        if (warps >> lane & 1)
            lanes->ready_at[OF(lane)] = sm->now;
}

static inline void unit_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 waiters)
{
    FOR_LANES (lane) {
        if (waiters >> lane & 1 && --lanes->missing[OF(lane)] == 0) {
            lanes->ready_at[OF(lane)] = ws_max(sm->now, lanes->done_at[OF(lane)]);
            pdom_settle(sm, lanes, lane);
        }
    }
}

/* Barrier instructions and ends of warps that complete in this cycle, then barriers that let go. */
static inline void unit_complete(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_LANE(u32, due);
    PER_LANE(u32, ends);
    sm->entering = 0;
    if (sm->now < sm->event_at)
        return;
    FOR_LANES (lane) {
        due[OF(lane)] = lanes->warp_event_at[OF(lane)] <= sm->now;
        ends[OF(lane)] = due[OF(lane)] & lanes->ends[OF(lane)];
        if (due[OF(lane)])
            lanes->warp_event_at[OF(lane)] = WS_NEVER;
    }
    const u32 ending = lanes_ballot(&sm->lanes, ends);
    for (u32 warps = lanes_ballot(&sm->lanes, due); warps != 0; warps &= warps - 1) {
        const u32 warp = ws_ctz(warps);
        if (ending >> warp & 1)
            warp_ends(sm, lanes, warp);
        else
            warp_arrives(sm, warp);
    }
    const u32 released = release_barriers(sm, lanes);
    FOR_LANES (lane)
        if (released >> lane & 1)
            lanes->ready_at[OF(lane)] = sm->now;
    sm->event_at = lanes_least(&sm->lanes, lanes->warp_event_at);
}

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

static inline u32 unit_awaiting(PRIVATE const struct sm *sm, u32 selectable)
{
    (void)selectable;
    return sm->data_missing | sm->code_missing | sm->at_barrier;
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

/* A warp's instruction on its way through an issue slot. */
struct pdom_issue {
    struct ws_instruction instruction;
    struct threads threads;
    struct access access;
    u32 warp, pc, first, mask, guard;
};

/* The threads in mask, for instructions that read the trace. */
static inline void pdom_threads(PRIVATE const struct sm *sm, PRIVATE struct pdom_issue *issue, u32 mask)
{
    threads_of_row(sm, &issue->threads, mask, issue->warp * sm->machine->core_warp_size, issue->first);
}

/* Looks up what the instruction accesses; returns whether memory has room for it. */
static inline u32 pdom_prepare(PRIVATE struct sm *sm, PRIVATE struct pdom_issue *issue)
{
    PER_LANE(u32, address);
    const u32 space = issue->instruction.space;
    issue->access.passes = issue->access.misses = 0;
    if (!(issue->instruction.flags & WS_ADDRESSED) || issue->guard == 0)
        return 1;
    pdom_threads(sm, issue, issue->guard);
    peek_accesses(sm, &issue->threads, address);
    if (space == WS_SPACE_global)
        return access_global(sm, address, issue->guard, issue->instruction.class_, &issue->access);
    access_shared(sm, address, issue->guard, &issue->access);
    return 1;
}

/* Sends the access and returns the cycle in which the warp leaves the pipeline. */
static inline u32 pdom_access(PRIVATE struct sm *sm, PRIVATE struct pdom_issue *issue)
{
    if (issue->access.passes != 0) {
        take(&issue->threads, sm->accesses);
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
static inline void pdom_put_aside(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct pdom_issue *issue,
                                  u32 done, u32 ends)
{
    const u32 warp = issue->warp;
    const u32 event = ends || issue->instruction.class_ == WS_CLASS_barrier;
    if (issue->access.misses != 0)
        sm->data_missing |= ws_bit(warp);
    if (event)
        sm->event_at = ws_min(sm->event_at, done);
    if (lane_is(warp)) {
        lanes->missing[OF(warp)] = issue->access.misses;
        lanes->done_at[OF(warp)] = done;
        lanes->ready_at[OF(warp)] = event || issue->access.misses != 0 ? WS_NEVER : done;
        lanes->ends[OF(warp)] = ends;
        lanes->warp_event_at[OF(warp)] = event ? done : WS_NEVER;
    }
}

/* What the instruction does to pc, mask and stack; returns whether the warp ends with it. */
static inline u32 pdom_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct pdom_issue *issue)
{
    PER_LANE(u32, bits);
    const u32 warp = issue->warp, class_ = issue->instruction.class_;
    if (class_ == WS_CLASS_branch) {
        pdom_threads(sm, issue, issue->mask);
        peek_decisions(sm, &issue->threads, bits);
        take(&issue->threads, sm->decisions);
        pdom_branch(sm, lanes, warp, &issue->instruction, lanes_ballot(&sm->lanes, bits));
        return 0;
    }
    if (class_ == WS_CLASS_exit) {
        PER_LANE(u32, ends);
        FOR_LANES (lane)
            ends[OF(lane)] = 0;
        if (lane_is(warp))
            ends[OF(warp)] = pdom_exit(sm, lanes, warp);
        return lanes_pick(&sm->lanes, ends, warp);
    }
    if (lane_is(warp)) {
        lanes->pc[OF(warp)] = class_ == WS_CLASS_jump ? issue->instruction.target : issue->pc + 1;
        if (issue->access.misses == 0)
            pdom_settle(sm, lanes, warp);
    }
    return 0;
}

/* Issues the warp's next instruction, or loses the slot. */
static inline u32 pdom_issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct pdom_issue *issue)
{
    PER_LANE(u32, bits);
    issue->first = lanes_pick(&sm->lanes, lanes->first, issue->warp);
    issue->instruction = sm->program[issue->pc];
    issue->guard = issue->mask;
    const u32 guarded = issue->instruction.flags & WS_GUARDED;
    if (guarded) {
        pdom_threads(sm, issue, issue->mask);
        peek_decisions(sm, &issue->threads, bits);
        issue->guard = lanes_ballot(&sm->lanes, bits);
    }
    if (!pdom_prepare(sm, issue))
        return SLOT_QUEUE_FULL;

    fetch_taken(sm, issue->pc);
    policy_chosen(sm, lanes, issue->warp);
    if (lane_is(issue->warp))
        lanes->fetched[OF(issue->warp)] += 1;
    count(sm, WS_COUNT_instructions_fetched, 1);
    const u32 threads = ws_popcount(issue->mask);
    count_issue(sm, &issue->instruction, threads, ws_popcount(issue->guard));
    policy_issued(sm, issue->warp, threads, 1);
    record_event(sm, 1, SLOT_ISSUED, issue->warp, issue->pc, issue->guard);
    const u32 done = pdom_access(sm, issue);
    if (guarded) {
        pdom_threads(sm, issue, issue->mask);
        take(&issue->threads, sm->decisions);
    }
    pdom_put_aside(sm, lanes, issue, done, pdom_follow(sm, lanes, issue));
    return SLOT_ISSUED;
}

/* Uses the cycle's issue slot. */
static inline u32 unit_select(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
    struct pdom_issue issue;
    if (selectable == 0)
        return sm->live & ~(sm->code_missing | sm->at_barrier | sm->entering) ? SLOT_SCOREBOARD : SLOT_IDLE;
    if (sm->now < sm->select_at)
        return SLOT_PIPELINE;
    issue.warp = policy_choose(sm, lanes, selectable);
    issue.pc = lanes_pick(&sm->lanes, lanes->pc, issue.warp);
    issue.mask = lanes_pick(&sm->lanes, lanes->mask, issue.warp);
    if (issue.pc >= sm->job->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return SLOT_IDLE;
    }
    const u32 outcome = fetch(sm, issue.warp, issue.pc);
    if (outcome == FETCH_FULL)
        return SLOT_QUEUE_FULL;
    if (outcome == FETCH_MISS) {
        policy_chosen(sm, lanes, issue.warp);
        if (lane_is(issue.warp))
            lanes->ready_at[OF(issue.warp)] = WS_NEVER;
        return SLOT_IDLE;
    }
    return pdom_issue(sm, lanes, &issue);
}

#endif
