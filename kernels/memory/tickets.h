/* Who waits for a line leaves a ticket with its request and gets it back when the line is there. What tickets mean is none of
 * memory's business; how it keeps them depends on what waits. tickets_set.h: a ticket is a slot; tickets_chain.h: a thread slot.
 * All of it runs in the first lane. */
#ifndef WS_MEMORY_TICKETS_H
#define WS_MEMORY_TICKETS_H

#include "state/counts.h"

/* The ticket of the n-th line of an access whose packet has the given one. */
static inline void ticket_of_line(PRIVATE struct sm *sm, u32 request, u32 ticket, u32 n);

/* A ticket that is a slot, of an instruction line. */
static inline void ticket_of_slot(PRIVATE struct sm *sm, u32 request, u32 slot)
{
    sm_request(sm, request)->tickets[slot / WS_LANES] |= ws_bit(slot % WS_LANES);
}

static inline void tickets_clear(GLOBAL struct ws_request *request)
{
    for (u32 n = 0; n < WS_SLOT_WORDS; ++n)
        request->tickets[n] = 0;
}

/* Who waits for the line of a request: a set of slots where it is one of instructions, or tickets are slots; else what
 * tickets_chain.h or tickets_queue.h makes of its first word. */
typedef slot_set waiters;

static inline waiters waiters_of(GLOBAL const struct ws_request *request)
{
    return slots_of_words(request->tickets, 1);
}

#endif
