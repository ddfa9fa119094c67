/* Pipeline `scoreboard`: one SM, cycle by cycle, the steps of docs/model.md 10 in their order. What issues, warps of issue ports
 * (issue.h) or small warps of slices (slices.h), defines
 *   port_in_turn, issue, fetch: issue leaves what became of each port's slot in sm->lost
 *   issue_next, fetches_next   next cycle in which the step is not as in this one, whether fetch has something to do
 *   issue_passes               so many cycles like this one are skipped
 *   issue_open                 before the first slice; in the first lane
 *   ldst_cycle
 *   code_arrives, line_arrives, write_answered, atomic_answered   for the tickets that it has left */
#ifndef WS_PIPELINE_SCOREBOARD_CYCLE_H
#define WS_PIPELINE_SCOREBOARD_CYCLE_H

#if defined(WS_ISSUE_SLICES)
#include "pipeline/scoreboard/slices.h"
#else
#include "pipeline/scoreboard/issue.h"
#endif

/* An answer that reaches the SM in this cycle ends waits. */
static inline void answer_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 info = 0, joined = 0;
    if (lane_first()) {
        info = levels_answer(sm);
        if (info_kind(info) < WS_FIRST_CACHES)
            joined = first_fill(sm, info_kind(info), info_who(info));
    }
    info = lanes_from_first(&sm->lanes, info);
    joined = lanes_from_first(&sm->lanes, joined);
    const u32 kind = info_kind(info), who = info_who(info);
    if (kind == REQUEST_WRITE && who != WS_NO_TICKET)
        write_answered(sm, lanes, who);
    if (kind == REQUEST_ATOMIC)
        atomic_answered(sm, lanes, who);
    for (u32 n = 0; n < joined; ++n) {
        const u32 ticket = lanes_from_first(&sm->lanes, lane_first() ? first_joined(sm, kind, who)[n] : 0);
        if (kind == WS_CACHE_CODE)
            code_arrives(sm, ticket);
        else
            line_arrives(sm, lanes, ticket);
    }
}

/* What memory does up to this cycle. */
static inline void memory(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 arrives = 0;
    if (sm->memory_at > sm->now)
        return;
    if (lane_first()) {
        levels_run(sm, sm->now);
        arrives = sm_levels(sm)->answers.at <= sm->now;
    }
    if (lanes_from_first(&sm->lanes, arrives))
        answer_arrives(sm, lanes);
}

/* When all that a warp has begun is done, in its lane; WS_NEVER while it waits for memory. */
static inline u32 done_at(PRIVATE const struct sm_lanes *lanes, u32 slot)
{
    return lanes->accesses_out[AT(slot)] != 0 ? WS_NEVER : lanes->busy_until[AT(slot)];
}

/* Warps that have ended and wait for nothing more; next: when more of those that have ended do so. */
static inline slot_set warps_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE u32 *next)
{
    PER_SLOT(u32, at);
    PER_SLOT(u32, due);
    if (LANE_COPIES > 1) { /* few have ended */
        slot_set done = slots_none();
        *next = WS_NEVER;
        FOR_SLOTS_OF (slot, sm->leaving) {
            if (done_at(lanes, slot) <= sm->now)
                done = slots_with(done, slot);
            else
                *next = ws_min(*next, done_at(lanes, slot));
        }
        return done;
    }
    FOR_SLOTS (slot) {
        at[AT(slot)] = slots_has(sm->leaving, slot) ? done_at(lanes, slot) : WS_NEVER;
        due[AT(slot)] = at[AT(slot)] <= sm->now;
        at[AT(slot)] = due[AT(slot)] ? WS_NEVER : at[AT(slot)];
    }
    *next = slots_least(&sm->lanes, at);
    return slots_ballot(&sm->lanes, due);
}

/* Warps that have ended and wait for nothing more retire; blocks of which all have end. */
static inline void retire(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (sm->retire_at > sm->now)
        return;
    slot_set retired = warps_done(sm, lanes, &sm->retire_at);
    sm->leaving = slots_minus(sm->leaving, retired);
    for (; slots_any(retired); retired = slots_rest(retired))
        warp_retires(sm, lanes, slots_first(retired), sm->leaving);
}

/* Barriers let go whom they held. A port issued in the cycle before, so that ports look at them. */
static inline void release(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (!sm->barriers_due)
        return;
    sm->barriers_due = 0;
    slot_set released = release_barriers(sm, lanes);
    if (!slots_any(released))
        return;
    path_released(sm, lanes, released);
}

/* Next cycle that is not like this one, in which nothing issued. */
static inline u32 next_event(PRIVATE struct sm *sm)
{
    u32 next = ws_min(ws_min(sm->deadline, sm->end), ws_min(sm->retire_at, ldst_next(sm)));
    if (fetches_next(sm))
        return sm->now + 1;
    next = ws_min(ws_min(next, dispatch_next(sm)), ws_min(wheel_next(sm), sm->far_at));
    return ws_min(next, issue_next(sm));
}

/* Counts the slots that ports lose in a run of cycles alike: 1 is SLOT_IDLE, 2 SLOT_SCOREBOARD, 3 SLOT_PIPELINE. */
static inline void count_slots(PRIVATE struct sm *sm, u32 lost, u32 cycles)
{
    const u32 ones = 0x11111111u & lost, twos = 0x11111111u & lost >> 1;
    count(sm, WS_COUNT_stall_idle, ws_popcount(ones & ~twos) * cycles);
    count(sm, WS_COUNT_stall_scoreboard, ws_popcount(twos & ~ones) * cycles);
    count(sm, WS_COUNT_stall_pipeline, ws_popcount(ones & twos) * cycles);
}

/* Makes counters of the slots that have been tallied. */
static inline void count_tallied_slots(PRIVATE struct sm *sm)
{
#if TALLIES
    for (u32 lost = 0; lost < ws_bit(2 * SLOT_BITS); ++lost)
        count_slots(sm, lost, sm->scratch->tally.slots[lost]);
#endif
}

/* The same of sm->lost, of which a tally is kept where there are at most two ports, in form loop. */
static inline void count_lost(PRIVATE struct sm *sm, u32 cycles)
{
#if TALLIES
    if (sm->lost < ws_bit(2 * SLOT_BITS))
        sm->scratch->tally.slots[sm->lost] += cycles;
    else
#endif
        count_slots(sm, sm->lost, cycles);
    if (!records_lost(sm))
        return;
    for (u32 n = 0; n < WS_PORTS; ++n) {
        const u32 port = port_in_turn(sm, n), slot = sm->lost >> SLOT_BITS * port & ws_bits_below(SLOT_BITS);
        if (n < ports(sm) && slot != SLOT_ISSUED)
            record_lost(sm, cycles, slot, port);
    }
}

/* Lets memory go on to a cycle, and notes when it does the next thing: an answer reaches the SM, or there must be room first, if
 * that is not after the cycle. */
static inline void memory_goes_on(PRIVATE struct sm *sm, u32 until)
{
    u32 next = 0, crowded = 0;
    if (lane_first()) {
        next = levels_run(sm, until);
        crowded = next <= until && pool_crowded(sm);
    }
    sm->memory_at = lanes_from_first(&sm->lanes, next);
    if (lanes_from_first(&sm->lanes, crowded))
        sm->changed |= CHANGED_ROOM;
}

/* Where the scheduler alone goes on changing (CHANGED_STATE), the cycles until another thing happens are quiet: they rotate and
 * issue, and do nothing else unless one issues. */
static inline u32 is_quiet(PRIVATE const struct sm *sm)
{
    return policy_rotates(sm) && sm->now < sm->quiet_until;
}

/* To the next cycle that is not like this one. */
static inline void advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 issued)
{
    const u32 rotates = policy_rotates(sm) && (sm->changed & CHANGED_STATE);
    u32 next = sm->now + 1;
    if (issued)
        sm->deadline = sm->now + MACHINE(sm, core_watchdog);
    if (issued || !is_quiet(sm)) {
        const u32 event = issued ? next : next_event(sm);
        next = rotates ? next : event;
        memory_goes_on(sm, issued ? next : ws_min(next, sm->deadline - 1)); /* before which the job ends */
        next = ws_min(next, sm->memory_at);
        if (policy_rotates(sm))
            sm->quiet_until = rotates ? ws_min(event, sm->memory_at) : 0;
    }
    count_lost(sm, next - sm->now);
    if (sm->ldst_refused)
        count(sm, WS_COUNT_ldst_refusals, next - sm->now);
    issue_passes(sm, next - sm->now - 1);
    sm->now = next;
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    if (!is_quiet(sm)) {
        slots_become(sm, lanes);
        memory(sm, lanes);
        ldst_cycle(sm, lanes);
        retire(sm, lanes);
        if (last_block_ended(sm)) {
            sm->status = WS_STATUS_ok;
            return;
        }
        release(sm, lanes);
        if (SLOTS_RETURN)
            policy_events(sm, lanes); /* of warps whose slots others may get */
        dispatch(sm, lanes, sm->now);
    }
    const u32 issued = issue(sm, lanes);
    count(sm, WS_COUNT_issue_cycles, issued);
    if (sm->status == WS_STATUS_running)
        fetch(sm, lanes);
    if (sm->status == WS_STATUS_running)
        advance(sm, lanes, issued);
}

#endif
