/* Tickets in order: a line has a queue of the threads that wait for it, one for each access. A request holds head and tail, plus
 * one each; line_next links it, plus one. */
#ifndef WS_MEMORY_TICKETS_QUEUE_H
#define WS_MEMORY_TICKETS_QUEUE_H

#include "memory/tickets.h"

#define QUEUE_FIRST(queue) ((queue)&0xFFFFu)
#define QUEUE_LAST(queue)  ((queue) >> 16)

/* The queue of waiting threads. */
static inline u32 queue_of(waiters waiting)
{
    return SLOT_WORD(waiting, 0);
}

/* ---- Defined by the owner of the tickets ---- */

/* The n-th line of the access with a ticket is missing. Returns the thread slot that waits for it. */
static inline u32 line_is_missing(PRIVATE struct sm *sm, u32 ticket, u32 n);

static inline void ticket_of_line(PRIVATE struct sm *sm, u32 request, u32 ticket, u32 n)
{
    GLOBAL u32 *queue = sm_request(sm, request)->tickets;
    const u32 number = line_is_missing(sm, ticket, n) + 1;
    if (*queue != 0)
        sm_line_next(sm)[QUEUE_LAST(*queue) - 1] = (u16)number;
    sm_line_next(sm)[number - 1] = 0;
    *queue = (*queue ? QUEUE_FIRST(*queue) : number) | number << 16;
}

#endif
