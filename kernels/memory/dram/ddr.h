/* DRAM with DDR timings directly below the caches, dram.timing ddr (docs/model/memory.md). At the end of each SM cycle it advances
 * to the next one, whose issue step sees its room; the SM handles only arriving lines. First lane only. */
#ifndef WS_MEMORY_DRAM_DDR_H
#define WS_MEMORY_DRAM_DDR_H

#include "memory/dram/pool.h"
#include "memory/dram/timed.h"

static inline u32 timed_is_write(PRIVATE const struct sm *sm, u32 index)
{
    return request_flags(sm, index) & WS_REQUEST_WRITE;
}

static inline u32 timed_is_code(PRIVATE const struct sm *sm, u32 index)
{
    return request_flags(sm, index) & WS_REQUEST_CODE;
}

static inline u32 timed_length(PRIVATE const struct sm *sm, u32 index)
{
    return 1;
}

static inline void timed_written(PRIVATE const struct sm *sm, u32 index)
{
    request_free(sm, index);
}

/* Next cycle in which it acts or a line arrives. */
static inline u32 ddr_next(PRIVATE const struct sm *sm)
{
    return ws_min(timed_next(sm, sm_memory(sm)->cycle), sm_timed(sm)->back.at);
}

/* The issue step of this cycle sends requests: the next cycle must be simulated. */
static inline void ddr_is_sent(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    memory->cycle = ws_max(memory->cycle, sm->now + 1);
}

/* Simulates a cycle in which no line arrives, or all lines have been taken. */
static inline void ddr_cycle(PRIVATE struct sm *sm, u32 at)
{
    timed_cycle(sm, at);
    sm_memory(sm)->cycle = at + 1;
}

/* Takes the request of a line that arrives in this cycle; 0 after the last, when the cycle is complete. */
static inline u32 ddr_take(PRIVATE struct sm *sm)
{
    if (sm_timed(sm)->back.at <= sm->now)
        return queue_pop(sm, &sm_timed(sm)->back);
    if (sm_memory(sm)->cycle <= sm->now)
        ddr_cycle(sm, sm->now);
    return 0;
}

/* Simulates cycles before a given one, up to the next line or the cycle with the room that a warp waits for. Returns the next cycle
 * to simulate. */
static inline u32 ddr_run(PRIVATE struct sm *sm, u32 before)
{
    for (u32 next = ddr_next(sm); next < before; next = ddr_next(sm)) {
        if (sm_timed(sm)->back.at == next)
            return next;
        ddr_cycle(sm, next);
        if (MACHINE(sm, dram_queue) - sm_memory(sm)->held >= sm->wanted)
            return next;
    }
    return ddr_next(sm);
}

/* Rebases times to the start of the next quantum. */
static inline void ddr_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    memory->cycle -= ws_min(memory->cycle, elapsed);
    timed_rebase(sm, elapsed);
}

#endif
