/* An active list and a pending queue for each port. */
#include <stdlib.h>

#include "oracle/schedule/round_robin.h"

struct lists {
    u32 *active, active_count;
    u32 *pending, pending_count; /* head first */
};

static struct lists *lists_of(const struct sm *sm, u32 port)
{
    return (struct lists *)sm->policy + port;
}

static void start(struct sm *sm)
{
    sm->policy = oracle_allocate(ports(sm), sizeof(struct lists));
    for (u32 port = 0; port < ports(sm); port++) {
        struct lists *const own = lists_of(sm, port);
        own->active = oracle_allocate(sm->machine->core_warps, sizeof *own->active);
        own->pending = oracle_allocate(sm->machine->core_warps, sizeof *own->pending);
        for (u32 n = 0; n < port_slots(sm, port); n++)
            if (n < sm->machine->schedule_active)
                own->active[own->active_count++] = port_slot(sm, port, n);
            else
                own->pending[own->pending_count++] = port_slot(sm, port, n);
    }
}

static void finish(struct sm *sm)
{
    for (u32 port = 0; port < ports(sm); port++) {
        free(lists_of(sm, port)->active);
        free(lists_of(sm, port)->pending);
    }
    free(sm->policy);
}

/* Takes the n-th slot out of a list. */
static u32 take(u32 *list, u32 *count, u32 n)
{
    const u32 slot = list[n];
    --*count;
    for (; n < *count; n++)
        list[n] = list[n + 1];
    return slot;
}

static void demote(const struct sm *sm, struct lists *own)
{
    for (u32 n = 0; n < own->active_count;)
        if (goes_on(sm, own->active[n]))
            n++;
        else
            own->pending[own->pending_count++] = take(own->active, &own->active_count, n);
}

/* Queue index of the next slot to become active; the queue's length if none. */
static u32 next_pending(const struct sm *sm, const struct lists *own)
{
    u32 n = 0;
    if (sm->machine->schedule_promotion == WS_promotion_going)
        while (n < own->pending_count && !goes_on(sm, own->pending[n]))
            n++;
    return n;
}

static void rotate(struct sm *sm, u32 port)
{
    struct lists *const own = lists_of(sm, port);
    demote(sm, own);
    while (own->active_count < sm->machine->schedule_active) {
        const u32 n = next_pending(sm, own);
        if (n == own->pending_count)
            return;
        own->active[own->active_count++] = take(own->pending, &own->pending_count, n);
    }
}

static u32 choose(const struct sm *sm, u32 port, const bool *ready)
{
    const struct lists *const own = lists_of(sm, port);
    for (u32 n = 0; n < own->active_count; n++)
        if (ready[own->active[n]])
            return own->active[n];
    return NO_WARP;
}

static u32 active_place(const struct lists *own, u32 slot)
{
    u32 n = 0;
    while (n < own->active_count && own->active[n] != slot)
        n++;
    return n;
}

static void issued(struct sm *sm, const struct packet *packet)
{
    struct lists *const own = lists_of(sm, port_of(sm, packet->slot));
    const u32 n = active_place(own, packet->slot);
    if (n == own->active_count)
        abort(); /* only active warps issue */
    take(own->active, &own->active_count, n);
    own->active[own->active_count++] = packet->slot;
}

static bool looks_at(const struct sm *sm, u32 slot)
{
    const struct lists *const own = lists_of(sm, port_of(sm, slot));
    return active_place(own, slot) < own->active_count;
}

const struct oracle_policy oracle_policy_two_level_active = {
    .start = start, .finish = finish, .choose = choose, .issued = issued, .rotate = rotate, .looks_at = looks_at};
