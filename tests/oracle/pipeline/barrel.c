/* The barrel pipeline: the steps of a cycle (order.md), packets in flight, and awaits (schedulers.md). */
#include "oracle/pipeline/barrel.h"

#include <stdlib.h>

#include "oracle/memory/memory.h"

static void start(struct sm *sm)
{
    struct barrel *own = oracle_allocate(1, sizeof *own);
    own->ready = oracle_allocate(sm->machine->core_warps, sizeof *own->ready);
    own->code_ticket = oracle_allocate(sm->machine->core_warps, sizeof *own->code_ticket);
    sm->pipeline = own;
    memory_start(sm);
}

static void finish(struct sm *sm)
{
    struct barrel *own = sm->pipeline;
    while (own->flights) {
        struct packet *next = own->flights->next;
        free(own->flights);
        own->flights = next;
    }
    free(own->ready);
    free(own->code_ticket);
    free(own);
    memory_finish(sm);
}

static void complete(struct sm *sm)
{
    struct barrel *own = sm->pipeline;
    struct packet **place = &own->flights;
    while (*place) {
        struct packet *packet = *place;
        if (packet->earliest > sm->now || packet->ticket_count > 0) {
            place = &packet->next;
            continue;
        }
        *place = packet->next;
        sm->rules.path->completed(sm, packet);
        free(packet);
    }
    if (sm->rules.path->advance)
        sm->rules.path->advance(sm);
}

static void cycle(struct sm *sm)
{
    memory_fill(sm);
    complete(sm);
    if (sm->status != WS_STATUS_running)
        return;
    if (sm->blocks_done == sm->image->blocks) {
        sm->status = WS_STATUS_ok;
        return;
    }
    barriers_release(sm);
    events_deliver(sm); /* for complete and release together */
    dispatch_step(sm);
    if (sm->rules.policy->tick)
        sm->rules.policy->tick(sm);
    if (sm->rules.policy->rotate)
        sm->rules.policy->rotate(sm, 0);
    barrel_issue(sm);
}

static void data_arrives(struct sm *sm, u32 ticket)
{
    const struct barrel *own = sm->pipeline;
    for (struct packet *packet = own->flights; packet; packet = packet->next)
        for (u32 i = packet->ticket_count; i-- > 0;)
            if (packet->tickets[i] == ticket)
                packet->tickets[i] = packet->tickets[--packet->ticket_count];
}

static void code_arrives(struct sm *sm, u32 ticket)
{
    struct barrel *own = sm->pipeline;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (own->code_ticket[slot] == ticket)
            own->code_ticket[slot] = NO_TICKET;
}

static bool waits_for_data(const struct sm *sm, u32 slot)
{
    const struct barrel *own = sm->pipeline;
    bool any = false;
    for (const struct packet *packet = own->flights; packet; packet = packet->next) {
        if (packet->slot != slot)
            continue;
        if (!packet->missed)
            return false;
        any = true;
    }
    return any && !barrel_selectable(sm, slot) && barrel_decode(sm, slot) == DECODE_FREE;
}

static bool awaits(const struct sm *sm, u32 slot)
{
    const struct barrel *own = sm->pipeline;
    return own->code_ticket[slot] != NO_TICKET || sm->warps[slot].at_barrier ||
           (sm->rules.path->waits && sm->rules.path->waits(sm, slot)) || waits_for_data(sm, slot);
}

static u32 in_flight(const struct sm *sm)
{
    const struct barrel *own = sm->pipeline;
    u32 packets = 0;
    for (const struct packet *packet = own->flights; packet; packet = packet->next)
        packets++;
    return packets;
}

const struct oracle_pipeline oracle_pipeline_barrel = {.start = start,
                                                       .finish = finish,
                                                       .cycle = cycle,
                                                       .data_arrives = data_arrives,
                                                       .code_arrives = code_arrives,
                                                       .awaits = awaits,
                                                       .in_flight = in_flight,
                                                       .reads = memory_reads};
