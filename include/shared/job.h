/* One simulation as the host passes it to a kernel: the machine, values derived from it, and where its data lie. Offsets are in
 * 32-bit words from the start of a buffer. */
#ifndef WS_SHARED_JOB_H
#define WS_SHARED_JOB_H

#include "shared/image.h"
#include "shared/machine.h"
#include "shared/results/counters.h"
#include "shared/results/events.h"
#include "shared/results/times.h"

/* Values derived from machine and image (host/engine/plan.c), so that kernels neither divide nor search. */
struct ws_plan {
#define DERIVED(name, doc)             u32 name;
#define DERIVED_EACH(name, count, doc) u32 name[count];
#define OTHER                          DERIVED
#define OTHER_EACH                     DERIVED_EACH
#include "shared/plan.def"
    /* Offsets of the arrays of the job's state from its start, and its length (kernels/state/plan.h). */
    u32 at_kept;
#define ARRAY(name, type, count) u32 at_##name;
#define WS_STATE_ALL
#include "shared/state/rows.def"
#undef WS_STATE_ALL
    u32 at_requests, requests; /* with room for so many requests */
    u32 state_words;
};

struct ws_job {
    u64 program, groups, words; /* in the trace buffer */
    u64 state;                  /* in the state buffer: struct ws_head, then the arrays of the plan */
    u64 times;                  /* in the records buffer: struct ws_block_time[blocks], then struct ws_warp_time of all warps, block
                                   by block; WS_NO_RECORDS for none */
    u64 timeline;               /* in the records buffer: struct ws_event[timeline_room] of the current quantum */
    u32 timeline_room;          /* 0 for none, else at least WS_EVENTS_LEAST */
    u32 recorded;               /* kinds of events that are recorded, one bit each; 0 for none */
    u32 window;                 /* a quantum ends at multiples of so many cycles of the job; 0: anywhere */
    u32 instructions, blocks, block_threads, groups_per_block;
    struct ws_plan plan;
    struct ws_machine machine;
};

#define WS_NO_RECORDS 0xFFFFFFFFFFFFFFFFul

/* In ws_head.overflowed: the slot is unknown. */
enum { WS_NO_SLOT = 0xFFFFFF };

/* Start of a job's state. The host zeroes the whole state and sets status to WS_STATUS_running before the first quantum; after each
 * quantum it adds the counters (or takes their maximum) and reads status. */
struct ws_head {
    u64 base;                  /* cycles simulated in all quanta so far */
    u32 status;                /* enum ws_status */
    u32 events;                /* timeline events of the last quantum */
    u32 started;               /* zero before the first quantum */
    u32 wants_room;            /* the quantum ended because the pool of requests must grow */
    u32 counters[WS_COUNTERS]; /* of the last quantum */
    u32 overflowed;            /* with status stack_overflow: slot of the warp whose stack is full, or WS_NO_SLOT */
    u32 padding[1 + WS_COUNTERS % 2];
};

#endif
