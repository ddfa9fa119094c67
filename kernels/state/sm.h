/* One simulated SM, as its lanes see it. */
#ifndef WS_STATE_SM_H
#define WS_STATE_SM_H

#include "shared/results/status.h"
#include "shared/state.h"
#include "state/calendar.h"

/* Access to the machine: MACHINE(sm, core_warps), PLAN(sm, line_shift) and PLAN_OF(sm, cache_ways, cache), for parameters
 * (shared/parameters.def) and derived values (shared/plan.def); RECORDED(sm): what the job records. With WS_FIXED the kernel is
 * specialized to values that its jobs share: generated text defines for each name FIXED_IS_name, and FIXED_name or FIXED_name(n)
 * (host/engine/compile/fixed.c). */
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

/* Number of pairs of slot outcomes, for two issue ports, that form loop tallies; other forms have no tallies. */
enum { TALLIED_SLOTS = TALLIES ? 256 : 0 };

/* In local memory. */
struct sm_local {
    struct lanes_local lanes;
    u32 counters[WS_COUNTERS]; /* of the quantum; written by the first lane */
    u32 lines[WS_LANES];       /* distinct lines of an access, written by the lanes that brought them */
    u32 leads[WS_LANES];
    u32 touched[WS_LANES]; /* granules of each line, if lanes take turns */
    u32 work[WS_LANES];    /* words of each bank of shared memory; rows of the lanes (memory/tickets_chain.h) */
    u32 pushes[WS_SLOTS];  /* of each warp's stack in this quantum; written by the slot's lane */
    u32 pops[WS_SLOTS];
    u32 accesses[WS_MOST_SLICES]; /* of small warps in a cycle (pipeline/slices/ldst.h) */
#if TALLIES
    struct {
        u32 packets[TALLIES], empty[TALLIES]; /* of each of the first pcs, and those without active lanes */
        u32 threads[TALLIES], lanes[TALLIES]; /* of all packets: thread instructions, active lanes */
        u32 slots[TALLIED_SLOTS];             /* cycles by outcomes of the slots of two ports (pipeline/pipeline.h) */
    } tally;                                  /* in this quantum (state/counts.h) */
#endif
};

/* Uniform: each lane computes the same values. */
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
    u32 status;       /* enum ws_status in STATUS_BITS bits; above them the slot, for stack_overflow */
    u32 changed;      /* CHANGED_: changes of this cycle other than issue */
    slot_set refused; /* memory has had no room for the warp's packet */
    u32 wanted;       /* least room in the memory queue that one of them needs; WS_NEVER: more room would not help */
    u32 events;       /* of the timeline in this quantum */
    u32 skip_backoff; /* packets without an attempt to find a round (skip/rounds.h) */
    u32 port;         /* the current issue port */
#define UNIFORM(name, start)      u32 name;
#define UNIFORM_SET(name)         slot_set name;
#define UNIFORM_SETS(name, count) slot_set name[count];
#define PORT(name, start)         u32 name[WS_PORTS];
#ifdef WS_LANES_LOOP
#define ARRAY(name, type, count) GLOBAL type *name##_array; /* sm_NAME */
    GLOBAL struct ws_request *requests;
    GLOBAL const struct ws_operands *operands; /* of instructions */
    struct {
        slot_set selectable;
        struct calendar ready, events; /* state/ready.h */
        u32 order;                     /* schedule/pro.h */
    } due;                             /* derived, not kept between quanta */
#endif
#include "shared/state/rows.def"
};

/* CHANGED_STATE: the next cycle is not skipped. CHANGED_ROOM, CHANGED_TIMELINE: the quantum ends, for room for requests or for
 * another cycle's events. CHANGED_UNITS: warps have become one unit as of the next cycle. CHANGED_BLOCKS: blocks have ended. */
enum { STATUS_BITS = 8 };
enum { CHANGED_STATE = 1, CHANGED_ROOM = 2, CHANGED_TIMELINE = 4, CHANGED_UNITS = 8, CHANGED_BLOCKS = 16 };

/* Private to each lane. */
struct sm_lanes {
#define SLOT(name, start) PER_SLOT(u32, name);
#define SLOT_SET(name)    PER_SLOT(slot_set, name);
#include "shared/state/rows.def"
};

/* Arrays of the state. Only form loop keeps their addresses: in other forms each pointer would occupy two GPU registers for the
 * whole quantum. */
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

/* The quantum's first cycle. */
static inline u32 quantum_start(PRIVATE const struct sm *sm)
{
    return WS_QUANTUM_START + (u32)sm->head->base % QUANTUM_TURNS;
}

/* Cycles of the quantum before this one. */
static inline u32 cycles_so_far(PRIVATE const struct sm *sm)
{
    return sm->now - quantum_start(sm);
}

/* Called at the start of a quantum. */
static inline void state_open(PRIVATE struct sm *sm)
{
#ifdef WS_LANES_LOOP
#define ARRAY(name, type, count) sm->name##_array = AT_ARRAY(name, type);
#include "shared/state/rows.def"
    sm->requests = AT_ARRAY(requests, struct ws_request);
    sm->operands = ws_operands_behind(sm->program, sm->job->instructions);
    sm->due.selectable = slots_none();
    sm->due.order = 1;
    calendar_open(&sm->due.ready, quantum_start(sm));
    calendar_open(&sm->due.events, quantum_start(sm));
#endif
}

/* The fields above, in their order. */
static inline GLOBAL u32 *sm_kept(PRIVATE const struct sm *sm)
{
    return (GLOBAL u32 *)sm->head + sm->plan->at_kept;
}

/* Request by index, which counts from 1. */
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
