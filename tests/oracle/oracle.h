/* The independent judge: docs/model/ implemented naively, cycle by cycle. It shares no code and no data structure with kernels/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/machine.h"
#include "shared/results/counters.h"
#include "shared/results/gauges.h"
#include "shared/results/times.h"
#include "warpsweep/trace.h"

enum { ORACLE_NO_THREAD = 0xFFFF, ORACLE_LOGGED_ENTRIES = 16, ORACLE_BREACH_ROOM = 160 };

/* Outcome of an issue slot; kinds as in struct ws_timeline_event. */
enum oracle_kind { ORACLE_ISSUE, ORACLE_IDLE, ORACLE_SCOREBOARD, ORACLE_PIPELINE };

struct oracle_event {
    u64 cycle;
    enum oracle_kind kind;
    u32 warp, pc, lanes; /* of an issue: slot, program counter, mask of the lanes with a true guard */
    /* For an issue: number within its warp (tbc: compaction block; dwf, mimd: block) of each lane's thread, or ORACLE_NO_THREAD. */
    u16 thread[WS_LANES];
};

struct oracle_entry {
    u32 reconverge, execute, mask;
};

/* A warp after it advanced: masks show its first 32 threads, entries the lowest of the stack. */
struct oracle_state {
    u64 cycle;
    u32 warp, pc, mask, depth;
    struct oracle_entry stack[ORACLE_LOGGED_ENTRIES];
};

/* The SM at the start of a cycle: its counters so far, `cycles` included, and the values of shared/results/gauges.def. */
struct oracle_moment {
    u64 counters[WS_COUNTERS];
    u64 later[WS_COUNTERS]; /* counters one cycle later, but for cycles */
    u32 gauges[WS_GAUGES];
};

/* Output of a run in addition to its counters. The caller zeroes it, sets the requests, and frees it with oracle_log_free. */
struct oracle_log {
    bool want_events, want_states;
    bool want_pending;                  /* count the counters of pending.def, too */
    bool want_invariants;               /* check the invariants of every machine */
    u32 interval;                       /* cycles between two moments; 0: none */
    char violation[ORACLE_BREACH_ROOM]; /* the first violated invariant; empty if all hold */
    struct oracle_event *events;        /* one per cycle and issue port, in order */
    size_t event_count;
    struct oracle_state *states;
    size_t state_count;
    struct oracle_moment *moments; /* at each multiple of interval that the run reached, cycle 0 included */
    size_t moment_count;
    /* Always, as in struct ws_job_result. */
    struct ws_block_time *times;
    struct ws_warp_time *warps;
    u32 warps_per_block;
    /* Always: thread_instructions at the start of each window of dispatch.window cycles that the run reached. */
    u64 *windows;
    size_t window_count;
};
void oracle_log_free(struct oracle_log *log);

/* Simulates all blocks of the image. log may be NULL. WS_STATUS_bad_input if a block can never fit, WS_STATUS_internal if an
 * invariant is violated; after these, stack_overflow and bad_trace, counters are meaningless. Aborts when out of memory. */
enum ws_status oracle_run(const struct ws_machine *machine, const struct ws_image *image, u64 counters[WS_COUNTERS],
                          struct oracle_log *log);

/* Simulates the shards of a trace in order, with SM dueling (dispatch.md); at least two. */
void oracle_run_dueling(const struct ws_machine *machine, const struct ws_image *const *images, u32 count, enum ws_status *statuses,
                        u64 (*counters)[WS_COUNTERS]);

/* The counter's name, with the bin of a histogram; static storage until the next call. */
const char *counter_name(u32 counter);
/* Clears the counters of pending.def. */
void pending_clear(u64 counters[WS_COUNTERS]);
