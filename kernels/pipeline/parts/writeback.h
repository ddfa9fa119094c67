/* Results are written as soon as they are computed (docs/model/pipelines.md): units never start later to get a write port. */
#ifndef WS_PIPELINE_PARTS_WRITEBACK_H
#define WS_PIPELINE_PARTS_WRITEBACK_H

#include "pipeline/parts/units.h"

static inline u32 results_written(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 number, u32 latency,
                                  PRIVATE u32 *start)
{
    return *start + latency;
}

static inline void results_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
}

#endif
