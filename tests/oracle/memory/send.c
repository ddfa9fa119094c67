/* Requests leave the SM through one queue and one port, in order. */
#include "oracle/memory/levels.h"

/* Requests that wait to leave. */
static u32 waiting(const struct sm *sm)
{
    u32 found = 0;
    for (const struct message *message = sm->levels->sent.first; message; message = message->next)
        found += message->leaves > sm->now;
    return found;
}

static u64 would_leave(const struct sm *sm)
{
    return sm->levels->port_free > sm->now ? sm->levels->port_free : sm->now;
}

bool send_fits(const struct sm *sm, u32 requests)
{
    u32 before = waiting(sm), held = sm->levels->unanswered;
    for (u32 i = 0; i < requests; i++) {
        if (before >= sm->machine->memory_miss_queue || held >= sm->machine->dram_queue)
            return false;
        before += would_leave(sm) > sm->now;
        held++;
    }
    return true;
}

void send_request(struct sm *sm, enum l1_cache cache, const struct request *request, u32 ticket)
{
    const bool is_far = request->granule * WS_GRANULE_BYTES / sm->machine->l1_line % 2;
    const u64 leaves = would_leave(sm), flits = request->kind == LOAD ? 1 : 1 + request->sectors;
    struct message *const message = oracle_allocate(1, sizeof *message);
    *message = (struct message){.request = *request,
                                .cache = cache,
                                .ticket = ticket,
                                .leaves = leaves,
                                .arrives = leaves + flits + sm->machine->memory_network + sm->machine->l2_latency +
                                           (is_far ? sm->machine->l2_far : 0)};
    messages_append(&sm->levels->sent, message);
    sm->levels->port_free = leaves + flits;
    sm->levels->unanswered++;
    count(sm, WS_COUNT_network_flits, flits);
}
