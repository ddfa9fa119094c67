/* The timeline of a run as a JSON object of trace events, as Perfetto and chrome://tracing read them (docs/results.md). Events are
 * written as they come; what is kept is of slots. */
#pragma once

#include "base/documents/json.h"
#include "base/output.h"
#include "cli/run/run_report.h"

enum { CLI_TIMELINE_PORTS = 8, CLI_TIMELINE_SLOTS = 256, CLI_TIMELINE_MEMBERS = 8 };

/* Consecutive equal cycles of a port: its issues of a warp, or its stall slots of a kind. */
struct cli_port_run {
    u64 from, until; /* the cycle after; 0 before the first run */
    u32 kind, warp;  /* its slot, */
    u32 block, rank; /* and as below */
};

/* The warp in a slot, and its issues in cycles that follow each other. */
struct cli_warp_run {
    u64 from, until;
    u64 lanes; /* sum of all issues */
    u32 pc;    /* of the first */
    u32 issues;
    u32 block, rank; /* in the grid; in the block */
    u32 members;     /* of its gang; 0: none is known */
    bool stays;      /* it has not ended */
    bool named;      /* the slot's track has its name */
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
    struct ws_text text;                    /* of the event that is being written, */
    struct ws_json json;                    /* which is on one line */
    bool filled;                            /* an event has been written */
    bool sorting;                           /* the list of a sort is open */
    u32 in_gangs[CLI_TIMELINE_MEMBERS + 1]; /* warps by members of their gang */
    u64 gangs_at;                           /* when that changed last */
    bool gangs_changed;                     /* it has not been written since */
    struct cli_port_run port[CLI_TIMELINE_PORTS];
    struct cli_warp_run warp[CLI_TIMELINE_SLOTS];
    struct cli_block_stay block[CLI_TIMELINE_SLOTS];
};

/* Opens path for the timeline of a shard, whose blocks have the numbers of the grid; a device is written as it is. */
enum ws_status cli_timeline_open(struct cli_timeline *timeline, const char *path, u32 shard, u32 shards, struct ws_error *error);

/* Adds an event; events come in the order of cycles. Write errors surface at the end. */
void cli_timeline_add(struct cli_timeline *timeline, const struct ws_timeline_event *event);

/* Ends the timeline with the counters of the run and puts it in its place; without a run nothing is left of it. */
enum ws_status cli_timeline_close(struct cli_timeline *timeline, const struct cli_run *run, struct ws_error *error);
