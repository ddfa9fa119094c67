/* The LD/ST unit: one access a cycle (step 2), and the results of loads. */
#include "oracle/memory/levels.h"
#include "oracle/memory/memory.h"
#include "oracle/pipeline/scoreboard.h"

static enum first_cache cache_of(const struct ws_instruction *ins)
{
    return ins->space == WS_SPACE_constant ? FIRST_CONSTANT : ins->space == WS_SPACE_texture ? FIRST_TEXTURE : FIRST_DATA;
}

static u32 line_bytes(const struct sm *sm, const struct ws_instruction *ins)
{
    return ins->space == WS_SPACE_constant  ? sm->machine->constant_line
           : ins->space == WS_SPACE_texture ? sm->machine->texture_line
                                            : sm->machine->l1_line;
}

static void find_lines(struct sm *sm, struct flight *flight, const struct packet *packet)
{
    flight->target = TO_CACHE;
    flight->accesses = access_lines(sm, packet, line_bytes(sm, packet->ins), flight->lines);
    if (packet->ins->space != WS_SPACE_global)
        return;
    count(sm, WS_COUNT_global_accesses, 1);
    count(sm, WS_COUNT_global_lines, flight->accesses);
}

void ldst_enter(struct sm *sm, struct flight *flight, const struct packet *packet)
{
    flight->held = flight->all_found = true;
    flight->target = TO_NOTHING;
    flight->accesses = 1;
    if (packet->lanes == 0)
        return;
    switch (packet->ins->space) {
    case WS_SPACE_shared:
        flight->target = TO_SHARED;
        flight->accesses = access_shared(sm, packet);
        break;
    case WS_SPACE_local:
        count(sm, WS_COUNT_private_accesses, 1);
        break;
    default:
        find_lines(sm, flight, packet);
    }
    if (packet->ins->flags & WS_ADDRESSED)
        access_taken(packet);
}

static u32 latency_of(const struct sm *sm, const struct flight *flight)
{
    if (flight->target == TO_SHARED)
        return sm->machine->memory_shared_latency;
    if (flight->target == TO_CACHE && flight->ins->space == WS_SPACE_constant)
        return sm->machine->constant_latency;
    if (flight->target == TO_CACHE && flight->ins->space == WS_SPACE_texture)
        return sm->machine->texture_latency;
    return sm->machine->l1_latency;
}

static void leave(struct sm *sm, struct flight *flight)
{
    flight->held = false;
    unmark_found(sm, flight);
    if (flight->unanswered == 0)
        flight->done = sm->now + latency_of(sm, flight);
}

/* False when the next access is refused. */
static bool make_access(struct sm *sm, struct flight *flight)
{
    enum outcome outcome = FOUND;
    if (flight->target == TO_CACHE)
        outcome = first_access(sm, cache_of(flight->ins), &flight->lines[flight->made], flight->ticket);
    if (outcome == REFUSED)
        return false;
    count(sm, WS_COUNT_port_busy, 1);
    flight->made++;
    flight->unanswered += outcome == WAITS;
    flight->all_found = flight->all_found && outcome == FOUND;
    if (flight->made == flight->accesses)
        leave(sm, flight);
    return true;
}

static bool is_behind_its_space(const struct sm *sm, const struct flight *flight)
{
    const struct scoreboard *own = sm->pipeline;
    for (const struct flight *earlier = own->flights; earlier != flight; earlier = earlier->next)
        if (earlier->held && earlier->ins->space == flight->ins->space)
            return true;
    return false;
}

void ldst_cycle(struct sm *sm)
{
    const struct scoreboard *own = sm->pipeline;
    const bool only_first = sm->machine->unit_ldst_order == WS_ldst_order_all;
    bool refused = false;
    for (struct flight *flight = own->flights; flight; flight = flight->next) {
        if (!flight->held)
            continue;
        if (sm->now >= flight->operands && !is_behind_its_space(sm, flight)) {
            if (make_access(sm, flight))
                return;
            refused = true;
        }
        if (only_first)
            break;
    }
    count(sm, WS_COUNT_ldst_refusals, refused);
}

void ldst_answered(struct sm *sm, u32 ticket)
{
    struct scoreboard *own = sm->pipeline;
    struct flight *flight = own->flights;
    while (flight->ticket != ticket)
        flight = flight->next;
    if (--flight->unanswered > 0 || flight->held || !has_results(flight))
        return;
    const u64 written = own->write_port_free > sm->now ? own->write_port_free : sm->now;
    own->write_port_free = written + 1;
    flight->done = written + sm->machine->unit_writeback;
}
