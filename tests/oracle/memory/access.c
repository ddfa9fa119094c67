/* The access of a packet: its distinct lines or bank conflicts (section 5). */
#include "oracle/memory/memory.h"

static bool accesses(const struct ws_instruction *ins, u32 space)
{
    return (ins->class_ == WS_CLASS_load || ins->class_ == WS_CLASS_store || ins->class_ == WS_CLASS_atomic) && ins->space == space;
}

static enum request_kind kind_of(const struct ws_instruction *ins)
{
    return ins->class_ == WS_CLASS_load ? LOAD : ins->class_ == WS_CLASS_store ? STORE : ATOMIC;
}

static u32 next_access(const struct sm *sm, const struct thread *thread)
{
    return access_of(sm, thread, thread->accesses);
}

/* Requests for the distinct lines of the threads' next addresses, in order of their lowest lane. */
static u32 lines_of(const struct sm *sm, const struct packet *packet, struct request requests[WS_LANES])
{
    const u32 granules = sm->machine->l1_line / WS_GRANULE_BYTES;
    u32 found = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        if (!packet->thread[lane])
            continue;
        const u32 granule = next_access(sm, packet->thread[lane]) / granules * granules;
        u32 i = 0;
        while (i < found && requests[i].granule != granule)
            i++;
        if (i == found)
            requests[found++] = (struct request){.kind = kind_of(packet->ins), .granule = granule, .bytes = sm->machine->l1_line};
    }
    return found;
}

bool access_fits(const struct sm *sm, const struct packet *packet)
{
    struct request requests[WS_LANES];
    return !accesses(packet->ins, WS_SPACE_global) || sm->data.rules->fits(sm, &sm->data, requests, lines_of(sm, packet, requests));
}

static u32 access_global(struct sm *sm, struct packet *packet)
{
    struct request requests[WS_LANES];
    const u32 found = lines_of(sm, packet, requests);
    count(sm, WS_COUNT_global_accesses, 1);
    count(sm, WS_COUNT_global_lines, found);
    for (u32 i = 0; i < found; i++) {
        const u32 ticket = sm->data.rules->ask(sm, &sm->data, &requests[i]);
        if (ticket != NO_TICKET)
            packet->tickets[packet->ticket_count++] = ticket;
    }
    packet->missed = packet->ticket_count > 0;
    return found;
}

static u32 access_shared(struct sm *sm, const struct packet *packet)
{
    u32 most = 0;
    for (u32 bank = 0; bank < sm->machine->memory_shared_banks; bank++) {
        u32 words[WS_LANES], distinct = 0;
        for (u32 lane = 0; lane < WS_LANES; lane++) {
            if (!packet->thread[lane])
                continue;
            const u32 word = next_access(sm, packet->thread[lane]);
            u32 i = 0;
            while (i < distinct && words[i] != word)
                i++;
            if (word % sm->machine->memory_shared_banks == bank && i == distinct)
                words[distinct++] = word;
        }
        most = distinct > most ? distinct : most;
    }
    count(sm, WS_COUNT_shared_accesses, 1);
    count(sm, WS_COUNT_shared_conflicts, most - 1);
    return most;
}

u32 access_perform(struct sm *sm, struct packet *packet)
{
    const bool global = accesses(packet->ins, WS_SPACE_global);
    if (packet->lanes == 0)
        return 0;
    if (accesses(packet->ins, WS_SPACE_local))
        count(sm, WS_COUNT_private_accesses, 1);
    if (!global && !accesses(packet->ins, WS_SPACE_shared))
        return 0;
    const u32 port_cycles = global ? access_global(sm, packet) : access_shared(sm, packet);
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (packet->thread[lane])
            packet->thread[lane]->accesses++;
    return port_cycles;
}
