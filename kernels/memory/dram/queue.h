/* Queues of requests, linked by bank_next; `at` of an empty one is WS_NEVER. First lane only. */
#ifndef WS_MEMORY_DRAM_QUEUE_H
#define WS_MEMORY_DRAM_QUEUE_H

#include "state/counts.h"

/* Appends a request that is due in a cycle. */
static inline void queue_push(PRIVATE const struct sm *sm, GLOBAL struct ws_queue *queue, u32 index, u32 at)
{
    GLOBAL struct ws_request *request = sm_request(sm, index);
    request->ready = at;
    request->bank_next = 0;
    if (queue->first == 0) {
        queue->first = (u16)index;
        queue->at = at;
    } else {
        sm_request(sm, queue->last)->bank_next = (u16)index;
    }
    queue->last = (u16)index;
}

static inline u32 queue_pop(PRIVATE const struct sm *sm, GLOBAL struct ws_queue *queue)
{
    const u32 index = queue->first, next = sm_request(sm, index)->bank_next;
    queue->first = (u16)next;
    queue->at = next != 0 ? sm_request(sm, next)->ready : WS_NEVER;
    return index;
}

static inline void queue_open(GLOBAL struct ws_queue *queue)
{
    queue->at = WS_NEVER;
}

/* Rebases times to the start of the next quantum. */
static inline void queue_rebase(PRIVATE const struct sm *sm, GLOBAL struct ws_queue *queue, u32 elapsed)
{
    if (queue->first != 0)
        queue->at -= ws_min(queue->at, elapsed);
    for (u32 index = queue->first; index != 0; index = sm_request(sm, index)->bank_next)
        sm_request(sm, index)->ready -= ws_min(sm_request(sm, index)->ready, elapsed);
}

#endif
