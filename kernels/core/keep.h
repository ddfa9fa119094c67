/* From state to registers at the start of a slice, and back at its end. */
#ifndef WS_CORE_KEEP_H
#define WS_CORE_KEEP_H

#include "core/sm.h"

/* How many words the fields take. */
enum {
#define UNIFORM(name, start) +1
#define LANE(name, start)    +32
    KEPT_WORDS = 0
#include "core/fields.def"
};
typedef char kept_fields_fit[KEPT_WORDS <= WS_KEPT_WORDS ? 1 : -1];

/* A cycle of the slice that ends, as a cycle of the next. */
static inline u32 rebased(PRIVATE const struct sm *sm, u32 cycle)
{
    const u32 elapsed = sm->now - WS_SLICE_START;
    if (cycle == WS_NEVER)
        return WS_NEVER;
    return cycle < elapsed ? 0 : cycle - elapsed;
}

/* Reads the fields, or gives them their start. */
static inline void keep_load(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 started = sm->head->started;
    u32 at = 0;
#define UNIFORM(name, start) sm->name = started ? sm_kept(sm)[at] : (start), ++at;
#include "core/fields.def"
#define LANE(name, start)                                                                                                          \
    FOR_LANES (lane)                                                                                                               \
        lanes->name[OF(lane)] = started ? sm_kept(sm)[at + lane] : (u32)(start);                                                   \
    at += WS_LANES;
#include "core/fields.def"
}

/* Writes the fields; cycles are rebased. Uniform fields are written by the first lane. */
static inline void keep_store(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 at = 0;
#define UNIFORM(name, start)                                                                                                       \
    if (lane_first())                                                                                                              \
        sm_kept(sm)[at] = sm->name;                                                                                                \
    ++at;
#define UNIFORM_TIME(name, start)                                                                                                  \
    if (lane_first())                                                                                                              \
        sm_kept(sm)[at] = rebased(sm, sm->name);                                                                                   \
    ++at;
#include "core/fields.def"
#define LANE(name, start)                                                                                                          \
    FOR_LANES (lane)                                                                                                               \
        sm_kept(sm)[at + lane] = lanes->name[OF(lane)];                                                                            \
    at += WS_LANES;
#define LANE_TIME(name, start)                                                                                                     \
    FOR_LANES (lane)                                                                                                               \
        sm_kept(sm)[at + lane] = rebased(sm, lanes->name[OF(lane)]);                                                               \
    at += WS_LANES;
#include "core/fields.def"
}

#endif
