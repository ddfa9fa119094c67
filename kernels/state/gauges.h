/* Values at an instant (shared/results/gauges.def), from the state of a job between two quanta. Host only.
 *   KEPT(name)         a uniform field
 *   KEPT_COUNT(name)   the number of slots in a set
 *   MSHRS              lines of data in flight to L1 */
#ifndef WS_STATE_GAUGES_H
#define WS_STATE_GAUGES_H

#include "shared/results/gauges.h"
#include "state/keep.h"

/* The uniform fields, as keep_store_uniform lays them out. */
struct gauges_kept {
#define UNIFORM(name, start)      u32 name;
#define UNIFORM_SET(name)         u32 name[WS_SLOT_WORDS];
#define UNIFORM_SETS(name, count) u32 name[(count)*WS_SLOT_WORDS];
#define PORT(name, start)         u32 name[WS_PORTS];
#include "shared/state/rows.def"
};

static inline u32 gauges_count(const u32 *words)
{
    u32 slots = 0;
    for (u32 n = 0; n < WS_SLOT_WORDS; ++n)
        slots += ws_popcount(words[n]);
    return slots;
}

#define KEPT(name)       kept->name
#define KEPT_COUNT(name) gauges_count(kept->name)
#define MSHRS            gauges_mshrs(job, state)

static inline u32 gauges_mshrs(const struct ws_job *job, const u32 *state)
{
    if (ws_pipeline_facts(job->machine.core_pipeline).levels)
        return ((const struct ws_levels *)(state + job->plan.at_levels))->in_flight[WS_CACHE_DATA];
    return ((const struct ws_memory *)(state + job->plan.at_memory))->mshrs;
}

/* gauges: WS_GAUGES values. */
static inline void gauges_read(const struct ws_job *job, const u32 *state, u32 *gauges)
{
    const struct gauges_kept *const kept = (const struct gauges_kept *)(state + job->plan.at_kept);
    u32 n = 0;
#define GAUGE(name, value, unit, doc) gauges[n++] = value;
#include "shared/results/gauges.def"
#undef GAUGE
}

#undef KEPT
#undef KEPT_COUNT
#undef MSHRS

#endif
