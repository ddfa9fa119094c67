/* Issue: each sub-core issues one packet, or its slot stalls (step 7). */
#include <stdlib.h>
#include <string.h>

#include "oracle/pipeline/issue_slot.h"
#include "oracle/pipeline/subcore/subcore.h"

enum { MOST_RAISED = 57 };

enum readiness { NOT_VALID, VALID, MISSES, READY, SELECTABLE };

static const struct ws_operands *operands_of(const struct sm *sm, u32 slot)
{
    return &sm->image->operands[warp_feed(sm, slot)->pc[0]];
}

static bool is_valid(const struct sm *sm, u32 slot)
{
    const struct warp *const warp = &sm->warps[slot];
    const struct feed *const feed = warp_feed(sm, slot);
    return warp->state == WARP_RUNS && !warp->at_barrier && feed->entries > 0 && sm->now >= feed->valid_from[0];
}

static bool is_full(const struct sm *sm, u32 slot, u32 barrier)
{
    return barrier < WS_SUB_COUNTERS && warp_feed(sm, slot)->counters[barrier] > MOST_RAISED;
}

static bool is_ready(const struct sm *sm, u32 slot)
{
    const u32 control = operands_of(sm, slot)->control;
    const struct warp *const warp = &sm->warps[slot];
    const u64 starts = life_of(sm, warp->block, warp->number)->entered + (u64)warp->number * sm->machine->subcore_warp_start;
    return sm->now >= starts && sm->now >= warp_feed(sm, slot)->released && sm->now >= warp_feed(sm, slot)->issues_from &&
           !counters_wait(sm, slot) && !is_full(sm, slot, WS_CONTROL_WRITES(control)) &&
           !is_full(sm, slot, WS_CONTROL_READS(control)) && !groups_are_full(sm, slot);
}

static bool is_free(const struct sm *sm, u32 slot, u32 unit)
{
    return core_of(sm, slot)->unit_free[unit] <= sm->now;
}

/* The unit whose input the instruction takes. */
static u32 unit_of(const struct sm *sm, u32 slot)
{
    const u32 unit = operands_of(sm, slot)->unit, class_ = sm->image->program[warp_feed(sm, slot)->pc[0]].class_;
    const bool has_second = sm->machine->subcore_fp32_second == WS_fp32_second_int && class_ == WS_CLASS_fp32;
    return unit == WS_SUB_FMA && has_second && is_free(sm, slot, WS_SUB_ALU) ? (u32)WS_SUB_ALU : unit;
}

static u32 reserved_results(const struct sm *sm, u32 core)
{
    u32 found = 0;
    for (const struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next)
        found += port_of(sm, flight->slot) == core && is_fixed(sm, flight->unit) && flight->operands->flags & WS_OPERANDS_RESULT &&
                 flight->write_at > sm->now;
    return found;
}

static bool finds_room(const struct sm *sm, u32 slot)
{
    const u32 core = port_of(sm, slot), unit = unit_of(sm, slot);
    const bool result = operands_of(sm, slot)->flags & WS_OPERANDS_RESULT;
    if (flight_in(sm, core, IN_CONTROL) || sm->now < core_of(sm, slot)->issues_from)
        return false;
    if (!is_fixed(sm, unit))
        return sm->machine->subcore_throttle == WS_toggle_off || next_has_room(sm, core, unit);
    return is_free(sm, slot, unit) && (!result || reserved_results(sm, core) < sm->machine->subcore_results);
}

static enum readiness readiness_of(const struct sm *sm, u32 slot)
{
    if (!is_valid(sm, slot))
        return NOT_VALID;
    if (!is_ready(sm, slot))
        return VALID;
    if (constant_misses(sm, slot))
        return MISSES;
    return finds_room(sm, slot) ? SELECTABLE : READY;
}

static struct flight *take_off(struct sm *sm, const struct packet *packet)
{
    struct subcores *const own = sm->pipeline;
    struct flight **last = &own->flights, *const flight = oracle_allocate(1, sizeof *flight);
    *flight = (struct flight){.slot = packet->slot,
                              .ticket = ++own->tickets,
                              .ins = packet->ins,
                              .operands = &sm->image->operands[packet->pc],
                              .unit = unit_of(sm, packet->slot),
                              .place = IN_CONTROL,
                              .entered = sm->now,
                              .left_control = NEVER,
                              .start = NEVER,
                              .read_at = NEVER,
                              .write_at = NEVER,
                              .group = warp_feed(sm, packet->slot)->commits};
    warp_feed(sm, packet->slot)->commits += is_commit(sm, flight->operands);
    while (*last)
        last = &(*last)->next;
    return *last = flight;
}

static u64 next_issue(const struct sm *sm, u32 control)
{
    const u32 stall = WS_CONTROL_STALL(control);
    if (!WS_CONTROL_YIELDS(control))
        return sm->now + (stall == 0 ? 1 : stall);
    return sm->now + (stall == 0 ? sm->machine->subcore_long_stall : stall == 1 ? 2 : stall);
}

/* The instruction takes its unit and holds back its warp and its port. */
static void occupy(struct sm *sm, struct flight *flight)
{
    struct subcore *const core = core_of(sm, flight->slot);
    if (is_fixed(sm, flight->unit))
        core->unit_free[flight->unit] = flight->until = sm->now + unit_occupation(sm, flight);
    if (flight->operands->flags & WS_OPERANDS_WIDE)
        core->issues_from = sm->now + 2;
    core->greedy = flight->slot;
    core->missed = false;
    warp_feed(sm, flight->slot)->issues_from = next_issue(sm, flight->operands->control);
}

static void issue(struct sm *sm, u32 slot)
{
    struct packet packet;
    slot_peek(sm, slot, &packet);
    if (sm->rules.policy->chosen)
        sm->rules.policy->chosen(sm, slot);
    slot_begins(sm, &packet);
    sm->rules.path->take(sm, &packet);
    struct flight *const flight = take_off(sm, &packet);
    if (flight->unit == WS_SUB_MEMORY)
        lsu_enter(sm, flight, &packet);
    occupy(sm, flight);
    constant_touched(sm, slot);
    slot_issues(sm, &packet);
    subcores_of(sm)->issued = true;
    sm->rules.path->completed(sm, &packet);
    feed_moves(sm, slot, packet.pc);
    events_deliver(sm);
}

static void lose(struct sm *sm, enum readiness best)
{
    slot_lost(sm, best == NOT_VALID ? ORACLE_IDLE : best <= MISSES ? ORACLE_SCOREBOARD : ORACLE_PIPELINE);
}

/* The best of the slots that the policy looks at; those that are ready and those that miss. */
static enum readiness look(struct sm *sm, u32 port, bool *ready, bool *misses)
{
    enum readiness best = NOT_VALID;
    for (u32 n = 0; n < port_slots(sm, port); n++) {
        const u32 slot = port_slot(sm, port, n);
        const enum readiness readiness = readiness_of(sm, slot);
        ready[slot] = readiness == SELECTABLE;
        misses[slot] = readiness == MISSES;
        if (slot_looked_at(sm, slot) && readiness > best)
            best = readiness;
    }
    constant_requested(sm, port, misses);
    if (!constant_holds(sm, port, misses))
        return best;
    memset(ready, 0, sm->machine->core_warps * sizeof *ready);
    return best == SELECTABLE ? READY : best;
}

static void issue_port(struct sm *sm, u32 port)
{
    bool *const ready = oracle_allocate(sm->machine->core_warps, sizeof *ready);
    bool *const misses = oracle_allocate(sm->machine->core_warps, sizeof *misses);
    const enum readiness best = look(sm, port, ready, misses);
    const u32 slot = sm->rules.policy->choose(sm, port, ready);
    free(ready);
    free(misses);
    if ((slot == NO_WARP) != (best != SELECTABLE))
        abort(); /* a policy chooses whenever it can */
    if (slot == NO_WARP)
        lose(sm, best);
    else
        issue(sm, slot);
}

void subcore_issue(struct sm *sm)
{
    const u32 first = sm->machine->core_issue_port_order == WS_port_order_rotate ? (u32)(sm->now % ports(sm)) : 0;
    subcores_of(sm)->issued = false;
    for (u32 i = 0; i < ports(sm); i++)
        issue_port(sm, (first + i) % ports(sm));
    count(sm, WS_COUNT_issue_cycles, subcores_of(sm)->issued);
}
