/* The access of a packet: its distinct lines or bank conflicts (memory.md; of the scoreboard pipeline pipelines.md). */
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

/* Constants and textures are recorded as words of 4 bytes, atomic accesses to global memory with their word. */
static u32 granule_of(const struct sm *sm, const struct packet *packet, u32 lane)
{
    const u32 address = next_access(sm, packet->thread[lane]), granule = address / (WS_GRANULE_BYTES / 4) % WS_REGION_GRANULES;
    switch (packet->ins->space) {
    case WS_SPACE_constant:
        return WS_CONSTANT_GRANULE + granule;
    case WS_SPACE_texture:
        return WS_TEXTURE_GRANULE + granule;
    case WS_SPACE_global:
        return packet->ins->class_ == WS_CLASS_atomic ? address % WS_ATOMIC_GRANULES : address;
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
        addresses->word[first + lane] = next_access(sm, packet->thread[lane]);
    }
    const u32 bytes = packet->ins->bytes > packet->widest ? packet->ins->bytes : packet->widest;
    addresses->bytes = bytes > addresses->bytes ? bytes : addresses->bytes;
    addresses->atomic |= packet->ins->class_ == WS_CLASS_atomic || packet->atomic;
}

/* The turn of a lane's access to global memory. */
static u32 turn_of(const struct sm *sm, const struct addresses *addresses, u32 lane)
{
    const u32 half = sm->machine->memory_atomics == WS_atomics_halves ? lane / 16 : 0;
    u32 turn = half * WS_LANES;
    if (!addresses->atomic || sm->machine->memory_atomics == WS_atomics_merged)
        return 0;
    for (u32 lower = half * 16; lower < lane; lower++)
        turn += addresses->asks[lower] && addresses->word[lower] == addresses->word[lane];
    return turn;
}

/* A lane of the turn below it accesses the same granule. */
static bool touched_before(const struct addresses *addresses, const u32 turns[WS_LANES], u32 lane)
{
    for (u32 lower = 0; lower < lane; lower++)
        if (addresses->asks[lower] && turns[lower] == turns[lane] && addresses->address[lower] == addresses->address[lane])
            return true;
    return false;
}

u32 access_lines(const struct sm *sm, const struct addresses *addresses, enum request_kind kind, u32 bytes,
                 struct request requests[WS_LANES])
{
    const u32 granules = bytes / WS_GRANULE_BYTES;
    u32 turns[WS_LANES] = {0}, last = 0, found = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (addresses->asks[lane]) {
            turns[lane] = turn_of(sm, addresses, lane);
            last = turns[lane] > last ? turns[lane] : last;
        }
    for (u32 turn = 0; turn <= last; turn++) {
        const u32 earlier = found;
        for (u32 lane = 0; lane < WS_LANES; lane++) {
            if (!addresses->asks[lane] || turns[lane] != turn)
                continue;
            const u32 granule = addresses->address[lane] / granules * granules;
            u32 i = earlier;
            while (i < found && requests[i].granule != granule)
                i++;
            if (i == found)
                requests[found++] = (struct request){.kind = kind, .granule = granule, .bytes = bytes};
            requests[i].sectors += !touched_before(addresses, turns, lane);
        }
    }
    return found;
}

static u32 data_lines(const struct sm *sm, const struct packet *packet, struct request requests[WS_LANES])
{
    struct addresses addresses = {0};
    access_addresses(sm, packet, 0, &addresses);
    return access_lines(sm, &addresses, access_kind(packet->ins), sm->machine->l1_line / sm->machine->l1_sectors, requests);
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

static bool waits_already(const struct packet *packet, u32 ticket)
{
    for (u32 i = 0; i < packet->ticket_count; i++)
        if (packet->tickets[i] == ticket)
            return true;
    return false;
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
        if (ticket != NO_TICKET && !waits_already(packet, ticket))
            packet->tickets[packet->ticket_count++] = ticket;
    }
    packet->missed = packet->ticket_count > 0;
    return found;
}

/* The most accesses of lanes first to end - 1 to one bank, each of this many words. */
static u32 most_in_a_bank(const struct sm *sm, const struct addresses *addresses, u32 first, u32 end, u32 words)
{
    const bool turns = addresses->atomic && sm->machine->memory_shared_atomics == WS_shared_atomics_serial;
    const u32 banks = sm->machine->memory_shared_banks;
    u32 most = 0;
    for (u32 bank = 0; bank < banks; bank++) {
        u32 accesses = 0;
        for (u32 lane = first; lane < end; lane++) {
            bool same = false;
            for (u32 lower = first; lower < lane && !turns; lower++)
                same |= addresses->asks[lower] && addresses->word[lower] == addresses->word[lane];
            for (u32 n = 0; n < words && addresses->asks[lane] && !same; n++)
                accesses += (addresses->word[lane] + n) % banks == bank;
        }
        most = accesses > most ? accesses : most;
    }
    return most;
}

/* Whether every lane of a range shares its word with the lane at a distance, if both access. */
static bool pairs_share(const struct addresses *addresses, u32 first, u32 end, u32 distance)
{
    for (u32 lane = first; lane < end; lane++)
        if (addresses->asks[lane] && addresses->asks[lane ^ distance] && addresses->word[lane] != addresses->word[lane ^ distance])
            return false;
    return true;
}

u32 access_shared(struct sm *sm, const struct addresses *addresses)
{
    const u32 wide = sm->machine->memory_shared_wide;
    const u32 words = wide == WS_shared_wide_word || addresses->bytes <= 4 ? 1 : addresses->bytes / 4, phase = WS_LANES / words;
    u32 passes = 0;
    for (u32 first = 0; first < WS_LANES;) {
        const bool pair =
            words > 1 && wide == WS_shared_wide_pairs && first % (2 * phase) == 0 &&
            (pairs_share(addresses, first, first + 2 * phase, 1) || pairs_share(addresses, first, first + 2 * phase, 2));
        const u32 end = first + (pair ? 2 : 1) * phase;
        passes += most_in_a_bank(sm, addresses, first, end, words);
        first = end;
    }
    count(sm, WS_COUNT_shared_accesses, 1);
    count(sm, WS_COUNT_shared_conflicts, passes - 1);
    return passes;
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
    return global && sm->machine->memory_data_port == WS_data_port_banks ? 1 : port_cycles;
}
