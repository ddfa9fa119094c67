/* The scoreboard pipeline: the steps of a cycle, instructions in flight, and awaits (pipelines.md). */
#include "oracle/pipeline/scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/invariants.h"
#include "oracle/memory/levels.h"

enum { CYCLES_A_LOOK = 64 }; /* at memory */

void scoreboard_start(struct sm *sm)
{
    struct scoreboard *own = oracle_allocate(1, sizeof *own);
    own->gang_issued_at = oracle_allocate(sm->machine->core_warps, sizeof *own->gang_issued_at);
    own->feeds = oracle_allocate(sm->machine->core_warps, sizeof *own->feeds);
    for (u32 n = 0; n < MOST_SLICES; n++) {
        own->units[n][UNIT_SP].count = sm->machine->unit_sp;
        own->units[n][UNIT_SFU].count = own->units[n][UNIT_TENSOR].count = 1;
    }
    sm->pipeline = own;
    levels_start(sm);
}

void scoreboard_finish(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    while (own->flights) {
        struct flight *next = own->flights->next;
        free(own->flights);
        own->flights = next;
    }
    ldst_forget(sm);
    free(own->gang_issued_at);
    free(own->feeds);
    free(own);
    levels_finish(sm);
}

u32 slices(const struct sm *sm)
{
    return is_sliced(sm) ? ports(sm) : 1;
}

struct slice *slice_of(const struct sm *sm, u32 slot)
{
    struct scoreboard *own = sm->pipeline;
    return &own->slices[slot % slices(sm)];
}

struct feed *feed_of(const struct sm *sm, u32 slot)
{
    struct scoreboard *own = sm->pipeline;
    return &own->feeds[slot];
}

/* ---- Instructions in flight ---- */

bool has_results(const struct flight *flight)
{
    return flight->ins->class_ != WS_CLASS_store && flight->ins->writes > 0;
}

bool is_waited_for(const struct flight *flight)
{
    return flight->left > 0 || flight->unanswered > 0 || (has_results(flight) && !flight->written);
}

static bool is_atomic(const struct sm *sm, const struct flight *flight)
{
    bool executes = false;
    if (flight->ins->class_ != WS_CLASS_atomic || flight->ins->space != WS_SPACE_global ||
        sm->machine->memory_ideal != WS_toggle_off)
        return false;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        executes |= flight->lane[lane];
    return executes;
}

bool atomic_in_flight(const struct sm *sm, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->slot == slot && is_atomic(sm, flight) && (flight->left > 0 || flight->unanswered > 0))
            return true;
    return false;
}

static bool writes(const struct flight *flight, u32 reg)
{
    for (u32 i = 0; has_results(flight) && i < flight->ins->writes; i++)
        if (flight->ins->dst[i] == reg)
            return true;
    return false;
}

static bool touches(const struct ws_instruction *ins, const struct flight *flight)
{
    for (u32 i = 0; i < ins->reads; i++)
        if (writes(flight, ins->src[i]))
            return true;
    for (u32 i = 0; i < ins->writes; i++)
        if (writes(flight, ins->dst[i]))
            return true;
    return false;
}

bool registers_wait(const struct sm *sm, u32 slot, const struct ws_instruction *ins)
{
    const struct scoreboard *own = sm->pipeline;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->slot == slot && !flight->written && touches(ins, flight))
            return true;
    return false;
}

/* Results available from this cycle on are written; completed flights are removed. */
static void write_results(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    struct flight **place = &own->flights;
    while (*place) {
        struct flight *flight = *place;
        if (!flight->written && flight->done <= sm->now) {
            flight->written = true;
            unmark_written(sm, flight);
        }
        if (is_waited_for(flight) || flight->start > sm->now) {
            place = &flight->next;
            continue;
        }
        *place = flight->next;
        free(flight);
    }
    ldst_forget(sm);
}

/* ---- Ends ---- */

static bool has_ended_for_good(const struct sm *sm, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    if (sm->warps[slot].state != WARP_ENDED)
        return false;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->slot == slot && is_waited_for(flight))
            return false;
    return true;
}

static void retire(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        if (!has_ended_for_good(sm, slot))
            continue;
        memset(&own->feeds[slot], 0, sizeof own->feeds[slot]);
        sm->rules.dispatch->warp_retired(sm, slot);
    }
}

/* ---- The cycle ---- */

static void rotate(struct sm *sm)
{
    if (sm->rules.policy->tick)
        sm->rules.policy->tick(sm);
    for (u32 port = 0; sm->rules.policy->rotate && port < ports(sm); port++)
        sm->rules.policy->rotate(sm, port);
}

void scoreboard_cycle(struct sm *sm)
{
    levels_cycle(sm);
    ldst_cycle(sm);
    write_results(sm);
    retire(sm);
    if (sm->blocks_done == sm->image->blocks) {
        sm->status = WS_STATUS_ok;
        return;
    }
    barriers_release(sm);
    events_deliver(sm);
    dispatch_step(sm);
    rotate(sm);
    scoreboard_issue(sm);
    gangs_reform(sm);
    scoreboard_fetch(sm);
}

void scoreboard_code_arrives(struct sm *sm, u32 ticket)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (feed_of(sm, slot)->waits_for == ticket)
            feed_of(sm, slot)->waits_for = NO_TICKET;
}

static bool reads_a_long_register(const struct sm *sm, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    if (own->feeds[slot].entries == 0)
        return false;
    const struct ws_instruction *ins = &sm->image->program[own->feeds[slot].pc[0]];
    for (u32 i = 0; i < ins->reads; i++)
        if (register_is_long(sm, slot, ins->src[i]))
            return true;
    return false;
}

bool scoreboard_awaits(const struct sm *sm, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    return sm->warps[slot].at_barrier || own->feeds[slot].waits_for != NO_TICKET || atomic_in_flight(sm, slot) ||
           reads_a_long_register(sm, slot);
}

u32 scoreboard_in_flight(const struct sm *sm)
{
    const struct scoreboard *own = sm->pipeline;
    u32 packets = 0;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        packets += is_waited_for(flight);
    return packets;
}

/* ---- Invariants ---- */

/* No two instructions in flight write one register. */
static void check_registers(const struct sm *sm)
{
    const struct scoreboard *own = sm->pipeline;
    for (const struct flight *one = own->flights; one; one = one->next)
        for (const struct flight *other = one->next; other; other = other->next)
            for (u32 i = 0; one->slot == other->slot && !one->written && !other->written && i < one->ins->writes; i++)
                if (has_results(one) && writes(other, one->ins->dst[i]))
                    invariants_violation(sm, NULL, "register %u of slot %u is written by two instructions", one->ins->dst[i],
                                         one->slot);
}

static void check_units(const struct sm *sm)
{
    const struct scoreboard *own = sm->pipeline;
    u32 held = 0, queued[MOST_SLICES][UNIT_LDST] = {{0}};
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->unit != UNIT_LDST)
            queued[unit_owner(sm, flight->slot)][flight->unit] += flight->start > sm->now;
        else if (flight->left + flight->unanswered > flight->access->found.accesses)
            invariants_violation(sm, NULL, "of %u accesses %u are not made, %u unanswered", flight->access->found.accesses,
                                 flight->left, flight->unanswered);
    for (const struct access *access = own->accesses; access; access = access->next)
        held += access->held;
    for (u32 n = 0; n < MOST_SLICES; n++)
        if (held > sm->machine->unit_ldst_queue || queued[n][UNIT_SP] > sm->machine->unit_sp_queue ||
            queued[n][UNIT_SFU] > sm->machine->unit_sfu_queue || queued[n][UNIT_TENSOR] > sm->machine->unit_tensor_queue)
            invariants_violation(sm, NULL, "the units hold %u, %u, %u and %u instructions", queued[n][UNIT_SP], queued[n][UNIT_SFU],
                                 queued[n][UNIT_TENSOR], held);
}

/* The buffers of a gang's members are equal. */
static void check_buffers(const struct sm *sm)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        const struct feed *one = feed_of(sm, slot), *other = feed_of(sm, gang_of(sm, slot));
        if (one->entries != other->entries || (one->entries > 0 && one->valid_from != other->valid_from))
            invariants_violation(sm, NULL, "slots %u and %u are a gang and hold %u and %u instructions", gang_of(sm, slot), slot,
                                 other->entries, one->entries);
    }
}

void scoreboard_check(struct sm *sm)
{
    check_registers(sm);
    check_units(sm);
    if (is_sliced(sm)) {
        gangs_check(sm);
        check_buffers(sm);
    }
    if (sm->now % CYCLES_A_LOOK == 0)
        levels_check(sm);
}

const struct oracle_pipeline oracle_pipeline_scoreboard = {SCOREBOARD_RULES};
