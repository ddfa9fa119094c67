/* The shared state of the oracle's parts. Private to tests/oracle. */
#pragma once

#include "oracle/allocate.h"
#include "oracle/oracle.h"
#include "oracle/rules.h"

#define NO_WARP   0xFFFFFFFFu
#define NO_TICKET 0u

struct thread {
    u32 block, number;       /* block of the image, number in the block */
    u32 row, lane;           /* its home lane, counted by its path unit */
    u64 decisions, accesses; /* consumed from its streams so far */
    bool todo;               /* still to pack for its instruction */
    bool busy;               /* issued and not completed */
    bool taken;              /* outcome of its last branch; at an exit, whether it ends */
    bool exited;
    u32 slot, pc, passed; /* of path units of threads: slot of its warp, its instruction, reconvergence points passed */
};

/* Threads that share a pc, ordered by number. */
struct path {
    u32 pc;
    struct thread **thread;
    u32 count, room;
};

/* WITHOUT_WARP: the slot belongs to a block, but holds no warp now. WARP_RETIRED: an ended warp with nothing in flight. */
enum slot_state { SLOT_FREE, WARP_RUNS, WITHOUT_WARP, WARP_ENDED, WARP_RETIRED };

/* A warp in its slot. */
struct warp {
    enum slot_state state;
    u32 block, number; /* block of the image, number in the block of the warp that entered the slot */
    struct path path;  /* the threads that it runs now */
    u64 enters;        /* first cycle in which it can be selected */
    u64 fetched;       /* n(w) of schedulers.md */
    bool begun;        /* has a current instruction */
    bool at_barrier;
    const struct ws_instruction *named; /* the partial-block barrier at which it waits; NULL elsewhere */
    bool let_go;                        /* continues in the next release step */
};

/* A packet: threads that issue together in a slot. The path unit fills in the first part, the pipeline the second. */
struct packet {
    u32 slot, pc;
    const struct ws_instruction *ins;
    struct thread *thread[WS_LANES]; /* of each lane, or NULL; of a jump, all threads of the path, lane by lane */
    u32 lanes;                       /* bin of active_lanes */
    u32 threads;                     /* execute it with a true guard */
    u32 masked;                      /* execute it with a false guard, if the packet starts the instruction */
    bool begins;                     /* its instruction */
    bool empty;                      /* all its threads are busy: nothing issues */
    u64 instruction;                 /* large warps: index of the instruction in its warp */
    bool in_gang;                    /* no scheduler of warps selects it or sees it */
    u32 widest;                      /* of threads with separate pcs: largest access in bytes, */
    bool atomic;                     /* and whether any is atomic */

    struct packet *next;
    u64 earliest;               /* earliest cycle of completion */
    u32 tickets[WS_LANES];      /* that it waits for */
    u32 lane_tickets[WS_LANES]; /* of each lane: ticket of its line, or NO_TICKET */
    u32 ticket_count;
    bool missed;
};

enum request_kind { LOAD, STORE, ATOMIC };

/* Request to a memory level: one line. */
struct request {
    enum request_kind kind;
    u32 granule, bytes; /* of the line */
    u32 sectors;        /* distinct granules of the line that the access touches */
    bool bypasses;      /* a load that passes L1 */
    struct level *from; /* receiver of the returning ticket; NULL from the pipeline */
};

/* Threads that have arrived at the barriers for part of a block. */
struct named {
    u32 come[WS_NAMED_BARRIERS];
};

/* Events of warps and blocks for policies. Within a step ends come first, then arrivals, releases, entries. */
enum event_kind { WARP_ENDS, WARP_ARRIVES, BLOCK_RELEASED, BLOCK_ENTERS, WARP_ENTERS };

struct event {
    enum event_kind kind;
    u32 slot;  /* of the warp; for a released block the number of its released warps, else 0 */
    u32 block; /* of the image */
};

/* Threads that issue, return or are held together: each in its lane, or NULL. Of path units of threads. */
struct bundle {
    struct bundle *next;
    struct thread *thread[WS_LANES];
    u32 tickets[WS_LANES]; /* of each lane: the line that its thread waits for */
    u64 earliest;          /* cycle in which it leaves the pipeline */
    bool left;             /* has left it; some of its threads still wait */
};

struct dueling;

struct level {
    const struct oracle_level *rules;
    struct level *below;
    void *own;
};

struct sm {
    struct oracle_rules rules;
    void *path, *policy, *pipeline, *dispatch; /* their own state */
    const struct ws_machine *machine;
    const struct ws_image *image;
    u64 *counters;
    struct oracle_log *log;
    struct checker *checker; /* NULL without invariants */
    enum ws_status status;
    u64 now, last_issue;
    struct warp *warps;     /* machine->core_warps */
    struct thread *threads; /* of all blocks of the image */
    u32 blocks_done;
    u64 warps_entered;
    struct named *named;           /* of all blocks of the image */
    struct ws_warp_time *lives;    /* of all warps of the image, block by block */
    const struct dueling *dueling; /* that the job follows; NULL of all others */
    struct event *events;          /* not yet delivered */
    size_t event_count;
    struct level data, code, dram; /* of the barrel pipeline */
    struct levels *levels;         /* of memory, of the scoreboard pipeline */
    struct timed *timed;           /* DRAM with DDR timings, for machines that have it */
};

/* ---- sm.c ---- */
void count(struct sm *sm, u32 counter, u64 by);
void count_most(struct sm *sm, u32 counter, u64 value);
u32 warps_per_block(const struct sm *sm);
struct ws_warp_time *life_of(const struct sm *sm, u32 block, u32 number);
struct thread *thread_of(const struct sm *sm, u32 block, u32 number);
/* Current instruction of the warp; its pc is inside the program. */
const struct ws_instruction *instruction_of(const struct sm *sm, const struct warp *warp);
/* Item n of the thread's streams: a decision, an address. */
bool decision_of(const struct sm *sm, const struct thread *thread, u64 n);
u32 access_of(const struct sm *sm, const struct thread *thread, u64 n);
/* Whether an active thread's guard is true; consumes nothing. */
bool participates(const struct sm *sm, const struct thread *thread, const struct ws_instruction *ins);
void path_add(struct path *path, struct thread *thread);
void path_copy(struct path *to, const struct path *from);
/* A warp whose barrier instruction completes or, in the scoreboard pipeline, issues. */
void warp_arrives(struct sm *sm, struct warp *warp);
/* The same for a barrier possibly for part of the block, with path units that support it (dispatch/barriers.c). */
void warp_at_barrier(struct sm *sm, struct warp *warp, const struct ws_instruction *ins);
/* Slices, each with its own issue port, units and fetch: with path unit vws. */
static inline bool is_sliced(const struct sm *sm)
{
    return sm->machine->divergence_unit == WS_divergence_vws;
}
static inline u32 ports(const struct sm *sm)
{
    return is_sliced(sm) ? WS_LANES / sm->machine->core_warp_size : sm->machine->core_issue_ports;
}
/* The slots of an issue port: their number, the n-th one, and the place of a slot. */
static inline u32 port_slots(const struct sm *sm, u32 port)
{
    return sm->machine->core_warps / ports(sm) + (port < sm->machine->core_warps % ports(sm) ? 1 : 0);
}
static inline u32 port_slot(const struct sm *sm, u32 port, u32 n)
{
    return n * ports(sm) + port;
}
static inline u32 port_last_slot(const struct sm *sm, u32 port)
{
    return port_slots(sm, port) == 0 ? NO_WARP : port_slot(sm, port, port_slots(sm, port) - 1);
}
static inline u32 port_of(const struct sm *sm, u32 slot)
{
    return slot % ports(sm);
}
static inline u32 place_in_port(const struct sm *sm, u32 slot)
{
    return slot / ports(sm);
}

/* Whether a warp entered before another: blocks enter in their order. */
static inline bool warp_is_older(const struct warp *one, const struct warp *other)
{
    return one->block != other->block ? one->block < other->block : one->number < other->number;
}

/* ---- bundle.c ---- */
u32 bundle_count(const struct bundle *bundle);
u32 bundle_lowest(const struct bundle *bundle); /* the lowest lane with a thread; there is one */
/* Appends a copy to a list; removes and frees the first; frees all. */
void bundles_append(struct bundle **list, const struct bundle *bundle);
void bundles_drop(struct bundle **place);
void bundles_free(struct bundle **list);
/* invariants_place for the threads of the warp in the slot, each at its pc or, if in flight, at none. */
void bundles_places(const struct sm *sm, const struct bundle *list, u32 slot, bool under_way);

/* ---- events.c ---- */
void event_add(struct sm *sm, enum event_kind kind, u32 slot, u32 block);
/* Passes the events of a step to the policy. */
void events_deliver(struct sm *sm);

/* ---- used.c: resource use (order.md) ---- */
void used_in_cycle(struct sm *sm);                               /* after the dispatch step */
void used_by_block(struct sm *sm, u32 block);                    /* which has ended */
void used_by_packet(struct sm *sm, const struct packet *packet); /* which issues */
struct used_misses {
    u64 l1, constant, texture;
};
struct used_misses used_misses(const struct sm *sm);                  /* of loads, so far */
void used_missed(struct sm *sm, u32 slot, struct used_misses before); /* since then, of the warp in the slot */

/* ---- dueling.c ---- */
bool dueling_is_on(const struct dueling *dueling, u64 window);

/* ---- tables.c ---- */
struct oracle_rules rules_of(const struct ws_machine *machine);

/* ---- oracle.c: oracle_run under rules that may differ from the machine's, following an SM dueling or none (NULL) ---- */
enum ws_status oracle_run_rules(const struct oracle_rules *rules, const struct ws_machine *machine, const struct ws_image *image,
                                u64 counters[WS_COUNTERS], struct oracle_log *log);
enum ws_status oracle_run_following(const struct dueling *dueling, const struct ws_machine *machine, const struct ws_image *image,
                                    u64 counters[WS_COUNTERS], struct oracle_log *log);

/* ---- log.c ---- */
void log_issue(struct sm *sm, const struct packet *packet);
void log_lost(struct sm *sm, enum oracle_kind kind);
void log_moment(struct sm *sm);       /* at the start of each cycle */
void log_moment_after(struct sm *sm); /* in the cycle after a moment, the last one of the run included */

/* ---- dispatch/ ---- */
void barriers_release(struct sm *sm);
/* The dispatch step of a pipeline's cycle, and its consequences. */
void dispatch_step(struct sm *sm);
