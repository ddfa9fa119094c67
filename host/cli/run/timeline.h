/* The timeline of a run as a JSON object of trace events, as Perfetto and chrome://tracing read them (docs/results.md). Events are
 * written immediately; state is kept per slot only. */
#pragma once

#include "base/documents/json.h"
#include "base/output.h"
#include "cli/run/run_report.h"

enum { CLI_TIMELINE_PORTS = 8, CLI_TIMELINE_SLOTS = 256, CLI_TIMELINE_MEMBERS = 8 };

/* A run of equal cycles of a port: issues of one warp, or stall slots of one kind. */
struct cli_port_run {
    u64 from, until; /* the cycle after it; 0 before the first */
    u32 kind, warp;  /* its slot, */
    u32 block, rank; /* and as below */
};

/* The warp in a slot, and its issues in consecutive cycles. */
struct cli_warp_run {
    u64 from, until;
    u64 lanes; /* sum of all issues */
    u32 pc;    /* of the first */
    u32 issues;
    u32 block, rank; /* in the grid; in the block */
    u32 members;     /* size of its gang; 0: unknown */
    bool stays;      /* it has not ended */
    bool named;      /* the slot's track is named */
};

/* The block in a block slot. */
struct cli_block_stay {
    u64 entered;
    u32 block; /* in the grid */
    bool stays, named;
};

struct cli_timeline {
    struct ws_output output;
    u32 shard, shards;
    struct ws_text text;                    /* of the current event, */
    struct ws_json json;                    /* on one line */
    bool filled;                            /* an event was written */
    bool sorting;                           /* the list of a sort is open */
    bool counting;                          /* the process of counters is named */
    u32 in_gangs[CLI_TIMELINE_MEMBERS + 1]; /* warps by size of their gang */
    u64 gangs_at;                           /* when that changed last */
    bool gangs_changed;                     /* not yet written */
    struct cli_port_run port[CLI_TIMELINE_PORTS];
    struct cli_warp_run warp[CLI_TIMELINE_SLOTS];
    struct cli_block_stay block[CLI_TIMELINE_SLOTS];
};

/* Opens path for the timeline of a shard, with blocks numbered as in the grid. Devices are written directly. */
enum ws_status cli_timeline_open(struct cli_timeline *timeline, const char *path, u32 shard, u32 shards, struct ws_error *error);

/* Adds an event; events arrive in the order of cycles. Write errors are reported at the end. */
void cli_timeline_add(struct cli_timeline *timeline, const struct ws_timeline_event *event);

/* Adds a value of a counter track from a cycle on; NaN adds nothing. */
void cli_timeline_count(struct cli_timeline *timeline, const char *name, u64 cycle, double value);

/* Ends the timeline with the run's counters and moves it to its path. Without a run, removes it. */
enum ws_status cli_timeline_close(struct cli_timeline *timeline, const struct cli_run *run, struct ws_error *error);
