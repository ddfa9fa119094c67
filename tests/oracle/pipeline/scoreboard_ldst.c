/* The LD/ST unit: one access a cycle (step 2), and the results of loads. */
#include <stdlib.h>

#include "oracle/memory/levels.h"
#include "oracle/pipeline/scoreboard.h"

static enum l1_cache cache_of(const struct ws_instruction *ins)
{
    return ins->space == WS_SPACE_constant ? L1_CONSTANT : ins->space == WS_SPACE_texture ? L1_TEXTURE : L1_DATA;
}

static u32 line_bytes(const struct sm *sm, const struct ws_instruction *ins)
{
    return ins->space == WS_SPACE_constant  ? sm->machine->constant_line
           : ins->space == WS_SPACE_texture ? sm->machine->texture_line
                                            : sm->machine->l1_line / sm->machine->l1_sectors;
}

/* ---- Issue ---- */

/* With slices: this cycle's access that an instruction of the same kind joins, or NULL. */
static struct access *find_joined(const struct sm *sm, const struct ws_instruction *ins)
{
    const struct scoreboard *own = sm->pipeline;
    for (struct access *access = own->accesses; is_sliced(sm) && access; access = access->next)
        if (access->issued == sm->now && access->ins->space == ins->space && access->ins->class_ == ins->class_)
            return access;
    return NULL;
}

bool ldst_has_room(const struct sm *sm, const struct ws_instruction *ins)
{
    const struct scoreboard *own = sm->pipeline;
    u32 held = 0;
    bool another = false;
    for (const struct access *access = own->accesses; access; access = access->next) {
        held += access->held;
        another |= access->issued == sm->now;
    }
    if (find_joined(sm, ins))
        return true;
    if (is_sliced(sm) && sm->machine->vws_memory == WS_slice_memory_one_kind && another)
        return false;
    return held < sm->machine->unit_ldst_queue;
}

static struct access *open_access(struct sm *sm, const struct ws_instruction *ins)
{
    struct scoreboard *own = sm->pipeline;
    struct access **last = &own->accesses, *access = oracle_allocate(1, sizeof *access);
    *access = (struct access){.ticket = own->tickets + 1, .issued = sm->now, .ins = ins, .held = true};
    own->tickets += WS_LANES;
    while (*last)
        last = &(*last)->next;
    return *last = access;
}

void ldst_enter(struct sm *sm, struct flight *flight, const struct packet *packet)
{
    const u32 first = flight->slot % slices(sm) * sm->machine->core_warp_size;
    struct access *access = find_joined(sm, packet->ins);
    if (!access)
        access = open_access(sm, packet->ins);
    flight->access = access;
    flight->all_found = true;
    access->operands = access->operands > flight->operands ? access->operands : flight->operands;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (packet->thread[lane])
            flight->lane[first + lane] = true;
    if (packet->lanes > 0 && packet->ins->flags & WS_ADDRESSED) {
        access_addresses(sm, packet, first, &access->addresses);
        access_taken(packet);
    }
}

/* ---- Accesses of all packets that issue in a cycle ---- */

static bool executes(const struct flight *flight)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (flight->lane[lane])
            return true;
    return false;
}

static bool is_executed(const struct sm *sm, const struct access *access)
{
    const struct scoreboard *own = sm->pipeline;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->access == access && executes(flight))
            return true;
    return false;
}

static void find_lines(struct sm *sm, const struct ws_instruction *ins, const struct addresses *addresses, struct accessed *found)
{
    found->target = TO_CACHE;
    found->accesses = access_lines(sm, addresses, access_kind(ins), line_bytes(sm, ins), found->lines);
    if (ins->space != WS_SPACE_global)
        return;
    count(sm, WS_COUNT_global_accesses, 1);
    count(sm, WS_COUNT_global_lines, found->accesses);
}

void ldst_find(struct sm *sm, const struct ws_instruction *ins, bool executed, const struct addresses *addresses,
               struct accessed *found)
{
    found->target = TO_NOTHING;
    found->accesses = 1;
    if (!executed)
        return;
    if (ins->space == WS_SPACE_shared) {
        found->target = TO_SHARED;
        found->accesses = access_shared(sm, addresses);
    } else if (ins->space == WS_SPACE_local) {
        count(sm, WS_COUNT_private_accesses, 1);
    } else {
        find_lines(sm, ins, addresses, found);
    }
}

static bool touches_line(const struct access *access, const struct flight *flight, u32 n)
{
    const u32 granules = access->found.lines[n].bytes / WS_GRANULE_BYTES;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (flight->lane[lane] && access->addresses.address[lane] / granules * granules == access->found.lines[n].granule)
            return true;
    return false;
}

/* Whether the flight's results require the n-th access. */
static bool waits_for(const struct flight *flight, u32 n)
{
    const struct access *access = flight->access;
    if (flight->ins->class_ == WS_CLASS_store)
        return true;
    if (!executes(flight))
        return n == access->found.accesses - 1;
    return access->found.target == TO_CACHE ? touches_line(access, flight, n) : n == access->found.accesses - 1;
}

/* Whether it waits for the line of the n-th access, too: a member without threads does not (vws.whole). */
static bool waits_for_line(const struct flight *flight, u32 n)
{
    return flight->waits[n] && (executes(flight) || flight->ins->class_ == WS_CLASS_store);
}

void ldst_close(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    for (struct access *access = own->accesses; access; access = access->next)
        if (access->issued == sm->now)
            ldst_find(sm, access->ins, is_executed(sm, access), &access->addresses, &access->found);
    for (struct flight *flight = own->flights; flight; flight = flight->next)
        for (u32 n = 0; flight->access && flight->access->issued == sm->now && n < flight->access->found.accesses; n++) {
            flight->waits[n] = waits_for(flight, n);
            flight->left += flight->waits[n];
        }
}

/* ---- Accesses ---- */

enum outcome ldst_access(struct sm *sm, const struct ws_instruction *ins, const struct accessed *accessed, u32 n, u32 ticket)
{
    return accessed->target == TO_CACHE ? l1_access(sm, cache_of(ins), &accessed->lines[n], ticket) : FOUND;
}

u32 ldst_latency(const struct sm *sm, const struct ws_instruction *ins, enum target target)
{
    if (target == TO_SHARED)
        return sm->machine->memory_shared_latency;
    if (target == TO_CACHE && ins->space == WS_SPACE_constant)
        return sm->machine->constant_latency;
    if (target == TO_CACHE && ins->space == WS_SPACE_texture)
        return sm->machine->texture_latency;
    return sm->machine->l1_latency;
}

static void made_one(struct sm *sm, struct flight *flight, enum outcome outcome)
{
    const bool waits = outcome == WAITS && waits_for_line(flight, flight->access->made);
    flight->left--;
    flight->unanswered += waits;
    flight->all_found = flight->all_found && !waits;
    if (flight->left > 0)
        return;
    unmark_found(sm, flight);
    if (flight->unanswered == 0)
        flight->done = sm->now + ldst_latency(sm, flight->access->ins, flight->access->found.target);
}

/* The slot of the lowest slice that waits for the next access. */
static u32 misses_for(const struct sm *sm, const struct access *access)
{
    const struct scoreboard *own = sm->pipeline;
    u32 lowest = NO_WARP;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->access == access && waits_for_line(flight, access->made) &&
            (lowest == NO_WARP || port_of(sm, flight->slot) < port_of(sm, lowest)))
            lowest = flight->slot;
    return lowest;
}

/* False if the next access is refused. */
static bool make_access(struct sm *sm, struct access *access)
{
    const struct scoreboard *own = sm->pipeline;
    const struct used_misses misses = used_misses(sm);
    const enum outcome outcome = ldst_access(sm, access->ins, &access->found, access->made, access->ticket + access->made);
    if (outcome == REFUSED)
        return false;
    if (misses_for(sm, access) != NO_WARP)
        used_missed(sm, misses_for(sm, access), misses);
    count(sm, WS_COUNT_data_port_busy, 1);
    for (struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->access == access && flight->waits[access->made])
            made_one(sm, flight, outcome);
    access->made++;
    access->held = access->made < access->found.accesses;
    return true;
}

static bool is_behind_its_space(const struct sm *sm, const struct access *access)
{
    const struct scoreboard *own = sm->pipeline;
    for (const struct access *earlier = own->accesses; earlier != access; earlier = earlier->next)
        if (earlier->held && earlier->ins->space == access->ins->space)
            return true;
    return false;
}

void ldst_cycle(struct sm *sm)
{
    const struct scoreboard *own = sm->pipeline;
    const bool only_first = sm->machine->unit_ldst_order == WS_ldst_order_all;
    bool refused = false;
    for (struct access *access = own->accesses; access; access = access->next) {
        if (!access->held)
            continue;
        if (sm->now >= access->operands && !is_behind_its_space(sm, access)) {
            if (make_access(sm, access))
                return;
            refused = true;
        }
        if (only_first)
            break;
    }
    count(sm, WS_COUNT_ldst_refusals, refused);
}

/* ---- Answers ---- */

void ldst_answered(struct sm *sm, u32 ticket)
{
    struct scoreboard *own = sm->pipeline;
    const struct access *access = own->accesses;
    const u64 written = own->write_port_free > sm->now ? own->write_port_free : sm->now;
    while (ticket - access->ticket >= WS_LANES)
        access = access->next;
    for (struct flight *flight = own->flights; flight; flight = flight->next) {
        if (flight->access != access || !waits_for_line(flight, ticket - access->ticket))
            continue;
        if (--flight->unanswered > 0 || flight->left > 0 || !has_results(flight))
            continue;
        own->write_port_free = written + 1; /* all members of the access together */
        flight->done = written + sm->machine->unit_writeback;
    }
}

static bool is_flown(const struct sm *sm, const struct access *access)
{
    const struct scoreboard *own = sm->pipeline;
    const struct flight *flight = own->flights;
    while (flight && flight->access != access)
        flight = flight->next;
    return flight != NULL;
}

void ldst_forget(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    struct access **place = &own->accesses;
    while (*place) {
        struct access *access = *place;
        if (own->flights && (access->held || is_flown(sm, access))) {
            place = &access->next;
            continue;
        }
        *place = access->next;
        free(access);
    }
}
