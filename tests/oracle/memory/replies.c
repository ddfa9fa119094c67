/* Answers use one reply port, in the order in which they used the data port of the L2 cache. */
#include <stdlib.h>

#include "oracle/memory/levels.h"

struct replies {
    struct messages under_way;
    u64 port_free;
};

void replies_start(struct sm *sm)
{
    sm->levels->replies = oracle_allocate(1, sizeof(struct replies));
}

void replies_finish(struct sm *sm)
{
    struct replies *const own = sm->levels->replies;
    messages_free(&own->under_way);
    free(own);
}

static u32 flits(const struct sm *sm, const struct request *request)
{
    if (request->kind == STORE)
        return 1;
    return 1 + (request->kind == ATOMIC ? sm->machine->l1_line : request->bytes) / WS_GRANULE_BYTES;
}

void replies_send(struct sm *sm, struct message *message, u64 ready)
{
    struct replies *const own = sm->levels->replies;
    const u64 leaves = ready > own->port_free ? ready : own->port_free;
    own->port_free = leaves + flits(sm, &message->request);
    message->arrives = own->port_free + sm->machine->memory_network;
    messages_append(&own->under_way, message);
}

void replies_cycle(struct sm *sm)
{
    struct replies *const own = sm->levels->replies;
    while (own->under_way.first && own->under_way.first->arrives <= sm->now) {
        struct message *const message = messages_take(&own->under_way);
        sm->levels->unanswered--;
        count(sm, WS_COUNT_network_flits, flits(sm, &message->request));
        if (message->request.kind == LOAD && message->ticket == NO_TICKET)
            l1_fill(sm, message->cache, message->request.granule);
        else if (message->ticket != NO_TICKET)
            sm->rules.pipeline->data_arrives(sm, message->ticket);
        free(message);
    }
}

u32 replies_under_way(const struct sm *sm)
{
    return messages_count(&((const struct replies *)sm->levels->replies)->under_way);
}
