/* An access that waits for a line leaves a ticket with the request and gets it back when the line arrives. Memory does not
 * interpret tickets; their storage depends on the path unit. tickets_set.h: a ticket is a slot; tickets_chain.h and
 * tickets_queue.h: a thread slot. First lane only. */
#ifndef WS_MEMORY_TICKETS_H
#define WS_MEMORY_TICKETS_H

#include "state/counts.h"

/* Stores the ticket for the n-th line of an access; ticket: that of its packet. */
static inline void ticket_of_line(PRIVATE struct sm *sm, u32 request, u32 ticket, u32 n);

/* Leaves a slot as the ticket of an instruction line. */
static inline void ticket_of_slot(PRIVATE struct sm *sm, u32 request, u32 slot)
{
    sm_request(sm, request)->tickets[slot / WS_LANES] |= ws_bit(slot % WS_LANES);
}

static inline void tickets_clear(GLOBAL struct ws_request *request)
{
    for (u32 n = 0; n < WS_SLOT_WORDS; ++n)
        request->tickets[n] = 0;
}

/* Tickets that wait for a request: a set of slots for instruction lines and tickets_set.h; else the first word of a chain or queue
 * (tickets_chain.h, tickets_queue.h). */
typedef slot_set waiters;

static inline waiters waiters_of(GLOBAL const struct ws_request *request)
{
    return slots_of_words(request->tickets, 1);
}

#endif
