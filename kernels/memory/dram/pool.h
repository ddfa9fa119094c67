/* The pool of requests in memory (docs/model/memory.md, dram.queue); the host enlarges it. First lane only, except queue_sent. */
#ifndef WS_MEMORY_DRAM_POOL_H
#define WS_MEMORY_DRAM_POOL_H

#include "memory/tickets.h"

/* WS_REQUEST_WRITE, WS_REQUEST_CODE, WS_REQUEST_DIRTY of a request. */
static inline u32 request_flags(PRIVATE const struct sm *sm, u32 index)
{
    return sm_request(sm, index)->bucket_next & ~(u32)WS_REQUEST_INDEX;
}

/* Takes a free request for a line; the caller has made sure that there is one. */
static inline u32 request_take(PRIVATE const struct sm *sm, u32 line, u32 flags)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    u32 index = memory->unused;
    memory->held += 1;
    if (index == 0)
        index = ++memory->fresh;
    else
        memory->unused = sm_request(sm, index)->bank_next;
    GLOBAL struct ws_request *request = sm_request(sm, index);
    request->line = line;
    request->bank_next = 0;
    request->bucket_next = (u16)flags;
    tickets_clear(request);
    return index;
}

/* Frees a request; it stays readable until the next is taken. */
static inline void request_free(PRIVATE const struct sm *sm, u32 index)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    sm_request(sm, index)->bank_next = (u16)memory->unused;
    memory->unused = index;
    memory->held -= 1;
}

/* Flag in values broadcast by the first lane: the next cycles could need more requests than there is room for. */
#define QUEUE_CROWDED 0x80000000u

static inline u32 queue_crowded(PRIVATE const struct sm *sm)
{
    const u32 room = sm->plan->requests;
    return sm_memory(sm)->held + WS_REQUESTS_A_CYCLE > room && room < MACHINE(sm, dram_queue) ? QUEUE_CROWDED : 0;
}

/* Requests have been sent; with the flag, the quantum ends after this cycle for the host to enlarge the pool. */
static inline void queue_sent(PRIVATE struct sm *sm, u32 marked)
{
    if (marked & QUEUE_CROWDED)
        sm->changed |= CHANGED_ROOM;
}

#endif
