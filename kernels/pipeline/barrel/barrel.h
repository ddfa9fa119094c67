/* Pipeline `barrel`, with packets in flight as the path unit has them. */
#ifndef WS_PIPELINE_BARREL_BARREL_H
#define WS_PIPELINE_BARREL_BARREL_H

#include "pipeline/barrel/cycle.h"
#if defined(WS_FLIGHT_SEVERAL)
#include "pipeline/barrel/several.h"
#elif defined(WS_FLIGHT_POOL)
#include "pipeline/barrel/pooled.h"
#else
#include "pipeline/barrel/single.h"
#endif
#if defined(WS_RECORDS)
#include "pipeline/barrel/replayed.h"
#else
#include "pipeline/barrel/streams.h"
#endif

static inline void pipeline_open(PRIVATE struct sm *sm)
{
    dram_open(sm);
    flight_open(sm);
}

static inline u32 pipeline_wants_room(PRIVATE const struct sm *sm)
{
    return queue_crowded(sm) != 0;
}

static inline void pipeline_totals(PRIVATE struct sm *sm)
{
    LOCAL u32 *counters = sm->scratch->counters;
    if (dram_is_ddr(sm))
        return;
    const u32 requests = counters[WS_COUNT_dram_reads] + counters[WS_COUNT_dram_writes];
    const u32 of_code = counters[WS_COUNT_icache_misses] - counters[WS_COUNT_icache_merges];
    counters[WS_COUNT_row_conflicts] = requests - counters[WS_COUNT_row_hits];
    counters[WS_COUNT_dram_bytes] = (requests - of_code) * MACHINE(sm, l1_line) + of_code * MACHINE(sm, icache_line);
}

static inline void pipeline_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    dram_rebase(sm, elapsed);
    flight_rebase(sm, elapsed);
}

#endif
