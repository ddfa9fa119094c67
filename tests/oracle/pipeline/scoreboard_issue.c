/* Issue: each port issues one packet, or its slot stalls (step 7). */
#include <stdlib.h>

#include "oracle/pipeline/issue_slot.h"
#include "oracle/pipeline/scoreboard.h"

static bool is_valid(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    const struct feed *feed = feed_of(sm, slot);
    return warp->state == WARP_RUNS && !warp->at_barrier && feed->entries > 0 && sm->now >= feed->valid_from &&
           !atomic_in_flight(sm, slot);
}

static const struct ws_instruction *next_of(const struct sm *sm, u32 slot)
{
    return &sm->image->program[feed_of(sm, slot)->pc[0]];
}

enum readiness warp_readiness(const struct sm *sm, u32 slot)
{
    if (!is_valid(sm, slot))
        return NOT_VALID;
    return registers_wait(sm, slot, next_of(sm, slot)) ? VALID : READY;
}

bool gang_is_ready(const struct sm *sm, u32 gang)
{
    u32 slot[MOST_SLICES];
    const u32 members = gang_members(sm, gang, slot);
    for (u32 i = 0; i < members; i++)
        if (warp_readiness(sm, slot[i]) != READY || meets_others(sm, slot[i]))
            return false;
    return true;
}

bool finds_room(const struct sm *sm, u32 slot)
{
    const struct ws_instruction *ins = next_of(sm, slot);
    const enum unit unit = unit_of(sm, ins);
    return unit == UNIT_LDST ? ldst_has_room(sm, ins) : unit_has_room(sm, unit, slot);
}

static bool gang_is_valid(const struct sm *sm, u32 gang)
{
    u32 slot[MOST_SLICES];
    const u32 members = gang_members(sm, gang, slot);
    for (u32 i = 0; i < members; i++)
        if (!is_valid(sm, slot[i]))
            return false;
    return true;
}

/* A gang's members are valid and ready together, and their ports' schedulers do not select them. */
static enum readiness readiness_of(const struct sm *sm, u32 slot)
{
    const u32 gang = gang_of(sm, slot);
    if (!gang_is_valid(sm, gang))
        return NOT_VALID;
    if (!gang_is_ready(sm, gang))
        return VALID;
    return is_single(sm, slot) && finds_room(sm, slot) ? SELECTABLE : READY;
}

static void lose(struct sm *sm, enum readiness best)
{
    slot_lost(sm, best == NOT_VALID ? ORACLE_IDLE : best == VALID ? ORACLE_SCOREBOARD : ORACLE_PIPELINE);
}

static struct flight *take_off(struct sm *sm, const struct packet *packet)
{
    struct scoreboard *own = sm->pipeline;
    const struct ws_machine *m = sm->machine;
    struct flight **last = &own->flights, *flight = oracle_allocate(1, sizeof *flight);
    *flight = (struct flight){.slot = packet->slot,
                              .ins = packet->ins,
                              .unit = unit_of(sm, packet->ins),
                              .operands = sm->now + m->unit_collect + (u64)packet->ins->reads * m->unit_operand,
                              .done = NEVER};
    while (*last)
        last = &(*last)->next;
    return *last = flight;
}

void warp_issues(struct sm *sm, u32 slot, bool in_gang)
{
    struct packet packet;
    slot_peek(sm, slot, &packet);
    packet.in_gang = in_gang;
    if (sm->rules.policy->chosen && !in_gang)
        sm->rules.policy->chosen(sm, slot);
    slot_begins(sm, &packet);
    sm->rules.path->take(sm, &packet);
    struct flight *flight = take_off(sm, &packet);
    if (flight->unit == UNIT_LDST)
        ldst_enter(sm, flight, &packet);
    else
        unit_start(sm, flight);
    mark_long(sm, flight);
    slot_issues(sm, &packet);
    slice_of(sm, slot)->issues_from = sm->now + 1;
    sm->rules.path->completed(sm, &packet);
    buffer_moves(sm, slot, packet.pc);
    feed_of(sm, slot)->last_issue = sm->now;
    events_deliver(sm);
}

static void issue_port(struct sm *sm, u32 port)
{
    bool *ready = oracle_allocate(sm->machine->core_warps, sizeof *ready);
    const u32 slots = port_slots(sm, port);
    enum readiness best = NOT_VALID;
    for (u32 n = 0; n < slots; n++) {
        const u32 slot = port_slot(sm, port, n);
        const enum readiness readiness = readiness_of(sm, slot);
        ready[slot] = readiness == SELECTABLE;
        if (slot_looked_at(sm, slot) && readiness > best)
            best = readiness;
    }
    const u32 slot = sm->rules.policy->choose(sm, port, ready);
    free(ready);
    if ((slot == NO_WARP) != (best != SELECTABLE))
        abort(); /* a policy chooses whenever it can */
    if (slot == NO_WARP) {
        lose(sm, best);
        return;
    }
    warp_issues(sm, slot, false);
    if (is_sliced(sm))
        meeting_begins(sm, &slot, 1);
}

static bool has_issued(const struct sm *sm, u32 port)
{
    const struct scoreboard *own = sm->pipeline;
    return is_sliced(sm) && own->slices[port].issues_from > sm->now;
}

static void count_issue_cycle(struct sm *sm)
{
    const struct scoreboard *own = sm->pipeline;
    bool issued = false;
    for (u32 n = 0; n < slices(sm); n++)
        issued |= own->slices[n].issues_from > sm->now;
    count(sm, WS_COUNT_issue_cycles, issued);
}

void scoreboard_issue(struct sm *sm)
{
    const u32 first = sm->machine->core_issue_port_order == WS_port_order_rotate ? (u32)(sm->now % ports(sm)) : 0;
    meetings_end(sm);
    gangs_split(sm);
    gangs_issue(sm);
    for (u32 i = 0; i < ports(sm); i++)
        if (!has_issued(sm, (first + i) % ports(sm)))
            issue_port(sm, (first + i) % ports(sm));
    ldst_close(sm);
    count_issue_cycle(sm);
}
