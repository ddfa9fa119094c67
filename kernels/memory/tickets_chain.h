/* Tickets are thread slots: a line's ticket is the thread that brought it, in rows of 32 from the packet's ticket on; scratch->work
 * has each lane's row. A request holds the head of a chain, plus one; ticket_next links it. */
#ifndef WS_MEMORY_TICKETS_CHAIN_H
#define WS_MEMORY_TICKETS_CHAIN_H

#include "memory/tickets.h"

static inline void ticket_of_line(PRIVATE struct sm *sm, u32 request, u32 ticket, u32 n)
{
    GLOBAL u32 *first = sm_request(sm, request)->tickets;
    const u32 lane = sm->scratch->leads[n];
    const u32 thread_slot = ticket + sm->scratch->work[lane] * WS_LANES + lane;
    sm_ticket_next(sm)[thread_slot] = (u16)*first;
    *first = thread_slot + 1;
}

/* The first waiting thread slot, or the one after another, plus one; 0: none. */
static inline u32 chain_first(waiters waiting)
{
    return SLOT_WORD(waiting, 0);
}

static inline u32 chain_next(PRIVATE const struct sm *sm, u32 number)
{
    return sm_ticket_next(sm)[number - 1];
}

#endif
