/* The state of the oracle that its parts share. Private to tests/oracle. */
#pragma once

#include "oracle/allocate.h"
#include "oracle/oracle.h"
#include "oracle/rules.h"

#define NO_WARP   0xFFFFFFFFu
#define NO_TICKET 0u

struct thread {
    u32 block, number;       /* block of the image, number in the block */
    u32 row, lane;           /* its home, as its path unit counts them */
    u64 decisions, accesses; /* taken from its streams so far */
    bool todo;               /* still to pack for its instruction */
    bool busy;               /* issued and not completed */
    bool taken;              /* outcome of its last branch; at an exit, whether it leaves */
    bool exited;
    u32 slot, pc, passed; /* of path units of threads: slot of its warp, its instruction, reconvergence points passed */
};

/* Threads that share a pc, in the order of their numbers. */
struct path {
    u32 pc;
    struct thread **thread;
    u32 count, room;
};

/* WITHOUT_WARP: the slot belongs to a block, but holds no warp for now. WARP_RETIRED: nothing of an ended warp is in flight. */
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
    const struct ws_instruction *named; /* where it waits for part of its block; NULL elsewhere */
    bool let_go;                        /* goes on in the next release step */
};

/* What issues together in a slot. The path unit fills in the first part, the pipeline the second. */
struct packet {
    u32 slot, pc;
    const struct ws_instruction *ins;
    struct thread *thread[WS_LANES]; /* of each lane, or NULL; of a jump, those that it takes along lane by lane */
    u32 lanes;                       /* bin of active_lanes */
    u32 threads;                     /* that execute it with a true guard */
    u32 masked;                      /* that execute it with a false guard, where the packet begins the instruction */
    bool begins;                     /* its instruction */
    bool empty;                      /* all its threads are busy: nothing issues */
    u64 instruction;                 /* large warps: number in its warp of the instruction */
    bool in_gang;                    /* no scheduler of warps has chosen it, or is told of it */
    u32 widest;                      /* of threads with pcs of their own: most bytes that one accesses, */
    bool atomic;                     /* and whether one accesses atomically */

    struct packet *next;
    u64 earliest;               /* cycle before which it does not complete */
    u32 tickets[WS_LANES];      /* that it waits for */
    u32 lane_tickets[WS_LANES]; /* of each lane: that of its line, or NO_TICKET */
    u32 ticket_count;
    bool missed;
};

enum request_kind { LOAD, STORE, ATOMIC };

/* What is asked of a level of memory: one line. */
struct request {
    enum request_kind kind;
    u32 granule, bytes; /* of the line */
    u32 sectors;        /* distinct granules of the line that the access touches */
    struct level *from; /* to which a ticket goes back; NULL from the pipeline */
};

/* Threads that have come to the barriers for part of a block. */
struct named {
    u32 come[WS_NAMED_BARRIERS];
};

/* What policies are told of warps and blocks. Of one step ends come first, then arrivals, releases, entries. */
enum event_kind { WARP_ENDS, WARP_ARRIVES, BLOCK_RELEASED, BLOCK_ENTERS, WARP_ENTERS };

struct event {
    enum event_kind kind;
    u32 slot;  /* of the warp; of a block that is released how many of its warps are, else 0 */
    u32 block; /* of the image */
};

/* Threads that issue, return or are held together: each in its lane, or NULL. Of path units of threads. */
struct bundle {
    struct bundle *next;
    struct thread *thread[WS_LANES];
    u32 tickets[WS_LANES]; /* of each lane: the line that its thread waits for */
    u64 earliest;          /* cycle in which it leaves the pipeline */
    bool left;             /* has left it, some of its threads still wait */
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
    struct timed *timed;           /* the DRAM by its timings, of the machines that have it */
};

/* ---- sm.c ---- */
void count(struct sm *sm, u32 counter, u64 by);
void count_most(struct sm *sm, u32 counter, u64 value);
u32 warps_per_block(const struct sm *sm);
struct ws_warp_time *life_of(const struct sm *sm, u32 block, u32 number);
struct thread *thread_of(const struct sm *sm, u32 block, u32 number);
/* Instruction at which the warp is; its pc is inside the program. */
const struct ws_instruction *instruction_of(const struct sm *sm, const struct warp *warp);
/* What the thread's streams hold after so many: a decision, an address. */
bool decision_of(const struct sm *sm, const struct thread *thread, u64 n);
u32 access_of(const struct sm *sm, const struct thread *thread, u64 n);
/* Whether an active thread's guard is true; changes nothing. */
bool participates(const struct sm *sm, const struct thread *thread, const struct ws_instruction *ins);
void path_add(struct path *path, struct thread *thread);
void path_copy(struct path *to, const struct path *from);
/* A warp whose barrier instruction completes or, in the scoreboard pipeline, issues. */
void warp_arrives(struct sm *sm, struct warp *warp);
/* The same of an instruction that may be for part of the block, of path units that have such (dispatch/barriers.c). */
void warp_at_barrier(struct sm *sm, struct warp *warp, const struct ws_instruction *ins);
/* Slices, each with issue port, units and fetch of its own: with path unit vws. */
static inline bool is_sliced(const struct sm *sm)
{
    return sm->machine->divergence_unit == WS_divergence_vws;
}
static inline u32 ports(const struct sm *sm)
{
    return is_sliced(sm) ? WS_LANES / sm->machine->core_warp_size : sm->machine->core_issue_ports;
}
/* The slots of an issue port: how many it has, the n-th of them, and which of them a slot is. */
static inline u32 port_slots(const struct sm *sm, u32 port)
{
    return sm->machine->core_warps / ports(sm) + (port < sm->machine->core_warps % ports(sm) ? 1 : 0);
}
static inline u32 port_slot(const struct sm *sm, u32 port, u32 n)
{
    return n * ports(sm) + port;
}
static inline u32 port_of(const struct sm *sm, u32 slot)
{
    return slot % ports(sm);
}
static inline u32 place_in_port(const struct sm *sm, u32 slot)
{
    return slot / ports(sm);
}

/* ---- bundle.c ---- */
u32 bundle_count(const struct bundle *bundle);
u32 bundle_lowest(const struct bundle *bundle); /* the lowest lane that has a thread; there is one */
/* Adds a copy at the end of a list; takes the first out and frees it; frees all. */
void bundles_append(struct bundle **list, const struct bundle *bundle);
void bundles_drop(struct bundle **place);
void bundles_free(struct bundle **list);
/* invariants_place for the threads of the warp in the slot, each at its pc or, under_way, at none. */
void bundles_places(const struct sm *sm, const struct bundle *list, u32 slot, bool under_way);

/* ---- events.c ---- */
void event_add(struct sm *sm, enum event_kind kind, u32 slot, u32 block);
/* The events of a step reach the policy. */
void events_deliver(struct sm *sm);

/* ---- used.c: what is used (order.md) ---- */
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

/* ---- oracle.c: oracle_run under rules that need not be the machine's, following a dueling or none (NULL) ---- */
enum ws_status oracle_run_rules(const struct oracle_rules *rules, const struct ws_machine *machine, const struct ws_image *image,
                                u64 counters[WS_COUNTERS], struct oracle_log *log);
enum ws_status oracle_run_following(const struct dueling *dueling, const struct ws_machine *machine, const struct ws_image *image,
                                    u64 counters[WS_COUNTERS], struct oracle_log *log);

/* ---- log.c ---- */
void log_issue(struct sm *sm, const struct packet *packet);
void log_lost(struct sm *sm, enum oracle_kind kind);

/* ---- dispatch/ ---- */
void barriers_release(struct sm *sm);
/* The dispatch step of a pipeline's cycle, and what follows from it. */
void dispatch_step(struct sm *sm);
