/* One simulated SM, as its lanes see it. */
#ifndef WS_CORE_SM_H
#define WS_CORE_SM_H

#include "lanes.h"
#include "shared/state.h"
#include "shared/status.h"

/* In local memory. */
struct sm_local {
    struct lanes_local lanes;
    u32 counters[WS_COUNTERS]; /* of the slice; written by the first lane */
    u32 lines[WS_LANES];       /* distinct lines of an access, and the lanes that brought them, which write them */
    u32 leads[WS_LANES];
    u32 bank_words[WS_LANES]; /* of shared memory */
    u32 pushes[WS_LANES];     /* of each warp's stack in this slice; written by the warp's lane */
    u32 pops[WS_LANES];
};

/* Uniform: every lane has the same values, computed alike. */
struct sm {
    struct lanes lanes;
    LOCAL struct sm_local *scratch;
    GLOBAL const struct ws_job *job;
    GLOBAL const struct ws_machine *machine;
    GLOBAL const struct ws_plan *plan;
    GLOBAL const struct ws_instruction *program;
    GLOBAL const struct ws_group *groups;
    GLOBAL const u32 *words;
    GLOBAL struct ws_head *head;
    GLOBAL u64 *times; /* when has_times */
    GLOBAL struct ws_event *timeline;
    u32 has_times;
    u32 now, end;
    u32 status;
    u32 changed; /* this cycle changed something without issuing: the next is not skipped */
    u32 refused; /* mask: memory had no room for the warp's instruction and has none yet */
    u32 wanted;  /* least room in the memory queue that one of them wants; WS_NEVER: more room would not help */
    u32 events;  /* of the timeline in this slice */
    u32 pause;   /* plain instructions for which no round is looked for (divergence/narrow_round.h) */
#define UNIFORM(name, start) u32 name;
#include "core/fields.def"
};

/* Private to each lane. */
struct sm_lanes {
#define LANE(name, start) PER_LANE(u32, name);
#include "core/fields.def"
};

/* Parts of the state (shared/state.h). They are found where they are needed: as pointers in struct sm they would take up two
 * registers of a GPU each for the whole slice. */
#define PART(name, type, at)                                                                                                       \
    static inline GLOBAL type *sm_##name(PRIVATE const struct sm *sm)                                                              \
    {                                                                                                                              \
        return (GLOBAL type *)((GLOBAL u32 *)sm->head + sm->plan->at);                                                             \
    }
PART(kept, u32, at_lanes)
PART(decisions, u32, at_decisions) /* cursors by thread slot */
PART(accesses, u32, at_accesses)
PART(l1, u32, at_l1)
PART(icache, u32, at_icache)
PART(memory, struct ws_memory, at_requests)
PART(buckets, u16, at_buckets)
PART(stack, u32, at_stack)
PART(columns, u32, at_columns)
PART(waiters, u16, at_waiters)
#undef PART

/* Request of an index, which counts from 1. */
static inline GLOBAL struct ws_request *sm_request(PRIVATE const struct sm *sm, u32 index)
{
    return (GLOBAL struct ws_request *)(sm_memory(sm) + 1) + (index - 1);
}

/* What became of a cycle's issue slot. */
enum slot { SLOT_ISSUED = 0, SLOT_IDLE = 1, SLOT_SCOREBOARD = 2, SLOT_PIPELINE = 3, SLOT_QUEUE_FULL = 4 };

/* The slot of a warp for whose instruction memory has no room before the queue has as much as wanted. */
static inline u32 refuse(PRIVATE struct sm *sm, u32 warp, u32 wanted)
{
    sm->refused |= ws_bit(warp);
    sm->wanted = ws_min(sm->wanted, wanted);
    return SLOT_QUEUE_FULL;
}

/* Those that were refused may find room now. */
static inline void readmit(PRIVATE struct sm *sm)
{
    sm->refused = 0;
    sm->wanted = WS_NEVER;
}

static inline void count(PRIVATE struct sm *sm, u32 counter, u32 n)
{
    if (lane_first())
        sm->scratch->counters[counter] += n;
}

static inline void count_most(PRIVATE struct sm *sm, u32 counter, u32 n)
{
    if (lane_first())
        sm->scratch->counters[counter] = ws_max(sm->scratch->counters[counter], n);
}

/* Cycle of the whole job. */
static inline u64 absolute_cycle(PRIVATE const struct sm *sm)
{
    return sm->head->base + (u64)(sm->now - WS_SLICE_START);
}

/* Adds an event to the timeline of the slice. */
static inline void record_event(PRIVATE struct sm *sm, u32 cycles, u32 kind, u32 warp, u32 pc, u32 mask)
{
    if (sm->job->timeline_room == 0)
        return;
    if (lane_first()) {
        const struct ws_event event = {sm->now - WS_SLICE_START, cycles, kind, warp, pc, mask};
        sm->timeline[sm->events] = event;
    }
    sm->events += 1;
}

#endif
