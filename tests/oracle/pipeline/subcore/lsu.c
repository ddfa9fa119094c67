/* The LD/ST unit that the sub-cores share (step 3). */
#include "oracle/pipeline/subcore/subcore.h"

u32 access_words(const struct ws_instruction *ins)
{
    return ins->bytes <= 4 ? 1 : ins->bytes / 4;
}

bool has_uniform_address(const struct flight *flight)
{
    return flight->operands->flags & WS_OPERANDS_UNIFORM;
}

static bool is_exchange(const struct flight *flight)
{
    return flight->ins->space == WS_SPACE_none;
}

u64 address_cycles(const struct sm *sm, const struct flight *flight)
{
    const u32 whole = sm->machine->subcore_address;
    return has_uniform_address(flight) || flight->ins->space == WS_SPACE_shared || is_exchange(flight) ? (whole + 1) / 2 : whole;
}

void lsu_enter(struct sm *sm, struct flight *flight, const struct packet *packet)
{
    struct addresses addresses = {0};
    bool executed = false;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        executed |= packet->thread[lane] != NULL;
    if (packet->lanes > 0 && packet->ins->flags & WS_ADDRESSED) {
        access_addresses(sm, packet, 0, &addresses);
        access_taken(packet);
    }
    ldst_find(sm, packet->ins, executed && !is_exchange(flight), &addresses, &flight->accessed);
    for (u32 n = 0; flight->accessed.target == TO_CACHE && n < flight->accessed.accesses; n++)
        flight->accessed.lines[n].bypasses = packet->ins->flags & WS_BYPASS;
}

/* ---- Acceptance ---- */

static bool can_leave(const struct sm *sm, const struct flight *flight)
{
    return flight && flight->start != NEVER && sm->now >= flight->start + address_cycles(sm, flight) + sm->machine->subcore_path;
}

static bool accepts(const struct sm *sm)
{
    u32 pending = 0;
    for (const struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next) {
        if (flight->place == IN_LSU)
            return false;
        pending += flight->place == GONE && flight->unanswered > 0;
    }
    return sm->now >= subcores_of(sm)->accepts_from && pending < sm->machine->subcore_pending;
}

static void accept(struct sm *sm)
{
    struct subcores *const own = sm->pipeline;
    if (!accepts(sm))
        return;
    for (u32 n = 0; n < ports(sm); n++) {
        const u32 core = (own->next_accept + n) % ports(sm);
        struct flight *const flight = flight_in(sm, core, IN_QUEUE);
        if (!can_leave(sm, flight))
            continue;
        flight->place = IN_LSU;
        flight->accepted = sm->now;
        own->accepts_from = sm->now + sm->machine->subcore_accept;
        own->next_accept = core + 1;
        return;
    }
}

/* ---- Accesses ---- */

static u64 later(u64 one, u64 other)
{
    return one > other ? one : other;
}

/* The write event of an instruction that has made its last access and is answered. */
static void complete(struct sm *sm, struct flight *flight)
{
    const u32 latency =
        is_exchange(flight) ? sm->machine->memory_shared_latency : ldst_latency(sm, flight->ins, flight->accessed.target);
    const u32 words = access_words(flight->ins);
    const u32 regular = has_uniform_address(flight) ? 0 : 1;
    if (flight->ins->class_ == WS_CLASS_store)
        flight->write_at = sm->now;
    else if (flight->missed)
        flight->write_at = sm->now + sm->machine->unit_writeback + 2 * (words - 1);
    else if (flight->accessed.target == TO_SHARED)
        flight->write_at = later(sm->now, sm->now + latency + regular - (words > 1 ? 1 : 0));
    else
        flight->write_at = later(sm->now, flight->accepted + 2 * (words - 1)) + latency + regular;
}

/* Returns whether the access is made. */
static bool access_next(struct sm *sm, struct flight *flight)
{
    const struct used_misses misses = used_misses(sm);
    const enum outcome outcome = ldst_access(sm, flight->ins, &flight->accessed, flight->made, flight->ticket);
    if (outcome == REFUSED)
        return false;
    used_missed(sm, flight->slot, misses);
    count(sm, WS_COUNT_data_port_busy, 1);
    flight->made++;
    flight->unanswered += outcome == WAITS;
    flight->missed |= outcome == WAITS;
    return true;
}

void lsu_cycle(struct sm *sm)
{
    struct flight *flight;
    accept(sm);
    for (flight = subcores_of(sm)->flights; flight && flight->place != IN_LSU; flight = flight->next)
        ;
    if (!flight)
        return;
    const u32 most = flight->accessed.target == TO_CACHE ? sm->machine->subcore_lookups : 1;
    u32 made = 0;
    while (made < most && flight->made < flight->accessed.accesses && access_next(sm, flight))
        made++;
    count(sm, WS_COUNT_ldst_refusals, made == 0);
    if (flight->made < flight->accessed.accesses)
        return;
    flight->place = GONE;
    if (flight->unanswered == 0)
        complete(sm, flight);
}

void lsu_answered(struct sm *sm, u32 ticket)
{
    struct flight *flight = subcores_of(sm)->flights;
    while (flight->ticket != ticket)
        flight = flight->next;
    if (--flight->unanswered == 0 && flight->made == flight->accessed.accesses)
        complete(sm, flight);
}
