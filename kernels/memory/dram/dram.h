/* Memory below the caches (docs/model/memory.md): fixed-latency banks and bus (fcfs.h), or DRAM with DDR timings (ddr.h), by
 * dram.timing. First lane only, except dram_goes_on. */
#ifndef WS_MEMORY_DRAM_DRAM_H
#define WS_MEMORY_DRAM_DRAM_H

#include "memory/dram/ddr.h"
#include "memory/dram/fcfs.h"
#include "memory/mshr.h"

static inline u32 dram_is_ddr(PRIVATE const struct sm *sm)
{
    return MACHINE(sm, dram_timing) == WS_dram_timing_ddr;
}

/* Called before the issue step sends requests, when memory has already simulated this cycle. */
static inline void dram_is_sent(PRIVATE const struct sm *sm)
{
    if (dram_is_ddr(sm))
        ddr_is_sent(sm);
}

/* Sends a request for a line; returns its index. The caller sets sm->fill_at to dram_next. */
static inline u32 dram_request(PRIVATE struct sm *sm, u32 line, u32 flags)
{
    const u32 index = request_take(sm, line, flags);
    if (dram_is_ddr(sm))
        timed_push(sm, index, sm->now);
    else
        fixed_send(sm, index, flags);
    return index;
}

/* Starts reading a line; data reads hold an MSHR. */
static inline u32 dram_read(PRIVATE struct sm *sm, u32 line, u32 flags)
{
    const u32 index = dram_request(sm, line, flags);
    mshr_hold(sm, index);
    return index;
}

/* A cycle before which no burst ends (fixed), or DRAM does nothing (ddr). */
static inline u32 dram_next(PRIVATE const struct sm *sm)
{
    return dram_is_ddr(sm) ? ddr_next(sm) : bus_next(sm);
}

/* Takes and frees a request that ends at sm->fill_at, which is now; it stays readable until the next is taken. 0 for none. */
static inline u32 dram_take(PRIVATE struct sm *sm)
{
    const u32 index = dram_is_ddr(sm) ? ddr_take(sm) : fixed_take(sm, sm->fill_at);
    if (index == 0)
        return 0;
    if (!(request_flags(sm, index) & WS_REQUEST_WRITE))
        mshr_free(sm, index);
    request_free(sm, index);
    return index;
}

/* No request is sent before a cycle: advances memory up to it while no warp waits for a result. */
static inline void dram_goes_on(PRIVATE struct sm *sm, u32 before)
{
    u32 fill_at = sm->fill_at;
    if (fill_at >= before)
        return;
    if (lane_first())
        fill_at = dram_is_ddr(sm) ? ddr_run(sm, before) : fixed_drain(sm, before);
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
}

/* Before the first quantum. */
static inline void dram_open(PRIVATE const struct sm *sm)
{
    fixed_open(sm);
    if (dram_is_ddr(sm))
        timed_open(sm);
}

/* Rebases times to the start of the next quantum. */
static inline void dram_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    if (dram_is_ddr(sm))
        ddr_rebase(sm, elapsed);
    else
        fixed_rebase(sm, elapsed);
}

#endif
