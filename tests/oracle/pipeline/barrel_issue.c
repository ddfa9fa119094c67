/* Step 6 of the barrel's cycle: select, fetch, issue, and the class of a stall slot (order.md, memory.md). */
#include <stdlib.h>

#include "oracle/memory/memory.h"
#include "oracle/pipeline/barrel.h"
#include "oracle/pipeline/issue_slot.h"

bool barrel_selectable(const struct sm *sm, u32 slot)
{
    const struct barrel *own = sm->pipeline;
    const struct warp *warp = &sm->warps[slot];
    return warp->state == WARP_RUNS && sm->now >= warp->enters && own->code_ticket[slot] == NO_TICKET && !warp->at_barrier &&
           sm->rules.path->ready(sm, slot);
}

enum decode barrel_decode(const struct sm *sm, u32 slot)
{
    const bool can_hold = sm->rules.path->decode && sm->warps[slot].state == WARP_RUNS;
    return can_hold ? sm->rules.path->decode(sm, slot) : DECODE_FREE;
}

static void lose_for_room(struct sm *sm)
{
    count(sm, WS_COUNT_dram_queue_full, 1);
    slot_lost(sm, ORACLE_PIPELINE);
}

/* If nothing is selectable: whether a warp has an instruction in the pipeline. */
static void lose_waiting(struct sm *sm)
{
    const struct barrel *own = sm->pipeline;
    bool any = false;
    for (const struct packet *packet = own->flights; packet; packet = packet->next)
        any |= slot_looked_at(sm, packet->slot);
    slot_lost(sm, any ? ORACLE_SCOREBOARD : ORACLE_IDLE);
}

/* The large warp that holds decode, and its state. */
static u32 find_holder(const struct sm *sm, enum decode *decode)
{
    *decode = DECODE_FREE;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        *decode = barrel_decode(sm, slot);
        if (*decode != DECODE_FREE)
            return slot;
    }
    return NO_WARP;
}

/* Lanes or port block select. */
static void lose_to_port(struct sm *sm, enum decode decode, bool any_ready)
{
    if (decode == DECODE_PACKS)
        slot_lost(sm, ORACLE_PIPELINE);
    else if (decode == DECODE_KEPT)
        slot_lost(sm, ORACLE_SCOREBOARD);
    else if (any_ready)
        slot_lost(sm, ORACLE_PIPELINE);
    else
        lose_waiting(sm);
}

/* Fetches the selected packet's instruction and tells the scheduler which slot was selected. */
static void select_slot(struct sm *sm, const struct packet *packet)
{
    code_fetch(sm, packet->pc);
    if (sm->rules.policy->chosen)
        sm->rules.policy->chosen(sm, packet->slot);
}

static void issue(struct sm *sm, struct packet *packet)
{
    struct barrel *own = sm->pipeline;
    const struct used_misses misses = used_misses(sm);
    const struct passage passage = {.port = access_perform(sm, packet), .reads = access_reads_global(sm, packet)};
    used_missed(sm, packet->slot, misses);
    packet->earliest = lanes_enter(sm, &own->lanes, &passage);
    slot_issues(sm, packet);
    struct packet *flight = oracle_allocate(1, sizeof *flight);
    *flight = *packet;
    flight->next = own->flights;
    own->flights = flight;
}

/* The warp that holds decode continues without being selected. */
static void go_on(struct sm *sm, u32 holder)
{
    struct packet packet;
    slot_peek(sm, holder, &packet);
    if (!access_fits(sm, &packet)) {
        lose_for_room(sm);
        return;
    }
    sm->rules.path->take(sm, &packet);
    issue(sm, &packet);
}

static void begin_or_resume(struct sm *sm, u32 slot)
{
    struct packet packet;
    slot_peek(sm, slot, &packet);
    if (!access_fits(sm, &packet)) {
        lose_for_room(sm);
        return;
    }
    select_slot(sm, &packet);
    if (packet.begins)
        slot_begins(sm, &packet);
    else
        count(sm, WS_COUNT_resumes, 1);
    sm->rules.path->take(sm, &packet);
    if (packet.empty) {
        count(sm, WS_COUNT_empty_packs, 1);
        slot_lost(sm, ORACLE_SCOREBOARD);
    } else {
        issue(sm, &packet);
    }
}

static void miss_code(struct sm *sm, u32 slot)
{
    struct barrel *own = sm->pipeline;
    const u32 pc = sm->warps[slot].path.pc;
    if (!code_fits(sm, pc)) {
        lose_for_room(sm);
        return;
    }
    own->code_ticket[slot] = code_fetch(sm, pc);
    if (sm->rules.policy->chosen)
        sm->rules.policy->chosen(sm, slot);
    slot_lost(sm, ORACLE_IDLE);
}

static void select_another(struct sm *sm, const bool *ready)
{
    const u32 slot = sm->rules.policy->choose(sm, 0, ready);
    if (slot == NO_WARP)
        lose_waiting(sm);
    else if (sm->warps[slot].path.pc >= sm->image->instructions)
        sm->status = WS_STATUS_bad_trace;
    else if (code_present(sm, sm->warps[slot].path.pc))
        begin_or_resume(sm, slot);
    else
        miss_code(sm, slot);
}

void barrel_issue(struct sm *sm)
{
    struct barrel *own = sm->pipeline;
    enum decode decode;
    const u32 holder = find_holder(sm, &decode);
    const bool blocked = lanes_block(sm, &own->lanes);
    if (!blocked && decode == DECODE_STEPS_ASIDE)
        sm->rules.path->step_aside(sm, holder);
    bool any_ready = false;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        own->ready[slot] = barrel_selectable(sm, slot);
        any_ready |= own->ready[slot] && slot_looked_at(sm, slot);
    }
    if (blocked)
        lose_to_port(sm, decode, any_ready);
    else if (decode == DECODE_PACKS)
        go_on(sm, holder);
    else if (decode == DECODE_KEPT)
        slot_lost(sm, ORACLE_SCOREBOARD);
    else
        select_another(sm, own->ready);
}
