/* Tickets are slots: all lines of a packet have its warp's slot as ticket. */
#ifndef WS_MEMORY_TICKETS_SET_H
#define WS_MEMORY_TICKETS_SET_H

#include "memory/tickets.h"

static inline void ticket_of_line(PRIVATE struct sm *sm, u32 request, u32 ticket, u32 n)
{
    ticket_of_slot(sm, request, ticket);
}

#endif
