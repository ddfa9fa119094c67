/* One simulated SM, as its lanes see it. */
#ifndef WS_STATE_SM_H
#define WS_STATE_SM_H

#include "shared/results/status.h"
#include "shared/state.h"
#include "state/calendar.h"

/* What kernels read of their machine: MACHINE(sm, core_warps), PLAN(sm, line_shift) and PLAN_OF(sm, cache_ways, cache), of
 * parameters (shared/parameters.def) and what follows from them (shared/plan.def); RECORDED(sm) is what is recorded of the job.
 * Where WS_FIXED is defined, kernels are compiled for jobs that have values in common, and a text before says for each name whether
 * it is FIXED_IS_name, and then FIXED_name, or FIXED_name(n) (host/engine/compile/fixed.c). */
#ifdef WS_FIXED
#define MACHINE(sm, name)    (FIXED_IS_##name ? FIXED_##name : (sm)->machine->name)
#define PLAN(sm, name)       (FIXED_IS_##name ? FIXED_##name : (sm)->plan->name)
#define PLAN_OF(sm, name, n) (FIXED_IS_##name ? FIXED_##name(n) : (sm)->plan->name[n])
#define RECORDED(sm)         (FIXED_IS_recorded ? FIXED_recorded : (sm)->job->recorded)
#else
#define MACHINE(sm, name)    ((sm)->machine->name)
#define PLAN(sm, name)       ((sm)->plan->name)
#define PLAN_OF(sm, name, n) ((sm)->plan->name[n])
#define RECORDED(sm)         ((sm)->job->recorded)
#endif

/* What becomes of the slots of two issue ports, of which form loop keeps a tally; others keep none. */
enum { TALLIED_SLOTS = TALLIES ? 256 : 0 };

/* In local memory. */
struct sm_local {
    struct lanes_local lanes;
    u32 counters[WS_COUNTERS]; /* of the slice; written by the first lane */
    u32 lines[WS_LANES];       /* distinct lines of an access, and the lanes that brought them, which write them */
    u32 leads[WS_LANES];
    u32 touched[WS_LANES]; /* granules of each, where lanes take turns */
    u32 work[WS_LANES];    /* words of each bank of shared memory; rows of the lanes (memory/tickets_chain.h) */
    u32 pushes[WS_SLOTS];  /* of each warp's stack in this quantum; written by the slot's lane */
    u32 pops[WS_SLOTS];
    u32 sequence[WS_SLOTS];       /* on its way from place to place (schedule/two_level_active.h) */
    u32 accesses[WS_MOST_SLICES]; /* of small warps in a cycle (pipeline/slices/ldst.h) */
#if TALLIES
    struct {
        u32 packets[TALLIES], empty[TALLIES]; /* of each of the first pcs, and those without active lanes */
        u32 threads[TALLIES], lanes[TALLIES]; /* of all of them: thread instructions, active lanes */
        u32 slots[TALLIED_SLOTS];             /* cycles by what became of the slots of two ports (pipeline/pipeline.h) */
    } tally;                                  /* in this quantum (state/counts.h) */
#endif
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
    GLOBAL u32 *records; /* times of blocks and warps, and the timeline, at the job's offsets */
    u32 now, end;
    u32 status;       /* STATUS_BITS of enum ws_status, above them of stack_overflow the slot */
    u32 changed;      /* CHANGED_: what this cycle changed without issuing */
    slot_set refused; /* memory had no room for the warp's packet and has none yet */
    u32 wanted;       /* least room in the memory queue that one of them wants; WS_NEVER: more room would not help */
    u32 events;       /* of the timeline in this quantum */
    u32 skip_backoff; /* packets for which no round is looked for (skip/rounds.h) */
    u32 port;         /* issue port whose turn it is */
#define UNIFORM(name, start)      u32 name;
#define UNIFORM_SET(name)         slot_set name;
#define UNIFORM_SETS(name, count) slot_set name[count];
#define PORT(name, start)         u32 name[WS_PORTS];
#ifdef WS_LANES_LOOP
#define ARRAY(name, type, count) GLOBAL type *name##_array; /* sm_NAME */
    GLOBAL struct ws_request *requests;
    struct {
        slot_set selectable;
        struct calendar ready, events;
    } due; /* state/ready.h */
#endif
#include "shared/state/rows.def"
};

/* The next cycle is not skipped; the slice ends for want of room for requests, or for another cycle's events; warps have become one
 * unit as of the next cycle; blocks have ended. */
enum { STATUS_BITS = 8 };
enum { CHANGED_STATE = 1, CHANGED_ROOM = 2, CHANGED_TIMELINE = 4, CHANGED_UNITS = 8, CHANGED_BLOCKS = 16 };

/* Private to each lane. */
struct sm_lanes {
#define SLOT(name, start) PER_SLOT(u32, name);
#define SLOT_SET(name)    PER_SLOT(slot_set, name);
#include "shared/state/rows.def"
};

/* Parts of the state. Only form loop keeps where they are: in other forms the pointers would take up two registers of a GPU each
 * for the whole slice. */
#define AT_ARRAY(name, type) (GLOBAL type *)((GLOBAL u32 *)sm->head + sm->plan->at_##name)
#ifdef WS_LANES_LOOP
#define ARRAY(name, type, count)                                                                                                   \
    static inline GLOBAL type *sm_##name(PRIVATE const struct sm *sm)                                                              \
    {                                                                                                                              \
        return sm->name##_array;                                                                                                   \
    }
#else
#define ARRAY(name, type, count)                                                                                                   \
    static inline GLOBAL type *sm_##name(PRIVATE const struct sm *sm)                                                              \
    {                                                                                                                              \
        return AT_ARRAY(name, type);                                                                                               \
    }
#endif
#include "shared/state/rows.def"

/* The slice's first cycle. */
static inline u32 quantum_start(PRIVATE const struct sm *sm)
{
    return WS_QUANTUM_START + (u32)sm->head->base % QUANTUM_TURNS;
}

/* Cycles of the slice before this one. */
static inline u32 cycles_so_far(PRIVATE const struct sm *sm)
{
    return sm->now - quantum_start(sm);
}

/* At the start of a slice. */
static inline void state_open(PRIVATE struct sm *sm)
{
#ifdef WS_LANES_LOOP
#define ARRAY(name, type, count) sm->name##_array = AT_ARRAY(name, type);
#include "shared/state/rows.def"
    sm->requests = AT_ARRAY(requests, struct ws_request);
    sm->due.selectable = slots_none();
    calendar_open(&sm->due.ready, quantum_start(sm));
    calendar_open(&sm->due.events, quantum_start(sm));
#endif
}

/* The fields above, in their order. */
static inline GLOBAL u32 *sm_kept(PRIVATE const struct sm *sm)
{
    return (GLOBAL u32 *)sm->head + sm->plan->at_kept;
}

/* Request of an index, which counts from 1. */
static inline GLOBAL struct ws_request *sm_request(PRIVATE const struct sm *sm, u32 index)
{
#ifdef WS_LANES_LOOP
    return sm->requests + (index - 1);
#else
    return AT_ARRAY(requests, struct ws_request) + (index - 1);
#endif
}

/* Whether times of blocks and warps are recorded. */
static inline u32 sm_has_times(PRIVATE const struct sm *sm)
{
    return sm->job->times != WS_NO_RECORDS;
}

/* Those times (struct ws_job). */
static inline GLOBAL struct ws_block_time *sm_times(PRIVATE const struct sm *sm)
{
    return (GLOBAL struct ws_block_time *)(sm->records + sm->job->times);
}

/* Cycle of the whole job. */
static inline u64 absolute_cycle(PRIVATE const struct sm *sm)
{
    return sm->head->base + cycles_so_far(sm);
}

#endif
