/* The access of a packet: its distinct lines or bank conflicts (section 5; of the scoreboard pipeline section 10). */
#include "oracle/memory/memory.h"

bool accesses(const struct ws_instruction *ins, u32 space)
{
    return (ins->class_ == WS_CLASS_load || ins->class_ == WS_CLASS_store || ins->class_ == WS_CLASS_atomic) && ins->space == space;
}

enum request_kind access_kind(const struct ws_instruction *ins)
{
    return ins->class_ == WS_CLASS_load ? LOAD : ins->class_ == WS_CLASS_store ? STORE : ATOMIC;
}

static u32 next_access(const struct sm *sm, const struct thread *thread)
{
    return access_of(sm, thread, thread->accesses);
}

/* Constants and textures are recorded as words of 4 bytes. */
static u32 granule_of(const struct sm *sm, const struct packet *packet, u32 lane)
{
    const u32 address = next_access(sm, packet->thread[lane]), granule = address / (WS_GRANULE_BYTES / 4) % WS_REGION_GRANULES;
    switch (packet->ins->space) {
    case WS_SPACE_constant:
        return WS_CONSTANT_GRANULE + granule;
    case WS_SPACE_texture:
        return WS_TEXTURE_GRANULE + granule;
    default:
        return address;
    }
}

void access_addresses(const struct sm *sm, const struct packet *packet, u32 first, struct addresses *addresses)
{
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        if (!packet->thread[lane])
            continue;
        addresses->asks[first + lane] = true;
        addresses->address[first + lane] = granule_of(sm, packet, lane);
    }
}

static bool touched_before(const struct addresses *addresses, u32 lane)
{
    for (u32 lower = 0; lower < lane; lower++)
        if (addresses->asks[lower] && addresses->address[lower] == addresses->address[lane])
            return true;
    return false;
}

u32 access_lines(const struct addresses *addresses, enum request_kind kind, u32 bytes, struct request requests[WS_LANES])
{
    const u32 granules = bytes / WS_GRANULE_BYTES;
    u32 found = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        if (!addresses->asks[lane])
            continue;
        const u32 granule = addresses->address[lane] / granules * granules;
        u32 i = 0;
        while (i < found && requests[i].granule != granule)
            i++;
        if (i == found)
            requests[found++] = (struct request){.kind = kind, .granule = granule, .bytes = bytes};
        requests[i].sectors += !touched_before(addresses, lane);
    }
    return found;
}

static u32 data_lines(const struct sm *sm, const struct packet *packet, struct request requests[WS_LANES])
{
    struct addresses addresses = {0};
    access_addresses(sm, packet, 0, &addresses);
    return access_lines(&addresses, access_kind(packet->ins), sm->machine->l1_line, requests);
}

bool accesses_fit(const struct sm *sm, const struct packet *packets, u32 packet_count)
{
    struct request requests[WS_LANES];
    u32 found = 0;
    for (u32 i = 0; i < packet_count; i++)
        if (accesses(packets[i].ins, WS_SPACE_global))
            found += data_lines(sm, &packets[i], requests + found);
    return found == 0 || sm->data.rules->fits(sm, &sm->data, requests, found);
}

bool access_fits(const struct sm *sm, const struct packet *packet)
{
    return accesses_fit(sm, packet, 1);
}

bool access_reads_global(const struct sm *sm, const struct packet *packet)
{
    const bool reads = packet->ins->class_ != WS_CLASS_store || sm->machine->l1_store == WS_store_back;
    return accesses(packet->ins, WS_SPACE_global) && reads && packet->lanes > 0;
}

/* The lanes that access a line wait for it. */
static void wait_in_lanes(const struct sm *sm, struct packet *packet, const struct request *line, u32 ticket)
{
    const u32 granules = line->bytes / WS_GRANULE_BYTES;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (packet->thread[lane] && granule_of(sm, packet, lane) / granules * granules == line->granule)
            packet->lane_tickets[lane] = ticket;
}

static u32 access_global(struct sm *sm, struct packet *packet)
{
    struct request requests[WS_LANES];
    const u32 found = data_lines(sm, packet, requests);
    count(sm, WS_COUNT_global_accesses, 1);
    count(sm, WS_COUNT_global_lines, found);
    for (u32 i = 0; i < found; i++) {
        const u32 ticket = sm->data.rules->ask(sm, &sm->data, &requests[i]);
        wait_in_lanes(sm, packet, &requests[i], ticket);
        if (ticket != NO_TICKET)
            packet->tickets[packet->ticket_count++] = ticket;
    }
    packet->missed = packet->ticket_count > 0;
    return found;
}

u32 access_shared(struct sm *sm, const struct addresses *addresses)
{
    u32 most = 0;
    for (u32 bank = 0; bank < sm->machine->memory_shared_banks; bank++) {
        u32 words[WS_LANES], distinct = 0;
        for (u32 lane = 0; lane < WS_LANES; lane++) {
            if (!addresses->asks[lane])
                continue;
            const u32 word = addresses->address[lane];
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

void access_taken(const struct packet *packet)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (packet->thread[lane])
            packet->thread[lane]->accesses++;
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
    struct addresses addresses = {0};
    access_addresses(sm, packet, 0, &addresses);
    const u32 port_cycles = global ? access_global(sm, packet) : access_shared(sm, &addresses);
    access_taken(packet);
    return port_cycles;
}
