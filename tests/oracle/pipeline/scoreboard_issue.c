/* Issue: each port issues one packet or loses its slot (step 7). */
#include <stdlib.h>

#include "oracle/pipeline/issue_slot.h"
#include "oracle/pipeline/scoreboard.h"

/* How far a warp has come, for the class of a lost slot. */
enum readiness { NOT_VALID, VALID, READY, SELECTABLE };

static bool is_valid(const struct sm *sm, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    const struct warp *warp = &sm->warps[slot];
    const struct feed *feed = &own->feeds[slot];
    return warp->state == WARP_RUNS && !warp->at_barrier && !atomic_in_flight(sm, slot) && feed->entries > 0 &&
           sm->now >= feed->valid_from;
}

static enum readiness readiness_of(const struct sm *sm, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    if (!is_valid(sm, slot))
        return NOT_VALID;
    const struct ws_instruction *ins = &sm->image->program[own->feeds[slot].pc[0]];
    if (registers_wait(sm, slot, ins))
        return VALID;
    return unit_has_room(sm, unit_of(sm, ins)) ? SELECTABLE : READY;
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
    *flight = (struct flight){.ticket = ++own->tickets,
                              .slot = packet->slot,
                              .ins = packet->ins,
                              .unit = unit_of(sm, packet->ins),
                              .operands = sm->now + m->unit_collect + (u64)packet->ins->reads * m->unit_operand,
                              .done = NEVER};
    while (*last)
        last = &(*last)->next;
    return *last = flight;
}

static void issue(struct sm *sm, u32 slot)
{
    struct packet packet;
    slot_peek(sm, slot, &packet);
    if (sm->rules.policy->chosen)
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
    sm->rules.path->completed(sm, &packet);
    buffer_moves(sm, slot, packet.pc);
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
    if (slot == NO_WARP)
        lose(sm, best);
    else
        issue(sm, slot);
}

void scoreboard_issue(struct sm *sm)
{
    const u32 ports = sm->machine->core_ports;
    const u32 first = sm->machine->core_port_order == WS_port_order_rotate ? (u32)(sm->now % ports) : 0;
    for (u32 i = 0; i < ports; i++)
        issue_port(sm, (first + i) % ports);
}
