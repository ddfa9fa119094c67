/* The state of the oracle, and its parts in the order of docs/model.md. */
#ifndef WS_TESTS_ORACLE_SM_H
#define WS_TESTS_ORACLE_SM_H

#include "oracle/oracle.h"

enum { MOST_THREADS = 1024, MOST_WARPS = 32, MOST_BANKS = 32 };

#define NO_WARP 0xFFFFFFFFu

/* An entry of a divergence stack. */
struct entry {
    u32 reconverge, execute;
    bool mask[MOST_THREADS];
};

/* A warp or large warp in its slot. Threads are numbered within the warp. */
struct warp {
    bool resident, ended;
    u32 block, number; /* block of the image, number of the warp in it */
    u32 threads;       /* with which it started */
    u64 enters;        /* first cycle in which it can be selected */
    u64 fetched;       /* n(w) of section 7 */
    u32 pc;
    bool active[MOST_THREADS];
    struct entry *stack;
    u32 depth, stack_room;
    u64 decision[MOST_THREADS]; /* decisions and accesses that each thread has taken from its streams */
    u64 access[MOST_THREADS];
    bool waits_instruction;
    u32 code_line; /* for which it waits */
    bool at_barrier;
    bool begun;      /* has a current instruction */
    bool holds;      /* is being packed: decode is its own */
    u64 instruction; /* number of the current instruction */
    u32 units;       /* of it issued so far */
    bool todo[MOST_THREADS];
    bool busy[MOST_THREADS];
    bool taken[MOST_THREADS]; /* outcomes of the current branch */
    /* tbc: threads are numbered within the compaction block */
    u32 home;  /* its first slot */
    u32 slots; /* of a group: those of its compaction block */
    bool out;  /* the slot has no warp until the next grouping */
    enum waits { WAITS_NOT, WAITS_AT_INSTRUCTION, WAITS_AT_MEETING, WAITS_FROM_NEXT_CYCLE } waits;
};

/* A unit of issue in flight. */
struct unit {
    struct unit *next;
    u32 warp;
    u64 instruction;      /* of its warp */
    u16 thread[WS_LANES]; /* or ORACLE_NO_THREAD */
    u64 earliest;         /* cycle before which it does not complete */
    u32 waits[WS_LANES];  /* lines that it waits for */
    u32 wait_count;
    bool missed;
};

struct line {
    bool valid, dirty;
    u32 number;
    u64 touched;
};

struct cache {
    u32 sets, ways;
    struct line *lines; /* set after set */
    u64 touches;
};

enum request_kind { READ_DATA, READ_CODE, WRITE_DATA };

struct request {
    struct request *next;
    enum request_kind kind;
    u32 line;   /* number in its cache's units */
    bool dirty; /* once it has filled the cache */
    u32 bytes, bank;
    u64 ready;
};

struct bank {
    u64 free, last_ready;
    bool open;
    u32 row;
};

struct sm {
    const struct ws_machine *machine;
    const struct ws_image *image;
    u64 *counters;
    struct oracle_log *log;
    enum ws_status status;
    u64 now, last_issue;
    struct warp *warps;  /* MOST_WARPS */
    struct warp *groups; /* tbc: of the compaction block whose first slot it is; has the stack and the streams' places */
    u64 compactor_free;
    struct unit *units;
    u64 port_free;  /* first cycle in which the data port is free */
    u64 lanes_free; /* first cycle in which the SIMD lanes take the next unit */
    struct cache data, code;
    struct request *requests; /* in order of arrival */
    struct bank banks[MOST_BANKS];
    struct request *burst; /* on the bus */
    u64 burst_cycles, burst_ends, remainder;
    u32 top; /* group */
    u64 issued_from_top;
    u32 pointer[MOST_WARPS]; /* of each group; of rr the first */
    u32 next_block, resident_blocks, blocks_done;
};

/* ---- oracle.c ---- */
void *oracle_allocate(size_t count, size_t size);
void *oracle_grow(void *array, size_t count, size_t size); /* room for one element more than count */
void count(struct sm *sm, u32 counter, u64 by);
void count_most(struct sm *sm, u32 counter, u64 value);
const struct ws_instruction *instruction_of(const struct sm *sm, const struct warp *warp);
bool next_decision(const struct sm *sm, const struct warp *warp, u32 thread);
u32 next_access(const struct sm *sm, const struct warp *warp, u32 thread);
/* Who keeps what the threads have taken from their streams. */
struct warp *keeper(const struct sm *sm, const struct warp *warp);
u32 lanes_of(const struct sm *sm);

/* ---- log.c ---- */
void log_issue(struct sm *sm, u32 warp, u32 pc, const u16 thread[WS_LANES]);
void log_lost(struct sm *sm, enum oracle_kind kind);
void log_state(struct sm *sm, u32 warp);

/* ---- cache.c: LRU (section 5) ---- */
void cache_make(struct cache *cache, u32 size, u32 ways, u32 line);
struct line *cache_find(const struct cache *cache, u32 number);
void cache_touch(struct cache *cache, struct line *line);
/* Puts a line in; true when that drove out a dirty line, whose number *victim receives. */
bool cache_fill(struct cache *cache, u32 number, bool dirty, u32 *victim);

/* ---- memory.c: section 6 ---- */
void memory_fill(struct sm *sm);
u32 memory_room(const struct sm *sm);
struct request *memory_reading(const struct sm *sm, enum request_kind kind, u32 line);
u32 memory_reads_of_data(const struct sm *sm);
struct request *memory_send(struct sm *sm, enum request_kind kind, u32 line);

/* ---- access.c: section 5 ---- */
u32 code_line_of(const struct sm *sm, u32 pc);
bool code_present(const struct sm *sm, u32 pc);
void fetch_hit(struct sm *sm, u32 pc);
/* False when memory has no room for the line; then nothing happened. */
bool fetch_miss(struct sm *sm, u32 warp);
/* Whether the threads' access of the warp's current pc finds room; without an access always. */
bool access_fits(const struct sm *sm, const struct warp *warp, const u16 thread[WS_LANES]);
/* Does the access and takes the addresses; fills in when the unit may complete and for what it waits. */
void access_perform(struct sm *sm, struct warp *warp, struct unit *unit);

/* ---- stack.c: section 3 ---- */
/* Lets the current instruction take effect: program counter, mask and stack, then settle; its end; the barrier. */
void warp_advance(struct sm *sm, u32 slot);
/* The same for a group: without the barrier and its end. */
void group_advance(struct sm *sm, struct warp *group, const struct ws_instruction *ins);
void settle(struct sm *sm, struct warp *warp);

/* ---- compaction.c: section 4.1 ---- */
void compaction_enter(struct sm *sm, u32 slot);
bool compaction_meets(const struct sm *sm, const struct warp *warp);
void compaction_instruction_done(struct sm *sm, u32 slot);
void compaction_begin_waiting(struct sm *sm);
void compaction_advance(struct sm *sm);

/* ---- unit.c: sections 2 and 4 ---- */
bool mask_empty(const bool *mask, u32 threads);
bool warp_can_pack(const struct warp *warp);
bool warp_has_units(const struct sm *sm, u32 slot);
bool warp_waits_for_memory(const struct sm *sm, u32 slot);
void units_complete(struct sm *sm);
void unit_issue(struct sm *sm, u32 slot, const u16 thread[WS_LANES]);
/* Chooses in each column the lowest row in todo and not busy; false when there is none. */
bool pack(const bool *todo, const bool *busy, u32 threads, u32 lanes, u16 thread[WS_LANES]);

/* ---- select.c: step 6 of section 2 ---- */
bool warp_selectable(const struct sm *sm, u32 slot);
void select_and_issue(struct sm *sm);

/* ---- schedule.c: section 7 ---- */
void schedule_rotate(struct sm *sm);
u32 schedule_choose(const struct sm *sm);
void schedule_selected(struct sm *sm, u32 slot);
void schedule_count_begun(struct sm *sm, u32 slot);
void schedule_count_threads(struct sm *sm, u32 slot, u64 threads);

/* ---- dispatch.c: section 8 ---- */
bool dispatch_possible(const struct sm *sm);
void dispatch_blocks(struct sm *sm);
void dispatch_warp_ended(struct sm *sm, u32 slot);
void barriers_release(struct sm *sm);

#endif
