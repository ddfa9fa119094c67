/* Reads in flight by line; data reads hold an MSHR (docs/model/memory.md). First lane only. */
#ifndef WS_MEMORY_MSHR_H
#define WS_MEMORY_MSHR_H

#include "memory/dram/pool.h"

/* Hash chain of the reads in flight for a line. */
static inline GLOBAL u16 *request_bucket(PRIVATE const struct sm *sm, u32 line)
{
    return sm_buckets(sm) + (line >> PLAN(sm, line_shift)) * 0x9E3779B1u / (0xFFFFFFFFu / WS_BUCKETS + 1);
}

/* The read in flight for a line, or 0. */
static inline u32 request_find(PRIVATE const struct sm *sm, u32 line)
{
    u32 index = *request_bucket(sm, line);
    while (index != 0 && sm_request(sm, index)->line != line)
        index = sm_request(sm, index)->bucket_next & WS_REQUEST_INDEX;
    return index;
}

/* A read has been sent. */
static inline void mshr_hold(PRIVATE struct sm *sm, u32 index)
{
    GLOBAL struct ws_request *request = sm_request(sm, index);
    GLOBAL u16 *bucket = request_bucket(sm, request->line);
    request->bucket_next |= *bucket;
    *bucket = (u16)index;
    if (!(request_flags(sm, index) & WS_REQUEST_CODE)) {
        sm_memory(sm)->mshrs += 1;
        count_most(sm, WS_COUNT_mshrs_most, sm_memory(sm)->mshrs);
    }
}

/* A read has completed. */
static inline void mshr_free(PRIVATE struct sm *sm, u32 index)
{
    GLOBAL const struct ws_request *request = sm_request(sm, index);
    GLOBAL u16 *link = request_bucket(sm, request->line);
    while ((*link & WS_REQUEST_INDEX) != index)
        link = &sm_request(sm, *link & WS_REQUEST_INDEX)->bucket_next;
    *link = (u16)((*link & ~(u32)WS_REQUEST_INDEX) | (request->bucket_next & WS_REQUEST_INDEX));
    sm_memory(sm)->mshrs -= request_flags(sm, index) & WS_REQUEST_CODE ? 0 : 1;
}

#endif
